//===- stride/ThreadNumber.h - Creation number of a thread ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_THREADNUMBER_H
#define GRAUPEL_STRIDE_THREADNUMBER_H

#include <cstdint>

namespace graupel::stride {

/// The calling thread's place in the order of creation, as in ThreadRecord. 0
/// is the program's first. NoNumber if pthread_create has not made it.
uint64_t creationNumber();
/// Sets the calling thread's number, before it does anything.
void setCreationNumber(uint32_t Number);

} // namespace graupel::stride

#endif
