//===- Driver/DebugAddresses.cpp - Addresses in debug information ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -update-debug-sections, BOLT translates an address by its distance from
// the begin of its block. Where an instruction before it has changed its size,
// the result is inside of an instruction: a debugger that puts a breakpoint
// there changes the program. Here each instruction is translated by itself.
//
// 1. Before there are blocks, note at each instruction its offset in the input.
//    The note goes where the instruction goes, also into copies of it.
// 2. Before emission, give each noted instruction a label. BOLT's map from
//    input to output addresses then has all of them. Among copies, it has the
//    first, which is that of the oldest block.
// 3. When output addresses are known, make a list for each function: which span
//    of the output comes from the instruction at which offset. Code that was
//    inserted belongs to the instruction before it in its block, or else to the
//    first one.
// 4. An address becomes the begin of the span of its instruction. If there is
//    no such instruction any more, the next one in the input takes its place.
// 5. A range becomes the spans of its instructions, joined where they meet.
// 6. BOLT does not change DW_AT_entry_pc at all. Translate it as in step 4.
//
//===----------------------------------------------------------------------===//

#include "DebugAddresses.h"
#include "Options/BoltOptions.h"
#include "Support/BoltInternals.h"
#include "Support/OwnPipeline.h"
#include "bolt/Core/DIEBuilder.h"
#include "bolt/Core/DebugData.h"
#include "bolt/Core/Linker.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

constexpr StringLiteral InputOffset = "InputOffset";

/// The output of the instruction at an offset of the input.
struct Span {
  uint32_t Offset;
  uint64_t Low, High;
};
/// Sorted by offsets.
using SpanList = std::vector<Span>;

/// Written before debug information is, and then only read.
DenseMap<const BinaryFunction *, SpanList> &spansOf() {
  static DenseMap<const BinaryFunction *, SpanList> Spans;
  return Spans;
}

/// The program that is being written.
const BinaryContext *Program = nullptr;

/// Tables of -enable-bat list what is labeled: they are to stay as they are.
bool areWanted(const BinaryContext &BC) {
  return opts::UpdateDebugSections && isOurs(BC) && !boltFlag("enable-bat");
}

/// Step 3: appends what the instructions of \p Block became.
void listSpans(const BinaryFunction &BF, const BinaryBasicBlock &Block,
               SpanList &Spans) {
  const auto [Begin, End] = Block.getOutputAddressRange();
  const AddressMap &Map = BF.getBinaryContext().getIOAddressMap();
  const size_t First = Spans.size();
  for (const auto &[Offset, Label] : Block.getLocSyms()) {
    const std::optional<uint64_t> Address =
        Map.lookup(BF.getAddress() + Offset);
    // It is elsewhere if this is a copy.
    if (Address && *Address >= Begin && *Address < End)
      Spans.push_back({Offset, *Address, End});
  }
  if (First == Spans.size())
    return;
  std::sort(Spans.begin() + First, Spans.end(),
            [](const Span &A, const Span &B) { return A.Low < B.Low; });
  Spans[First].Low = Begin;
  for (size_t I = First + 1; I < Spans.size(); ++I)
    Spans[I - 1].High = Spans[I].Low;
}

void listSpans(const BinaryFunction &BF) {
  SpanList Spans;
  for (const BinaryBasicBlock &Block : BF)
    if (Block.hasLocSyms() && Block.getOutputAddressRange().first)
      listSpans(BF, Block, Spans);
  if (Spans.empty())
    return;
  llvm::stable_sort(
      Spans, [](const Span &A, const Span &B) { return A.Offset < B.Offset; });
  spansOf()[&BF] = std::move(Spans);
}

const SpanList *findSpans(const BinaryFunction &BF) {
  if (BF.isFolded() || !BF.isEmitted())
    return nullptr;
  const auto It = spansOf().find(&BF);
  return It == spansOf().end() ? nullptr : &It->second;
}

SpanList::const_iterator findOffset(const SpanList &Spans, uint64_t Offset) {
  return llvm::lower_bound(
      Spans, Offset, [](const Span &S, uint64_t O) { return S.Offset < O; });
}

/// Step 4.
uint64_t translate(const BinaryFunction &BF, const SpanList &Spans,
                   uint64_t Offset) {
  const auto It = findOffset(Spans, Offset);
  if (It == Spans.end())
    return BF.getOutputAddress() + BF.getOutputSize();
  return It->Low;
}

/// Step 5.
DebugAddressRangesVector translate(const BinaryFunction &BF,
                                   const SpanList &Spans, uint64_t Begin,
                                   uint64_t End) {
  DebugAddressRangesVector Pieces;
  for (auto It = findOffset(Spans, Begin);
       It != Spans.end() && It->Offset < End; ++It)
    Pieces.emplace_back(It->Low, It->High);
  // Nothing is left: BOLT would take no range for one from 0.
  if (Pieces.empty()) {
    const uint64_t Next = translate(BF, Spans, Begin);
    Pieces.emplace_back(Next, Next);
    return Pieces;
  }
  llvm::sort(Pieces);
  DebugAddressRangesVector Joined;
  for (const DebugAddressRange &Piece : Pieces)
    if (!Joined.empty() && Joined.back().HighPC >= Piece.LowPC)
      Joined.back().HighPC = std::max(Joined.back().HighPC, Piece.HighPC);
    else
      Joined.push_back(Piece);
  return Joined;
}

