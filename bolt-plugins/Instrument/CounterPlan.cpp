//===- Instrument/CounterPlan.cpp - Where a function is counted -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Effects of each block's instructions besides following edges: return,
//    leave, come back a second time, never come back (BlockExits).
// 2. Edges between blocks, and from and to the outside, each with an estimate of
//    its count and the spot where a counter would stand (collectEdges). A
//    computed goto leads to the outside, and from there to its targets: which
//    jump came to which label is not counted.
// 3. Count those outside of a spanning tree of great weight; the others follow
//    from them (choose, SpanningTree).
//
//===----------------------------------------------------------------------===//

#include "CounterPlan.h"
#include "SpanningTree.h"
#include "StaticFrequency.h"
#include "Support/ComputedGoto.h"
#include "Support/SplitTables.h"
#include "bolt/Core/BinaryContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// After these more may flow out of a block than into it.
bool mayReturnTwice(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases({"fork", "Fork", "libc_fork", "vfork", "libc_vfork"}, true)
      .Cases({"setjmp", "sigsetjmp", "getcontext"}, true)
      .Default(false);
}

/// And after these less. BOLT believes that they return.
bool mayNotReturn(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases({"exit", "Exit", "quick_exit", "abort"}, true)
      .Cases({"assert_fail", "assert_perror_fail"}, true)
      .Cases({"stack_chk_fail", "chk_fail", "fortify_fail"}, true)
      .Cases({"pthread_exit", "thrd_exit"}, true)
      .Cases({"longjmp", "siglongjmp", "longjmp_chk"}, true)
      .Cases({"setcontext", "swapcontext"}, true)
      .Cases({"execve", "execv", "execvp", "execvpe", "fexecve"}, true)
      .Cases({"execl", "execlp", "execle"}, true)
      .Cases({"cxa_throw", "cxa_rethrow", "Unwind_Resume"}, true)
      .Cases({"ZSt9terminatev", "clang_call_terminate"}, true)
      .Default(Name.starts_with("ZSt") && Name.contains("__throw_"));
}

} // namespace

/// Flow of control out of a block, or back to it, other than along edges.
struct graupel::BlockExits {
  bool Returns = false;  ///< Or is a tail call.
  bool MayLeave = false; ///< Besides its successors.
  bool MayReturnTwice = false;
  bool MayNotReturn = false;

  explicit BlockExits(const BinaryBasicBlock &Block) {
    const BinaryContext &BC = Block.getFunction()->getBinaryContext();
    for (const MCInst &Inst : Block) {
      const MCInstrDesc &Desc = BC.MII->get(Inst.getOpcode());
      if (Desc.isCall() || Desc.isReturn() || Desc.isBranch() ||
          Desc.isTerminator())
        add(BC, Inst);
    }
    MayLeave |= mayLeaveByTable(Block);
  }

private:
  void add(const BinaryContext &BC, const MCInst &Inst) {
    const bool IsTailCall = BC.MIB->isTailCall(Inst);
    Returns |= IsTailCall || BC.MIB->isReturn(Inst);
    MayLeave |= IsTailCall && BC.MIB->isConditionalBranch(Inst);
    const MCSymbol *Target =
        BC.MIB->isCall(Inst) ? BC.MIB->getTargetSymbol(Inst) : nullptr;
    if (!Target)
      return;
    if (const BinaryFunction *Callee = BC.getFunctionForSymbol(Target))
      for (StringRef Name : Callee->getNames())
        addCallOf(Name);
    else
      addCallOf(Target->getName());
  }

  void addCallOf(StringRef Name) {
    // Without suffixes and the underscores in front.
    Name =
        Name.take_until([](char C) { return C == '@' || C == '/'; }).ltrim('_');
    MayReturnTwice |= mayReturnTwice(Name);
    MayNotReturn |= mayNotReturn(Name);
  }
};

namespace {

/// Estimates of how often blocks and edges are executed.
class Weights {
public:
  /// \p Exits says what each block's instructions do.
  Weights(BinaryFunction &BF, ArrayRef<BlockExits> Exits)
      : BF(BF), Exits(Exits), HasProfile(BF.hasValidProfile()) {
    if (!HasProfile)
      Estimate = estimateFrequencies(describe());
  }

  uint64_t of(const BinaryBasicBlock &Block) const {
    if (HasProfile)
      return Block.getKnownExecutionCount();
    return Once * Estimate.Blocks[Block.getIndex()];
  }

  /// The weight of the edge to the successor of \p From at \p Index.
  uint64_t of(const BinaryBasicBlock &From, unsigned Index) const {
    if (!HasProfile)
      return Once * Estimate.Blocks[From.getIndex()] *
             Estimate.Probabilities[From.getIndex()][Index];
    const uint64_t Count = (From.branch_info_begin() + Index)->Count;
    return Count == BinaryBasicBlock::COUNT_NO_PROFILE ? 0 : Count;
  }

private:
  BinaryFunction &BF;
  ArrayRef<BlockExits> Exits;
  bool HasProfile;
  StaticFrequencies Estimate;
  /// Leaves room for fractions.
  static constexpr double Once = 1000;

  std::vector<StaticBlock> describe() {
    std::vector<StaticBlock> Blocks;
    for (const BinaryBasicBlock &Block : BF)
      Blocks.push_back(describe(Block));
    return Blocks;
  }

