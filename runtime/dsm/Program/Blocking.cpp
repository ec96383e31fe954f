//===- Blocking.cpp - The program's own functions that block ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled with exceptions: what the function throws passes through, and so
// does the end of a thread that is cancelled. It is online again behind.
//
//===----------------------------------------------------------------------===//

#include "Node/Node.h"
#include "graupel/dsm.h"

using namespace graupel::dsm;

void gdsm_blocking(void (*Function)(void *), void *Argument) {
  nodeFor("gdsm_blocking");
  Blocking Here;
  Function(Argument);
}
