//===- HotCold/CallOrder.cpp - Callees before callers ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallOrder.h"
#include "bolt/Core/BinaryFunction.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static std::vector<BinaryFunction *> calleesOf(const BinaryFunction &BF) {
  BinaryContext &BC = const_cast<BinaryFunction &>(BF).getBinaryContext();
  std::vector<BinaryFunction *> Result;
  for (const BinaryBasicBlock &Block : BF)
    for (const MCInst &Inst : Block)
      if (!BC.MIB->isPseudo(Inst) && BC.MIB->isCall(Inst))
        if (const MCSymbol *Target = BC.MIB->getTargetSymbol(Inst))
          if (BinaryFunction *Callee = BC.getFunctionForSymbol(Target))
            Result.push_back(Callee);
  return Result;
}

std::vector<BinaryFunction *> graupel::calleesFirst(BinaryContext &BC) {
  std::vector<BinaryFunction *> Order;
  DenseSet<const BinaryFunction *> Seen;
  std::vector<std::pair<BinaryFunction *, std::vector<BinaryFunction *>>> Path;
  auto enter = [&](BinaryFunction &BF) {
    if (BF.hasCFG() && Seen.insert(&BF).second)
      Path.push_back({&BF, calleesOf(BF)});
  };
  for (auto &[Address, BF] : BC.getBinaryFunctions()) {
    enter(BF);
    while (!Path.empty()) {
      if (Path.back().second.empty()) {
        Order.push_back(Path.back().first);
        Path.pop_back();
        continue;
      }
      BinaryFunction &Next = *Path.back().second.back();
      Path.back().second.pop_back();
      enter(Next);
    }
  }
  return Order;
}
