//===- SharedAddresses.h - Which addresses are shared -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The region and the runs of pages of shared globals, which lie where the
// linker put them (docs/design/dsm-globals.md). Used by the entries' first
// look, too, which runs while the program's vector registers are live: nothing
// here may use them.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_BASE_SHAREDADDRESSES_H
#define GRAUPEL_DSM_BASE_SHAREDADDRESSES_H

#include "Layout.h"

namespace graupel::dsm {

/// Addresses [Start, End).
struct Run {
  uintptr_t Start, End;
};

struct SharedAddresses {
  /// Until there is a region it starts where no address is.
  uintptr_t RegionStart = uintptr_t(1) << 62;
  /// The runs of globals: disjoint, ascending.
  const Run *Globals = nullptr;
  size_t Count = 0;

  bool isGlobal(uintptr_t A) const {
    if (!Count || A < Globals->Start)
      return false;
    size_t I = indexBehind(A);
    return I != Count && Globals[I].Start <= A;
  }
  bool contains(uintptr_t A) const {
    return A - RegionStart < RegionBytes || isGlobal(A);
  }

  /// The index of the first run of globals that ends behind A; Count if there
  /// is none.
  size_t indexBehind(uintptr_t A) const {
    size_t Low = 0, High = Count;
    while (Low != High) {
      size_t Middle = (Low + High) / 2;
      if (Globals[Middle].End <= A)
        Low = Middle + 1;
      else
        High = Middle;
    }
    return Low;
  }

  /// The lowest run that ends behind A, or one that starts at NoAddress.
  Run behind(uintptr_t A) const {
    Run Found = {NoAddress, NoAddress};
    if (A < RegionStart + RegionBytes)
      Found = {RegionStart, RegionStart + RegionBytes};
    if (size_t I = indexBehind(A); I != Count && Globals[I].Start < Found.Start)
      Found = Globals[I];
    return Found;
  }
};

} // namespace graupel::dsm

#endif
