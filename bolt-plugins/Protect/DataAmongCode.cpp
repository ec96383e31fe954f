//===- Protect/DataAmongCode.cpp - Data in sections of code ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assemblers and compilers put data between functions: constants, LLVM's prefix
// data, tables of runtimes. It does not move with the function that it is
// beside.
//
// 1. A symbol of data is no function. BOLT would decode and encode what is
//    there.
// 2. Bytes that BOLT decodes may be data that has no symbol. If they seem to
//    branch to where no section is, they are. BOLT would crash over that.
// 3. A gap between functions is padding (nops, int3, a jump to its end, zeros
//    of mold and gold up to the alignment, nops with such zeros) or data. The
//    function behind data may be where it is found from: ((int *)f)[-1]. So
//    that function stays, unless code or a relocation leads to the data. Where
//    the one before has no size, there is data if it does not end as code does.
// 4. A function stays if a relocation counts from it to a place outside of it.
//    So does the function that is at this place.
//
//===----------------------------------------------------------------------===//

#include "Neighbors.h"
#include "Options/CopyPlan.h"
#include "Protected.h"
#include "Support/BoltInternals.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include <set>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// Functions that seem to branch to where nothing is.
static DenseSet<const BinaryFunction *> BranchAway;
/// Places between functions that code refers to.
static std::set<uint64_t> ReferredGaps;

// Step 1.
bool graupel::isData(const BinaryFunction &BF) {
  return neighbors().Data.contains(BF.getAddress());
}

void graupel::skipData(BinaryContext &BC) {
  static const bool Done = [&] {
    for (uint64_t Address : neighbors().Data)
      if (BinaryFunction *BF = BC.getBinaryFunctionAtAddress(Address))
        BF->setIgnored();
    return true;
  }();
  (void)Done;
}

// Step 2.
void graupel::forgetStrangeBranches(BinaryContext &BC) {
  // References of code are needed for step 3.
  for (const auto &[BF, Target] :
       BC.*member(internals::InterproceduralReferencesTag()))
    if (!BC.getBinaryFunctionContainingAddress(Target))
      ReferredGaps.insert(Target);
  (BC.*member(internals::InterproceduralReferencesTag()))
      .remove_if([&](const std::pair<BinaryFunction *, uint64_t> &Reference) {
        const auto [BF, Target] = Reference;
        if (!Target || BC.getSectionForAddress(Target))
          return false;
        BranchAway.insert(BF);
        return true;
      });
}

namespace {

/// Whether some linkers fill up to \p End with \p Bytes.
bool isFill(ArrayRef<uint8_t> Bytes, uint64_t End) {
  const uint64_t Alignment = End & -End;
  return Bytes.size() < Alignment &&
         all_of(Bytes, [](uint8_t B) { return !B; });
}

/// Whether \p Bytes at \p Address only fill a gap.
bool isPadding(const BinaryContext &BC, ArrayRef<uint8_t> Bytes,
               uint64_t Address) {
  // Gold leaves zeros behind nops. As few nops may be a number's bytes.
  constexpr uint64_t FewNops = 4;
  const uint64_t Begin = Address, End = Address + Bytes.size();
  while (!Bytes.empty()) {
    if ((Address == Begin || Address - Begin > FewNops) && isFill(Bytes, End))
      return true;
    MCInst Inst;
    uint64_t Size = 0, Target = 0;
    if (!BC.DisAsm->getInstruction(Inst, Size, Bytes, Address, nulls()))
      return false;
    // Long gaps are jumped over.
    if (BC.MIB->isUnconditionalBranch(Inst) &&
        BC.MIB->evaluateBranch(Inst, Address, Size, Target))
      return Target == End;
    if (!BC.MIB->isNoop(Inst) && BC.MII->getName(Inst.getOpcode()) != "INT3")
      return false;
    Bytes = Bytes.drop_front(Size);
    Address += Size;
  }
  return true;
}

/// Whether \p Bytes at \p Address, decoded one after the other, are
/// instructions that control does not go on from, but for padding.
bool endsAsCode(const BinaryContext &BC, ArrayRef<uint8_t> Bytes,
                uint64_t Address) {
  // Mere padding may have a name, such as its section's.
  bool Ends = true;
  while (!Bytes.empty()) {
    MCInst Inst;
    uint64_t Size = 0;
    if (Ends && isPadding(BC, Bytes, Address))
      return true;
    if (!BC.DisAsm->getInstruction(Inst, Size, Bytes, Address, nulls()))
      return false;
    Ends = BC.MIB->isReturn(Inst) || BC.MIB->isUnconditionalBranch(Inst) ||
           BC.MIB->isIndirectBranch(Inst) || BC.MIB->isCall(Inst) ||
           BC.MIB->isTrap(Inst) || BC.MII->getName(Inst.getOpcode()) == "HLT";
    Bytes = Bytes.drop_front(Size);
    Address += Size;
  }
  return Ends;
}

// Steps 3 and 4.
class NeighborProtector {
public:
  NeighborProtector(BinaryContext &BC, ProtectedFunctions &Protected)
      : BC(BC), Protected(Protected) {}

