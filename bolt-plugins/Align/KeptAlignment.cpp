//===- Align/KeptAlignment.cpp - Alignment that programs rely on ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs keep flags in the low bits of the addresses of functions, which
// compilers align to 16 bytes, or to what an attribute says.
//
// 1. Functions whose addresses are taken are those that safe folding of
//    identical code does not fold. If it has not run, its analysis is run here.
// 2. A section is aligned as much as anyone in it asked for. Linker scripts may
//    align functions more than that; then the padding before one is more than
//    16 bytes need.
// 3. Each gets what it had; beyond 16, as much as anyone in its section had on
//    purpose.
//
//===----------------------------------------------------------------------===//

#include "KeptAlignment.h"
#include "Options/BoltOptions.h"
#include "Support/BoltInternals.h"
#include "Support/Exported.h"
#include "bolt/Passes/IdenticalCodeFolding.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// The default alignment of functions in compilers.
static constexpr uint64_t Usual = 16;
/// A page: nobody can rely on more where the loader chooses the address.
static constexpr uint64_t Most = 4096;

uint64_t graupel::alignmentOnPurpose(uint64_t Address, uint64_t PreviousEnd) {
  return alignTo(PreviousEnd, Usual) == Address
             ? Usual
             : std::min(Address & -Address, Most);
}

// Step 1.
static void findTaken(BinaryContext &BC) {
  IdenticalCodeFolding Folding(boltOpt<bool>("never-print"));
  (Folding.*member(internals::markFunctionsUnsafeToFoldTag()))(BC);
  markExported(BC);
}

/// The largest alignment of the functions of \p Section, by its header.
static uint64_t alignmentOf(const BinarySection *Section) {
  const uint64_t Largest = Section ? bit_floor(Section->getAlignment()) : Usual;
  return std::clamp<uint64_t>(Largest, Usual, Most);
}

Error KeptAlignment::runOnFunctions(BinaryContext &BC) {
  if (!FoldsSafely)
    findTaken(BC);
  const auto Functions = make_second_range(BC.getBinaryFunctions());
  // Step 2.
  DenseMap<const BinarySection *, uint64_t> OnPurpose;
  const BinaryFunction *Previous = nullptr;
  for (const BinaryFunction &BF : Functions) {
    const BinarySection *Section = BF.getOriginSection();
    uint64_t &Largest =
        OnPurpose.try_emplace(Section, alignmentOf(Section)).first->second;
    if (Previous && Previous->getOriginSection() == Section)
      Largest = std::max(Largest, alignmentOnPurpose(BF.getAddress(),
                                                     Previous->getAddress() +
                                                         Previous->getSize()));
    Previous = &BF;
  }
  // Step 3.
  for (BinaryFunction &BF : Functions) {
    if (BF.isPseudo() || !BF.hasAddressTaken())
      continue;
    const uint64_t Kept = std::min(BF.getAddress() & -BF.getAddress(),
                                   OnPurpose.lookup(BF.getOriginSection()));
    const uint64_t Now = BF.getMaxAlignmentBytes() + 1 >= BF.getAlignment()
                             ? BF.getAlignment()
                             : BF.getMinAlignment();
    if (Kept <= Now)
      continue;
    BF.setAlignment(Kept);
    BF.setMaxAlignmentBytes(Kept - 1);
  }
  return Error::success();
}
