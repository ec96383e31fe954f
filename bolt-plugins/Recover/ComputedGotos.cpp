//===- Recover/ComputedGotos.cpp - goto *label ----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interpreters jump by "goto *labels[opcode]". Where the labels are kept need
// not be understood: what data holds of the function's addresses is known by
// relocations, and a jump whose target is whole, no sum, leads to one of these.
//
// 1. blocksKnownToData(): what the loader relocates in data is an entry to BOLT;
//    what only the linker relocates is a label. A block begins at each. Tables
//    of switches count, too, if their entries are whole addresses: other jumps
//    may read them.
// 2. targetsOfComputedGotos() refuses what is not absolute, and functions that
//    take the address of a label in their own code.
// 3. connectComputedGotos() adds the edges, all jumps to all targets, and then
//    follows each target of a jump back (JumpsToSums.cpp), and the addresses of
//    the labels' tables forward (PublishedLabels.cpp).
//
// The function counts as one with unknown control flow: somebody else may know
// the labels, and jumps may also lead to labels in its cold parts, to which there
// are no edges. It is laid out, split and counted, and has no hot version.
//
//===----------------------------------------------------------------------===//

#include "ComputedGotos.h"
#include "IndirectBranches.h"
#include "Support/BoltInternals.h"
#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/JumpTable.h"
#include "bolt/Core/Relocation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

bool isAbsolute(const Relocation &R) {
  return !R.Addend &&
         (R.Type == ELF::R_X86_64_64 || R.Type == ELF::R_X86_64_32 ||
          R.Type == ELF::R_X86_64_32S);
}

/// The places in data that hold an address in \p BF and are no switch's.
auto placesOutsideTables(const BinaryFunction &BF) {
  return make_filter_range(BF.getInternalRefDataRelocations(),
                           [&BF](uint64_t Address) {
                             return !BF.getJumpTableContainingAddress(Address);
                           });
}

BinaryBasicBlock *blockKnownAt(const BinaryFunction &BF, uint64_t Address) {
  const Relocation *R = BF.getBinaryContext().getRelocationAt(Address);
  return R && R->Symbol && isAbsolute(*R)
             ? const_cast<BinaryFunction &>(BF).getBasicBlockForLabel(R->Symbol)
             : nullptr;
}

} // namespace

// Step 1.
BlockSet graupel::blocksKnownToData(const BinaryFunction &BF) {
  std::vector<BinaryBasicBlock *> Blocks;
  for (uint64_t Address : BF.getInternalRefDataRelocations())
    if (BinaryBasicBlock *Block = blockKnownAt(BF, Address))
      Blocks.push_back(Block);
  for (BinaryBasicBlock &Block : const_cast<BinaryFunction &>(BF))
    if (&Block != &BF.front() && Block.isEntryPoint())
      Blocks.push_back(&Block);
  // The order of edges must not depend on that of a hash table.
  llvm::sort(Blocks, [](const auto *A, const auto *B) {
    return A->getInputOffset() < B->getInputOffset();
  });
  return BlockSet(Blocks.begin(), Blocks.end());
}

// Step 2.
BlockSet graupel::targetsOfComputedGotos(const BinaryFunction &BF) {
  if (BF.isFragment() ||
      (placesOutsideTables(BF).empty() && !BF.isMultiEntry()) ||
      BF.*member(internals::HasInternalLabelReferenceTag()) ||
      any_of(placesOutsideTables(BF),
             [&](uint64_t Address) { return !blockKnownAt(BF, Address); }))
    return BlockSet();
  return blocksKnownToData(BF);
}

/// PHP's interpreter has thousands of labels and as many jumps. So many edges take
/// more memory and time than the function is worth.
static constexpr size_t MostEdges = 500'000;

// Step 3.
bool graupel::connectComputedGotos(BinaryFunction &BF,
                                   ArrayRef<BinaryBasicBlock *> Jumps,
                                   const BlockSet &Targets) {
  if (Jumps.size() * Targets.size() > MostEdges)
    return false;
  MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  for (BinaryBasicBlock *Jump : Jumps) {
    Jump->removeAllSuccessors();
    for (BinaryBasicBlock *Target : Targets)
      Jump->addSuccessor(Target);
  }
  BF.*member(internals::HasUnknownControlFlowTag()) = true;
  if (!jumpsToSums(BF, /*HasAllEdges=*/true) && !areLabelsPublished(BF)) {
    for (BinaryBasicBlock *Jump : Jumps) {
      MCInst &Last = *Jump->getLastNonPseudoInstr();
      if (!MIB.isTailCall(Last))
        continue;
      const std::optional<uint32_t> Offset = MIB.getOffset(Last);
      MIB.convertTailCallToJmp(Last);
      if (Offset) // Was lost.
        MIB.setOffset(Last, *Offset);
    }
    return true;
  }
  for (BinaryBasicBlock *Jump : Jumps)
    Jump->removeAllSuccessors();
  BF.*member(internals::HasUnknownControlFlowTag()) = false;
  return false;
}
