//===- Exceptions/TableReader.cpp - Exception tables on functions ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each function with a table, while its instructions have offsets:
//
// 1. Read the table. BOLT does that, too, but not for functions that have a
//    jump table which leads into another part: it emits them with a table that
//    is empty.
// 2. Check that the call sites are whole instructions and in order, and that
//    each landing pad is an instruction of the function. A function has to stay
//    if labels at calls cannot express its table, or if the table is not for a
//    routine of the record.
// 3. Note whether anything but calls may throw.
// 4. Annotate the calls, and give the landing pads labels.
//
// BOLT takes for granted that only calls throw, and makes tables that cover
// nothing else. With -fnon-call-exceptions (the default of Ada and Go) loads,
// stores and divisions throw, too. The compiler does not leave a note of that,
// but a range of a table that holds no call gives it away. So does a range of
// GCC's that begins with something else that may trap: its ranges begin with
// what throws, other compilers' with what prepares a call. Once there is one in
// the program, no range that holds more than calls is trusted.
//
//===----------------------------------------------------------------------===//

#include "Exceptions.h"
#include "Personality.h"
#include "Support/BoltInternals.h"
#include "Support/FunctionEntry.h"
#include "Support/Traps.h"
#include "Tables.h"
#include "bolt/Core/Exceptions.h"
#include "llvm/ADT/SetVector.h"
#include <set>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

#define DEBUG_TYPE "graupel-exceptions"

/// The tables that were read.
static std::map<const BinaryFunction *, ExceptionTable> Tables;

namespace {

/// Whether there are ranges that hold something that may trap.
struct Traps {
  bool Alone = false; ///< There is one without a call.
  bool First = false; ///< One that has a handler begins with it.
};

} // namespace

static MapVector<BinaryFunction *, Traps> FunctionsWithTraps;

/// Functions whose types are none, or cannot be elsewhere.
static SetVector<BinaryFunction *> FunctionsWithStrangeTypes;

/// Functions whose tables say what annotations cannot.
static SetVector<BinaryFunction *> FunctionsWithStrangeTables;

const ExceptionTable *graupel::exceptionTableOf(const BinaryFunction &BF) {
  const auto It = Tables.find(&BF);
  return It == Tables.end() ? nullptr : &It->second;
}

namespace {

/// One function and the call sites of its table.
class Annotator {
public:
  Annotator(BinaryFunction &BF, const ExceptionTable &Table)
      : BF(BF), BC(BF.getBinaryContext()), Table(Table),
        Instructions(BF.*member(internals::InstructionsTag())) {}

  // Step 2.
  bool canAnnotate() const {
    uint64_t Last = 0;
    for (const ExceptionTable::CallSite &Site : Table.CallSites) {
      if (Site.Begin < Last || Site.End < Site.Begin ||
          Site.End > BF.getMaxSize() || cutsInstruction(Site))
        return false;
      Last = Site.End;
      if (Site.LandingPad &&
          !Instructions.count(Site.LandingPad - BF.getAddress()))
        return false;
    }
    // Where the base cannot be moved, no landing pad may come first.
    return readsEveryEncoding(BF) || !isPadAtStart();
  }

  // Step 3.
  void noteTraps() const {
    for (const ExceptionTable::CallSite &Site : Table.CallSites) {
      bool Calls = false, MayTrap = false, IsFirst = true, First = false;
      // Where nothing catches, it may end in a call in place of the return.
      auto isCall = [&](const MCInst &Inst) {
        return BC.MIB->isCall(Inst) ||
               (!Site.LandingPad && BC.MIB->isIndirectBranch(Inst));
      };
      for (auto It = Instructions.lower_bound(Site.Begin);
           It != Instructions.end() && It->first < Site.End; ++It) {
        if (BC.MIB->isNoop(It->second) || BC.MIB->isPrefix(It->second))
          continue;
        if (isCall(It->second)) {
          Calls = true;
        } else if (mayTrap(BC, It->second)) {
          MayTrap = true;
          // Nobody sees how an exception came to be that nothing catches.
          First |= IsFirst && Site.LandingPad;
        }
        IsFirst = false;
      }
      if (!MayTrap)
        continue;
      Traps &Found = FunctionsWithTraps[&BF];
      Found.Alone |= !Calls;
      Found.First |= First;
    }
  }

