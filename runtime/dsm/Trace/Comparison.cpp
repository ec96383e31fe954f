//===- Comparison.cpp - Changes in a block while it was away --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trace/Comparison.h"
#include "Base/Layout.h"
#include <algorithm>
#include <bitset>
#include <cstring>

namespace graupel::dsm::trace {

namespace {

using Granules = std::bitset<GranulesPerPage>;

/// Whether blocks of `Granularity` granules would keep the two apart.
bool apart(const Granules &A, const Granules &B, unsigned Granules,
           unsigned Granularity) {
  for (unsigned First = 0; First < Granules; First += Granularity) {
    bool InA = false, InB = false;
    for (unsigned I = First; I != First + Granularity; ++I) {
      InA |= A[I];
      InB |= B[I];
    }
    if (InA && InB)
      return false;
  }
  return true;
}

} // namespace

const char *causeName(Cause C) {
  static const char *const Names[] = {
      "cold",         "true sharing", "false sharing", "unchanged",
      "not compared", "upgrade",      "false match",   "already valid"};
  static_assert(std::size(Names) == static_cast<size_t>(Cause::Count));
  return Names[static_cast<size_t>(C)];
}

Comparison compare(const void *Old, const void *New, uintptr_t Block,
                   uint32_t Size, const graupel_dsm_range *Ranges,
                   uint64_t Count) {
  auto *Before = static_cast<const uint8_t *>(Old);
  auto *After = static_cast<const uint8_t *>(New);
  if (memcmp(Before, After, Size) == 0)
    return {Cause::Unchanged, 0};

  bool OfAccess = false;
  Granules Touched, Changed;
  forEachPart(Block, Size, Ranges, Count, [&](size_t Start, size_t End) {
    OfAccess |= memcmp(Before + Start, After + Start, End - Start) != 0;
    for (size_t I = Start / GranuleBytes; I <= (End - 1) / GranuleBytes; ++I)
      Touched.set(I);
  });
  if (OfAccess)
    return {Cause::TrueSharing, 0};

  unsigned Total = Size / GranuleBytes;
  for (unsigned I = 0; I != Total; ++I)
    Changed[I] = memcmp(Before + I * GranuleBytes, After + I * GranuleBytes,
                        GranuleBytes) != 0;
  for (unsigned Smaller = Total / 2; Smaller; Smaller /= 2)
    if (apart(Touched, Changed, Total, Smaller))
      return {Cause::FalseSharing,
              static_cast<uint32_t>(Smaller * GranuleBytes)};
  return {Cause::FalseSharing, 0};
}

} // namespace graupel::dsm::trace
