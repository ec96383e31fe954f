//===- Exceptions/TableWriter.cpp - Exception tables of the output --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. When a function is final, its call sites are taken from BOLT, fragment by
//    fragment. BOLT, which finds none, emits no table, but refers to ours, of
//    which it is told the label.
// 2. A fragment without a call site gets an empty one. BOLT would emit no table
//    at all, and exceptions would pass through a function that promised to let
//    none out.
// 3. For each fragment, how its landing pads are written:
//      Own       all of them are in the fragment, and none at its beginning:
//                distances from there. Every reader knows that.
//      Fragment  all of them are in one fragment: distances from the byte
//                before that fragment.
//      Anywhere  distances of four bytes from a place in the table itself.
//    A distance of 0 would mean "no landing pad" to the reader; neither of the
//    latter two can have it.
// 4. When the code has been emitted, the tables follow.
//
// BOLT writes distances between two sections in a variable number of bytes,
// which the assembler cannot, and takes an empty block in front of a landing
// pad for something.
//
//===----------------------------------------------------------------------===//

#include "Exceptions.h"
#include "Labels.h"
#include "Personality.h"
#include "Support/BoltInternals.h"
#include "Tables.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/WithColor.h"
#include <mutex>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

#define DEBUG_TYPE "graupel-exceptions"

namespace {

enum class PadBase { Own, Fragment, Anywhere };

/// The table of one fragment.
struct PlannedTable {
  MCSymbol *Label = nullptr;
  /// The beginning of the fragment.
  const MCSymbol *Start = nullptr;
  PadBase Base = PadBase::Own;
  /// The beginning of the fragment with the landing pads.
  const MCSymbol *PadStart = nullptr;
  std::vector<BinaryFunction::CallSite> CallSites;
};

using PlannedTables = std::vector<PlannedTable>;

std::map<const BinaryFunction *, PlannedTables> &planned() {
  static std::map<const BinaryFunction *, PlannedTables> Map;
  return Map;
}

[[noreturn]] void giveUp(const BinaryFunction &BF, const char *Why) {
  WithColor::error(errs(), "graupel-bolt")
      << BF.getBinaryContext().getFilename() << ": " << BF.getPrintName() << ' '
      << Why << "; leave it out with -skip-funcs\n";
  // Other threads are at work, whom std::exit() would take the program from.
  sys::RunInterruptHandlers();
  std::_Exit(1);
}

class Planner {
public:
  explicit Planner(BinaryFunction &BF)
      : BF(BF), BC(BF.getBinaryContext()),
        Sites(BF.*member(internals::CallSitesTag())),
        Labels(BF.*member(internals::LSDASymbolsTag())) {}

  PlannedTables run() {
    PlannedTables Result;
    for (FunctionFragment &Fragment : BF.getLayout().fragments())
      if (!Fragment.empty())
        Result.push_back(plan(Fragment));
    Sites.clear();
    return Result;
  }

private:
  BinaryFunction &BF;
  BinaryContext &BC;
  BinaryFunction::CallSitesList &Sites;
  SmallVector<MCSymbol *, 0> &Labels;

  PlannedTable plan(const FunctionFragment &Fragment) {
    const FragmentNum Number = Fragment.getFragmentNum();
    PlannedTable Table;
    Table.Start = startOf(Number);
    for (const auto &Site : BF.getCallSites(Number))
      Table.CallSites.push_back(Site.second);
    // Step 2.
    if (Table.CallSites.empty()) {
      const MCSymbol *End = BF.getFunctionEndLabel(Number);
      Table.CallSites.push_back({End, End, nullptr, 0});
    }
    choose(Table, Number);
    if (Table.Base != PadBase::Own && !readsEveryEncoding(BF))
      giveUp(BF, "has landing pads that the reader of its exception table "
                 "would not find");
    Table.Label = label(Number);
    return Table;
  }

