//===- unit/ElfVerify.cpp - -verify by itself -----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// elf-verify INPUT OUTPUT: what graupel-bolt -verify says of OUTPUT, for tests
// that damage it first.
//
//===----------------------------------------------------------------------===//

#include "Driver/VerifyOption.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace graupel;

int main(int Argc, char **Argv) {
  if (Argc != 3) {
    errs() << "usage: elf-verify INPUT OUTPUT\n";
    return 2;
  }
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86Disassembler();
  Expected<std::string> Result = verifyFiles(Argv[1], Argv[2]);
  if (!Result) {
    outs() << toString(Result.takeError()) << '\n';
    return 1;
  }
  outs() << *Result << '\n';
  return 0;
}
