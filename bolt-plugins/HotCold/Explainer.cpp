//===- HotCold/Explainer.cpp - Watches the functions to explain -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explainer.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

constexpr StringLiteral OriginTag = "GraupelOrigin";

std::string textOf(const BinaryContext &BC, const MCInst &Inst) {
  std::string Text;
  raw_string_ostream OS(Text);
  BC.InstPrinter->printInst(&Inst, 0, "", *BC.STI, OS);
  replace(Text, '\t', ' ');
  return StringRef(Text).trim().str();
}

/// BOLT appends "/FILE/NUMBER" to the names of local functions.
StringRef plainName(StringRef Name) { return Name.split('/').first; }

bool hasName(const BinaryFunction &BF, StringRef Wanted) {
  return any_of(BF.getNames(), [&](StringRef Name) {
    return Name == Wanted || plainName(Name) == Wanted;
  });
}

Error unknown(BinaryContext &BC, StringRef Wanted) {
  std::vector<std::string> All;
  for (const auto &[Address, BF] : BC.getBinaryFunctions())
    for (StringRef Name : BF.getNames())
      All.push_back(plainName(Name).str());
  const std::vector<std::string> Near = nearNames(Wanted, All, 5);
  return createStringError("-hco-explain=" + Wanted +
                           ": the program has no such function; " +
                           (Near.empty() ? "llvm-nm shows their names"
                                         : "near names: " + join(Near, ", ")));
}

} // namespace

Error Explainer::find(BinaryContext &BC) {
  for (const std::string &Name : Names) {
    bool Found = false;
    for (const auto &[Address, BF] : BC.getBinaryFunctions())
      if (hasName(BF, Name)) {
        Wanted.insert(&BF);
        Found = true;
      }
    if (!Found)
      return unknown(BC, Name);
  }
  return Error::success();
}

std::vector<Explanation::Instruction>
Explainer::copy(const std::vector<MCInst> &Code,
                const BinaryContext &BC) const {
  std::vector<Explanation::Instruction> Result;
  for (const MCInst &Inst : Code)
    if (!BC.MIB->isPseudo(Inst))
      Result.push_back(
          {textOf(BC, Inst),
           BC.MIB->getAnnotationWithDefault<unsigned>(Inst, OriginTag)});
  return Result;
}

void Explainer::begin(BinaryFunction &BF) {
  BinaryContext &BC = BF.getBinaryContext();
  Explanation &E = Explanations[&BF];
  unsigned Number = 0;
  for (BinaryBasicBlock *Block : BF.getLayout().blocks()) {
    IndexOf[Block] = E.Blocks.size();
    E.Blocks.push_back({Block->getName().str(),
                        static_cast<double>(Block->getKnownExecutionCount()),
                        false,
                        {}});
    for (MCInst &Inst : *Block) {
      if (BC.MIB->isPseudo(Inst))
        continue;
      BC.MIB->addAnnotation(Inst, OriginTag, ++Number);
      E.Blocks.back().Code.push_back({textOf(BC, Inst), Number});
    }
  }
}

void Explainer::draft(const HotVersion &Hot, const BitVector &HotBlocks) {
  const BinaryFunction &BF = Hot.function();
  const BinaryContext &BC = BF.getBinaryContext();
  Explanation &E = Explanations[&BF];
  E.Hot.clear();
  E.Stubs.clear();
  for (const BinaryBasicBlock &Block : BF)
    E.Blocks[IndexOf.lookup(&Block)].Hot = HotBlocks.test(Block.getIndex());
  for (const HotVersion::Block &B : Hot.blocks()) {
    E.Hot.push_back(
        {IndexOf.lookup(B.Original), B.Count, copy(B.Code, BC), {}});
    for (const HotVersion::Way &W : B.Ways)
      E.Hot.back().Ways.push_back({W.ToStub, W.To});
  }
  for (const HotVersion::Stub &S : Hot.stubs())
    E.Stubs.push_back({S.From, S.Target->getName().str(), S.Count,
                       copy(S.Replay, BC), copy(S.Code, BC)});
}

void Explainer::end(BinaryFunction &BF, const BitVector &HotBlocks) {
  MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  Explanation &E = Explanations[&BF];
  if (E.Hot.empty())
    for (const BinaryBasicBlock &Block : BF)
      E.Blocks[IndexOf.lookup(&Block)].Hot = HotBlocks.test(Block.getIndex());
  for (BinaryBasicBlock &Block : BF)
    for (MCInst &Inst : Block)
      if (MIB.hasAnnotation(Inst, OriginTag))
        MIB.removeAnnotation(Inst, OriginTag);
}

void Explainer::printOthers(raw_ostream &OS) const {
  for (const BinaryFunction *BF : Wanted) {
    if (Explanations.count(BF))
      continue;
    OS << "Hot-cold optimization of " << BF->getOneName()
       << ": not looked at: ";
    if (BF->isFolded())
      OS << "it was identical to another, which took its place\n";
    else if (!BF->hasProfile() && !BF->getKnownExecutionCount())
      OS << "the profile does not know it\n";
    else if (BF->isIgnored() || !BF->isSimple())
      OS << "llvm-bolt does not understand its control flow\n";
    else if (!BF->hasValidProfile())
      OS << "the profile does not match it\n";
    else
      OS << "llvm-bolt leaves it alone\n";
  }
}
