//===- ProfileMatch/MatchingReader.cpp - Reads profiles of other builds ---===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchingReader.h"
#include "BlockShapes.h"
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

/// Whom \p Inst calls.
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

bool isIndirectCall(const BinaryContext &BC, const MCInst &Inst) {
  return BC.MIB->isCall(Inst) && !BC.MIB->getTargetSymbol(Inst) &&
         BC.MIB->isIndirectCall(Inst);
}

uint64_t scaled(uint64_t Count, double Weight) {
  return Weight == 1 ? Count : uint64_t(double(Count) * Weight);
}

/// Writes counts into BOLT's functions.
class Applier {
public:
  explicit Applier(ArrayRef<BinaryFunction *> Functions)
      : Functions(Functions) {}

  void add(const ProfileMatch &Match, const Profile &P, double Weight) {
    for (const auto &[Index, Counts] : Match.counts())
      addCounts(*Functions[Index], Counts, Weight);
    addTargets(Match, P, Weight);
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

  void addCounts(BinaryFunction &BF, const FunctionCounts &Counts,
                 double Weight) {
    Profiled.insert(&BF);
    for (auto [Index, Block] : llvm::enumerate(BF)) {
      Block.setExecutionCount(
          sum(Block.getExecutionCount(), scaled(Counts.Blocks[Index], Weight)));
      auto Branch = Block.branch_info_begin();
      for (uint64_t Count : Counts.Edges[Index]) {
        Branch->Count = sum(Branch->Count, scaled(Count, Weight));
        ++Branch;
      }
    }
    BF.setExecutionCount(
        sum(BF.getExecutionCount(), scaled(Counts.Entered.front(), Weight)));
  }

  /// The \p Ordinal-th indirect call of \p Block.
  static MCInst *indirectCall(BinaryBasicBlock &Block, size_t Ordinal) {
    const BinaryContext &BC = Block.getFunction()->getBinaryContext();
    for (MCInst &Inst : Block)
      if (isIndirectCall(BC, Inst) && !Ordinal--)
        return &Inst;
    return nullptr;
  }

  /// Where an indirect call of the old build is now.
  MCInst *findSite(const ProfileMatch &Match, const FunctionProfile &F,
                   uint32_t Function, uint32_t Site) {
    const BlockMatches *Blocks = Match.blocks(Function);
    if (!Blocks)
      return nullptr;
    const auto [Block, Number] = placeOfSite(F, Site);
    if (!Blocks->NewOf[Block])
      return nullptr;
    BinaryFunction &BF = *Functions[*Match.newFunction(Function)];
    return indirectCall(**std::next(BF.pbegin(), *Blocks->NewOf[Block]),
                        Number);
  }

  void addTargets(const ProfileMatch &Match, const Profile &P, double Weight) {
    std::vector<std::pair<uint32_t, uint32_t>> Sites; // Function, number in it.
    for (auto [Index, F] : llvm::enumerate(P.Meta.Functions))
      for (uint32_t Site = 0; Site < F.Sites.size(); ++Site)
        Sites.push_back({Index, Site});
    for (const auto &[Key, Count] : P.Targets) {
      const auto [Function, Site] = Sites[(Key >> GRAUPEL_TARGET_BITS) - 1];
      const std::optional<uint32_t> Callee =
          Match.calledAt(P, SignExtend64<GRAUPEL_TARGET_BITS>(Key));
      MCInst *Inst =
          Callee ? findSite(Match, P.Meta.Functions[Function], Function, Site)
                 : nullptr;
      if (!Inst)
        continue;
      BinaryFunction &To = *Functions[*Callee];
      auto &Targets =
          To.getBinaryContext()
              .MIB->getOrCreateAnnotationAs<IndirectCallSiteProfile>(
                  *Inst, "CallProfile");
      Targets.emplace_back(To.getSymbol(), scaled(Count, Weight), 0);
    }
  }

  static void finish(BinaryFunction &BF) {
    uint64_t Branches = 0;
    for (BinaryBasicBlock &Block : BF) {
      uint64_t Taken = 0;
      for (const auto &Branch : Block.branch_info())
        Taken = SaturatingAdd(Taken, Branch.Count);
      Branches = SaturatingAdd(Branches, Taken);
      // What a conditional tail call takes away is what the edges do not.
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
    F.Name = BF->getOneName();
    for (BinaryBasicBlock &Block : *BF) {
      ShapedFunction::Block &Shaped = F.Blocks.emplace_back();
      Shaped.Shape = Shapes.of(Block);
      for (const BinaryBasicBlock *To : Block.successors())
        Shaped.Successors.push_back(To->getIndex());
      Shaped.IsEntered =
          F.Blocks.size() > 1 &&
          (Block.isEntryPoint() || Block.isLandingPad() || !Block.pred_size());
      for (const MCInst &Inst : Block) {
        if (std::optional<uint32_t> Callee = calleeOf(*BF, Inst, Indices))
          Shaped.Callees.push_back(*Callee);
        Shaped.MayLeave |=
            BC.MIB->isTailCall(Inst) && BC.MIB->isConditionalBranch(Inst);
      }
    }
  }
}

MatchingReader::MatchingReader(ArrayRef<OtherProfile> Profiles,
                               double LeastShare)
    : ProfileReaderBase(Profiles.front().Path), Profiles(Profiles),
      LeastShare(LeastShare) {}

Error MatchingReader::readProfile(BinaryContext &BC) {
  const DescribedFunctions New(BC);
  Applier Apply(New.Functions);
  for (const OtherProfile &P : Profiles) {
    const ProfileMatch Match(P.Counts, New.Image);
    if (PrintProfileMatch)
      Match.print(BC.outs());
    BC.outs() << "GRAUPEL-INFO: " << P.Path << " is of another file: ";
    Match.printSummary(BC.outs());
    if (Match.keptShare() < LeastShare) {
      WithColor::error(errs(), "graupel-bolt")
          << P.Path << ": is the profile of another program or of a build that "
          << "has little in common with this one: "
          << format("%.1f", 100 * Match.keptShare())
          << " % of its counts fit; record a profile of this file, or use "
             "-ignore-build-id\n";
      std::exit(1);
    }
    if (Match.keptShare() < GoodShare)
      WithColor::warning(errs(), "graupel-bolt")
          << P.Path
          << ": is of a build that has changed much; record a profile "
          << "of this file soon\n";
    Apply.add(Match, P.Counts, P.Weight);
  }
  Apply.finish();
  return Error::success();
}
