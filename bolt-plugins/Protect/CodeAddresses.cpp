//===- Protect/CodeAddresses.cpp - Uses of addresses of instructions ------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT updates references to the beginnings of functions, jump tables that it
// knows, relocated words in data, and branches. It does not update
//
//   - PC-relative references to the middle of another function; it takes them
//     for references to so many bytes behind the function's beginning;
//   - differences of labels, which the assembler computed;
//   - tables of differences that belong to no jump it understands;
//   - data that code reads from its own bytes.
//
// This file finds functions with such references. It decides for the whole
// program, with the findings of all files of Protect/:
//
// 1. TableEntries::noteUnclaimed() notes the functions into which entries lead
//    that belong to no known jump table.
// 2. decideProtected() first looks at functions that BOLT did not read:
//    noteUnreadFunction() searches their bytes for LEA of a code address.
// 3. For each function with a flow graph, in parallel: ReferenceScan looks for
//    addresses of code in its operands, and the other files of Protect/ are
//    asked for their reasons.
// 4. The findings are added in the order of addresses, after neighbors and
//    rows of functions, so that the first reason does not depend on threads.
// 5. Then come callers of functions that use return addresses, entered
//    functions, known places, strange unwinding, code that is read, and
//    functions that another runs into.
// 6. addFragments() adds the other parts of all these functions.
//
//===----------------------------------------------------------------------===//

#include "CodeRows.h"
#include "Exceptions/Exceptions.h"
#include "Protected.h"
#include "Recover/ComputedGotos.h"
#include "Recover/IndirectBranches.h"
#include "ReturnAddresses.h"
#include "Support/BoltInternals.h"
#include "Support/ComputedGoto.h"
#include "Support/FunctionEntry.h"
#include "UnlabeledCode.h"
#include "bolt/Core/ParallelUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include <map>
#include <mutex>
#include <set>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// Addresses that functions refer to which BOLT does not read.
static std::set<uint64_t> AddressesInUnread;
/// Functions to whose addresses they seem to add something.
static std::set<const BinaryFunction *> RowsInUnread;
/// Functions that tables of unknown purpose may lead into.
static std::set<const BinaryFunction *> LedIntoByTables;

BinaryFunction *graupel::functionWith(BinaryContext &BC, uint64_t Address) {
  BinaryFunction *BF = BC.getBinaryFunctionContainingAddress(Address);
  return BF && !BF->isIgnored() && !BF->isPseudo() && !BF->isPLTFunction()
             ? BF
             : nullptr;
}

BinaryFunction *graupel::functionAround(BinaryContext &BC, uint64_t Address) {
  BinaryFunction *BF = functionWith(BC, Address);
  return BF && BF->getAddress() != Address ? BF : nullptr;
}

/// Notes all functions that have one of the addresses \p First, \p First + 4,
/// ...,
/// \p Last in their middle; one look a function, since there are many
/// addresses.
static void noteFunctionsAround(BinaryContext &BC, uint64_t First,
                                uint64_t Last) {
  const auto &Functions = BC.getBinaryFunctions();
  uint64_t Address = Last;
  while (true) {
    if (BinaryFunction *BF = functionAround(BC, Address))
      LedIntoByTables.insert(BF);
    auto Next = Functions.upper_bound(Address);
    if (Next == Functions.begin())
      return;
    const BinaryFunction &BF = std::prev(Next)->second;
    const uint64_t End = BF.getAddress() + BF.getSize();
    // The next one that is not in the same function, or gap behind one.
    const uint64_t Below = Address >= End && End > BF.getAddress()
                               ? End - 1
                               : std::min(BF.getAddress(), Address - 1);
    if (Below < First || Below > Address)
      return;
    Address -= alignTo(Address - Below, 4);
    if (Address < First || Address > Last)
      return;
  }
}

/// Looks for addresses in \p BF, which BOLT is not going to read.
static void noteUnreadFunction(const BinaryFunction &BF) {
  // Damaged unwind records make functions of what is none.
  const BinarySection *Section = BF.getOriginSection();
  if (BF.isPseudo() || !Section ||
      !Section->containsRange(BF.getAddress(), BF.getMaxSize()))
    return;
  ErrorOr<ArrayRef<uint8_t>> Code = BF.getData();
  if (!Code)
    return;
  // lea ...(%rip), which can only be taken for one by mistake if another
  // instruction contains these bytes.
  for (size_t I = 0; I + 6 <= Code->size(); ++I) {
    if ((*Code)[I] != 0x8d || ((*Code)[I + 1] & 0xc7) != 0x05)
      continue;
    const uint64_t Target =
        BF.getAddress() + I + 6 +
        static_cast<int64_t>(static_cast<int32_t>(
            support::endian::read32le(Code->data() + I + 2)));
    const BinaryFunction *Around =
        BF.getBinaryContext().getBinaryFunctionContainingAddress(Target);
    if (!Around || Around == &BF)
      continue;
    if (Around->getAddress() != Target)
      AddressesInUnread.insert(Target);
    else if (isSumSoon(Code->drop_front(I + 6)))
      RowsInUnread.insert(Around);
  }
}

