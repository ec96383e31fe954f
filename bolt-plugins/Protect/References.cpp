//===- Protect/References.cpp - Functions whose places are known ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT updates an address that data holds. It does not keep what is around that
// place as it was. Whether this is needed depends on the user of the address:
//
// 1. A table of its own (__ex_table, __rseq_cs) describes instructions, often
//    with a length or with several addresses that belong together. A patcher
//    overwrites what is there. Their functions stay.
// 2. A number that is no address is never updated. Functions it leads to stay.
// 3. In ordinary data the labels of "goto *table[i]" are usual. They are only
//    jumped to, and the function has such a jump. If all the places that data
//    knows are behind calls, they are return addresses: the frame table of
//    a garbage collector. If the function has no jump that could go there,
//    somebody else uses them. Functions of the two latter kinds stay.
// 4. Numbers of four bytes in ordinary data belong to switches, most of them.
//    A number that leads to the beginning of a function does not, counted from
//    itself, from the beginning of a row or a few words before (the number of
//    entries), or from a place before it that code refers to. Some may have a
//    tag in low bits. One entry that does so by chance is no sign, two of
//    different functions are; where most entries do so, the others mean
//    functions, too.
//
// 5. A branch in a function that is not read, to where BOLT knows no entry.
//    That function jumps there as before, so the other one stays.
//
// Functions between two symbols that the program compares addresses with stay.
//
//===----------------------------------------------------------------------===//

#include "CodeBounds.h"
#include "KnownPlaces.h"
#include "Options/CopyPlan.h"
#include "Protected.h"
#include "Support/BoltInternals.h"
#include "Support/ComputedGoto.h"
#include "Support/FunctionEntry.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

using Kind = KnownPlace::Kind;

/// Nops before a function that belong to it.
constexpr uint64_t MostBefore = 64;

class PlacesProtector {
public:
  PlacesProtector(BinaryContext &BC, ProtectedFunctions &Protected)
      : BC(BC), Protected(Protected) {}

  void run() {
    const KnownPlaces &Places = knownPlaces();
    for (uint64_t Address : Places.ArrayElements)
      if (BinaryFunction *BF = functionWith(BC, Address))
        Protected.add(*BF, ProtectReason::ArrayElement);
    for (uint64_t Address : Places.BehindSections)
      if (BinaryFunction *BF = functionWith(BC, Address))
        Protected.add(*BF, ProtectReason::BehindSection);
    for (const CodeRange &Range : codeRanges())
      protectRange(Range);
    for (uint64_t Address : Places.CodeLabels)
      protectAllFrom(Address);
    for (uint64_t Address : Places.SecondNames)
      protectFirstAccess(Address);
    for (const KnownPlace &Place : Places.Known)
      look(Place);
    for (auto &[BF, Offsets] : InData)
      judge(*BF, Offsets);
    judgeRow();
  }

private:
  BinaryContext &BC;
  ProtectedFunctions &Protected;
  /// The places in each function that data leads to, but for jump tables.
  MapVector<BinaryFunction *, std::vector<uint64_t>> InData;
  /// Numbers without a gap between them.
  std::vector<KnownPlace> Row;

  /// The end of the code at a label is not known; it is at the latest where
  /// more than padding follows. It is that of the first function if another
  /// such label is in that: musl's __cp_begin and __cp_end.
  void protectAllFrom(uint64_t Address) {
    constexpr uint64_t LargestPadding = 64;
    auto &Functions = BC.getBinaryFunctions();
    const auto First = Functions.find(Address);
    for (auto It = First; It != Functions.end(); ++It) {
      BinaryFunction &BF = It->second;
      if (BF.getOriginSection() != First->second.getOriginSection() ||
          (It != First && It->first > Address + LargestPadding) ||
          isBehindLabels(First->first, It->first))
        return;
      Protected.add(BF, ProtectReason::ArrayElement);
      Address = It->first + BF.getSize();
    }
  }

  static bool isBehindLabels(uint64_t Begin, uint64_t Address) {
    const std::vector<uint64_t> &Labels = knownPlaces().InnerLabels;
    const auto Next = llvm::upper_bound(Labels, Begin);
    return Next != Labels.end() && *Next < Address &&
           !llvm::binary_search(Labels, Address);
  }

