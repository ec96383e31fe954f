//===- Place/CallCounts.cpp - Counts calls between functions --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallCounts.h"
#include "bolt/Core/BinaryContext.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

bool graupel::hasPlace(const BinaryFunction &BF) {
  return BF.hasProfile() && !BF.isIgnored() &&
         BF.getState() == BinaryFunction::State::CFG;
}

void graupel::forEachCallee(
    const BinaryBasicBlock &Block, const MCInst &Inst,
    function_ref<void(const BinaryFunction &, uint64_t)> Report) {
  const BinaryContext &BC = Block.getFunction()->getBinaryContext();
  auto reportSymbol = [&](const MCSymbol *Symbol, uint64_t Count) {
    if (const BinaryFunction *Callee =
            Symbol ? BC.getFunctionForSymbol(Symbol) : nullptr)
      Report(*Callee, Count);
  };
  const MCSymbol *Target = BC.MIB->getTargetSymbol(Inst);
  if (!Target && BC.MIB->hasAnnotation(Inst, "CallProfile")) {
    for (const IndirectCallProfile &Profile :
         BC.MIB->getAnnotationAs<IndirectCallSiteProfile>(Inst, "CallProfile"))
      reportSymbol(Profile.Symbol, Profile.Count);
    return;
  }
  reportSymbol(Target, BC.MIB->getAnnotationWithDefault(
                           Inst, "Count", Block.getKnownExecutionCount()));
}