  // Step 4.
  void annotate() {
    for (const ExceptionTable::CallSite &Site : Table.CallSites) {
      const MCSymbol *Pad =
          Site.LandingPad ? labelAt(Site.LandingPad) : nullptr;
      for (auto It = Instructions.lower_bound(Site.Begin);
           It != Instructions.end() && It->first < Site.End; ++It)
        if (BC.MIB->isCall(It->second) &&
            !BC.MIB->getConditionalTailCall(It->second))
          BC.MIB->addEHInfo(It->second, MCPlus::MCLandingPad(Pad, Site.Action));
    }
  }

private:
  BinaryFunction &BF;
  BinaryContext &BC;
  const ExceptionTable &Table;
  std::map<uint32_t, MCInst> &Instructions;

  MCSymbol *labelAt(uint64_t Address) {
    return (BF.*member(internals::getOrCreateLocalLabelTag()))(Address);
  }

  /// Unwinders ask for the last byte of a call.
  bool cutsInstruction(const ExceptionTable::CallSite &Site) const {
    auto isInside = [&](uint64_t Offset) {
      return Offset < BF.getSize() && !Instructions.count(Offset);
    };
    return Site.Begin != Site.End &&
           (isInside(Site.Begin) || isInside(Site.End));
  }

  /// True if nothing but no-operations is in front of a landing pad.
  bool isPadAtStart() const {
    auto It = Instructions.begin();
    while (It != Instructions.end() && BC.MIB->isNoop(It->second))
      ++It;
    const uint64_t First = It == Instructions.end() ? 0 : It->first;
    return any_of(Table.CallSites, [&](const ExceptionTable::CallSite &Site) {
      return Site.LandingPad && Site.LandingPad <= BF.getAddress() + First;
    });
  }
};

} // namespace

/// Entries that hold whole addresses are right in another place only if
/// nothing has to be added to them when the program is loaded.
static bool canTypesMove(const BinaryContext &BC, const ExceptionTable &Table) {
  const bool Absolute = (Table.TypeEncoding & 0x70) == dwarf::DW_EH_PE_absptr;
  const bool AnyType = any_of(Table.Types, [](uint64_t T) { return T; });
  return Table.CanTypesMove &&
         (!Absolute || !AnyType || BC.HasFixedLoadAddress);
}

static Expected<ExceptionTable> read(const BinaryFunction &BF) {
  const ErrorOr<const BinarySection &> Section =
      BF.getBinaryContext().getSectionForAddress(BF.getLSDAAddress());
  if (!Section)
    return createStringError("the exception table is in no section");
  const StringRef Contents = Section->getContents();
  return readExceptionTable(
      ArrayRef(reinterpret_cast<const uint8_t *>(Contents.data()),
               Contents.size()),
      Section->getAddress(), BF.getLSDAAddress(), BF.getAddress());
}

void graupel::readCallSites(BinaryFunction &BF) {
  if (!BF.getLSDAAddress() || Tables.count(&BF))
    return;
  // A table without call sites means something, too: nothing may be thrown.
  BF.*member(internals::HasEHRangesTag()) = true;
  // Step 1.
  Expected<ExceptionTable> Read = read(BF);
  ExceptionTable &Table = Tables[&BF];
  if (!Read) {
    consumeError(Read.takeError());
    FunctionsWithStrangeTables.insert(&BF);
    return;
  }
  Table = std::move(*Read);
  if (!canTypesMove(BF.getBinaryContext(), Table))
    FunctionsWithStrangeTypes.insert(&BF);
  Annotator A(BF, Table);
  // The reader of a table without a routine is not known, nor what it looks
  // for.
  if (BF.getPersonalityFunction() && A.canAnnotate()) {
    A.noteTraps();
    A.annotate();
  } else {
    FunctionsWithStrangeTables.insert(&BF);
  }
  Table.CallSites = {};
}

