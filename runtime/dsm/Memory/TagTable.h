//===- TagTable.h - Tags and summaries by address ---------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reservation that GS points into (dsm_checks.h) and the reading side of
// it: which byte of a range is refused. AccessControl changes tags.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_MEMORY_TAGTABLE_H
#define GRAUPEL_DSM_MEMORY_TAGTABLE_H

#include "Base/Layout.h"

namespace graupel::dsm {

inline bool refuses(uint8_t Tag, bool Store) {
  return Store ? Tag != 0 : static_cast<int8_t>(Tag) < 0;
}

inline bool permits(const uint8_t *TagOrSummary, bool Store) {
  return !refuses(__atomic_load_n(TagOrSummary, __ATOMIC_RELAXED), Store);
}

class TagTable {
public:
  /// Reserves tags for all of the address space. Ends the process with a
  /// message if limits forbid that.
  void reserve();

  /// Points GS of this thread, and of all that it creates, to the tags.
  void install() const;

  uint8_t *base() const { return Base; }
  uint8_t *tag(uintptr_t A) const {
    return Base + (A >> GRAUPEL_DSM_GRANULE_SHIFT);
  }
  uint8_t *summary(uintptr_t A) const {
    return Base + (static_cast<intptr_t>(~A) >> GRAUPEL_DSM_PAGE_SHIFT);
  }

  /// The first address in [A, End) whose tag refuses the access, or NoAddress.
  /// Both in the user's half of the address space.
  uintptr_t firstRefused(uintptr_t A, uintptr_t End, bool Store) const {
    while (A < End) {
      uintptr_t PageEnd = (A | (PageBytes - 1)) + 1;
      uintptr_t Stop = PageEnd < End ? PageEnd : End;
      if (refuses(load(summary(A)), Store))
        for (uintptr_t G = A; G < Stop; G = (G | (GranuleBytes - 1)) + 1)
          if (refuses(load(tag(G)), Store))
            return G;
      A = PageEnd;
    }
    return NoAddress;
  }

private:
  static uint8_t load(const uint8_t *P) {
    return __atomic_load_n(P, __ATOMIC_RELAXED);
  }
  uint8_t *Base = nullptr;
};

} // namespace graupel::dsm

#endif
