//===- HotCold/HotVersion.cpp - A procedure's frequent part ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. A draft has a copy of each hot block, and a stub for each edge from one of
//    them to a block that is not hot. Optimizations change these alone.
// 2. commit() turns copies and stubs into blocks. The first copy's code
//    replaces that of the entry, so that callers find it.
// 3. Original blocks that no stub reaches any more are removed.
//
//===----------------------------------------------------------------------===//

#include "HotVersion.h"
#include "BlockEditing.h"
#include "SwitchTables.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

RegisterSet HotColdContext::writtenBy(const MCInst &Inst) const {
  const RegisterSet Written = Registers.effects(Inst).Writes;
  return Registers.isCall(Inst) ? Written | Summaries.ofCall(Inst).MayChange
                                : Written;
}

HotVersion::HotVersion(BinaryFunction &BF, const BitVector &Hot,
                       const HotColdContext &Context,
                       std::shared_ptr<const Liveness> Live)
    : HotCode(BF), Context(Context), Original(std::move(Live)) {
  std::vector<int> IndexOf(BF.size(), -1);
  auto add = [&](BinaryBasicBlock &Block) {
    IndexOf[Block.getIndex()] = Blocks.size();
    Blocks.push_back(
        {&Block, {Block.begin(), Block.end()}, {}, 0, 0, Block.getCFIState()});
  };
  add(BF.front());
  for (unsigned I = 0; I < Blocks.size(); ++I)
    for (BinaryBasicBlock *To : Blocks[I].Original->successors()) {
      if (Hot.test(To->getIndex()) && IndexOf[To->getIndex()] < 0)
        add(*To);
      const int Index = IndexOf[To->getIndex()];
      if (Index >= 0) {
        Blocks[I].Ways.push_back({false, static_cast<unsigned>(Index)});
        continue;
      }
      Blocks[I].Ways.push_back({true, static_cast<unsigned>(Stubs.size())});
      // Rules behind the last instruction of the block may be for the block
      // below it.
      Stubs.push_back(
          {I, /*IsPad=*/false, To, {}, {}, 0, 0, To->getCFIState()});
    }
  for (unsigned I = 0; I < Blocks.size(); ++I)
    for (BinaryBasicBlock *Pad : Blocks[I].Original->landing_pads())
      Stubs.push_back(
          {I, /*IsPad=*/true, Pad, {}, {}, 0, 0, Pad->getCFIState()});
}

void HotVersion::setCounts(const std::vector<double> &Counts) {
  for (Block &B : Blocks) {
    B.Count = Counts[B.Original->getIndex()];
    double Sum = 0;
    for (const auto &Info : B.Original->branch_info())
      Sum += knownCount(Info.Count);
    auto Info = B.Original->branch_info_begin();
    for (Way &W : B.Ways) {
      W.Count = Sum > 0 ? B.Count * knownCount((Info++)->Count) / Sum
                        : B.Count / B.Ways.size();
      if (W.ToStub)
        Stubs[W.To].Count = W.Count;
    }
  }
}

bool HotVersion::setDepths(const StackDepth &Depth) {
  for (Block &B : Blocks) {
    if (!Depth.into(*B.Original))
      return false;
    B.Depth = *Depth.into(*B.Original);
  }
  for (Stub &S : Stubs) {
    if (!Depth.into(*S.Target))
      return false;
    S.Depth = *Depth.into(*S.Target);
  }
  return true;
}

unsigned HotVersion::predecessors(unsigned Index) const {
  unsigned N = 0;
  for (const Block &B : Blocks)
    N += count_if(B.Ways,
                  [&](const Way &W) { return !W.ToStub && W.To == Index; });
  return N;
}

RegisterSet HotVersion::liveInto(const Stub &S) const {
  return Original->through(*S.Target, S.Code).before(Original->into(*S.Target));
}

RegisterSet HotVersion::liveBehind(const Block &B,
                                   const std::vector<RegisterSet> &LiveIn,
                                   bool Stubs) const {
  RegisterSet Live = 0;
  for (const Way &W : B.Ways)
    if (!W.ToStub)
      Live |= LiveIn[W.To];
    else if (Stubs)
      Live |= liveInto(this->Stubs[W.To]);
  if (B.Ways.empty())
    Live |= Original->outOf(*B.Original);
  return Live;
}

std::vector<RegisterSet> HotVersion::liveInto(bool Stubs) const {
  std::vector<RegisterSet> LiveIn(Blocks.size());
  // Only what other hot blocks need changes from sweep to sweep.
  std::vector<LiveTransfer> Through;
  std::vector<RegisterSet> Fixed;
  for (const Block &B : Blocks) {
    Through.push_back(Original->through(*B.Original, B.Code));
    Fixed.push_back(liveBehind(B, LiveIn, Stubs));
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned I = Blocks.size(); I--;) {
      RegisterSet Live = Fixed[I];
      for (const Way &W : Blocks[I].Ways)
        if (!W.ToStub)
          Live |= LiveIn[W.To];
      Live = Through[I].before(Live);
      Changed |= Live != LiveIn[I];
      LiveIn[I] = Live;
    }
  }
  return LiveIn;
}

