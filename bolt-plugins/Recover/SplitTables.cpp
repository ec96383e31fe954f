//===- Recover/SplitTables.cpp - Switches that lead to a cold part --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gcc moves what a switch should never reach into the function's cold part
// (default: abort()), and entries of the switch's table lead there. BOLT gives
// such functions up with all their parts, though it makes further entries of
// the part for the table.
//
//   1. A function is accepted if each of its tables is its own, and each entry
//      of them leads to an instruction of itself or of a part that has no other
//      parent.
//   2. It counts as one with unknown control flow: no edge tells of the part.
//      Its blocks are placed, split and counted; what would need to know all
//      edges (hot-cold optimization, -frame-opt, folding) leaves it out.
//
//===----------------------------------------------------------------------===//

#include "IndirectBranches.h"
#include "Support/BoltInternals.h"
#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/JumpTable.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

bool isOwnPart(BinaryFunction &Part, const BinaryFunction &Parent) {
  const auto &Parents = *Part.getParentFragments();
  return Part.isFragment() && Part.isSimple() && !Part.isIgnored() &&
         Parents.size() == 1 && *Parents.begin() == &Parent;
}

bool isUnderstood(BinaryContext &BC, const BinaryFunction &BF,
                  uint64_t Address) {
  if (Address - BF.getAddress() <= BF.getSize())
    return true; // The end stands for what is never reached.
  BinaryFunction *Part = BC.getBinaryFunctionContainingAddress(Address);
  return Part && isOwnPart(*Part, BF) &&
         Part->getInstructionAtOffset(Address - Part->getAddress());
}

// Step 1.
bool isAcceptable(BinaryContext &BC, const BinaryFunction &BF) {
  return BF.isSimple() && !BF.isIgnored() && !BF.isFragment() &&
         all_of(BF.jumpTables(), [&](const auto &Entry) {
           const JumpTable &Table = *Entry.second;
           return Table.Parents.size() == 1 &&
                  all_of(Table.EntriesAsAddress, [&](uint64_t Address) {
                    return isUnderstood(BC, BF, Address);
                  });
         });
}

} // namespace

void graupel::acceptSplitTables(BinaryContext &BC) {
  if (opts::StrictMode)
    return;
  const std::vector<BinaryFunction *> Given(BC.getFragmentsToSkip().begin(),
                                            BC.getFragmentsToSkip().end());
  BC.clearFragmentsToSkip();
  unsigned Accepted = 0;
  for (BinaryFunction *BF : Given) {
    if (!isAcceptable(BC, *BF)) {
      BC.addFragmentsToSkip(BF);
      continue;
    }
    BF->setHasIndirectTargetToSplitFragment(false);
    BF->*member(internals::HasUnknownControlFlowTag()) = true; // Step 2.
    ++Accepted;
  }
  if (Accepted && opts::Verbosity >= 1)
    BC.outs() << "GRAUPEL-INFO: accepted " << Accepted << " function"
              << (Accepted == 1 ? "" : "s")
              << " with a switch that leads to its cold part\n";
}
