//===- Instrument/InstrumentPass.cpp - Counts what a program executes -----===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each function:
// 1. Decide which edges to count (CounterPlan) and describe that in the
//    metadata of the profile (FlowProfile).
// 2. Find a place for each counter where the flags hold nothing, so that it is
//    one instruction.
// 3. Insert the counters and, before each indirect call, the code that records
//    its target; split the edges that need a block of their own.
//
//===----------------------------------------------------------------------===//

#include "InstrumentPass.h"
#include "CounterPlan.h"
#include "Driver/BoltInternals.h"
#include "FlagLiveness.h"
#include "FlowProfile.h"
#include "Profile/ProfileFile.h"
#include "X86Code.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/MapVector.h"
#include <sys/syscall.h>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// Sums over all functions, for the user.
struct Tally {
  uint64_t Functions = 0;
  uint64_t Edges = 0;
  uint64_t FlagsSaved = 0;
  uint64_t SitesLeftOut = 0;
  /// Functions left out, by the reason.
  MapVector<StringRef, uint64_t> LeftOut;

  void print(raw_ostream &OS, const InstrumentedImage &Image) const {
    OS << "GRAUPEL-INFO: instrumented " << Functions << " functions: "
       << Image.NumCounters << " counters for " << Edges << " edges, "
       << FlagsSaved << " with the flags saved; " << Image.NumSites
       << " indirect calls";
    if (SitesLeftOut)
      OS << " (" << SitesLeftOut << " more cannot be recorded)";
    OS << '\n';
    for (const auto &[Reason, Count] : LeftOut)
      OS << "GRAUPEL-INFO: not instrumented: " << Count << " functions: "
         << Reason << '\n';
  }
};

/// Code to insert into one block, before the instruction at each index.
using Insertions =
    std::vector<std::pair<unsigned, X86Code::Instructions>>;

class FunctionInstrumenter {
public:
  FunctionInstrumenter(BinaryFunction &BF, const CounterPlan &Plan,
                       const FunctionProfile &F, const FlagLiveness &Flags,
                       const X86Code &Code, const InstrumentedImage &Image,
                       Tally &T)
      : BF(BF), BC(BF.getBinaryContext()), MIB(*BC.MIB), Plan(Plan), F(F),
        Flags(Flags), Code(Code), T(T),
        How{Image.Options.Atomic, Image.perThread()},
        Inserted(BF.size()) {}

  void run() {
    uint32_t Counter = F.FirstCounter;
    // New blocks change the indices of blocks, by which liveness is known.
    std::vector<EdgeCode> Between;
    for (const CounterPlan::Edge &Edge : Plan.edges()) {
      if (!Edge.Counted)
        continue;
      if (Edge.Where == CounterPlan::Spot::Edge)
        Between.push_back(
            {&Edge, increment(Counter, !Flags.liveInto(*Edge.To))});
      else
        planCounter(Edge, Counter);
      ++Counter;
    }
    if (!F.Sites.empty())
      planSites();
    planClones();
    for (BinaryBasicBlock &Block : BF)
      insert(Block, Inserted[Block.getIndex()]);
    splitEdges(Between);
  }

private:
  /// Code that goes on an edge.
  using EdgeCode =
      std::pair<const CounterPlan::Edge *, X86Code::Instructions>;

  BinaryFunction &BF;
  BinaryContext &BC;
  const MCPlusBuilder &MIB;
  const CounterPlan &Plan;
  const FunctionProfile &F;
  const FlagLiveness &Flags;
  const X86Code &Code;
  Tally &T;
  const X86Code::Counting How;
  std::vector<Insertions> Inserted;

  X86Code::Instructions increment(uint32_t Counter, bool FlagsFree) {
    T.FlagsSaved += !FlagsFree;
    return Code.increment(InstrumentedImage::counterSymbol(BC),
                          int64_t(Counter) * sizeof(uint64_t), How, FlagsFree);
  }

  /// Control may not come back from, or never come behind, \p Inst.
  bool isBarrier(const MCInst &Inst) const {
    return MIB.isCall(Inst) || MIB.isBranch(Inst) || MIB.isReturn(Inst) ||
           MIB.isTerminator(Inst) || Code.isSyscall(Inst);
  }

