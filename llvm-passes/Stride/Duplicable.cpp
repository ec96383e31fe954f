//===- Duplicable.cpp -----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells why a function cannot have its blocks twice, and copies tables of
// labels.
//
// 1. jumpTables: collect the tables that computed jumps read, null for a jump
//    whose table is not known. hasJumpTables is true if all are known and serve
//    jumps only, and no label is used elsewhere.
// 2. copyJumpTables: make a copy of each table, with the labels of copied
//    blocks.
// 3. whyNotDuplicable of an instruction: tokens, asm goto, funclets, calls that must
//    not be copied, assembly that defines labels.
// 4. loopPoints: collect the headers of loops and the targets of back edges.
// 5. whyNotDuplicable of a function: coroutines, calls that return twice, unknown
//    computed jumps, then the reasons of its instructions, swifterror
//    arguments, and loop points that are exception pads.
//
//===----------------------------------------------------------------------===//

#include "Duplicable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace graupel::stride {

//===--- Tables of labels -------------------------------------------------===//

/// The table that a computed jump takes its target from, if nothing else does.
static GlobalVariable *tableOf(const IndirectBrInst &Jump) {
  auto *Load = dyn_cast<LoadInst>(Jump.getAddress());
  if (!Load || Load->getParent() != Jump.getParent() || !Load->hasOneUse())
    return nullptr;
  const Value *From = Load->getPointerOperand();
  if (auto *Element = dyn_cast<GetElementPtrInst>(From))
    From = Element->getPointerOperand();
  auto *Table = const_cast<GlobalVariable *>(dyn_cast<GlobalVariable>(From));
  if (!Table || !Table->hasLocalLinkage() || !Table->isConstant() ||
      !Table->hasInitializer())
    return nullptr;
  auto *Labels = dyn_cast<ConstantArray>(Table->getInitializer());
  if (!Labels || !all_of(Labels->operands(), [&](const Use &U) {
        auto *Label = dyn_cast<BlockAddress>(U);
        return !Label || Label->getFunction() == Jump.getFunction();
      }))
    return nullptr;
  return Table;
}

static bool isJump(const User *U) {
  auto *Load = dyn_cast<LoadInst>(U);
  return Load && Load->hasOneUse() && isa<IndirectBrInst>(Load->user_back());
}

static bool servesJumpsOnly(const GlobalVariable &Table) {
  return all_of(Table.users(), [](const User *U) {
    return isJump(U) ||
           (isa<GetElementPtrInst>(U) && all_of(U->users(), isJump));
  });
}

JumpTables jumpTables(const Function &F) {
  JumpTables Tables;
  for (const BasicBlock &BB : F)
    if (auto *Jump = dyn_cast<IndirectBrInst>(BB.getTerminator()))
      Tables.insert(tableOf(*Jump));
  return Tables;
}

/// Whether copies can jump through tables of their own.
static bool hasJumpTables(const Function &F) {
  JumpTables Tables = jumpTables(F);
  for (const GlobalVariable *Table : Tables)
    if (!Table || !servesJumpsOnly(*Table))
      return false;
  auto IsTable = [&](const User *U) {
    auto *Table = dyn_cast<GlobalVariable>(U);
    return Table && Tables.contains(const_cast<GlobalVariable *>(Table));
  };
  for (const BasicBlock &BB : F)
    if (auto *Label =
            BB.hasAddressTaken() ? BlockAddress::lookup(&BB) : nullptr)
      for (const User *U : Label->users())
        if (!isa<ConstantArray>(U) || !all_of(U->users(), IsTable))
          return false;
  return true;
}

void copyJumpTables(const JumpTables &Tables, Function &F,
                    ValueToValueMapTy &Copies) {
  for (GlobalVariable *Table : Tables) {
    SmallVector<Constant *, 0> Labels;
    for (const Use &U : Table->getInitializer()->operands()) {
      auto *Label = dyn_cast<BlockAddress>(U);
      Labels.push_back(
          Label ? BlockAddress::get(&F, cast<BasicBlock>(Copies.lookup(
                                            Label->getBasicBlock())))
                : cast<Constant>(U));
    }
    auto *Copy = new GlobalVariable(
        *F.getParent(), Table->getValueType(), true, Table->getLinkage(),
        ConstantArray::get(cast<ArrayType>(Table->getValueType()), Labels),
        Table->getName() + ".plain");
    Copy->copyAttributesFrom(Table);
    Copy->setComdat(Table->getComdat());
    Copies[Table] = Copy;
  }
}

//===--- Reasons ----------------------------------------------------------===//

// `${:uid}` and local labels (`1:`) are made to be copied.
static bool definesLabels(const InlineAsm *Assembly) {
  StringRef Text = Assembly->getAsmString();
  for (size_t Colon = Text.find(':'); Colon != StringRef::npos;
       Colon = Text.find(':', Colon + 1)) {
    size_t Start = Colon;
    while (Start && (isAlnum(Text[Start - 1]) || Text[Start - 1] == '_' ||
                     Text[Start - 1] == '.' || Text[Start - 1] == '$'))
      --Start;
    StringRef Word = Text.slice(Start, Colon);
    if (!Word.empty() && !all_of(Word, isDigit))
      return true;
  }
  return false;
}

static StringRef whyNotDuplicable(const Instruction &I) {
  if (I.getType()->isTokenTy())
    return "tokens";
  if (isa<CallBrInst>(I))
    return "computed jumps";
  if (I.isEHPad() && !isa<LandingPadInst>(I))
    return "funclets";
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return "";
  if (Call->cannotDuplicate() || Call->isConvergent())
    return "calls that must not be copied";
  if (auto *Assembly = dyn_cast<InlineAsm>(Call->getCalledOperand());
      Assembly && definesLabels(Assembly))
    return "assembly with labels";
  switch (Call->getIntrinsicID()) {
  case Intrinsic::localescape:
  case Intrinsic::eh_sjlj_setup_dispatch:
  case Intrinsic::eh_sjlj_setjmp:
  case Intrinsic::asan_check_memaccess:
    return "calls that must not be copied";
  default:
    return "";
  }
}

SmallSetVector<BasicBlock *, 8> loopPoints(const PlanInput &In) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 16> Edges;
  FindFunctionBackedges(In.F, Edges);
  SmallSetVector<BasicBlock *, 8> Points;
  for (Loop *L : In.LI.getLoopsInPreorder())
    Points.insert(L->getHeader());
  for (auto [From, To] : Edges)
    Points.insert(const_cast<BasicBlock *>(To));
  return Points;
}

StringRef whyNotDuplicable(const PlanInput &In) {
  if (In.F.isPresplitCoroutine())
    return "a coroutine";
  if (In.F.callsFunctionThatReturnsTwice())
    return "a call may return twice";
  if (!hasJumpTables(In.F))
    return "computed jumps";
  for (BasicBlock &BB : In.F)
    for (Instruction &I : BB)
      if (StringRef Why = whyNotDuplicable(I); !Why.empty())
        return Why;
  for (Argument &A : In.F.args())
    if (A.hasSwiftErrorAttr())
      return "swifterror";
  for (BasicBlock *Point : loopPoints(In))
    if (Point->isEHPad())
      return "a loop of exceptions";
  return "";
}

} // namespace graupel::stride
