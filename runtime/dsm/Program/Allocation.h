//===- Allocation.h - Shared memory for programs ----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_PROGRAM_ALLOCATION_H
#define GRAUPEL_DSM_PROGRAM_ALLOCATION_H

#include "Node/Node.h"

namespace graupel::dsm {

void registerAllocationHandlers(Node &);

} // namespace graupel::dsm

#endif