  /// The places in \p Block, as a range of indices, where a counter may be that
  /// counts how often the block is entered or, \p AtEnd, left behind.
  std::pair<unsigned, unsigned> region(BinaryBasicBlock &Block, bool AtEnd) {
    unsigned First = 0, Last = 0, Index = 0;
    while (Last < Block.size() && !isBarrier(Block.getInstructionAtIndex(Last)))
      ++Last;
    for (const MCInst &Inst : Block) {
      ++Index;
      if (MIB.isPseudo(Inst) || Code.isEndBranch(Inst)) {
        if (First == Index - 1)
          First = Index;
      } else if (AtEnd && (Code.isSyscall(Inst) ||
                           (MIB.isCall(Inst) && !MIB.isTailCall(Inst)))) {
        First = Index;
        for (Last = First; Last < Block.size() &&
                           !isBarrier(Block.getInstructionAtIndex(Last));)
          ++Last;
      }
    }
    return {std::min(First, Last), Last};
  }

  void planCounter(const CounterPlan::Edge &Edge, uint32_t Counter) {
    const bool InSource = Edge.Where == CounterPlan::Spot::Source;
    BinaryBasicBlock &Block = InSource ? *Edge.From : *Edge.To;
    // What leaves the function may do so by a call that does not return.
    const auto [First, Last] = region(Block, InSource && Edge.To);
    const BitVector Live = Flags.in(Block);
    for (unsigned I = First; I <= Last; ++I)
      if (!Live.test(I) && !isBehindPrefix(Block, I)) {
        Inserted[Block.getIndex()].push_back({I, increment(Counter, true)});
        return;
      }
    Inserted[Block.getIndex()].push_back({First, increment(Counter, false)});
  }

  bool isBehindPrefix(BinaryBasicBlock &Block, unsigned Index) const {
    return Index && MIB.isPrefix(Block.getInstructionAtIndex(Index - 1));
  }

  void planSites() {
    MCSymbol *Stub = InstrumentedImage::runtimeSymbol(
        BC, How.Atomic      ? "graupel_rt_indirect_atomic"
            : How.PerThread ? "graupel_rt_indirect_gs"
                            : "graupel_rt_indirect");
    uint32_t Site = F.FirstSite;
    for (BinaryBasicBlock &Block : BF)
      for (unsigned I = 0; I < Block.size(); ++I) {
        const MCInst &Inst = Block.getInstructionAtIndex(I);
        if (!isSite(BC, Inst))
          continue;
        X86Code::Instructions Record = Code.recordTarget(
            Inst, InstrumentedImage::siteSymbol(BC),
            int64_t(Site++) * sizeof(graupel_site), Stub);
        T.SitesLeftOut += Record.empty();
        while (isBehindPrefix(Block, I))
          --I;
        Inserted[Block.getIndex()].push_back({I, std::move(Record)});
        while (!MIB.isCall(Block.getInstructionAtIndex(I)))
          ++I;
      }
  }

  /// Where children and threads begin without the help of a shared libc (static
  /// programs), the runtime must hear of it.
  void planClones() {
    for (BinaryBasicBlock &Block : BF)
      for (unsigned I = 0; I < Block.size(); ++I)
        if (Code.isSyscall(Block.getInstructionAtIndex(I)) &&
            clones(Block, I))
          Inserted[Block.getIndex()].push_back(
              {I + 1, Code.callFromAnywhere(InstrumentedImage::runtimeSymbol(
                          BC, "graupel_rt_forked"))});
  }

  /// The constant that the register holds at instruction \p Index.
  std::optional<int64_t> constantAt(BinaryBasicBlock &Block, unsigned Index,
                                    StringRef Register) const {
    while (Index--) {
      const MCInst &Inst = Block.getInstructionAtIndex(Index);
      if (std::optional<int64_t> Value = Code.constantInto(Inst, Register))
        return Value;
      if (MIB.isCall(Inst) || Code.writes(Inst, Register))
        return std::nullopt;
    }
    return std::nullopt;
  }

  bool clones(BinaryBasicBlock &Block, unsigned Index) const {
    const std::optional<int64_t> Number = constantAt(Block, Index, "RAX");
    return Number == SYS_fork || Number == SYS_clone || Number == SYS_clone3;
  }

