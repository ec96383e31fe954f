//===- Driver/PackedRelocations.cpp - Programs with .relr.dyn -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that was linked with -z pack-relative-relocs has most of its
// relative relocations in .relr.dyn, which lists places only; what to relocate
// is in the places. BOLT 22 reads them, but
//
//   - does not know that a label is an entry if its address is in such a place,
//     as it does of .rela.dyn;
//   - updates the places twice, the second time by writing to the offset in the
//     file that is the place's address, which belongs to something else.
//
// So all such addresses of code are given a relocation of the linker, which
// BOLT updates by itself, and all places seem to have one when BOLT looks
// whether it has to update them again.
//
//===----------------------------------------------------------------------===//

#include "PackedRelocations.h"
#include "RegisteredFrames.h"
#include "Support/OwnPipeline.h"
#include "bolt/Core/BinaryFunction.h"
#include "llvm/Support/raw_ostream.h"
#include <utility>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static bool HasPacked;

/// The symbol of what is at \p Address in a function, or null. If that is its
/// middle, it becomes an entry.
static MCSymbol *enter(BinaryContext &BC, uint64_t Address) {
  BinaryFunction *BF = BC.getBinaryFunctionContainingAddress(Address);
  if (!BF || BF->isInConstantIsland(Address))
    return nullptr;
  const uint64_t Offset = Address - BF->getAddress();
  return Offset ? BF->addEntryPointAtOffset(Offset) : BF->getSymbol();
}

/// Calls \p Do with the offsets of all places in \p Section that the loader
/// relocates and the linker does not, and with what they hold.
template <typename Action>
static void forEachLoadersOwn(const BinarySection &Section, Action Do) {
  for (const Relocation &Rel : Section.dynamicRelocations())
    if (Rel.isRelative() && !Rel.Symbol && !Section.getRelocationAt(Rel.Offset))
      Do(Rel.Offset, Rel.Addend);
}

void graupel::completePackedRelocations(BinaryContext &BC) {
  static bool Done = !isOurs(BC) || !BC.getUniqueSectionByName(".relr.dyn");
  if (std::exchange(Done, true))
    return;
  HasPacked = true;
  for (BinarySection &Section : BC.allocatableSections())
    forEachLoadersOwn(Section, [&](uint64_t Offset, uint64_t Address) {
      if (MCSymbol *Target = enter(BC, Address))
        Section.addRelocation(Offset, Target, Relocation::getAbs64(),
                              /*Addend=*/0, /*Value=*/Address);
    });
}

extern "C" {

// BinarySection::flushPendingRelocations(raw_pwrite_stream &, SymbolResolver):
// the last that BOLT does with a section before it looks at .relr.dyn.
void __real__ZN4llvm4bolt13BinarySection23flushPendingRelocationsERNS_17raw_pwrite_streamENS_12function_refIFmPKNS_8MCSymbolEEEE(
    BinarySection *Section, raw_pwrite_stream &OS,
    function_ref<uint64_t(const MCSymbol *)> Resolver);
void __wrap__ZN4llvm4bolt13BinarySection23flushPendingRelocationsERNS_17raw_pwrite_streamENS_12function_refIFmPKNS_8MCSymbolEEEE(
    BinarySection *Section, raw_pwrite_stream &OS,
    function_ref<uint64_t(const MCSymbol *)> Resolver) {
  redirectKeptFrames(*Section);
  __real__ZN4llvm4bolt13BinarySection23flushPendingRelocationsERNS_17raw_pwrite_streamENS_12function_refIFmPKNS_8MCSymbolEEEE(
      Section, OS, Resolver);
  if (HasPacked)
    forEachLoadersOwn(*Section, [&](uint64_t Offset, uint64_t) {
      Section->addRelocation(Offset, nullptr, Relocation::getAbs64(), 0);
    });
}
}
