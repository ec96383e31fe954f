//===- Convert.h - Numbers in strings ---------------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Headers give one name to several versions of a function, of which a program
// has the one that its language asks for. So each version has a wrapper, which
// calls it by its name for the assembler.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_WRAPPERS_CONVERT_H
#define GRAUPEL_DSM_WRAPPERS_CONVERT_H

#include "Entries/Private.h"

namespace graupel::dsm {

/// Function(S, End, Others...), which stores where in S what it read ended.
/// Text is String, or another of its kind.
template <class Text, class F, class Char, class... More>
auto convert(F Function, const Char *S, Char **End, More... Others) {
  Text Private(S);
  Char *Stop;
  auto Result = Function(Private, &Stop, Others...);
  if (End)
    *Object<Char *>(End).get() = Private.back(Stop);
  return Result;
}

} // namespace graupel::dsm

/// Defines graupel_dsm_NAME(S, End), on private copies.
#define GRAUPEL_CONVERT(Result, Name, Text, Char)                              \
  extern "C" Result graupel_dsm_##Name(const Char *S, Char **End) {            \
    return convert<Text>(Name, S, End);                                        \
  }

/// Defines graupel_dsm_NAME(S, End, Base), and the one of C23, which newer C
/// libraries have: it knows binary numbers.
#define GRAUPEL_CONVERT_BASE(Result, Name, Text, Char)                         \
  extern "C" {                                                                 \
  Result plain_##Name(const Char *, Char **, int) __asm__(#Name);              \
  __attribute__((weak)) Result c23_##Name(const Char *, Char **,               \
                                          int) __asm__("__isoc23_" #Name);     \
  Result graupel_dsm_##Name(const Char *S, Char **End, int Base) {             \
    return convert<Text>(plain_##Name, S, End, Base);                          \
  }                                                                            \
  Result graupel_dsm___isoc23_##Name(const Char *S, Char **End, int Base) {    \
    return convert<Text>(c23_##Name ? c23_##Name : plain_##Name, S, End,       \
                         Base);                                                \
  }                                                                            \
  }

#endif