  /// Puts a block on each edge, all at once: BOLT's splitEdge() looks at all
  /// blocks of the function for each.
  void splitEdges(const std::vector<EdgeCode> &Between) {
    if (Between.empty())
      return;
    std::vector<std::unique_ptr<BinaryBasicBlock>> New;
    DenseMap<const BinaryBasicBlock *, SmallVector<BinaryBasicBlock *, 2>>
        Behind;
    for (const auto &[Edge, Instructions] : Between) {
      New.push_back(makeBlockOn(*Edge));
      New.back()->addInstructions(Instructions.begin(), Instructions.end());
      Behind[Edge->From].push_back(New.back().get());
    }
    BinaryFunction::BasicBlockOrderType Order;
    for (BinaryBasicBlock *Block : BF.getLayout().blocks()) {
      Order.push_back(Block);
      // The last comes first, as if they had been made one by one.
      llvm::append_range(Order, llvm::reverse(Behind.lookup(Block)));
    }
    BF.insertBasicBlocks(&*std::prev(BF.end()), std::move(New),
                         /*UpdateLayout=*/false, /*UpdateCFIState=*/false,
                         /*RecomputeLandingPads=*/false);
    BF.getLayout().update(Order);
  }

  std::unique_ptr<BinaryBasicBlock>
  makeBlockOn(const CounterPlan::Edge &Edge) {
    BinaryBasicBlock &From = *Edge.From, &To = *Edge.To;
    std::unique_ptr<BinaryBasicBlock> Block = BF.createBasicBlock();
    Block->setOffset(From.getInputOffset());
    Block->setCFIState(From.getCFIStateAtExit());
    const auto Way = llvm::find(From.successors(), &To);
    const auto Info =
        *(From.branch_info_begin() + (Way - From.succ_begin()));
    BF.replaceJumpTableEntryIn(&From, &To, Block.get());
    From.replaceSuccessor(&To, Block.get(), Info.Count, Info.MispredictedCount);
    Block->addSuccessor(&To, Info.Count, Info.MispredictedCount);
    Block->setExecutionCount(Info.Count);
    Block->setIsCold(From.isCold());
    return Block;
  }

  static void insert(BinaryBasicBlock &Block, Insertions &Pieces) {
    if (Pieces.empty())
      return;
    // Room for these and no more: see Driver/CFGHooks.cpp.
    size_t Size = Block.size();
    for (const auto &[Index, Instructions] : Pieces)
      Size += Instructions.size();
    (Block.*member(internals::BlockInstructionsTag())).reserve(Size);
    llvm::stable_sort(Pieces,
                      [](auto &A, auto &B) { return A.first > B.first; });
    for (auto &[Index, Instructions] : Pieces)
      for (MCInst &Inst : llvm::reverse(Instructions))
        Block.insertInstruction(Block.begin() + Index, Inst);
  }
};

/// Why \p BF cannot be instrumented, or null.
const char *obstacle(const BinaryFunction &BF, bool HotOnly) {
  if (BF.isIgnored())
    return "llvm-bolt ignores them";
  if (!BF.isSimple() || !BF.hasCFG())
    return "their control flow is not known";
  if (BF.hasUnknownControlFlow())
    return "they have indirect jumps with unknown targets";
  if (HotOnly && !BF.getKnownExecutionCount())
    return "the profile does not name them";
  return nullptr;
}

} // namespace

Error InstrumentPass::runOnFunctions(BinaryContext &BC) {
  const X86Code Code(BC);
  const FlagEffects Effects(BC);
  const FlagConventions Conventions(BC, Effects);
  Tally T;
  for (auto &[Address, BF] : BC.getBinaryFunctions()) {
    if (BF.isPseudo() || BF.isPLTFunction())
      continue;
    const char *Obstacle = obstacle(BF, Image.Options.HotOnly);
    if (!Obstacle && BF.empty())
      continue;
    if (!Obstacle) {
      BF.disambiguateJumpTables(/*AllocId=*/0);
      BF.deleteConservativeEdges();
      const CounterPlan Plan(BF);
      if (Image.Options.Print)
        Plan.print(BC.outs());
      Obstacle = Plan.obstacle();
      if (!Obstacle) {
        const FunctionProfile F = describeFlow(BF, Plan, Image);
        Image.Metadata.add(F);
        const FlagLiveness Flags(BF, Effects, &Conventions);
        FunctionInstrumenter(BF, Plan, F, Flags, Code, Image, T).run();
        ++T.Functions;
        T.Edges += F.Edges.size();
      }
    }
    if (Obstacle)
      ++T.LeftOut[Obstacle];
  }
  for (BinaryFunction &BF : llvm::make_second_range(BC.getBinaryFunctions())) {
    BF.setAlignment(opts::AlignFunctions);
    BF.setMaxAlignmentBytes(opts::AlignFunctions - 1);
  }
  T.print(BC.outs(), Image);
  return Error::success();
}
