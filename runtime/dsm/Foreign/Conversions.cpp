//===- Conversions.cpp - Conversions of the program's own -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that a program registers for conversions of printf may have checks.
// Code that prints into memory with a conversion of C's does not expect that
// (llvm-passes/Fgdsm/Handshakes.cpp), so these cannot be replaced.
//
//===----------------------------------------------------------------------===//

#include "Node/Interpose.h"
#include <cstring>

using namespace graupel::dsm;

static void refuseStandard(int Conversion, const void *Function) {
  if (Function && Conversion > 0 && Conversion < 128 &&
      strchr("diouxXeEfFgGaAcCsSpnm", Conversion))
    fail("register_printf_specifier gets a function for %%%c, which C defines; "
         "code with checks relies on that: take another letter",
         Conversion);
}

// NOLINTBEGIN
GRAUPEL_INTERPOSE(int, register_printf_specifier,
                  (int Conversion, void *Print, void *Sizes)) {
  refuseStandard(Conversion, Print);
  return real_register_printf_specifier()(Conversion, Print, Sizes);
}

GRAUPEL_INTERPOSE(int, register_printf_function,
                  (int Conversion, void *Print, void *Sizes)) {
  refuseStandard(Conversion, Print);
  return real_register_printf_function()(Conversion, Print, Sizes);
}
// NOLINTEND
