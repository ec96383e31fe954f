//===- Linker/Main.cpp - graupel-linker -----------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The wrapper that `graupel build` puts before linkers, under their names.
//
//===----------------------------------------------------------------------===//

#include "Build/Linker.h"
#include <vector>

int main(int Argc, char **Argv) {
  const std::vector<std::string> Arguments(Argv + 1, Argv + Argc);
  return graupel::build::linkAs(Argv[0], Arguments);
}
