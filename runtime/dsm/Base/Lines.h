//===- Lines.h - Source lines of places in code -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For messages about a program that has gone wrong, so also for handlers of
// signals that interrupted malloc: nothing here allocates. Lines come from
// `graupel dsm lines`, which a process is started for.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_BASE_LINES_H
#define GRAUPEL_DSM_BASE_LINES_H

#include <cstdint>

namespace graupel::dsm {

struct PlaceName {
  char Text[192];
};

/// "grid.c:41", "work (program+0x1234)" or "program+0x1234", whichever is
/// known, of the calls that return to the places. An unknown place (0) is
/// "unknown code".
void namePlaces(const uintptr_t *Places, PlaceName *Names, unsigned Count);

/// The name of one place.
PlaceName nameOf(uintptr_t Place);

} // namespace graupel::dsm

#endif
