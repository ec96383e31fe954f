//===- ProfileMatch/MatchingReader.cpp - Reads profiles of other builds ---===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Describe BOLT's functions by their names and the shapes of their blocks
//    (DescribedFunctions).
// 2. ProfileMatch finds them among those of the profile.
// 3. Tell how much was found again; it is an error if that is too little.
// 4. Write the counts of blocks, edges and the targets of indirect calls into
//    BOLT's functions; with -lite ignore those that got none (Applier).
//
//===----------------------------------------------------------------------===//

#include "MatchingReader.h"
#include "BlockShapes.h"
#include "GotoEdges.h"
#include "Support/ComputedGoto.h"
#include "Support/Nameless.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace opts {
extern cl::opt<bool> Lite;
} // namespace opts

static cl::opt<bool> PrintProfileMatch(
    "print-profile-match",
    cl::desc("print for each function of a profile of another build what it "
             "was matched with, and by what (default: false)"),
    cl::cat(opts::BoltCategory));

/// Below this the user should know.
static constexpr double GoodShare = 0.8;

namespace {

/// The callee of \p Inst.
std::optional<uint32_t>
calleeOf(BinaryFunction &BF, const MCInst &Inst,
         const DenseMap<const BinaryFunction *, uint32_t> &Indices) {
  BinaryContext &BC = BF.getBinaryContext();
  const MCSymbol *Target =
      BC.MIB->isCall(Inst) ? BC.MIB->getTargetSymbol(Inst) : nullptr;
  if (!Target)
    return std::nullopt;
  const BinaryFunction *Callee =
      BF.getBasicBlockForLabel(Target) ? &BF : BC.getFunctionForSymbol(Target);
  if (!Callee)
    return std::nullopt;
  const auto At = Indices.find(Callee);
  return At != Indices.end() ? At->second
                             : externalNumber(Callee->getOneName());
}

/// Empty if BOLT made it up.
StringRef nameOf(const BinaryFunction &BF) {
  return isNameless(BF) ? StringRef() : BF.getOneName();
}

bool isIndirectCall(const BinaryContext &BC, const MCInst &Inst) {
  return BC.MIB->isCall(Inst) && !BC.MIB->getTargetSymbol(Inst) &&
         BC.MIB->isIndirectCall(Inst);
}

/// Writes counts into BOLT's functions.
class Applier {
public:
  explicit Applier(ArrayRef<BinaryFunction *> Functions)
      : Functions(Functions) {}

  void add(const ProfileMatch &Match, const Profile &P) {
    for (const auto &[Index, Counts] : Match.counts())
      addCounts(*Functions[Index], Counts);
    addTargets(Match, P);
  }

  void finish() {
    for (BinaryFunction *BF : Functions)
      if (Profiled.contains(BF))
        finish(*BF);
      else if (opts::Lite)
        BF->setIgnored();
  }

private:
  ArrayRef<BinaryFunction *> Functions;
  DenseSet<const BinaryFunction *> Profiled;

  static uint64_t sum(uint64_t Sum, uint64_t Count) {
    return SaturatingAdd(Sum == BinaryBasicBlock::COUNT_NO_PROFILE ? 0 : Sum,
                         Count);
  }

  void addCounts(BinaryFunction &BF, const FunctionCounts &Counts) {
    Profiled.insert(&BF);
    for (auto [Index, Block] : llvm::enumerate(BF)) {
      Block.setExecutionCount(
          sum(Block.getExecutionCount(),
              addsEdges(Block) ? Counts.Entered[Index] : Counts.Blocks[Index]));
      auto Branch = Block.branch_info_begin();
      for (uint64_t Count : Counts.Edges[Index]) {
        Branch->Count = sum(Branch->Count, Count);
        ++Branch;
      }
    }
    BF.setExecutionCount(sum(BF.getExecutionCount(), Counts.Entered.front()));
  }

  MCInst *indirectCall(const SitePlace &Place) {
    BinaryFunction &BF = *Functions[Place.Function];
    uint32_t Before = Place.Number;
    for (MCInst &Inst : **std::next(BF.pbegin(), Place.Block))
      if (isIndirectCall(BF.getBinaryContext(), Inst) && !Before--)
        return &Inst;
    return nullptr;
  }

