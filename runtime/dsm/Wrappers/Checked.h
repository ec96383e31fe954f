//===- Checked.h - Functions as -D_FORTIFY_SOURCE calls them ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_WRAPPERS_CHECKED_H
#define GRAUPEL_DSM_WRAPPERS_CHECKED_H

/// The C library's: ends the program with its message of a buffer overflow.
extern "C" [[noreturn]] void __chk_fail();

/// Defines graupel_dsm___NAME_chk, of parameters among which Room is what there
/// is behind the destination: graupel_dsm_NAME, unless that Needed more.
#define GRAUPEL_CHECKED(Result, Name, Needed, Parameters, ...)                 \
  extern "C" Result graupel_dsm___##Name##_chk Parameters {                    \
    if ((Needed) > Room)                                                       \
      __chk_fail();                                                            \
    return graupel_dsm_##Name(__VA_ARGS__);                                    \
  }

#endif
