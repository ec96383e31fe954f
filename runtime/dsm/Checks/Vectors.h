//===- Vectors.h - What Entry.S saves of vector registers -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_CHECKS_VECTORS_H
#define GRAUPEL_DSM_CHECKS_VECTORS_H

#include <stdint.h>

#define GRAUPEL_DSM_INTERNAL __attribute__((visibility("hidden")))

extern "C" {
/// 0: fxsave, 1: xsave, 2: xsavec.
GRAUPEL_DSM_INTERNAL extern uint32_t graupelDsmVectorMethod;
GRAUPEL_DSM_INTERNAL extern uint64_t graupelDsmVectorBytes;
GRAUPEL_DSM_INTERNAL extern uint64_t graupelDsmVectorMask;
}

namespace graupel::dsm {

/// Sets the three from what the processor and the kernel offer, using no better
/// method than `Best`. Before the first entry is called.
void chooseVectorMethod(uint32_t Best = 2);

} // namespace graupel::dsm

#endif
