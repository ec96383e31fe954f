//===- Instrument/InstrumentPass.cpp - Counts what a program executes -----===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Decide for each function which edges to count (CounterPlan) and describe
//    that (FlowProfile).
// 2. Number counters, sites and names from function to function, and write the
//    metadata of the profile.
// 3. Find a place for each counter where the flags hold nothing, so that it is
//    one instruction. Insert the counters and, before each indirect call, the
//    code that records its target; split the edges that need a block of their
//    own.
//
// Steps 1 and 3 run for several functions at once.
//
//===----------------------------------------------------------------------===//

#include "InstrumentPass.h"
#include "CounterPlan.h"
#include "FlagLiveness.h"
#include "FlowProfile.h"
#include "Profile/ProfileFile.h"
#include "Support/BoltInternals.h"
#include "Support/ComputedGoto.h"
#include "Support/Decoding.h"
#include "Support/SplitTables.h"
#include "X86Code.h"
#include "bolt/Core/ParallelUtilities.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/MapVector.h"
#include <atomic>
#include <mutex>
#include <sys/syscall.h>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// Sums over all functions, for the user.
struct Tally {
  uint64_t Functions = 0;
  uint64_t Edges = 0;
  std::atomic<uint64_t> FlagsSaved = 0;
  std::atomic<uint64_t> SitesLeftOut = 0;
  /// Functions left out, by the reason.
  MapVector<StringRef, uint64_t> LeftOut;

  void print(raw_ostream &OS, const InstrumentedImage &Image) const {
    OS << "GRAUPEL-INFO: instrumented " << Functions
       << " functions: " << Image.NumCounters << " counters for " << Edges
       << " edges, " << FlagsSaved << " with the flags saved; "
       << Image.NumSites << " indirect calls";
    if (SitesLeftOut)
      OS << " (" << SitesLeftOut << " more cannot be recorded)";
    OS << '\n';
    for (const auto &[Reason, Count] : LeftOut)
      OS << "GRAUPEL-INFO: not instrumented: " << Count
         << " functions: " << Reason << '\n';
  }
};

/// Code to insert into one block, before the instruction at each index.
using Insertions = std::vector<std::pair<unsigned, X86Code::Instructions>>;

/// State that all functions share.
struct Tools {
  const X86Code &Code;
  const FlagEffects Effects;
  const FlagConventions Conventions;
  const X86Code::Counting Mode;
  const MCSymbol *const Counters, *const Sites, *const Stub, *const Forked;

  Tools(BinaryContext &BC, const X86Code &Code, const InstrumentedImage &Image)
      : Code(Code), Effects(BC), Conventions(BC, Effects),
        Mode{Image.atomic(), Image.perThread()},
        Counters(InstrumentedImage::counterSymbol(BC)),
        Sites(InstrumentedImage::siteSymbol(BC)),
        Stub(InstrumentedImage::runtimeSymbol(
            BC, Mode.Atomic      ? "graupel_rt_indirect_atomic"
                : Mode.PerThread ? "graupel_rt_indirect_gs"
                                 : "graupel_rt_indirect")),
        Forked(InstrumentedImage::runtimeSymbol(BC, "graupel_rt_forked")) {}
};

/// Step 3 for one function.
class FunctionInstrumenter {
public:
  FunctionInstrumenter(BinaryFunction &BF, const CounterPlan &Plan,
                       const FunctionProfile &F, const Tools &With, Tally &T)
      : BF(BF), BC(BF.getBinaryContext()), MIB(*BC.MIB), Plan(Plan), F(F),
        Code(With.Code), With(With), T(T),
        Flags(BF, With.Effects, With.Conventions), Inserted(BF.size()) {}