/// Step 6, for one entry. DW_FORM_addrx would need another table of addresses;
/// no compiler is known that uses it here.
void translateEntry(DIEBuilder &Builder, DIE &Entry) {
  const DIEValue Value = Entry.findAttribute(dwarf::DW_AT_entry_pc);
  if (!Value || Value.getForm() != dwarf::DW_FORM_addr ||
      Value.getType() != DIEValue::isInteger)
    return;
  const uint64_t Address = Value.getDIEInteger().getValue();
  // Not const: BOLT's search is not.
  const BinaryFunction *BF =
      const_cast<BinaryContext *>(Program)->getBinaryFunctionContainingAddress(
          Address);
  if (const SpanList *Spans = BF ? findSpans(*BF) : nullptr)
    Builder.replaceValue(
        &Entry, dwarf::DW_AT_entry_pc, dwarf::DW_FORM_addr,
        DIEInteger(translate(*BF, *Spans, Address - BF->getAddress())));
}

} // namespace

void graupel::noteInputOffsets(BinaryFunction &BF,
                               MCPlusBuilder::AllocatorIdTy Allocator) {
  const BinaryContext &BC = BF.getBinaryContext();
  if (!areWanted(BC) || BF.getDWARFUnits().empty())
    return;
  for (auto &[Offset, Inst] : BF.*member(internals::InstructionsTag()))
    BC.MIB->addAnnotation(Inst, InputOffset, uint32_t(Offset), Allocator);
}

void graupel::labelInstructions(BinaryContext &BC) {
  if (!areWanted(BC))
    return;
  Program = &BC;
  for (auto &[Address, BF] : BC.getBinaryFunctions()) {
    if (!BF.hasCFG() || BF.getDWARFUnits().empty() || !BF.requiresAddressMap())
      continue;
    for (BinaryBasicBlock &Block : BF)
      for (MCInst &Inst : Block) {
        const auto Offset =
            BC.MIB->tryGetAnnotationAs<uint32_t>(Inst, InputOffset);
        if (!Offset)
          continue;
        MCSymbol *Label = BC.MIB->getInstLabel(Inst);
        if (!Label) {
          Label = BC.Ctx->createTempSymbol();
          BC.MIB->setInstLabel(Inst, Label);
        }
        Block.getLocSyms().emplace_back(*Offset, Label);
      }
  }
}

// C linkage is for the names alone; both sides are C++.
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"

extern "C" {

// BinaryFunction::updateOutputValues(const BOLTLinker &)
void __real__ZN4llvm4bolt14BinaryFunction18updateOutputValuesERKNS0_10BOLTLinkerE(
    BinaryFunction *BF, const BOLTLinker &Linker);
void __wrap__ZN4llvm4bolt14BinaryFunction18updateOutputValuesERKNS0_10BOLTLinkerE(
    BinaryFunction *BF, const BOLTLinker &Linker) {
  __real__ZN4llvm4bolt14BinaryFunction18updateOutputValuesERKNS0_10BOLTLinkerE(
      BF, Linker);
  if (Program)
    listSpans(*BF);
}

// BinaryFunction::translateInputToOutputAddress(uint64_t) const
uint64_t __real__ZNK4llvm4bolt14BinaryFunction29translateInputToOutputAddressEm(
    const BinaryFunction *BF, uint64_t Address);
uint64_t __wrap__ZNK4llvm4bolt14BinaryFunction29translateInputToOutputAddressEm(
    const BinaryFunction *BF, uint64_t Address) {
  const SpanList *Spans = findSpans(*BF);
  if (Spans && BF->containsAddress(Address))
    return translate(*BF, *Spans, Address - BF->getAddress());
  return __real__ZNK4llvm4bolt14BinaryFunction29translateInputToOutputAddressEm(
      BF, Address);
}

// BinaryFunction::translateInputToOutputRange(DebugAddressRange) const
DebugAddressRangesVector
__real__ZNK4llvm4bolt14BinaryFunction27translateInputToOutputRangeENS0_17DebugAddressRangeE(
    const BinaryFunction *BF, DebugAddressRange Range);
DebugAddressRangesVector
__wrap__ZNK4llvm4bolt14BinaryFunction27translateInputToOutputRangeENS0_17DebugAddressRangeE(
    const BinaryFunction *BF, DebugAddressRange Range) {
  const SpanList *Spans = findSpans(*BF);
  if (Spans && BF->containsAddress(Range.LowPC))
    return translate(*BF, *Spans, Range.LowPC - BF->getAddress(),
                     Range.HighPC - BF->getAddress());
  return __real__ZNK4llvm4bolt14BinaryFunction27translateInputToOutputRangeENS0_17DebugAddressRangeE(
      BF, Range);
}

// DIEBuilder::finish()
void __real__ZN4llvm4bolt10DIEBuilder6finishEv(DIEBuilder *Builder);
void __wrap__ZN4llvm4bolt10DIEBuilder6finishEv(DIEBuilder *Builder) {
  if (Program)
    for (DWARFUnit *Unit : Builder->getProcessedCUs())
      for (const auto &Entry : Builder->getDIEsByUnit(*Unit))
        translateEntry(*Builder, *Entry->Die);
  __real__ZN4llvm4bolt10DIEBuilder6finishEv(Builder);
}
}
