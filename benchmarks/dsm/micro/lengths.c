/*===- lengths.c - One access a function --------------------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* To be disassembled: how many instructions a check adds to an access, where
|* nothing but that access is in a function.
|*
\*===----------------------------------------------------------------------===*/

#include <stdint.h>

int64_t load_word(const int64_t *p) { return *p; }
double load_double(const double *p) { return *p; }
signed char load_byte(const signed char *p) { return *p; }
void store_word(int64_t *p, int64_t x) { *p = x; }