/// For routines that know one base only: what throws and what catches stay in
/// the function's main part.
static void keepTogether(BinaryFunction &BF) {
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  for (BinaryBasicBlock &Block : BF)
    if (Block.isLandingPad() ||
        any_of(Block, [&](const MCInst &Inst) { return MIB.isInvoke(Inst); }))
      Block.setCanOutline(false);
}

/// Adds what jumps to code whose unwind rule depends on it, and what such
/// code jumps to: the rule leads there.
static void protectAroundRules(BinaryContext &BC,
                               function_ref<void(BinaryFunction &)> Add) {
  if (none_of(BC.getBinaryFunctions(),
              [](const auto &Entry) { return hasCodeInRules(Entry.second); }))
    return;
  for (auto &[Address, BF] : BC.getBinaryFunctions())
    for (const BinaryBasicBlock &Block : BF)
      for (const MCInst &Inst : Block) {
        const MCSymbol *Target =
            BC.MIB->isBranch(Inst) || BC.MIB->isTailCall(Inst)
                ? BC.MIB->getTargetSymbol(Inst)
                : nullptr;
        BinaryFunction *To = findFunctionEntry(BC, Target).Function;
        if (!To || To == &BF)
          continue;
        if (hasCodeInRules(*To))
          Add(BF);
        if (hasCodeInRules(BF))
          Add(*To);
      }
}

/// Linkers leave a note, too.
static bool isAllOfGCC(const BinaryContext &BC) {
  const ErrorOr<BinarySection &> Notes = BC.getUniqueSectionByName(".comment");
  if (!Notes)
    return false;
  SmallVector<StringRef> Lines;
  Notes->getContents().split(Lines, '\0', /*MaxSplit=*/-1,
                             /*KeepEmpty=*/false);
  return any_of(Lines,
                [](StringRef Line) { return Line.starts_with("GCC:"); }) &&
         all_of(Lines, [](StringRef Line) {
           return Line.starts_with("GCC:") || Line.starts_with("Linker:") ||
                  Line.starts_with("mold ");
         });
}

/// Whether something else than calls throws in the program.
static bool doTrapsThrow(const BinaryContext &BC) {
  const bool IsAllOfGCC = isAllOfGCC(BC);
  return any_of(FunctionsWithTraps, [&](const auto &Entry) {
    // The table of libgcc's assembly is written by hand.
    const auto &[BF, Found] = Entry;
    return Found.Alone ||
           (Found.First && IsAllOfGCC && !BF->hasName("__morestack"));
  });
}

void graupel::findStrangeUnwinding(
    BinaryContext &BC,
    function_ref<void(BinaryFunction &, StrangeUnwinding)> Note) {
  const auto Add = [&](BinaryFunction &BF, StrangeUnwinding Why) {
    if (!BF.isIgnored())
      Note(BF, Why);
  };
  for (BinaryFunction *BF : FunctionsWithStrangeTypes)
    Add(*BF, StrangeUnwinding::StrangeTypes);
  for (BinaryFunction *BF : FunctionsWithStrangeTables)
    Add(*BF, StrangeUnwinding::StrangeTable);
  if (doTrapsThrow(BC))
    for (BinaryFunction *BF : make_first_range(FunctionsWithTraps))
      Add(*BF, StrangeUnwinding::TrapsThrow);
  for (auto &[Address, BF] : BC.getBinaryFunctions())
    if (isInRecords(BF))
      Add(BF, StrangeUnwinding::SeveralRecords);
    else if (hasStrangeRecord(BF))
      Add(BF, StrangeUnwinding::StrangeRecord);
  protectAroundRules(
      BC, [&](BinaryFunction &BF) { Add(BF, StrangeUnwinding::KnownToRule); });
}

Error HandlersTogether::runOnFunctions(BinaryContext &BC) {
  for (auto &[Address, BF] : BC.getBinaryFunctions())
    if (exceptionTableOf(BF) && BF.hasCFG() &&
        (!readsEveryEncoding(BF) || comparesTables(BF)))
      keepTogether(BF);
  return Error::success();
}
