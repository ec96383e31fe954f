//===- Fetches.h - Allocations held for a call ------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fetches for a call of a function that is GDSM_FETCHES: before the call
//
//  1. each pointer to shared memory that the thread does not hold is looked up:
//     which allocation it is in knows the node that has divided the chunk;
//  2. all of them are held (Foreign/Pins.h), together;
//
// and afterwards the thread holds what it held before. It is not known how much
// the callee uses, nor whether it only reads.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_FOREIGN_FETCHES_H
#define GRAUPEL_DSM_FOREIGN_FETCHES_H

namespace graupel::dsm {

struct Node;

void registerFetchHandlers(Node &);

} // namespace graupel::dsm

#endif
