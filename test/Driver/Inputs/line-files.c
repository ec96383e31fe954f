// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions from several files.

#include "line-files.h"
#include <stdlib.h>

static volatile size_t Seven = 7;
__attribute__((noinline)) static size_t inSource(size_t Number) {
  return Number + abs(-2);
}

int main(void) { return inSource(inHeader(Seven)) != 23; }
