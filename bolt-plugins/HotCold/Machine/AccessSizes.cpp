//===- HotCold/Machine/AccessSizes.cpp - Bytes accessed -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessSizes.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/TargetRegistry.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

AccessSizes::AccessSizes(const BinaryContext &BC)
    : BC(BC),
      IntelSyntax(BC.TheTarget->createMCInstPrinter(
          *BC.TheTriple, /*SyntaxVariant=*/1, *BC.AsmInfo, *BC.MII, *BC.MRI)) {
  while (BC.MII->getName(MoveHalf) != "MOV32rr")
    ++MoveHalf;
}

/// No table of the target says that, but its assembler's other syntax does.
int64_t AccessSizes::of(const MCInst &Inst) {
  auto [At, IsNew] = Known.try_emplace(Inst.getOpcode(), 0);
  if (!IsNew)
    return At->second;
  std::string Text;
  raw_string_ostream OS(Text);
  IntelSyntax->printInst(&Inst, 0, "", *BC.STI, OS);
  const StringRef BeforePtr = StringRef(Text).split(" ptr").first;
  if (BeforePtr.size() == Text.size())
    return 0;
  const size_t Word = BeforePtr.find_last_of(" \t");
  return At->second =
             StringSwitch<int64_t>(
                 BeforePtr.substr(Word == StringRef::npos ? 0 : Word + 1))
                 .Case("byte", 1)
                 .Case("word", 2)
                 .Case("dword", 4)
                 .Case("qword", 8)
                 .Case("tbyte", 10)
                 .Case("xmmword", 16)
                 .Case("ymmword", 32)
                 .Case("zmmword", 64)
                 .Default(0);
}
