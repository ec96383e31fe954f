//===- Driver/ProfileCheck.cpp - Can the profile be true? -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileCheck.h"
#include "Options/BoltOptions.h"
#include "Profile/FlowBalance.h"
#include "ProfileInput.h"
#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/BinaryFunction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/WithColor.h"

#define DEBUG_TYPE "graupel-profile-check"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

// Good samples are some per cent off.
static constexpr double MostPercentOff = 10;

/// Samples without branches say nothing of edges.
static bool hasCountedEdges(const BinaryFunction &BF) {
  return BF.hasCFG() && BF.hasValidProfile() && !BF.empty() &&
         (BF.getProfileFlags() & BinaryFunction::PF_BRANCH);
}

/// Whether control may leave \p B but for its edges: no edge at all, an
/// exception, a call that does not return, a jump with targets unknown.
static bool isLeftOtherwise(const BinaryBasicBlock &B) {
  const MCPlusBuilder &MIB = *B.getFunction()->getBinaryContext().MIB;
  return !B.succ_size() || B.lp_size() ||
         any_of(B, [&](const MCInst &Instruction) {
           return MIB.isCall(Instruction) || MIB.isIndirectBranch(Instruction);
         });
}

static void add(const BinaryFunction &BF, FlowBalance &Balance) {
  DenseMap<const BinaryBasicBlock *, std::vector<uint64_t>> In, Out;
  for (const BinaryBasicBlock &B : BF)
    for (const auto &[To, Info] : zip_equal(B.successors(), B.branch_info())) {
      if (Info.Count == BinaryBasicBlock::COUNT_NO_PROFILE)
        continue;
      In[To].push_back(Info.Count);
      Out[&B].push_back(Info.Count);
    }
  std::vector<BlockFlow> Blocks;
  for (const BinaryBasicBlock &B : BF)
    Blocks.push_back({B.getKnownExecutionCount(), In[&B], Out[&B],
                      B.isEntryPoint() || B.isLandingPad(),
                      isLeftOtherwise(B)});
  Balance.addCount(BF.getPrintName(), BF.getKnownExecutionCount());
  Balance.add(BF.getPrintName(), Blocks);
}

static std::string profileName() {
  return boltOpt<std::string>(isGiven("data") ? "data" : "perfdata");
}

Error ProfileCheck::runOnFunctions(BinaryContext &BC) {
  FlowBalance Balance;
  for (const BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
    if (hasCountedEdges(BF))
      add(BF, Balance);
  LLVM_DEBUG(dbgs() << "flow that does not add up: " << Balance.percentOff()
                    << " %, most in " << Balance.worst() << '\n');
  if (Balance.impossible()) {
    WithColor::error(errs(), "graupel-bolt")
        << profileName() << ": impossible profile: a count of "
        << Balance.impossible() << " in " << Balance.impossibleIn()
        << "; record the profile again\n";
    std::exit(1);
  }
  if (Balance.percentOff() > MostPercentOff)
    WithColor::warning(errs(), "graupel-bolt")
        << profileName() << ": " << format("%.0f", Balance.percentOff())
        << " % of the counted branches do not add up, most of them in "
        << Balance.worst()
        // Counts of blocks without counters are computed from others.
        << (isCountedByInput() ? ": longjmp or exceptions leave it between "
                                 "branches, and its layout may be poor\n"
                               : "; the layout may be poor, record the profile "
                                 "again\n");
  return Error::success();
}