  // Step 3.
  void choose(PlannedTable &Table, FragmentNum Here) {
    std::optional<FragmentNum> Home;
    bool Scattered = false, AtStart = false;
    for (const BinaryFunction::CallSite &Site : Table.CallSites) {
      if (!Site.LP)
        continue;
      const BinaryBasicBlock *Pad = BF.getBasicBlockForLabel(Site.LP);
      if (!Pad)
        giveUp(BF, "has lost a landing pad");
      const FragmentNum Number = Pad->getFragmentNum();
      Scattered |= Home && *Home != Number;
      Home = Number;
      AtStart |= isAtStart(*Pad);
    }
    if (Scattered)
      Table.Base = PadBase::Anywhere;
    else if (Home && (AtStart || *Home != Here))
      Table.Base = PadBase::Fragment;
    Table.PadStart = Home ? startOf(*Home) : Table.Start;
  }

  /// True unless there is code in front of \p Pad in its fragment.
  bool isAtStart(const BinaryBasicBlock &Pad) const {
    for (const BinaryBasicBlock *Block :
         BF.getLayout().getFragment(Pad.getFragmentNum())) {
      if (Block == &Pad)
        return true;
      if (Block->getNumNonPseudos())
        return false;
    }
    return false;
  }

  /// BOLT makes the symbol when it is asked for first. Functions are planned on
  /// several threads, which share the table of symbols.
  MCSymbol *startOf(FragmentNum Number) {
    const std::unique_lock<sys::RWMutex> Lock(BC.CtxMutex);
    return BF.getSymbol(Number);
  }

  MCSymbol *label(FragmentNum Number) {
    if (Labels.size() <= Number.get())
      Labels.resize(Number.get() + 1);
    const std::unique_lock<sys::RWMutex> Lock(BC.CtxMutex);
    Labels[Number.get()] = BC.Ctx->getOrCreateSymbol(
        "GCC_except_table" + Twine::utohexstr(BF.getFunctionNumber()) + "." +
        Twine(Number.get()));
    return Labels[Number.get()];
  }
};

/// Step 4, for one fragment.
class Emitter {
public:
  Emitter(MCStreamer &Out, BinaryContext &BC, const PlannedTable &Plan,
          const ExceptionTable &Table)
      : Out(Out), BC(BC), Plan(Plan), Table(Table) {}

  void emit() {
    Out.emitValueToAlignment(Align(Alignment));
    Out.emitLabel(Plan.Label);
    emitPadBase();
    MCSymbol *TypesEnd = emitTypeHeader();
    emitCallSites();
    emitBytes(Table.Actions);
    // Also where there are no types, for the next table.
    Out.emitValueToAlignment(Align(Alignment));
    for (uint64_t Type : reverse(Table.Types))
      emitType(Type);
    if (TypesEnd)
      Out.emitLabel(TypesEnd);
    emitBytes(Table.Filters);
  }

private:
  static constexpr unsigned Alignment = 4;

  MCStreamer &Out;
  BinaryContext &BC;
  const PlannedTable &Plan;
  const ExceptionTable &Table;
  /// A place in the table, for PadBase::Anywhere.
  MCSymbol *Anchor = nullptr;

  const MCExpr *difference(const MCSymbol *A, const MCSymbol *B,
                           int64_t Plus = 0) {
    const MCExpr *E = distance(A, B, *BC.Ctx);
    if (!Plus)
      return E;
    return MCBinaryExpr::createAdd(E, MCConstantExpr::create(Plus, *BC.Ctx),
                                   *BC.Ctx);
  }

  void emitBytes(ArrayRef<uint8_t> Bytes) {
    Out.emitBytes(
        StringRef(reinterpret_cast<const char *>(Bytes.data()), Bytes.size()));
  }