TableEntries::TableEntries(const BinaryContext &BC) {
  const auto &Addresses = BC.*member(internals::DataPCRelocationsTag());
  Entries.assign(Addresses.begin(), Addresses.end());
  llvm::sort(Entries);
}

void TableEntries::noteUnclaimed(BinaryContext &BC) const {
  // Nobody knows where a table begins whose user is not known. Wherever it
  // does, it does so at or before its entry, without a gap.
  constexpr size_t LongestTable = 1024;
  for (size_t I = 0, Begin = 0; I < Entries.size(); ++I) {
    if (I && Entries[I] != Entries[I - 1] + 4)
      Begin = I;
    if (BC.getJumpTableContainingAddress(Entries[I]))
      continue;
    ErrorOr<int64_t> Difference = BC.getSignedValueAtAddress(Entries[I], 4);
    if (!Difference)
      continue;
    const uint64_t Last = Entries[I] + *Difference;
    const uint64_t First =
        Last - 4 * std::min<uint64_t>(I - Begin, LongestTable - 1);
    noteFunctionsAround(BC, First, Last);
  }
}

namespace {

using Findings = std::vector<std::pair<BinaryFunction *, ProtectReason>>;

/// Looks at the instructions of one function.
class ReferenceScan {
public:
  ReferenceScan(BinaryFunction &BF, Findings &Found)
      : BF(BF), BC(BF.getBinaryContext()), Found(Found) {}

  void run() {
    for (BinaryBasicBlock &Block : BF)
      for (MCInst &Inst : Block)
        if (!BC.MIB->isPseudo(Inst) && !BC.MIB->isCFI(Inst))
          for (const MCOperand &Op : MCPlus::primeOperands(Inst))
            if (Op.isExpr())
              look(Inst, *Op.getExpr());
    if (std::optional<ProtectReason> Reason = reasonInFlow(BF, KnowsItself))
      Found.push_back({&BF, *Reason});
    if (CountsFromLabel)
      Found.push_back({&BF, ProtectReason::LabelDistance});
    else if (ReadsItself)
      Found.push_back({&BF, ProtectReason::DataInCode});
    else if (mayGoByDifferences())
      Found.push_back({&BF, ProtectReason::LabelDifferences});
    else if (KnowsLabel)
      // Code that has it may count from it, call it or return to it. The
      // purpose of the labels of "goto *table[i]" is known; they are in data.
      Found.push_back({&BF, ProtectReason::EscapedAddress});
  }

private:
  BinaryFunction &BF;
  BinaryContext &BC;
  Findings &Found;
  /// An instruction has the address of another.
  bool KnowsLabel = BF.*member(internals::HasInternalLabelReferenceTag());
  /// Or of the beginning, where BOLT does not know the control flow.
  bool KnowsItself = KnowsLabel;
  bool ReadsItself = false;
  const bool CountsFromLabel = countsFromLabel(BF);

  void look(const MCInst &Inst, const MCExpr &Expr) {
    const auto [Symbol, Addend] = BC.MIB->getTargetSymbolInfo(&Expr);
    if (!Symbol)
      return;
    if (!BC.MIB->isCall(Inst) && !BC.MIB->isBranch(Inst))
      lookAtAddress(Inst, *Symbol);
    if (!Addend)
      return;
    // The beginning of something and a distance.
    if (const BinaryData *Data = BC.getBinaryDataByName(Symbol->getName()))
      if (BinaryFunction *Around =
              functionAround(BC, Data->getAddress() + Addend))
        Found.push_back({Around, ProtectReason::EscapedAddress});
  }

  /// \p Inst computes the address of \p Symbol, or loads from it.
  void lookAtAddress(const MCInst &Inst, const MCSymbol &Symbol) {
    const auto [Target, IsBeginning] = findFunctionEntry(BC, &Symbol);
    if (!Target)
      return;
    if (Target == &BF) {
      KnowsLabel |= !IsBeginning;
      KnowsItself |= !IsBeginning || !BF.isSimple();
      ReadsItself |=
          !is_contained(BF.getSymbols(), &Symbol) && BC.MIB->mayLoad(Inst);
    } else if (!IsBeginning || CountsFromLabel) {
      // Somebody compares with it, or counts from it.
      Found.push_back({Target, ProtectReason::EscapedAddress});
    }
  }

  /// Where computed gotos were accepted, none jumps to a sum.
  bool mayGoByDifferences() const {
    if (BF.isSimple())
      return any_of(BF, isComputedGoto) && hasTableOfDistances(BF);
    return (KnowsItself || isKnownToData()) &&
           (jumpsToSums(BF) || hasTableOfDistances(BF));
  }