MCInst HotVersion::newUnwind(MCCFIInstruction Rule) const {
  // BOLT makes rules only in blocks.
  BinaryBasicBlock &Block = *Blocks.front().Original;
  BinaryBasicBlock::iterator At =
      BF.addCFIInstruction(&Block, Block.end(), std::move(Rule));
  const MCInst Result = *At;
  Block.eraseInstruction(At);
  return Result;
}

bool HotVersion::makesFrame(const Block &B, unsigned Index) const {
  if (Index + 1 == B.Code.size())
    return false;
  const MCCFIInstruction *Rule = BF.getCFIFor(B.Code[Index + 1]);
  return Rule && (Rule->getOperation() == MCCFIInstruction::OpDefCfa ||
                  Rule->getOperation() == MCCFIInstruction::OpDefCfaRegister);
}

bool HotVersion::isLeaf() const {
  const MCPlusBuilder &MIB = *Context.BC.MIB;
  return none_of(Blocks, [&](const Block &B) {
    return any_of(B.Code, [&](const MCInst &Inst) {
      return MIB.isCall(Inst) && !MIB.isTailCall(Inst);
    });
  });
}

BitVector HotVersion::reachableCold() const {
  BitVector Reached(BF.size());
  std::vector<const BinaryBasicBlock *> Worklist;
  auto reach = [&](const BinaryBasicBlock *Block) {
    if (Reached.test(Block->getIndex()))
      return;
    Reached.set(Block->getIndex());
    Worklist.push_back(Block);
  };
  for (const Stub &S : Stubs)
    reach(S.Target);
  while (!Worklist.empty()) {
    const BinaryBasicBlock &Block = *Worklist.back();
    Worklist.pop_back();
    for (const BinaryBasicBlock *To : Block.successors())
      reach(To);
    for (const BinaryBasicBlock *Pad : Block.landing_pads())
      reach(Pad);
  }
  return Reached;
}

HotVersion::Sizes HotVersion::sizes(ArrayRef<uint64_t> Originals,
                                    const MCCodeEmitter &Emitter) const {
  auto measure = [&](const auto &Code) {
    return Context.BC.computeCodeSize(Code.begin(), Code.end(), &Emitter);
  };
  Sizes Result;
  const BitVector Cold = reachableCold();
  for (unsigned I = 0; I < Originals.size(); ++I) {
    Result.Original += Originals[I];
    if (Cold.test(I))
      Result.Cold += Originals[I];
  }
  for (const Block &B : Blocks)
    Result.Hot += measure(B.Code);
  constexpr uint64_t Jump = 5;
  for (const Stub &S : Stubs)
    if (!S.IsPad || !S.Replay.empty())
      Result.Stubs += measure(S.Replay) + measure(S.Code) + Jump;
  return Result;
}

double HotVersion::saving() const {
  auto count = [&](const std::vector<MCInst> &Code) -> double {
    return count_if(Code, [&](const MCInst &Inst) {
      return !Context.BC.MIB->isPseudo(Inst);
    });
  };
  double Sum = 0;
  for (const Block &B : Blocks)
    Sum += B.Count * (B.Original->getNumNonPseudos() - count(B.Code));
  for (const Stub &S : Stubs)
    Sum -= S.Count * (count(S.Replay) + count(S.Code) + 1);
  return Sum;
}

void HotVersion::print(raw_ostream &OS) const {
  auto printCode = [&](const std::vector<MCInst> &Code) {
    for (const MCInst &Inst : Code) {
      OS << "    ";
      Context.BC.InstPrinter->printInst(&Inst, 0, "", *Context.BC.STI, OS);
      OS << '\n';
    }
  };
  OS << "hot version of " << BF.getPrintName() << '\n';
  for (const Block &B : Blocks) {
    OS << "  hot " << B.Original->getName() << format(" (%.0f)", B.Count);
    for (const Way &W : B.Ways)
      OS << (W.ToStub ? " stub " : " hot ")
         << (W.ToStub ? Stubs[W.To].Target : Blocks[W.To].Original)->getName();
    OS << '\n';
    printCode(B.Code);
  }
  for (const Stub &S : Stubs) {
    OS << (S.IsPad ? "  pad " : "  stub ") << Blocks[S.From].Original->getName()
       << " to " << S.Target->getName() << format(" (%.0f)", S.Count) << '\n';
    printCode(S.Replay);
    printCode(S.Code);
  }
}