  StaticBlock describe(const BinaryBasicBlock &Block) {
    StaticBlock B;
    B.IsEntry = &Block == &BF.front() || Block.isEntryPoint();
    B.Returns = Exits[Block.getIndex()].Returns;
    const BinaryBasicBlock *Next = Block.getFallthrough();
    for (const BinaryBasicBlock *Successor : Block.successors())
      B.Successors.push_back({Successor->getIndex(), Successor == Next});
    return B;
  }
};

} // namespace

CounterPlan::CounterPlan(BinaryFunction &BF) : BF(BF) {
  std::vector<BlockExits> Exits;
  for (const Block &B : BF)
    Exits.emplace_back(B);
  collectEdges(Exits);
  choose(Exits);
}

uint32_t CounterPlan::node(const Block *B) const {
  return B ? B->getIndex() : BF.size();
}

/// The number of blocks with a counted edge to \p Block.
static size_t numPredecessors(const BinaryBasicBlock &Block) {
  return llvm::count_if(Block.predecessors(), [](const auto *From) {
    return !isComputedGoto(*From);
  });
}

/// Control may come to \p Block other than by an edge from another block.
static bool isEnteredFromOutside(const BinaryFunction &BF,
                                 const BinaryBasicBlock &Block) {
  return &Block == &BF.front() || Block.isEntryPoint() ||
         Block.isLandingPad() || Block.pred_size() == 0 || isGotoTarget(Block);
}

CounterPlan::Spot CounterPlan::spotFor(ExitsByBlock Exits, const Block *From,
                                       const Block *To) const {
  if (!From)
    return numPredecessors(*To) == 0 ? Spot::Target : Spot::None;
  if (!To)
    return From->succ_size() == 0 || isComputedGoto(*From) ? Spot::Source
                                                           : Spot::None;
  if (From->succ_size() == 1 && !Exits[From->getIndex()].MayLeave && From != To)
    return Spot::Source;
  if (To->pred_size() == 1 && !isEnteredFromOutside(BF, *To) && From != To)
    return Spot::Target;
  return Spot::Edge;
}

void CounterPlan::addEdge(ExitsByBlock Exits, Block *From, Block *To,
                          uint64_t Weight) {
  const Spot Where = spotFor(Exits, From, To);
  // A counter on an edge of its own costs a jump, too, so such edges are better
  // in the tree.
  if (Where == Spot::Edge)
    Weight += Weight / 4;
  Edges.push_back({From, To, Weight, Where});
}

void CounterPlan::collectEdges(ExitsByBlock Exits) {
  const Weights Estimate(BF, Exits);
  for (Block &B : BF) {
    // Unwinding enters a landing pad unnoticed: count that.
    if (isEnteredFromOutside(BF, B))
      addEdge(Exits, nullptr, &B, B.isLandingPad() ? 0 : Estimate.of(B));
    if (isComputedGoto(B)) {
      addEdge(Exits, &B, nullptr, Estimate.of(B));
      continue;
    }
    unsigned Index = 0;
    for (Block *Successor : B.successors())
      addEdge(Exits, &B, Successor, Estimate.of(B, Index++));
    // Only one of an edge from the outside and one to it can be derived.
    const bool DerivesEntry = isEnteredFromOutside(BF, B) && numPredecessors(B);
    const BlockExits &Exit = Exits[B.getIndex()];
    if (B.succ_size() == 0 || Exit.MayLeave ||
        (Exit.MayNotReturn && !DerivesEntry))
      addEdge(Exits, &B, nullptr, Estimate.of(B));
  }
}

void CounterPlan::choose(ExitsByBlock Exits) {
  using Choice = WeightedEdge::Choice;
  const bool CountAll =
      llvm::any_of(Exits, [](const BlockExits &B) { return B.MayReturnTwice; });
  std::vector<WeightedEdge> Weighted;
  for (const Edge &E : Edges) {
    Choice May = E.Where == Spot::None ? Choice::Derive : Choice::Either;
    // Unwinding enters landing pads unseen. An edge that looks as if a call had
    // returned costs nothing to count, since it is never taken.
    if (E.Where != Spot::None &&
        (CountAll || (!E.From && E.To->isLandingPad()) ||
         (E.From && E.To && Exits[E.From->getIndex()].MayNotReturn)))
      May = Choice::Counted;
    Weighted.push_back({node(E.From), node(E.To), E.Weight, May});
  }
  std::optional<std::vector<bool>> Counted =
      chooseCountedEdges(BF.size() + 1, Weighted);
  if (!Counted) {
    Obstacle = "its entry and exit cannot be told apart";
    return;
  }
  for (size_t I = 0; I < Edges.size(); ++I)
    Edges[I].Counted = (*Counted)[I];
}

void CounterPlan::print(raw_ostream &OS) const {
  auto name = [](const Block *B) { return B ? B->getName() : "outside"; };
  OS << BF.getPrintName() << ": " << BF.size() << " blocks, " << Edges.size()
     << " edges";
  if (Obstacle) {
    OS << "; not counted: " << Obstacle << '\n';
    return;
  }
  OS << ", " << llvm::count_if(Edges, [](const Edge &E) { return E.Counted; })
     << " counters\n";
  for (const Edge &E : Edges) {
    if (!E.Counted)
      continue;
    static const char *const Places[] = {"nowhere", "in its source",
                                         "in its target", "between"};
    OS << "  " << name(E.From) << " -> " << name(E.To) << ", weight "
       << E.Weight << ", " << Places[static_cast<int>(E.Where)] << '\n';
  }
}
