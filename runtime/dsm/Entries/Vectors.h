//===- Vectors.h - Vector registers that Entry.S saves ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_ENTRIES_VECTORS_H
#define GRAUPEL_DSM_ENTRIES_VECTORS_H

#include <stdint.h>

#define GRAUPEL_DSM_INTERNAL __attribute__((visibility("hidden")))

extern "C" {
/// 0: fxsave, where there is nothing wider. 1: xsave, into
/// graupelDsmVectorBytes, the states of graupelDsmVectorMask. 2: moves of what
/// is in use.
GRAUPEL_DSM_INTERNAL extern uint32_t graupelDsmVectorMethod;
GRAUPEL_DSM_INTERNAL extern uint32_t graupelDsmHasAvx;
GRAUPEL_DSM_INTERNAL extern uint64_t graupelDsmVectorBytes;
GRAUPEL_DSM_INTERNAL extern uint64_t graupelDsmVectorMask;
}

namespace graupel::dsm {

/// Sets all of it from what the processor and the kernel offer, using no higher
/// method than `Best`. Before the first entry is called.
void chooseVectorMethod(uint32_t Best = 2);

} // namespace graupel::dsm

#endif