void HotVersion::commit(const std::vector<double> &Cold) {
  MCPlusBuilder &MIB = *Context.BC.MIB;
  auto fill = [](BinaryBasicBlock &Block, const std::vector<MCInst> &Code) {
    for (const MCInst &Inst : Code)
      appendCopy(Block, Inst);
  };
  auto make = [&](const BinaryBasicBlock &Source, double Count) {
    std::unique_ptr<BinaryBasicBlock> Block = BF.createBasicBlock();
    Block->setOffset(Source.getInputOffset());
    Block->setExecutionCount(static_cast<uint64_t>(Count));
    return Block;
  };

  BinaryBasicBlock &Entry = *Blocks.front().Original;
  for (BinaryBasicBlock &Block : BF) {
    const uint64_t Before = Block.getKnownExecutionCount();
    const double Share = Before ? Cold[Block.getIndex()] / Before : 0;
    Block.setExecutionCount(static_cast<uint64_t>(Cold[Block.getIndex()]));
    for (auto &Info : Block.branch_info())
      if (Info.Count != BinaryBasicBlock::COUNT_NO_PROFILE)
        Info.Count = static_cast<uint64_t>(Info.Count * Share);
  }
  std::vector<std::unique_ptr<BinaryBasicBlock>> New;
  std::vector<BinaryBasicBlock *> HotCopies{&Entry}, StubBlocks;
  // A pad that has nothing to do is as good as none.
  erase_if(Stubs, [](const Stub &S) { return S.IsPad && S.Replay.empty(); });
  for (const Block &B : drop_begin(Blocks)) {
    New.push_back(make(*B.Original, B.Count));
    HotCopies.push_back(New.back().get());
  }
  for (const Stub &S : Stubs) {
    New.push_back(make(*S.Target, S.Count));
    StubBlocks.push_back(New.back().get());
    StubBlocks.back()->setCFIState(S.CFIState);
    fill(*StubBlocks.back(), S.Replay);
    fill(*StubBlocks.back(), S.Code);
  }

  for (unsigned I = 0; I < Blocks.size(); ++I)
    Blocks[I].Copy = HotCopies[I];
  for (unsigned I = 0; I < Stubs.size(); ++I)
    Stubs[I].Copy = StubBlocks[I];

  // The entry's old successors, for the branch instructions' sake.
  const std::vector<BinaryBasicBlock *> EntrySuccessors(Entry.succ_begin(),
                                                        Entry.succ_end());
  auto successorsOf = [&](unsigned I) {
    return I ? std::vector<BinaryBasicBlock *>(Blocks[I].Original->succ_begin(),
                                               Blocks[I].Original->succ_end())
             : EntrySuccessors;
  };
  Entry.clear();
  Entry.removeAllSuccessors();
  Entry.setExecutionCount(static_cast<uint64_t>(Blocks.front().Count));
  for (unsigned I = 0; I < Blocks.size(); ++I) {
    if (I)
      HotCopies[I]->setCFIState(Blocks[I].CFIState);
    fill(*HotCopies[I], Blocks[I].Code);
    const std::vector<BinaryBasicBlock *> Old = successorsOf(I);
    for (unsigned W = 0; W < Old.size(); ++W) {
      const Way &To = Blocks[I].Ways[W];
      BinaryBasicBlock &Target =
          To.ToStub ? *StubBlocks[To.To] : *HotCopies[To.To];
      HotCopies[I]->addSuccessor(&Target, static_cast<uint64_t>(To.Count));
      retargetBranches(*HotCopies[I], *Old[W]->getLabel(), *Target.getLabel());
    }
  }
  for (unsigned I = 0; I < Stubs.size(); ++I)
    if (Stubs[I].IsPad)
      for (MCInst &Inst : *HotCopies[Stubs[I].From])
        if (const auto Pad =
                MIB.isInvoke(Inst) ? MIB.getEHInfo(Inst) : std::nullopt)
          if (Pad->first == Stubs[I].Target->getLabel())
            MIB.updateEHInfo(Inst, {StubBlocks[I]->getLabel(), Pad->second});
  for (unsigned I = 0; I < Stubs.size(); ++I)
    StubBlocks[I]->addSuccessor(Stubs[I].Target,
                                static_cast<uint64_t>(Stubs[I].Count));
  BF.insertBasicBlocks(&Entry, std::move(New), /*UpdateLayout=*/true,
                       /*UpdateCFIState=*/false,
                       /*RecomputeLandingPads=*/true);
  BF.markUnreachableBlocks();
  for (unsigned I = 0; I < Blocks.size(); ++I) {
    if (!endsWithSwitch(*HotCopies[I]))
      continue;
    std::vector<const MCSymbol *> OldLabels;
    std::vector<MCSymbol *> NewLabels;
    for (const BinaryBasicBlock *To : successorsOf(I))
      OldLabels.push_back(To->getLabel());
    for (BinaryBasicBlock *To : HotCopies[I]->successors())
      NewLabels.push_back(To->getLabel());
    retargetSwitch(*HotCopies[I], OldLabels, NewLabels,
                   /*SharesTable=*/I && Blocks[I].Original->isValid());
  }
  BF.eraseInvalidBBs();
}