  void emitPadBase() {
    if (Plan.Base == PadBase::Own)
      return Out.emitIntValue(dwarf::DW_EH_PE_omit, 1);
    Out.emitIntValue(dwarf::DW_EH_PE_pcrel | dwarf::DW_EH_PE_sdata4, 1);
    if (Plan.Base == PadBase::Fragment)
      return Out.emitValue(difference(Plan.PadStart, labelHere(Out), -1), 4);
    // The place behind the number.
    Out.emitIntValue(4, 4);
    Anchor = labelHere(Out);
  }

  /// Returns the label for the end of the types, if there may be any.
  MCSymbol *emitTypeHeader() {
    Out.emitIntValue(Table.TypeEncoding, 1);
    if (Table.TypeEncoding == dwarf::DW_EH_PE_omit)
      return nullptr;
    MCSymbol *TypesEnd = BC.Ctx->createTempSymbol();
    MCSymbol *Behind = BC.Ctx->createTempSymbol();
    Out.emitAbsoluteSymbolDiffAsULEB128(TypesEnd, Behind);
    Out.emitLabel(Behind);
    return TypesEnd;
  }

  void emitCallSites() {
    Out.emitIntValue(Anchor ? dwarf::DW_EH_PE_sdata4 : dwarf::DW_EH_PE_uleb128,
                     1);
    MCSymbol *Begin = BC.Ctx->createTempSymbol();
    MCSymbol *End = BC.Ctx->createTempSymbol();
    Out.emitAbsoluteSymbolDiffAsULEB128(End, Begin);
    Out.emitLabel(Begin);
    for (const BinaryFunction::CallSite &Site : Plan.CallSites) {
      emitDistance(Site.Start, Plan.Start);
      emitDistance(Site.End, Site.Start);
      emitLandingPad(Site.LP);
      Out.emitULEB128IntValue(Site.Action);
    }
    Out.emitLabel(End);
  }

  void emitDistance(const MCSymbol *To, const MCSymbol *From) {
    if (Anchor)
      Out.emitAbsoluteSymbolDiff(To, From, 4);
    else
      Out.emitAbsoluteSymbolDiffAsULEB128(To, From);
  }

  void emitLandingPad(const MCSymbol *Pad) {
    if (Anchor) {
      if (!Pad)
        return Out.emitIntValue(0, 4);
      return Out.emitValue(difference(Pad, Anchor), 4);
    }
    if (Pad)
      Out.emitULEB128Value(
          difference(Pad, Plan.PadStart, Plan.Base == PadBase::Fragment));
    else
      Out.emitULEB128IntValue(0);
  }

  void emitType(uint64_t Address) {
    const unsigned Size = typeEntrySize(Table.TypeEncoding);
    if (!Address || (Table.TypeEncoding & 0x70) == dwarf::DW_EH_PE_absptr)
      return Out.emitIntValue(Address, Size);
    const MCSymbol *Type =
        BC.getOrCreateGlobalSymbol(Address, "TI", 0, Alignment);
    Out.emitValue(difference(Type, labelHere(Out)), Size);
  }
};

} // namespace

void graupel::planExceptionTables(BinaryFunction &BF) {
  static std::mutex Lock;
  if (!exceptionTableOf(BF) || !BF.getPersonalityFunction())
    return;
  PlannedTables Result = Planner(BF).run();
  const std::lock_guard Locked(Lock);
  planned()[&BF] = std::move(Result);
}

void graupel::emitExceptionTables(MCStreamer &Streamer, BinaryContext &BC) {
  if (planned().empty())
    return;
  Streamer.setUseAssemblerInfoForParsing(false);
  Streamer.switchSection(BC.MOFI->getLSDASection());
  // In the order of the code.
  for (const BinaryFunction *BF : BC.getOutputBinaryFunctions()) {
    const auto It = planned().find(BF);
    if (It != planned().end() && BF->isEmitted())
      for (const PlannedTable &Plan : It->second)
        Emitter(Streamer, BC, Plan, *exceptionTableOf(*BF)).emit();
  }
  Streamer.setUseAssemblerInfoForParsing(true);
}
