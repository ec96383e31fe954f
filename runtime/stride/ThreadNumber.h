//===- stride/ThreadNumber.h - Which thread this is ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_THREADNUMBER_H
#define GRAUPEL_STRIDE_THREADNUMBER_H

#include <cstdint>

namespace graupel::stride {

/// In which order the calling thread was created, as ThreadRecord has it: 0 is
/// the program's first. NoNumber if pthread_create has not made it.
uint64_t creationNumber();
/// Of the calling thread, before it does anything.
void setCreationNumber(uint32_t Number);

} // namespace graupel::stride

#endif
