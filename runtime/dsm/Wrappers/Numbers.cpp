//===- Numbers.cpp - Numbers in shared memory -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of <stdlib.h> and <math.h> that read strings or store through
// pointers, and sorting.
//
//===----------------------------------------------------------------------===//

#include "Entries/Private.h"
#include "Foreign/Callbacks.h"
#include "Wrappers/Convert.h"
#include <cinttypes>
#include <cmath>

using namespace graupel::dsm;

//===-- Conversions -------------------------------------------------------===//

GRAUPEL_WRAP(int, atoi, (const char *S), String(S))
GRAUPEL_WRAP(long, atol, (const char *S), String(S))
GRAUPEL_WRAP(long long, atoll, (const char *S), String(S))
GRAUPEL_WRAP(double, atof, (const char *S), String(S))

GRAUPEL_CONVERT(double, strtod, String, char)
GRAUPEL_CONVERT(float, strtof, String, char)
GRAUPEL_CONVERT(long double, strtold, String, char)
GRAUPEL_CONVERT_BASE(long, strtol, String, char)
GRAUPEL_CONVERT_BASE(long long, strtoll, String, char)
GRAUPEL_CONVERT_BASE(unsigned long, strtoul, String, char)
GRAUPEL_CONVERT_BASE(unsigned long long, strtoull, String, char)
GRAUPEL_CONVERT_BASE(intmax_t, strtoimax, String, char)
GRAUPEL_CONVERT_BASE(uintmax_t, strtoumax, String, char)

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
GRAUPEL_WRAP(int, mrand48_r, (drand48_data * D, long *R), Object(D), Object(R))
GRAUPEL_WRAP(int, nrand48_r, (unsigned short *X, drand48_data *D, long *R),
             Objects(X, 3), Object(D), Object(R))
GRAUPEL_WRAP(int, jrand48_r, (unsigned short *X, drand48_data *D, long *R),
             Objects(X, 3), Object(D), Object(R))
GRAUPEL_WRAP(int, seed48_r, (unsigned short *X, drand48_data *D), Objects(X, 3),
             Object(D))
GRAUPEL_WRAP(int, lcong48_r, (unsigned short *X, drand48_data *D),
             Objects(X, 7), Object(D))
GRAUPEL_WRAP(int, erand48_r, (unsigned short *X, drand48_data *D, double *R),
             Objects(X, 3), Object(D), Object(R))
GRAUPEL_WRAP(int, srand48_r, (long Seed, drand48_data *D), Seed, Object(D))

//===-- Sorting -----------------------------------------------------------===//
// The comparison is the program's own code and gets pointers into the copy:
// sorting moves elements in any case. It may follow elements that are pointers.

namespace {

/// All are written back: there is no second copy to compare them with.
class Elements : public Replaced<char> {
public:
  Elements(void *Base, size_t Bytes) : Replaced(asBytes(Base), Bytes) {
    if (!isNeeded())
      return;
    allocate(Bytes);
    graupel_dsm_memcpy(Copy, Base, Bytes);
  }
  ~Elements() {
    if (Copy)
      graupel_dsm_memcpy(Given, Copy, Bytes);
  }
};

} // namespace

#define PLACE reinterpret_cast<uintptr_t>(__builtin_return_address(0))

extern "C" void graupel_dsm_qsort(void *Base, size_t Count, size_t Size,
                                  int (*Compare)(const void *, const void *)) {
  Elements Copy(Base, Count * Size);
  requireCheckedFor(Copy, Count, Size, reinterpret_cast<void *>(Compare),
                    "qsort", PLACE);
  qsort(Copy, Count, Size, Compare);
}

extern "C" void graupel_dsm_qsort_r(void *Base, size_t Count, size_t Size,
                                    int (*Compare)(const void *, const void *,
                                                   void *),
                                    void *Argument) {
  Elements Copy(Base, Count * Size);
  requireCheckedFor(Copy, Count, Size, reinterpret_cast<void *>(Compare),
                    "qsort_r", PLACE);
  qsort_r(Copy, Count, Size, Compare, Argument);
}