  void addTargets(const ProfileMatch &Match, const Profile &P) {
    const std::vector<SitePlace> Places = sitePlaces(P);
    for (const auto &[Key, Count] : P.Targets) {
      const std::optional<uint32_t> Callee =
          Match.calledAt(P, SignExtend64<GRAUPEL_TARGET_BITS>(Key));
      const std::optional<SitePlace> Place =
          Match.newPlace(Places[(Key >> GRAUPEL_TARGET_BITS) - 1]);
      MCInst *Inst = Callee && Place ? indirectCall(*Place) : nullptr;
      if (!Inst)
        continue;
      BinaryFunction &To = *Functions[*Callee];
      auto &Targets =
          To.getBinaryContext()
              .MIB->getOrCreateAnnotationAs<IndirectCallSiteProfile>(
                  *Inst, "CallProfile");
      Targets.emplace_back(To.getSymbol(), Count, 0);
    }
  }

  static void finish(BinaryFunction &BF) {
    uint64_t Branches = 0;
    shareOutGotos(BF);
    for (BinaryBasicBlock &Block : BF) {
      uint64_t Taken = 0;
      for (const auto &Branch : Block.branch_info())
        Taken = SaturatingAdd(Taken, Branch.Count);
      Branches = SaturatingAdd(Branches, Taken);
      // A conditional tail call takes the executions that no edge does.
      for (MCInst &Inst : Block)
        if (MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
            MIB.getConditionalTailCall(Inst) &&
            Block.getExecutionCount() > Taken)
          MIB.getOrCreateAnnotationAs<uint64_t>(Inst, "CTCTakenCount") =
              Block.getExecutionCount() - Taken;
    }
    BF.setRawSampleCount(Branches);
    BF.markProfiled(BinaryFunction::PF_BRANCH);
  }
};

} // namespace

DescribedFunctions::DescribedFunctions(BinaryContext &BC) {
  const BlockShapes Shapes(BC);
  DenseMap<const BinaryFunction *, uint32_t> Indices;
  for (BinaryFunction &BF : llvm::make_second_range(BC.getBinaryFunctions()))
    if (!BF.isPseudo() && !BF.isPLTFunction() && BF.isSimple() && BF.hasCFG() &&
        !BF.empty()) {
      Indices[&BF] = Functions.size();
      Functions.push_back(&BF);
    }
  for (BinaryFunction *BF : Functions) {
    ShapedFunction &F = Image.Functions.emplace_back();
    F.Name = nameOf(*BF);
    for (BinaryBasicBlock &Block : *BF) {
      ShapedFunction::Block &Shaped = F.Blocks.emplace_back();
      Shaped.Shape = Shapes.of(Block);
      if (!isComputedGoto(Block))
        for (const BinaryBasicBlock *To : Block.successors())
          Shaped.Successors.push_back(To->getIndex());
      Shaped.IsEntered = F.Blocks.size() > 1 &&
                         (Block.isEntryPoint() || Block.isLandingPad() ||
                          !Block.pred_size() || isGotoTarget(Block));
      for (const MCInst &Inst : Block) {
        if (std::optional<uint32_t> Callee = calleeOf(*BF, Inst, Indices))
          Shaped.Callees.push_back(*Callee);
        Shaped.MayLeave |=
            BC.MIB->isTailCall(Inst) && BC.MIB->isConditionalBranch(Inst);
      }
    }
  }
}

Error MatchingReader::readProfile(BinaryContext &BC) {
  DescribedFunctions New(BC);
  const ProfileMatch Match(Other.Counts, std::move(New.Image));
  if (PrintProfileMatch)
    Match.print(BC.outs());
  BC.outs() << "graupel-bolt: " << Other.Path << " is of another file: ";
  Match.printSummary(BC.outs());
  if (Match.keptShare() < LeastShare) {
    WithColor::error(errs(), "graupel-bolt")
        << Other.Path << ": is the profile of another program or of a build "
        << "that has little in common with this one: "
        << format("%.1f", 100 * Match.keptShare())
        << " % of its counts fit; record a profile of this file, or use "
           "-ignore-build-id\n";
    std::exit(1);
  }
  if (Match.keptShare() < GoodShare)
    WithColor::warning(errs(), "graupel-bolt")
        << Other.Path << ": is of a build that has changed much; record a "
        << "profile of this file soon\n";
  Applier Apply(New.Functions);
  Apply.add(Match, Other.Counts);
  Apply.finish();
  return Error::success();
}