  /// Handlers of faults know by their addresses the instructions that may fault,
  /// such as the JVM's SafeFetch. If that is the first one, nothing may come
  /// before it.
  void protectFirstAccess(uint64_t Address) {
    BinaryFunction *BF = functionWith(BC, Address);
    if (!BF || !BF->hasCFG() || BF->empty())
      return;
    const auto First = BF->front().getFirstNonPseudo();
    if (First == BF->front().end() || BC.MIB->isPush(*First) ||
        BC.MIB->isCall(*First))
      return;
    const MCInstrDesc &Info = BC.MII->get(First->getOpcode());
    if (Info.mayLoad() || Info.mayStore())
      Protected.add(*BF, ProtectReason::EscapedAddress);
  }

  void look(const KnownPlace &Place) {
    switch (Place.Is) {
    case Kind::Table:
      return protect(functionAround(BC, Place.Target),
                     ProtectReason::KnownToData);
    case Kind::Number:
      return protect(functionWith(BC, Place.Target),
                     isInTable(Place) ? ProtectReason::KnownToData
                                      : ProtectReason::KnownByNumber);
    case Kind::Patched:
      protect(functionWith(BC, Place.Target), ProtectReason::Patched);
      return protectBehind(Place.Target);
    case Kind::Data:
      if (!BC.getJumpTableContainingAddress(Place.At))
        if (BinaryFunction *BF = functionAround(BC, Place.Target)) {
          InData[BF].push_back(Place.Target - BF->getAddress());
          if (isMissed(*BF, Place.Target))
            Protected.add(*BF, ProtectReason::KnownToData);
        }
      return;
    case Kind::RelativeData:
      if (BC.getJumpTableContainingAddress(Place.At))
        return;
      if (!Row.empty() && Row.back().At + 4 != Place.At)
        judgeRow();
      Row.push_back(Place);
      return;
    }
  }

  /// Where copies are made: a function keeps its address, but a table about its
  /// instructions (__ex_table) is wrong for the copy.
  bool isInTable(const KnownPlace &Place) const {
    const ErrorOr<BinarySection &> Home = BC.getSectionForAddress(Place.At);
    return makesCopies() && Home && !Home->isText();
  }

  /// When BOLT looked, it did not know that a function without a size goes that
  /// far.
  static bool isMissed(const BinaryFunction &BF, uint64_t Target) {
    if (!BF.isSimple())
      return !hasEntryAt(BF, Target);
    const BinaryBasicBlock *Block =
        BF.getBasicBlockAtOffset(Target - BF.getAddress());
    return any_of(BF, isComputedGoto) && (!Block || !isGotoTarget(*Block));
  }

  void protect(BinaryFunction *BF, ProtectReason Reason) {
    if (BF)
      Protected.add(*BF, Reason);
  }

  /// A function that begins at the end means that end, too.
  void protectRange(const CodeRange &Range) {
    auto &Functions = BC.getBinaryFunctions();
    for (auto It = Functions.lower_bound(Range.Begin);
         It != Functions.end() && It->first < Range.End; ++It)
      protect(functionWith(BC, It->first), ProtectReason::BoundedCode);
    if (Functions.count(Range.End))
      protect(functionWith(BC, Range.End), ProtectReason::BehindSection);
  }

  /// Protects the function that begins a few bytes behind \p Address. BOLT
  /// takes labels in what is between the two for functions.
  void protectBehind(uint64_t Address) {
    auto &Functions = BC.getBinaryFunctions();
    for (auto It = Functions.lower_bound(Address);
         It != Functions.end() && It->first - Address <= MostBefore; ++It) {
      protect(functionWith(BC, It->first), ProtectReason::Patched);
      const ErrorOr<ArrayRef<uint8_t>> Code = It->second.getData();
      constexpr uint8_t Nop = 0x90;
      if (!Code || !all_of(*Code, [](uint8_t Byte) { return Byte == Nop; }))
        return;
    }
  }

  // Step 3.
  void judge(BinaryFunction &BF, ArrayRef<uint64_t> Offsets) {
    if (!BF.hasCFG())
      return;
    if (llvm::all_of(Offsets,
                     [&](uint64_t Offset) { return isBehindCall(BF, Offset); }))
      Protected.add(BF, ProtectReason::ReturnAddresses);
    // Control that enters there enters the original of a copy.
    else if (!makesCopies() && !jumpsSomewhere(BF))
      Protected.add(BF, ProtectReason::KnownToData);
  }

