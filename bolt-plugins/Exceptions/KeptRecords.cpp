//===- Exceptions/KeptRecords.cpp - Unwind records of code that stays -----===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -use-old-text BOLT writes .eh_frame from nothing: a record for each
// function that it emits. Records of other code are lost, that of the PLT
// before all. Profilers and debuggers unwind from there, and so do handlers of
// signals that throw.
//
//   1. Take the input's records whose code is in no function that is emitted.
//   2. Write their common parts (CIEs), once each, and them, with the same
//      instructions: their code is where it was.
//
//===----------------------------------------------------------------------===//

#include "Elf/ElfView.h"
#include "Elf/Unwind.h"
#include "Exceptions.h"
#include "Labels.h"
#include "bolt/Core/BinaryContext.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCStreamer.h"
#include <map>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

class RecordWriter {
public:
  RecordWriter(MCStreamer &Out, BinaryContext &BC) : Out(Out), BC(BC) {}

  void write(const FrameRecord &Record) {
    const MCSymbol *Common = commonPart(Record.Common);
    MCSymbol *End = begin();
    Out.emitAbsoluteSymbolDiff(labelHere(Out), Common, 4);
    const MCSymbol *Code = BC.getOrCreateGlobalSymbol(Record.Begin, "KEPT");
    Out.emitValue(distance(Code, labelHere(Out), *BC.Ctx), 4);
    Out.emitIntValue(Record.End - Record.Begin, 4);
    Out.emitULEB128IntValue(0); // Nothing for the augmentation.
    end(Record.Program, End);
  }

private:
  MCStreamer &Out;
  BinaryContext &BC;
  using Key = std::tuple<StringRef, uint64_t, int64_t, uint64_t, bool>;
  std::map<Key, const MCSymbol *> CommonParts;

  const MCSymbol *commonPart(const FrameCommon &C) {
    const auto [At, IsNew] =
        CommonParts.try_emplace(Key(C.Program, C.CodeAlignment, C.DataAlignment,
                                    C.ReturnRegister, C.IsSignalFrame));
    if (!IsNew)
      return At->second;
    At->second = labelHere(Out);
    MCSymbol *End = begin();
    Out.emitIntValue(0, 4); // It is a CIE.
    Out.emitIntValue(1, 1); // Version.
    Out.emitBytes(C.IsSignalFrame ? "zRS" : "zR");
    Out.emitIntValue(0, 1);
    Out.emitULEB128IntValue(C.CodeAlignment);
    Out.emitSLEB128IntValue(C.DataAlignment);
    Out.emitIntValue(C.ReturnRegister, 1);
    Out.emitULEB128IntValue(1);
    Out.emitIntValue(dwarf::DW_EH_PE_pcrel | dwarf::DW_EH_PE_sdata4, 1);
    end(C.Program, End);
    return At->second;
  }

  /// Writes the size; returns the label of the end.
  MCSymbol *begin() {
    MCSymbol *Begin = BC.Ctx->createTempSymbol();
    MCSymbol *End = BC.Ctx->createTempSymbol();
    Out.emitAbsoluteSymbolDiff(End, Begin, 4);
    Out.emitLabel(Begin);
    return End;
  }

  void end(StringRef Program, MCSymbol *End) {
    Out.emitBytes(Program);
    Out.emitValueToAlignment(Align(4), dwarf::DW_CFA_nop);
    Out.emitLabel(End);
  }
};

/// Also where identical code is emitted for it: it has its symbols then.
bool isEmitted(BinaryContext &BC, uint64_t Address) {
  const BinaryFunction *BF = BC.getBinaryFunctionContainingAddress(
      Address, /*CheckPastEnd=*/false, /*UseMaxSize=*/true);
  if (const BinaryData *Data = BC.getBinaryDataAtAddress(Address); Data && !BF)
    BF = BC.getFunctionForSymbol(Data->getSymbol());
  return BF && !BF->isPLTFunction() && BC.shouldEmit(*BF);
}

} // namespace

void graupel::emitKeptRecords(MCStreamer &Streamer, BinaryContext &BC) {
  const auto Section = BC.getUniqueSectionByName(".eh_frame");
  if (!Section)
    return;
  const auto *File =
      dyn_cast<object::ELF64LEObjectFile>(Section->getSectionRef().getObject());
  if (!File)
    return;
  Expected<ElfView> View = ElfView::open(File->getData());
  if (!View)
    return consumeError(View.takeError());
  const ElfView::Section *Table = View->find(".eh_frame");
  Expected<std::vector<FrameRecord>> Records = readFrames(*View, *Table);
  if (!Records)
    return consumeError(Records.takeError()); // BOLT has read what it can.
  Streamer.switchSection(BC.MOFI->getEHFrameSection());
  RecordWriter Writer(Streamer, BC);
  for (const FrameRecord &Record : *Records)
    if (View->isCode(Record.Begin) && !Record.LSDA &&
        !Record.Common.Personality && !isEmitted(BC, Record.Begin))
      Writer.write(Record);
}
