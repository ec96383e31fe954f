//===- Numbers.cpp - Numbers in shared memory -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What <stdlib.h> and <math.h> read from strings and store through pointers,
// and sorting.
//
//===----------------------------------------------------------------------===//

#include "Entries/Private.h"
#include "Foreign/Callbacks.h"
#include <cinttypes>
#include <cmath>
#include <cwchar>

using namespace graupel::dsm;

//===-- Conversions -------------------------------------------------------===//

GRAUPEL_WRAP(int, atoi, (const char *S), String(S))
GRAUPEL_WRAP(long, atol, (const char *S), String(S))
GRAUPEL_WRAP(long long, atoll, (const char *S), String(S))
GRAUPEL_WRAP(double, atof, (const char *S), String(S))

#define GRAUPEL_CONVERT(Result, Name)                                          \
  extern "C" Result graupel_dsm_##Name(const char *S, char **E) {              \
    return convert<String>(Name, S, E);                                        \
  }
#define GRAUPEL_CONVERT_BASE(Result, Name)                                     \
  extern "C" Result graupel_dsm_##Name(const char *S, char **E, int Base) {    \
    return convert<String>(Name, S, E, Base);                                  \
  }
GRAUPEL_CONVERT(double, strtod)
GRAUPEL_CONVERT(float, strtof)
GRAUPEL_CONVERT(long double, strtold)
GRAUPEL_CONVERT_BASE(long, strtol)
GRAUPEL_CONVERT_BASE(long long, strtoll)
GRAUPEL_CONVERT_BASE(unsigned long, strtoul)
GRAUPEL_CONVERT_BASE(unsigned long long, strtoull)
GRAUPEL_CONVERT_BASE(intmax_t, strtoimax)
GRAUPEL_CONVERT_BASE(uintmax_t, strtoumax)

//===-- Second results ----------------------------------------------------===//

#define GRAUPEL_SECOND(Type, Second, Name)                                     \
  GRAUPEL_WRAP(Type, Name, (Type X, Second * P), X, Object(P))
GRAUPEL_SECOND(double, double, modf)
GRAUPEL_SECOND(float, float, modff)
GRAUPEL_SECOND(long double, long double, modfl)
GRAUPEL_SECOND(double, int, frexp)
GRAUPEL_SECOND(float, int, frexpf)
GRAUPEL_SECOND(long double, int, frexpl)
GRAUPEL_SECOND(double, int, lgamma_r)
GRAUPEL_SECOND(float, int, lgammaf_r)
GRAUPEL_SECOND(long double, int, lgammal_r)

#define GRAUPEL_REMAINDER(Type, Name)                                          \
  GRAUPEL_WRAP(Type, Name, (Type X, Type Y, int *P), X, Y, Object(P))
GRAUPEL_REMAINDER(double, remquo)
GRAUPEL_REMAINDER(float, remquof)
GRAUPEL_REMAINDER(long double, remquol)

#define GRAUPEL_BOTH(Type, Name)                                               \
  GRAUPEL_WRAP(void, Name, (Type X, Type * S, Type * C), X, Object(S),         \
               Object(C))
GRAUPEL_BOTH(double, sincos)
GRAUPEL_BOTH(float, sincosf)
GRAUPEL_BOTH(long double, sincosl)

GRAUPEL_WRAP(double, nan, (const char *S), String(S))
GRAUPEL_WRAP(float, nanf, (const char *S), String(S))
GRAUPEL_WRAP(long double, nanl, (const char *S), String(S))

//===-- Random numbers ----------------------------------------------------===//

GRAUPEL_WRAP(int, rand_r, (unsigned *Seed), Object(Seed))
GRAUPEL_WRAP(double, erand48, (unsigned short *X), Objects(X, 3))
GRAUPEL_WRAP(long, nrand48, (unsigned short *X), Objects(X, 3))
GRAUPEL_WRAP(long, jrand48, (unsigned short *X), Objects(X, 3))
GRAUPEL_WRAP(unsigned short *, seed48, (unsigned short *X), Objects(X, 3))
GRAUPEL_WRAP(void, lcong48, (unsigned short *X), Objects(X, 7))
GRAUPEL_WRAP(int, drand48_r, (drand48_data * D, double *R), Object(D),
             Object(R))
GRAUPEL_WRAP(int, lrand48_r, (drand48_data * D, long *R), Object(D), Object(R))
GRAUPEL_WRAP(int, erand48_r, (unsigned short *X, drand48_data *D, double *R),
             Objects(X, 3), Object(D), Object(R))
GRAUPEL_WRAP(int, srand48_r, (long Seed, drand48_data *D), Seed, Object(D))

//===-- Sorting -----------------------------------------------------------===//
// The comparison is the program's own code and gets pointers into the copy:
// sorting moves elements in any case. It may follow elements that are pointers.

#define PLACE reinterpret_cast<uintptr_t>(__builtin_return_address(0))

extern "C" void graupel_dsm_qsort(void *Base, size_t Count, size_t Size,
                                  int (*Compare)(const void *, const void *)) {
  Objects Copy(static_cast<char *>(Base), Count * Size);
  requireCheckedFor(Copy, Count, Size, reinterpret_cast<void *>(Compare),
                    "qsort", PLACE);
  qsort(Copy, Count, Size, Compare);
}

extern "C" void graupel_dsm_qsort_r(void *Base, size_t Count, size_t Size,
                                    int (*Compare)(const void *, const void *,
                                                   void *),
                                    void *Argument) {
  Objects Copy(static_cast<char *>(Base), Count * Size);
  requireCheckedFor(Copy, Count, Size, reinterpret_cast<void *>(Compare),
                    "qsort_r", PLACE);
  qsort_r(Copy, Count, Size, Compare, Argument);
}
