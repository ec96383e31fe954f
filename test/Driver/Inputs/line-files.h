// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that is compiled from a header.

#include <stddef.h>
__attribute__((noinline)) static size_t inHeader(size_t Number) {
  return Number * 3;
}