  void run() {
    const BinaryFunction *Before = nullptr;
    for (auto &[Address, BF] : BC.getBinaryFunctions()) {
      if (BF.isPseudo() || BF.isPLTFunction())
        continue;
      // Skipped data matters only if all functions are to be processed.
      if (!BF.isIgnored() || (isData(BF) && opts::processAllFunctions()))
        look(BF, Before);
      Before = &BF;
    }
    if (BC.HasRelocations)
      for (uint64_t Address : neighbors().CountedTo)
        if (BinaryFunction *BF = functionWith(BC, Address))
          Protected.add(*BF, ProtectReason::ArrayElement);
  }

private:
  BinaryContext &BC;
  ProtectedFunctions &Protected;

  void look(BinaryFunction &BF, const BinaryFunction *Before) {
    if (isData(BF))
      Protected.add(BF, ProtectReason::IsData);
    else if (BranchAway.contains(&BF))
      Protected.add(BF, ProtectReason::BranchesAway);
    else if (BC.HasRelocations && !makesCopies() && // Which leave it there.
             (neighbors().CountedFrom.contains(BF.getAddress()) ||
              followsData(BF, Before)))
      Protected.add(BF, ProtectReason::DataBeside);
  }

  bool followsData(const BinaryFunction &BF,
                   const BinaryFunction *Before) const {
    const BinarySection *Home = BF.getOriginSection();
    if (!Home)
      return false;
    if (!Before || Before->getOriginSection() != Home)
      return isNameless(*Home, Home->getAddress(), BF.getAddress());
    const auto End = neighbors().Ends.find(Before->getAddress());
    if (End != neighbors().Ends.end())
      return End->second < BF.getAddress() &&
             isNameless(*Home, End->second, BF.getAddress());
    const bool IsRead = Before->hasCFG() && Before->isSimple();
    return (!IsRead || hasUnreachedCode(*Before)) &&
           !endsAsCode(BC, bytes(*Home, Before->getAddress(), BF.getAddress()),
                       Before->getAddress());
  }

  /// Whether there is data in the gap [\p Begin, \p End) of which nobody knows
  /// an address of its own.
  bool isNameless(const BinarySection &Home, uint64_t Begin,
                  uint64_t End) const {
    const auto Meant = llvm::lower_bound(neighbors().Meant, Begin);
    if (Meant != neighbors().Meant.end() && *Meant < End)
      return false;
    const auto Referred = ReferredGaps.lower_bound(Begin);
    if (Referred != ReferredGaps.end() && *Referred < End)
      return false;
    return !isPadding(BC, bytes(Home, Begin, End), Begin);
  }

  static ArrayRef<uint8_t> bytes(const BinarySection &Home, uint64_t Begin,
                                 uint64_t End) {
    return arrayRefFromStringRef(
        Home.getContents().substr(Begin - Home.getAddress(), End - Begin));
  }
};

} // namespace

void graupel::protectNeighbors(BinaryContext &BC,
                               ProtectedFunctions &Protected) {
  NeighborProtector(BC, Protected).run();
}
