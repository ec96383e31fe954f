//===- HotCold/Machine/Parts.cpp - Parts of procedures --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parts.h"
#include "bolt/Core/BinaryFunction.h"
#include "bolt/Core/MCPlusBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static const BinaryFunction *targetOf(const BinaryContext &BC,
                                      const MCInst &Call) {
  const MCSymbol *Target = BC.MIB->getTargetSymbol(Call);
  return Target ? const_cast<BinaryContext &>(BC).getFunctionForSymbol(Target)
                : nullptr;
}

const BinaryFunction *graupel::partOfSame(const BinaryFunction &BF,
                                          const MCInst &Jump) {
  const BinaryFunction *To = targetOf(BF.getBinaryContext(), Jump);
  return To && BF.getBinaryContext().MIB->isTailCall(Jump) &&
                 (To->isChildOf(BF) || BF.isChildOf(*To))
             ? To
             : nullptr;
}

bool graupel::entersPart(const BinaryContext &BC, const MCInst &Jump) {
  const BinaryFunction *To =
      BC.MIB->isTailCall(Jump) ? targetOf(BC, Jump) : nullptr;
  return To && To->isFragment();
}

bool graupel::entersForeignPart(const BinaryFunction &BF, const MCInst &Call) {
  const BinaryFunction *To = targetOf(BF.getBinaryContext(), Call);
  return To && To->isFragment() && To != &BF && !partOfSame(BF, Call);
}
