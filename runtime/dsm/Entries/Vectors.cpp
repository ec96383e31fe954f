//===- Vectors.cpp - Vector registers that Entry.S saves --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Vectors.h"
#include <cpuid.h>

// fxsave, until chosen: correct where no processor state is larger.
uint32_t graupelDsmVectorMethod = 0;
uint32_t graupelDsmHasAvx = 0;
uint64_t graupelDsmVectorBytes = 512;
uint64_t graupelDsmVectorMask = 0;

namespace graupel::dsm {

namespace {

/// The states that the kernel has enabled (XCR0).
uint64_t enabledStates() {
  uint32_t Low, High;
  asm volatile("xgetbv" : "=a"(Low), "=d"(High) : "c"(0));
  return Low | uint64_t(High) << 32;
}

} // namespace

void chooseVectorMethod(uint32_t Best) {
  unsigned A, B, C, D;
  graupelDsmVectorMethod = 0;
  constexpr unsigned OsXsave = 1u << 27;
  if (Best == 0 || !__get_cpuid(1, &A, &B, &C, &D) || !(C & OsXsave))
    return;
  // Protection keys are no registers of the program's.
  constexpr uint64_t Keys = uint64_t(1) << 9, Avx = 1 << 2, Avx512 = 7 << 5;
  uint64_t States = enabledStates();
  graupelDsmVectorMask = States & ~Keys;
  graupelDsmHasAvx = (States & Avx) != 0;
  graupelDsmVectorMethod = 1;
  __cpuid_count(0xd, 0, A, B, C, D);
  graupelDsmVectorBytes = B; // All enabled states.

  __cpuid_count(0xd, 1, A, B, C, D);
  constexpr unsigned TellsInUse = 1u << 2; // xgetbv with 1
  if (Best < 2 || !(A & TellsInUse))
    return;
  __cpuid_count(7, 0, A, B, C, D);
  constexpr unsigned Avx512Bw = 1u << 30; // kmovq
  if (!(States & Avx512) || (B & Avx512Bw))
    graupelDsmVectorMethod = 2;
}

} // namespace graupel::dsm
