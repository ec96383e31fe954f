//===- profile/Memory.cpp - Functions that compilers call -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"

extern "C" {

__attribute__((visibility("hidden"))) void *memcpy(void *To, const void *From,
                                                   size_t Size) {
  graupel::copyBytes(To, From, Size);
  return To;
}

__attribute__((visibility("hidden"))) void *memset(void *To, int Value,
                                                   size_t Size) {
  void *At = To;
  asm volatile("rep stosb" : "+D"(At), "+c"(Size) : "a"(Value) : "memory");
  return To;
}

} // extern "C"
