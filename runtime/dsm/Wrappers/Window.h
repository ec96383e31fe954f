//===- Window.h - Valid pieces of operands ----------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_WRAPPERS_WINDOW_H
#define GRAUPEL_DSM_WRAPPERS_WINDOW_H

#include "graupel/dsm_checks.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace graupel::dsm {

struct Operand {
  const void *At;
  bool Store;
};

inline constexpr size_t PageBytes = size_t(1) << GRAUPEL_DSM_PAGE_SHIFT;
inline constexpr size_t GranuleBytes = size_t(1) << GRAUPEL_DSM_GRANULE_SHIFT;

/// Bytes from P to the next multiple of Unit.
inline size_t restOf(const void *P, size_t Unit) {
  return Unit - (reinterpret_cast<uintptr_t>(P) & (Unit - 1));
}

/// Whether all of the page of an operand permits it.
inline bool pagePermits(const Operand &O) {
  intptr_t Offset = ~reinterpret_cast<intptr_t>(O.At) >> GRAUPEL_DSM_PAGE_SHIFT;
  signed char Summary;
  asm volatile("movb %%gs:(%1), %0" : "=q"(Summary) : "r"(Offset) : "memory");
  return O.Store ? Summary == 0 : Summary >= 0;
}

/// Makes the first bytes of all operands valid together, until the next
/// handshake point, and returns how many: at least 1 and at most Most. If Exact,
/// all of Most will be used; if not, no more than a granule is fetched ahead.
template <size_t N>
size_t window(const Operand (&Operands)[N], size_t Most, bool Exact) {
  bool Permitted = true;
  for (const Operand &O : Operands) {
    Most = std::min(Most, restOf(O.At, PageBytes));
    Permitted = Permitted && pagePermits(O);
  }
  if (Permitted)
    return Most;
  graupel_dsm_range Ranges[N];
  if (!Exact)
    for (const Operand &O : Operands)
      Most = std::min(Most, restOf(O.At, GranuleBytes));
  for (size_t I = 0; I != N; ++I)
    Ranges[I] = {Operands[I].At, Most << 1 | Operands[I].Store};
  graupel_dsm_acquire(Ranges, N);
  return Most;
}

} // namespace graupel::dsm

#endif
