//===- Protect/UnreadBranches.cpp - What code that stays leads to ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT decodes a function that it is not going to read in a straight line, and
// writes over what leads to functions that move. Data among the instructions
// makes it see operands that are none, and overlook some.
//
// 1. The linker's relocations tell where operands are, but for those that the
//    assembler filled in: they are relative, and in the same section.
// 2. A branch that BOLT overlooked leads into the middle of another function,
//    where it knows no entry: that function stays.
// 3. What BOLT would write over is doubtful if the linker filled in a part of
//    it or counted otherwise; if no relocation is there, and it is absolute or
//    leads into the middle of a function. What the assembler made that leads to
//    the beginning is hardly data.
// 4. In the latter case it is an operand nevertheless if all jumps inside of
//    the function lead to instructions, and control comes to this one: assembly
//    jumps into the middle of other functions.
// 5. What is doubtful is not written, and the function that it leads to stays.
//
//===----------------------------------------------------------------------===//

#include "KnownPlaces.h"
#include "Protected.h"
#include "Support/BoltInternals.h"
#include "Support/FunctionEntry.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include <map>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// Step 2, for one branch.
static bool isOverlooked(BinaryContext &BC, const KnownBranch &Branch,
                         const BinaryFunction &To) {
  const BinaryFunction *From = BC.getBinaryFunctionContainingAddress(Branch.At);
  return From && From != &To && From->isIgnored() &&
         !hasEntryAt(To, Branch.Target);
}

namespace {

/// A function in a straight line, as BOLT decodes it.
class StraightCode {
public:
  explicit StraightCode(const BinaryFunction &BF)
      : BC(BF.getBinaryContext()), Begin(BF.getAddress()) {
    ErrorOr<ArrayRef<uint8_t>> Code = BF.getData();
    IsCode =
        Code && BF.getSize() <= Code->size() && decode(*Code, BF.getSize());
  }

  /// Step 4, for the operand at \p Address.
  bool isReached(uint64_t Address) const {
    const auto Next = Starts.upper_bound(Address - Begin);
    return IsCode && Next != Starts.begin() && std::prev(Next)->second;
  }

private:
  const BinaryContext &BC;
  const uint64_t Begin;
  bool IsCode = false;
  /// Of each instruction the offset, and whether control comes to it.
  std::map<uint64_t, bool> Starts;

  bool decode(ArrayRef<uint8_t> Code, uint64_t Size) {
    SmallVector<uint64_t> Targets;
    bool IsReached = true;
    uint64_t Length = 0;
    for (uint64_t At = 0; At < Size; At += Length) {
      MCInst Inst;
      uint64_t Target = 0;
      if (!BC.DisAsm->getInstruction(Inst, Length, Code.slice(At), Begin + At,
                                     nulls()))
        return false;
      Starts[At] = IsReached;
      IsReached = !BC.MIB->isReturn(Inst) &&
                  !BC.MIB->isUnconditionalBranch(Inst) &&
                  !BC.MIB->isIndirectBranch(Inst) && !BC.MIB->isTrap(Inst);
      if (BC.MIB->isBranch(Inst) && !BC.MIB->isIndirectBranch(Inst) &&
          BC.MIB->evaluateBranch(Inst, Begin + At, Length, Target) &&
          Target - Begin < Size)
        Targets.push_back(Target - Begin);
    }
    for (uint64_t Target : Targets) {
      const auto It = Starts.find(Target);
      if (It == Starts.end())
        return false;
      It->second = true;
    }
    return true;
  }
};

} // namespace

/// Step 3: whether BOLT would be wrong to write \p R to \p Address in \p From.
static bool isDoubtful(const Relocation &R, uint64_t Address,
                       bool LeadsToBeginning, const BinaryFunction &From) {
  // Operands have four bytes, but for movabs.
  constexpr uint64_t Size = 4;
  const std::vector<FilledPlace> &Filled = knownPlaces().Filled;
  const bool IsRelative = R.isPCRelative();
  const auto It = llvm::lower_bound(
      Filled, FilledPlace{Address - Size + 1, FilledPlace::Kind::Absolute});
  if (It != Filled.end() && It->At < Address + Size)
    return It->At != Address ||
           (It->Is != FilledPlace::Kind::Either &&
            (It->Is == FilledPlace::Kind::Relative) != IsRelative);
  return !IsRelative ||
         (!LeadsToBeginning && !StraightCode(From).isReached(Address));
}

/// Step 3, for \p Section.
static void dropDoubtful(BinaryContext &BC, BinarySection &Section,
                         ProtectedFunctions &Protected) {
  erase_if(Section.*member(internals::PendingRelocationsTag()),
           [&](const Relocation &R) {
             const uint64_t At = Section.getAddress() + R.Offset;
             const auto [To, IsBeginning] = findFunctionEntry(BC, R.Symbol);
             const BinaryFunction *From =
                 BC.getBinaryFunctionContainingAddress(At);
             if (!To || !From || !From->isIgnored() ||
                 !isDoubtful(R, At, IsBeginning, *From))
               return false;
             if (!To->isIgnored())
               Protected.add(*To, ProtectReason::DoubtfulBranch);
             return true;
           });
}

static void dropDoubtful(BinaryContext &BC, ProtectedFunctions &Protected) {
  // Without relocations nothing is told, and functions keep their places.
  if (knownPlaces().Filled.empty())
    return;
  for (BinarySection &Section : BC.allocatableSections())
    if (Section.isText())
      dropDoubtful(BC, Section, Protected);
}

void graupel::protectEntered(BinaryContext &BC, ProtectedFunctions &Protected) {
  for (const KnownBranch &Branch : knownPlaces().Branches)
    if (BinaryFunction *To = functionAround(BC, Branch.Target))
      if (isOverlooked(BC, Branch, *To))
        Protected.add(*To, ProtectReason::UnreadBranch);
  dropDoubtful(BC, Protected);
}

ProtectedFunctions graupel::decideEntered(BinaryContext &BC) {
  ProtectedFunctions Protected;
  dropDoubtful(BC, Protected);
  Protected.addFragments();
  return Protected;
}
