//===- StripMining.h - Loops run in checked strips --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_STRIPMINING_H
#define GRAUPEL_FGDSM_STRIPMINING_H

namespace graupel::fgdsm {

/// Names of the markers and of the metadata.
inline constexpr char RangeMarkerName[] = "graupel.fgdsm.range";
inline constexpr char PollMarkerName[] = "graupel.fgdsm.poll";
inline constexpr char CoveredMetadataName[] = "graupel.covered";
/// On loops that poll once a strip or are too short to poll.
inline constexpr char StripLoopMetadataName[] = "graupel.fgdsm.strip";

} // namespace graupel::fgdsm

#endif