  void run() {
    makeAddresses();
    uint32_t Counter = 0;
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
  using EdgeCode = std::pair<const CounterPlan::Edge *, X86Code::Instructions>;

  BinaryFunction &BF;
  BinaryContext &BC;
  const MCPlusBuilder &MIB;
  const CounterPlan &Plan;
  const FunctionProfile &F;
  const X86Code &Code;
  const Tools &With;
  Tally &T;
  const FlagLiveness Flags;
  std::vector<const MCExpr *> Addresses; ///< By counter of the function.
  std::vector<Insertions> Inserted;

  /// All at once, since each takes memory that all functions share.
  void makeAddresses() {
    const size_t N = llvm::count_if(
        Plan.edges(), [](const auto &Edge) { return Edge.Counted; });
    Addresses.reserve(N);
    const auto Lock = BC.scopeLock();
    for (size_t I = 0; I < N; ++I)
      Addresses.push_back(Code.address(
          With.Counters, int64_t(F.FirstCounter + I) * sizeof(uint64_t)));
  }

  X86Code::Instructions increment(uint32_t Counter, bool FlagsFree) {
    T.FlagsSaved += !FlagsFree;
    return Code.increment(Addresses[Counter], With.Mode, FlagsFree);
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
    // An edge out of the function may be a call that does not return.
    const auto [First, Last] = region(Block, InSource && Edge.To);
    for (unsigned I = First, Until; I <= Last; ++I)
      if (Flags.liveAt(Block, I, Until)) {
        I = Until;
      } else if (!isBehindPrefix(Block, I)) {
        // Unwind rules hold from the instruction in front on.
        while (I < Last && MIB.isCFI(Block.getInstructionAtIndex(I)))
          ++I;
        Inserted[Block.getIndex()].push_back({I, increment(Counter, true)});
        return;
      }
    Inserted[Block.getIndex()].push_back({First, increment(Counter, false)});
  }

  bool isBehindPrefix(BinaryBasicBlock &Block, unsigned Index) const {
    return Index && MIB.isPrefix(Block.getInstructionAtIndex(Index - 1));
  }

  void planSites() {
    const auto Lock = BC.scopeLock();
    uint32_t Site = F.FirstSite;
    for (BinaryBasicBlock &Block : BF)
      for (unsigned I = 0; I < Block.size(); ++I) {
        const MCInst &Inst = Block.getInstructionAtIndex(I);
        if (!isSite(BC, Inst))
          continue;
        unsigned Until;
        X86Code::Instructions Record = Code.recordTarget(
            Inst, With.Sites, int64_t(Site++) * sizeof(graupel_site), With.Stub,
            !Flags.liveAt(Block, I, Until));
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
            clones(Block, I)) {
          const auto Lock = BC.scopeLock();
          Inserted[Block.getIndex()].push_back(
              {I + 1, Code.callFromAnywhere(With.Forked)});
        }
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

  std::unique_ptr<BinaryBasicBlock> makeBlockOn(const CounterPlan::Edge &Edge) {
    BinaryBasicBlock &From = *Edge.From, &To = *Edge.To;
    std::unique_ptr<BinaryBasicBlock> Block = BF.createBasicBlock();
    Block->setOffset(From.getInputOffset());
    Block->setCFIState(From.getCFIStateAtExit());
    const auto Way = llvm::find(From.successors(), &To);
    const auto Info = *(From.branch_info_begin() + (Way - From.succ_begin()));
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
  if (BF.hasUnknownControlFlow() && none_of(BF, mayLeaveByTable) &&
      none_of(BF, isComputedGoto))
    return "they have indirect jumps with unknown targets";
  if (HotOnly && !BF.getKnownExecutionCount())
    return "the profile does not name them";
  return nullptr;
}

/// The decisions about one function.
struct PlannedFunction {
  BinaryFunction *BF;
  std::optional<CounterPlan> Plan;
  FlowDescription Flow;
  const char *Obstacle = nullptr;
};

/// Jumps of \p BF through tables of addresses.
size_t numTableJumps(const BinaryFunction &BF) {
  size_t N = 0;
  for (const BinaryBasicBlock &Block : BF)
    N += llvm::count_if(Block, [&](const MCInst &Inst) {
      return BF.getBinaryContext().MIB->isIndirectBranch(Inst) &&
             BF.getJumpTable(Inst);
    });
  return N;
}

/// Runs \p Do for each of \p Functions, several at once.
void forEach(BinaryContext &BC, MutableArrayRef<PlannedFunction> Functions,
             StringRef Name, function_ref<void(PlannedFunction &)> Do) {
  DenseMap<const BinaryFunction *, PlannedFunction *> PlannedFor;
  for (PlannedFunction &P : Functions)
    if (!P.Obstacle)
      PlannedFor[P.BF] = &P;
  if (PlannedFor.empty())
    return;
  ParallelUtilities::runOnEachFunction(
      BC, ParallelUtilities::SchedulingPolicy::SP_BB_LINEAR,
      [&](BinaryFunction &BF) { Do(*PlannedFor.lookup(&BF)); },
      [&](const BinaryFunction &BF) { return !PlannedFor.contains(&BF); },
      Name.str());
}

/// A function that reads, writes or sets what GS leads to, or null: emulators,
/// loaders of other systems' programs, some runtimes of languages.
const BinaryFunction *userOfGS(BinaryContext &BC, const X86Code &Code) {
  auto uses = [&](const MCInst &Inst) { return Code.usesGS(Inst); };
  auto anyUses = [&](const BinaryBasicBlock &Block) {
    return llvm::any_of(Block, uses);
  };
  // BOLT keeps no instructions of functions that were not read. Behind bytes
  // that are none there may be more.
  auto bytesUse = [&](ArrayRef<uint8_t> Bytes, uint64_t Address) {
    bool Found = false;
    auto Look = [&](const MCInst &Inst, uint64_t, uint64_t) {
      Found |= uses(Inst);
    };
    for (size_t At = 0; At < Bytes.size() && !Found; ++At)
      At += decodeInOrder(BC, Bytes.slice(At), Address + At, Look);
    return Found;
  };
  for (const BinaryFunction &BF :
       llvm::make_second_range(BC.getBinaryFunctions())) {
    if (BF.hasCFG()) {
      if (llvm::any_of(BF, anyUses))
        return &BF;
      continue;
    }
    const ErrorOr<ArrayRef<uint8_t>> Bytes = BF.getData();
    if (!BF.isPseudo() && Bytes && bytesUse(*Bytes, BF.getAddress()))
      return &BF;
  }
  return nullptr;
}

} // namespace

Error InstrumentPass::runOnFunctions(BinaryContext &BC) {
  const X86Code Code(BC);
  if (Image.perThread())
    if (const BinaryFunction *User = userOfGS(BC, Code)) {
      BC.outs() << "graupel-bolt: the program uses GS, in "
                << User->getDemangledName()
                << "; counting with locked instructions, as with -atomic\n";
      Image.ProgramUsesGS = true;
    }
  const Tools With(BC, Code, Image);
  const BlockShapes Shapes(BC);
  Tally T;
  std::vector<PlannedFunction> Functions;
  for (BinaryFunction &BF : llvm::make_second_range(BC.getBinaryFunctions())) {
    BF.setAlignment(opts::AlignFunctions);
    BF.setMaxAlignmentBytes(opts::AlignFunctions - 1);
    if (BF.isPseudo() || BF.isPLTFunction())
      continue;
    const char *Obstacle = obstacle(BF, Image.Options.HotOnly);
    if (Obstacle || !BF.empty())
      Functions.push_back({&BF, std::nullopt, {}, Obstacle});
  }

  // Step 1.
  std::mutex Tables;
  forEach(BC, Functions, "plan counters", [&](PlannedFunction &P) {
    if (numTableJumps(*P.BF) > 1) {
      std::lock_guard Locked(Tables);
      P.BF->disambiguateJumpTables(/*AllocId=*/0);
    }
    P.BF->deleteConservativeEdges();
    P.Plan.emplace(*P.BF);
    if (!P.Plan->obstacle())
      P.Flow =
          describeFlow(*P.BF, *P.Plan, Shapes, Image.Options.IndirectCalls);
  });

  // Step 2.
  for (PlannedFunction &P : Functions) {
    if (P.Plan) {
      if (Image.Options.Print)
        P.Plan->print(BC.outs());
      P.Obstacle = P.Plan->obstacle();
    }
    if (P.Obstacle) {
      ++T.LeftOut[P.Obstacle];
      ++Image.NumLeftOut;
      continue;
    }
    numberFlow(*P.BF, P.Flow, Image);
    Image.Metadata.add(P.Flow.Profile);
    ++T.Functions;
    T.Edges += P.Flow.Profile.Edges.size();
  }

  // Step 3.
  forEach(BC, Functions, "insert counters", [&](PlannedFunction &P) {
    FunctionInstrumenter(*P.BF, *P.Plan, P.Flow.Profile, With, T).run();
    P.Plan.reset();
    P.Flow = FlowDescription();
  });
  Image.NumFunctions = T.Functions;
  T.print(BC.outs(), Image);
  return Error::success();
}
