//===- HotCold/Explainer.cpp - Watches the functions to explain -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Watches the functions that -hco-explain names while they are optimized.
//
// 1. find() looks up the names. A name that no function has is an error, with
//    near names.
// 2. begin() numbers a function's instructions by annotations and copies the
//    text of its blocks.
// 3. draft() copies the text of a draft's hot blocks and stubs, each
//    instruction with the number of its original.
// 4. commit() keeps the last picture. Hot copies count as their originals from
//    then on, and their stubs are remembered.
// 5. end() puts the kept picture, or else the last one, into the explanation.
//    It adds the stubs of earlier drafts that are still there and removes the
//    annotations.
// 6. printOthers() says for each named function without an explanation why it
//    has none.
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
Explainer::copy(ArrayRef<MCInst> Code, const BinaryContext &BC) const {
  std::vector<Explanation::Instruction> Result;
  for (const MCInst &Inst : Code)
    if (!BC.MIB->isPseudo(Inst))
      Result.push_back(
          {textOf(BC, Inst),
           BC.MIB->getAnnotationWithDefault<unsigned>(Inst, OriginTag)});
  return Result;
}

void Explainer::begin(BinaryFunction &BF, const BitVector &Frequent) {
  BinaryContext &BC = BF.getBinaryContext();
  Explanation &E = Explanations[&BF];
  Last = Kept = {};
  Stubs.clear();
  unsigned Number = 0;
  for (BinaryBasicBlock *Block : BF.getLayout().blocks()) {
    for (MCInst &Inst : *Block)
      if (!BC.MIB->isPseudo(Inst))
        BC.MIB->addAnnotation(Inst, OriginTag, ++Number);
    E.Blocks[indexOf(E, *Block)].Hot = Frequent.test(Block->getIndex());
  }
}

/// Blocks that are not there, stubs of earlier drafts say, are added.
unsigned Explainer::indexOf(Explanation &E, const BinaryBasicBlock &Block) {
  auto [At, IsNew] = IndexOf.try_emplace(&Block, E.Blocks.size());
  if (IsNew)
    E.Blocks.push_back({Block.getName().str(),
                        static_cast<double>(Block.getKnownExecutionCount()),
                        false,
                        copy(std::vector<MCInst>(Block.begin(), Block.end()),
                             Block.getFunction()->getBinaryContext())});
  return At->second;
}

void Explainer::draft(const HotVersion &Hot) {
  const BinaryFunction &BF = Hot.function();
  const BinaryContext &BC = BF.getBinaryContext();
  Explanation &E = Explanations[&BF];
  Last = {};
  for (const HotVersion::Block &B : Hot.blocks()) {
    Last.Hot.push_back(
        {indexOf(E, *B.Original), B.Count, copy(B.Code, BC), {}});
    for (const HotVersion::Way &W : B.Ways)
      Last.Hot.back().Ways.push_back({W.ToStub, W.To});
  }
  for (const HotVersion::Stub &S : Hot.stubs())
    Last.Stubs.push_back({E.Blocks[Last.Hot[S.From].Original].Name,
                          S.Target->getName().str(), S.IsPad, S.Count,
                          copy(S.Replay, BC), copy(S.Code, BC)});
}

void Explainer::commit(const HotVersion &Hot) {
  Explanation &E = Explanations[&Hot.function()];
  Kept = Last;
  for (const HotVersion::Block &B : Hot.blocks())
    IndexOf[B.Copy] = indexOf(E, *B.Original);
  unsigned Next = 0;
  for (const Explanation::Stub &S : Kept.Stubs) {
    // Pads without any code are gone.
    if (S.IsPad && S.Replay.empty())
      continue;
    Stubs.push_back({Hot.stubs()[Next++].Copy, S});
  }
  NumKeptBlocks = E.Blocks.size();
}

void Explainer::end(BinaryFunction &BF) {
  MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  Explanation &E = Explanations[&BF];
  const Draft &Shown = Kept.Hot.empty() ? Last : Kept;
  E.Hot = Shown.Hot;
  E.Stubs = Shown.Stubs;
  if (!Kept.Hot.empty())
    E.Blocks.resize(NumKeptBlocks);
  if (!E.Hot.empty())
    for (Explanation::Block &B : E.Blocks)
      B.Hot = false;
  for (const Explanation::HotBlock &B : E.Hot)
    E.Blocks[B.Original].Hot = true;
  // The last draft's own are there already.
  SmallPtrSet<const BinaryBasicBlock *, 16> Blocks;
  for (const BinaryBasicBlock &Block : BF)
    Blocks.insert(&Block);
  const size_t Own = Kept.Hot.empty() ? 0 : count_if(Kept.Stubs, [](auto &S) {
    return !S.IsPad || !S.Replay.empty();
  });
  for (const auto &[Block, S] : ArrayRef(Stubs).drop_back(Own))
    if (Blocks.contains(Block)) {
      E.Stubs.push_back(S);
      E.Stubs.back().Label = Block->getName().str();
    }
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