  bool isKnownToData() const {
    // Where the loader relocates, BOLT has made entries. A seeming table of a
    // switch may be a table of labels, of which one is a base.
    return LedIntoByTables.count(&BF) || BF.isMultiEntry() ||
           !blocksKnownToData(BF).empty() ||
           any_of(BF.getInternalRefDataRelocations(), [&](uint64_t Address) {
             return !BF.getJumpTableContainingAddress(Address);
           });
  }
};

} // namespace

static ProtectReason reasonOf(StrangeUnwinding Why) {
  switch (Why) {
#define SAME(Name)                                                             \
  case StrangeUnwinding::Name:                                                 \
    return ProtectReason::Name
    SAME(StrangeTypes);
    SAME(StrangeTable);
    SAME(TrapsThrow);
    SAME(SeveralRecords);
    SAME(StrangeRecord);
    SAME(KnownToRule);
#undef SAME
  }
  llvm_unreachable("unknown reason");
}

static void protectStrangeUnwinding(BinaryContext &BC,
                                    ProtectedFunctions &Protected) {
  findStrangeUnwinding(BC, [&](BinaryFunction &BF, StrangeUnwinding Why) {
    Protected.add(BF, reasonOf(Why));
  });
}

ProtectedFunctions graupel::decideProtected(BinaryContext &BC,
                                            ArrayRef<BinaryFunction *> Unread) {
  ProtectedFunctions Protected;
  Protected.addPartsOf(Unread);
  for (const BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
    if (BF.isIgnored())
      noteUnreadFunction(BF);
  for (uint64_t Begin : make_first_range(unlabeledCode()))
    if (BinaryFunction *BF = BC.getBinaryFunctionAtAddress(Begin))
      Protected.add(*BF, ProtectReason::Unlabeled);
  for (uint64_t Address : AddressesInUnread)
    if (BinaryFunction *BF = functionAround(BC, Address))
      Protected.add(*BF, ProtectReason::EscapedAddress);
  judgeEnds(BC);
  std::set<const BinaryFunction *> Rows = RowsInUnread;
  // The first of several reasons counts, wherever it was found first.
  std::map<uint64_t, Findings> FoundIn, ReadIn;
  ReturnAddresses Returns(BC);
  std::mutex Lock;
  ParallelUtilities::runOnEachFunction(
      BC, ParallelUtilities::SchedulingPolicy::SP_TRIVIAL,
      [&](BinaryFunction &BF) {
        Findings Found;
        ReferenceScan(BF, Found).run();
        Returns.look(BF);
        bool CountsFromItself = false;
        findSumsWithFunctions(BF, [&](BinaryFunction &First) {
          CountsFromItself |= &First == &BF;
          std::lock_guard Locked(Lock);
          if (&First != &BF)
            Rows.insert(&First);
        });
        Findings Read;
        findReadByOthers(BF, [&](BinaryFunction &Other) {
          Read.push_back({&Other, ProtectReason::CodeIsRead});
        });
        if (fallsThrough(BF))
          Found.push_back({&BF, ProtectReason::FallsThrough});
        if (hasKnownEnd(BF))
          Found.push_back({&BF, ProtectReason::KnownEnd});
        if (usesTableForOthers(BF))
          Found.push_back({&BF, ProtectReason::CountsFromTable});
        if (hasCutTable(BF))
          Found.push_back({&BF, ProtectReason::CutTable});
        if (BF.isSimple() && hasUnreachedCode(BF))
          Found.push_back({&BF, ProtectReason::UnreachedCode});
        if (CountsFromItself)
          Found.push_back({&BF, ProtectReason::EscapedAddress});
        if (Found.empty() && Read.empty())
          return;
        std::lock_guard Locked(Lock);
        FoundIn[BF.getAddress()] = std::move(Found);
        ReadIn[BF.getAddress()] = std::move(Read);
      },
      [](const BinaryFunction &BF) { return BF.isIgnored() || !BF.hasCFG(); },
      "decide what to protect");
  protectNeighbors(BC, Protected);
  for (auto &[Address, BF] : BC.getBinaryFunctions())
    if (Rows.count(&BF))
      protectRow(BC, BF, Protected);
  // Where a table was not read, handlers look unreached.
  protectStrangeUnwinding(BC, Protected);
  for (const auto &[Address, Found] : FoundIn)
    for (const auto &[BF, Reason] : Found)
      Protected.add(*BF, Reason);
  Returns.protectCallers(Protected);
  protectEntered(BC, Protected);
  protectKnownPlaces(BC, Protected);
  for (const auto &[Address, Read] : ReadIn)
    for (const auto &[BF, Reason] : Read)
      Protected.add(*BF, Reason);
  for (const auto &[Address, Found] : FoundIn)
    for (const auto &[BF, Reason] : Found)
      if (BinaryFunction *Next = Reason == ProtectReason::FallsThrough
                                     ? functionRunInto(*BF)
                                     : nullptr)
        Protected.add(*Next, ProtectReason::RunInto);
  Protected.addFragments();
  return Protected;
}
