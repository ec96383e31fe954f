//===- Options/RecommendedOptions.cpp - Defaults that are right
//------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecommendedOptions.h"
#include "BoltOptions.h"
#include "CopyPlan.h"
#include "LayoutPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;
using namespace graupel;

namespace {

/// Bytes of .text above which only profiled functions are rewritten. Rewriting
/// everything makes the smaller file, but its time and memory grow with the
/// whole text; above this size what is saved is a small part of the file.
constexpr uint64_t RewriteAllLimit = 16 << 20;

/// Where copies are made, nothing else needs functions that never ran: hot-cold
/// optimization knows less of calls without them. To decide about copies of all
/// takes three times as long.
constexpr uint64_t ReadAllForCopiesLimit = 1 << 20;

uint64_t textSize(const object::ELFObjectFileBase &Input) {
  for (const object::SectionRef &Section : Input.sections())
    if (Expected<StringRef> Name = Section.getName(); !Name)
      consumeError(Name.takeError());
    else if (*Name == ".text")
      return Section.getSize();
  return 0;
}

bool hasTextRelocations(const object::ELFObjectFileBase &Input) {
  for (const object::SectionRef &Section : Input.sections())
    if (Expected<StringRef> Name = Section.getName(); !Name)
      consumeError(Name.takeError());
    else if (*Name == ".rela.text")
      return true;
  return false;
}

/// True for a label at the end of \p Home, which may be etext.
bool isEnd(const object::ELFSymbolRef &Symbol,
           const object::ELFSectionRef &Home) {
  Expected<uint64_t> Value = Symbol.getValue();
  if (Value)
    return *Value == Home.getAddress() + Home.getSize();
  consumeError(Value.takeError());
  return false;
}

/// Data among the code: rewriting everything would take it for instructions.
bool hasDataInCode(const object::ELFObjectFileBase &Input) {
  for (const object::ELFSymbolRef Symbol : Input.symbols()) {
    const uint8_t Type = Symbol.getELFType();
    if (Type != ELF::STT_OBJECT && Type != ELF::STT_NOTYPE)
      continue;
    Expected<object::section_iterator> Section = Symbol.getSection();
    if (!Section)
      consumeError(Section.takeError());
    else if (*Section != Input.section_end() &&
             object::ELFSectionRef(**Section).getFlags() & ELF::SHF_EXECINSTR &&
             !isEnd(Symbol, **Section))
      return true;
  }
  return false;
}

} // namespace

bool graupel::leavesFunctionsOut() {
  return llvm::any_of(ArrayRef<StringRef>{"skip-funcs", "skip-funcs-file",
                                          "funcs", "funcs-file",
                                          "funcs-no-regex",
                                          "funcs-file-no-regex", "max-funcs"},
                      [](StringRef Name) { return isGiven(Name); });
}

bool graupel::asksForHotCold() {
  if (isGiven("hco"))
    return boltFlag("hco");
  const LayoutPlan &Plan = layoutPlan();
  return Plan.Kind == LayoutKind::Graupel && Plan.any() &&
         !isGiven("layout-steps");
}

void graupel::applyRecommendedOptions(const object::ELFObjectFileBase &Input) {
  const LayoutPlan &Plan = layoutPlan();
  if (Plan.Kind == LayoutKind::None || boltFlag("stock-pipeline"))
    return;
  // Pages of 4 kB: BOLT's 2 MB alignment adds megabytes to small files. It also
  // leaves a gap in the program's memory, and the dynamic linker takes longer
  // to find whose an address is: each frame that an exception passes asks.
  setUnlessGiven("no-huge-pages", "1");
  if (!Plan.any())
    return;
  // CodeAlignment sees to functions; sections need no more than they.
  setUnlessGiven("align-text", "64");
  if (Plan.Kind != LayoutKind::Graupel)
    return;
  // Each of these was measured; see docs/results/layout.md and hot-cold.md.
  if (makesCopies()) {
    if (asksForHotCold())
      setUnlessGiven("hco", "1");
    const bool ReadsAll =
        boltFlag("hco") && textSize(Input) <= ReadAllForCopiesLimit;
    setUnlessGiven("lite", ReadsAll ? "0" : "1");
  } else if (hasTextRelocations(Input)) {
    setUnlessGiven("icf", "safe");
    // Without relocations what does not fit in its place stays as it was, so
    // that growth would cost more than it saves.
    if (asksForHotCold())
      setUnlessGiven("hco", "1");
  }
  setUnlessGiven("plt", "hot");
  setUnlessGiven("jump-tables", "move");
}

bool graupel::shouldReuseText(const object::ELFObjectFileBase &Input) {
  return layoutPlan().any() && !makesCopies() && !isGiven("lite") &&
         !isGiven("use-old-text") && !leavesFunctionsOut() &&
         hasTextRelocations(Input) && textSize(Input) <= RewriteAllLimit &&
         !hasDataInCode(Input);
}

void graupel::reuseText() { setUnlessGiven("use-old-text", "1"); }
