//===- Recover/WholeFunction.cpp - A function with its parts --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. The function is decoded at the offsets at which BOLT found instructions,
//    its parts from their first byte to the last.
// 2. A part counts if its name is local, so that no other file can call it, if
//    it has no other parent, no exception table and no indirect jump, and if
//    nothing but direct jumps names an instruction within the function.
// 3. noteEntries() keeps where parts jump to. forgetStrangeEntries() then takes
//    away what BOLT has found to be an entry otherwise, and what code elsewhere
//    refers to; the rest is entered by the function's own parts alone.
//
//===----------------------------------------------------------------------===//

#include "WholeFunction.h"
#include "IndirectBranches.h"
#include "Support/BoltInternals.h"
#include "bolt/Core/BinaryContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include <map>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// Filled while BOLT disassembles, which it does in one thread; only read
/// later.
static std::map<const BinaryFunction *, std::set<uint64_t>> OwnEntries;

static bool isPartOf(const BinaryFunction &Part, const BinaryFunction &BF) {
  return (Part.*member(internals::ParentFragmentsTag())).size() == 1 &&
         Part.isChildOf(BF);
}

WholeFunction::WholeFunction(const BinaryFunction &BF) : BF(BF) {
  ErrorOr<ArrayRef<uint8_t>> Bytes = BF.getData();
  if (!Bytes)
    return;
  for (const auto &[Offset, Known] : BF.instrs())
    if (!add(BF, Offset, *Bytes)) {
      Code.clear();
      return;
    }
  NumOwn = Code.size();
  if (all_of(BF.getFragments(),
             [&](const BinaryFunction *Part) { return addPart(*Part); }))
    return;
  Code.resize(NumOwn);
  Entries.clear();
  IndexAt.clear();
  for (uint32_t I = 0; I < NumOwn; ++I)
    IndexAt[Code[I].address()] = I;
}

bool WholeFunction::add(const BinaryFunction &Owner, uint64_t Offset,
                        ArrayRef<uint8_t> Bytes) {
  DecodedInst D{&Owner, Offset, 0, MCInst()};
  if (!BF.getBinaryContext().DisAsm->getInstruction(
          D.Inst, D.Size, Bytes.slice(Offset), D.address(), nulls()))
    return false;
  IndexAt[D.address()] = Code.size();
  Code.push_back(std::move(D));
  return true;
}

/// True if \p D names an instruction within the function, but is no jump.
bool WholeFunction::refersInside(const DecodedInst &D) const {
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  uint64_t Target = 0;
  if (MIB.isCall(D.Inst)
          ? !MIB.evaluateBranch(D.Inst, D.address(), D.Size, Target)
          : !MIB.hasPCRelOperand(D.Inst) ||
                !MIB.evaluateMemOperandTarget(D.Inst, Target, D.address(),
                                              D.Size))
    return false;
  return Target > BF.getAddress() && Target < BF.getAddress() + BF.getSize();
}

// Step 2.
bool WholeFunction::addPart(const BinaryFunction &Part) {
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  ErrorOr<ArrayRef<uint8_t>> Bytes = Part.getData();
  const bool IsLocal = all_of(Part.getNames(), [](StringRef Name) {
    return Name.contains('/'); // BOLT numbers local names.
  });
  if (!Bytes || !isPartOf(Part, BF) || !IsLocal || Part.getLSDAAddress())
    return false;
  for (uint64_t At = 0; At < Part.getSize(); At += Code.back().Size) {
    if (!add(Part, At, *Bytes))
      return false;
    const DecodedInst &D = Code.back();
    if (MIB.isIndirectBranch(D.Inst) || refersInside(D))
      return false;
    uint64_t Target = 0;
    if (MIB.isBranch(D.Inst) && !MIB.isCall(D.Inst) &&
        MIB.evaluateBranch(D.Inst, D.address(), D.Size, Target) &&
        Target - BF.getAddress() < BF.getSize())
      Entries.insert(Target - BF.getAddress());
  }
  return true;
}

std::optional<uint32_t> WholeFunction::indexAt(uint64_t Address) const {
  auto It = IndexAt.find(Address);
  if (It == IndexAt.end())
    return std::nullopt;
  return It->second;
}

void WholeFunction::noteEntries() const {
  if (!Entries.empty())
    OwnEntries[&BF] = Entries;
}

namespace {

/// Step 3.
class StrangeEntries {
public:
  explicit StrangeEntries(BinaryContext &BC) : BC(BC) {}

  void forget() {
    for (auto &[BF, Entries] : OwnEntries)
      Functions.insert(BF);
    for (const BinaryFunction *BF : Functions) {
      forgetEntries(*BF, *BF);
      for (const BinaryFunction *Part : BF->getFragments())
        forgetEntries(*Part, *BF);
    }
    for (const auto &[From, Target] :
         BC.*member(internals::InterproceduralReferencesTag()))
      note(*From, Target);
    // The targets of their jumps are not among the references.
    for (const BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
      if (BF.getState() != BinaryFunction::State::Disassembled)
        noteBranches(BF);
  }

private:
  BinaryContext &BC;
  std::set<const BinaryFunction *> Functions;

  /// Forgets the entries of \p Entered, which is \p BF or its part, that BOLT
  /// knows.
  static void forgetEntries(const BinaryFunction &Entered,
                            const BinaryFunction &BF) {
    Entered.forEachEntryPoint([&](uint64_t Offset, const MCSymbol *) {
      if (Offset)
        forget(Entered, Offset, BF);
      return true;
    });
  }

  /// Others enter \p Entered, which is \p BF or a part of it, at \p Offset.
  /// They may go on from a part to wherever it leads.
  static void forget(const BinaryFunction &Entered, uint64_t Offset,
                     const BinaryFunction &BF) {
    if (&Entered != &BF)
      OwnEntries.erase(&BF);
    else if (auto At = OwnEntries.find(&BF); At != OwnEntries.end())
      At->second.erase(Offset);
  }

  void note(const BinaryFunction &From, uint64_t Target) {
    const BinaryFunction *To = BC.getBinaryFunctionContainingAddress(Target);
    if (!To || To == &From)
      return;
    const uint64_t Offset = Target - To->getAddress();
    if (Functions.count(To) && !isPartOf(From, *To))
      forget(*To, Offset, *To);
    for (const BinaryFunction *Parent :
         To->*member(internals::ParentFragmentsTag()))
      if (&From != Parent && !isPartOf(From, *Parent))
        forget(*To, Offset, *Parent);
  }

  void noteBranches(const BinaryFunction &From) {
    ErrorOr<ArrayRef<uint8_t>> Bytes = From.getData();
    uint64_t Size = 0;
    for (uint64_t At = 0; Bytes && At < Bytes->size(); At += Size) {
      MCInst Inst;
      uint64_t Target = 0;
      const uint64_t Address = From.getAddress() + At;
      if (!BC.DisAsm->getInstruction(Inst, Size, Bytes->slice(At), Address,
                                     nulls()))
        Size = 1;
      else if (BC.MIA->evaluateBranch(Inst, Address, Size, Target))
        note(From, Target);
    }
  }
};

} // namespace

void graupel::forgetStrangeEntries(BinaryContext &BC) {
  if (!OwnEntries.empty())
    StrangeEntries(BC).forget();
}

bool graupel::isUnderstoodEntry(const BinaryFunction &BF, uint64_t Offset) {
  auto At = OwnEntries.find(&BF);
  return !Offset || (At != OwnEntries.end() && At->second.count(Offset));
}