  bool isBehindCall(BinaryFunction &BF, uint64_t Offset) {
    BinaryBasicBlock *Block = BF.getBasicBlockAtOffset(Offset);
    if (!Block || !Block->getIndex())
      return false;
    BinaryBasicBlock &Before = *std::next(BF.begin(), Block->getIndex() - 1);
    const MCInst *Last = Before.getLastNonPseudoInstr();
    return Last && BC.MIB->isCall(*Last) && !BC.MIB->isTailCall(*Last);
  }

  bool jumpsSomewhere(const BinaryFunction &BF) const {
    for (const BinaryBasicBlock &Block : BF)
      for (const MCInst &Inst : Block)
        if ((BC.MIB->isIndirectBranch(Inst) && !BC.MIB->getJumpTable(Inst)) ||
            isThunkJump(BC, Inst))
          return true;
    return false;
  }

  // Step 4.
  void judgeRow() {
    const std::vector<uint64_t> &Taken = knownPlaces().DataReferences;
    for (ArrayRef<KnownPlace> Rest = Row; !Rest.empty();) {
      const auto Next = llvm::upper_bound(Taken, Rest.front().At);
      const size_t Size =
          Next == Taken.end() || *Next > Rest.back().At
              ? Rest.size()
              : divideCeil(*Next - Rest.front().At, sizeof(uint32_t));
      judgeTable(Rest.take_front(Size));
      Rest = Rest.drop_front(Size);
    }
    Row.clear();
  }

  /// The part of a row from one address that code refers to until the next. For
  /// small functions at equal distances, each of several bases may be the one.
  void judgeTable(ArrayRef<KnownPlace> Table) {
    constexpr unsigned MostWordsBefore = 4, MostTakenBefore = 2;
    const std::vector<uint64_t> &Taken = knownPlaces().DataReferences;
    const uint64_t Front = Table.front().At;
    std::vector<std::optional<uint64_t>> Bases = {std::nullopt, Front};
    auto Before = llvm::lower_bound(Taken, Front);
    for (unsigned N = 0; N < MostTakenBefore && Before != Taken.begin(); ++N)
      Bases.push_back(*--Before);
    for (unsigned Words = 1; Words <= MostWordsBefore; ++Words)
      Bases.push_back(Front - Words * sizeof(uint32_t));
    for (std::optional<uint64_t> Base : Bases)
      if (explains(Base, Table))
        return;
  }

  /// Protects what entries of \p Table lead to that count from \p Base, or from
  /// themselves. True if all of them count
  /// from themselves, for sure.
  bool explains(std::optional<uint64_t> Base, ArrayRef<KnownPlace> Table) {
    // Low bits may hold a tag.
    constexpr uint64_t LargestTag = 7;
    std::vector<BinaryFunction *> Run;
    size_t Explained = 0, Exact = 0;
    bool IsClear = false;
    const auto target = [&](const KnownPlace &Place) {
      return Base ? Place.Target - (Place.At - *Base) : Place.Target;
    };
    const auto endRun = [&] {
      const bool IsLikely = Exact > 1 && !llvm::all_equal(Run);
      IsClear |= !Base && IsLikely && Exact == Table.size();
      if (IsLikely || Exact == Table.size() ||
          (!Base && Run.size() == Table.size())) {
        Explained += Run.size();
        for (BinaryFunction *BF : Run)
          protect(BF);
      }
      Run.clear();
      Exact = 0;
    };
    for (const KnownPlace &Place : Table) {
      const uint64_t Target = target(Place);
      BinaryFunction *BF = BC.getBinaryFunctionContainingAddress(Target);
      if (BF && Target - BF->getAddress() <= LargestTag) {
        Run.push_back(BF);
        Exact += Target == BF->getAddress();
      } else {
        endRun();
      }
    }
    endRun();
    if (Explained * 2 > Table.size() && Explained < Table.size())
      for (const KnownPlace &Place : Table)
        if (BinaryFunction *BF =
                BC.getBinaryFunctionContainingAddress(target(Place)))
          protect(BF);
    return IsClear;
  }

  void protect(BinaryFunction *BF) {
    protect(functionWith(BC, BF->getAddress()), ProtectReason::KnownByNumber);
  }
};

} // namespace

void graupel::protectKnownPlaces(BinaryContext &BC,
                                 ProtectedFunctions &Protected) {
  PlacesProtector(BC, Protected).run();
}
