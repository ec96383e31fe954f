//===- Markers.h - Markers between the fgdsm passes -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls, attributes and metadata that exist between two of the passes only.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_MARKERS_H
#define GRAUPEL_FGDSM_MARKERS_H

namespace graupel::fgdsm {

/// Annotations to Checks: ptr NAME(ptr) is its argument. The memory that the
/// result points to is private, or may be shared whatever the classification
/// thinks.
inline constexpr char PrivateMarkerName[] = "graupel.fgdsm.private";
inline constexpr char SharedMarkerName[] = "graupel.fgdsm.shared";
/// Attributes of functions.
inline constexpr char NoCheckAttribute[] = "graupel-fgdsm-nocheck";
inline constexpr char NoPollAttribute[] = "graupel-fgdsm-nopoll";
/// The program vouches for calls of it (GDSM_UNCHECKED).
inline constexpr char UncheckedAttribute[] = "graupel-fgdsm-unchecked";
/// Arguments of its calls are fetched for the calls' duration (GDSM_FETCHES).
inline constexpr char FetchesAttribute[] = "graupel-fgdsm-fetches";
/// Options of the compilation, for when the checks are inserted while linking.
inline constexpr char VerifyAttribute[] = "graupel-fgdsm-verify";
inline constexpr char UnalignedAttribute[] = "graupel-fgdsm-unaligned";
/// The function has its checks.
inline constexpr char DoneAttribute[] = "graupel-fgdsm";
/// It is in the module's table of such functions.
inline constexpr char ListedAttribute[] = "graupel-fgdsm-listed";
/// On accesses of functions that are not checked, which may be inlined.
inline constexpr char NoCheckMetadata[] = "graupel.nocheck";

/// On an atomic instruction or a call: the alignment of its pointers, where the
/// code gives reason to doubt the type's.
inline constexpr char AlignmentMetadata[] = "graupel.align";

/// Checks to Verifier, on a load of summaries: the number of the strip's range
/// that they are of.
inline constexpr char RangeMetadata[] = "graupel.range";

} // namespace graupel::fgdsm

#endif
