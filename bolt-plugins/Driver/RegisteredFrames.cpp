//===- Driver/RegisteredFrames.cpp - Programs that register frames --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisteredFrames.h"
#include "BoltOptions.h"
#include "bolt/Core/BinaryFunction.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

class Redirector {
public:
  Redirector(BinaryContext &BC, BinarySection &Old) : BC(BC), Old(Old) {}

  void run() {
    // What is not found in the registered records is looked for in the index.
    const bool HasIndex = bool(BC.getUniqueSectionByName(".eh_frame_hdr"));
    if (HasIndex && !opts::processAllFunctions())
      return;
    bool Unwinds = false;
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (BC.shouldEmit(BF)) {
        Unwinds |= BF.hasCFI();
        collect(BF);
      }
    if (!Unwinds)
      return;
    // The old records must not cover addresses at which there is other code.
    if (!Registered.empty() && opts::processAllFunctions())
      refuse("registers .eh_frame, whose old records have to stay valid; leave "
             "out -use-old-text and -strict");
    if (HasIndex)
      return;
    ErrorOr<BinarySection &> New =
        BC.getUniqueSectionByName(".bolt.new.eh_frame");
    // Behind the new records BOLT puts all of the old.
    for (BinaryData *Start : Registered)
      if (New)
        Start->setOutputLocation(*New, 0);
    if (Inside || isRegisteredByOthers())
      refuse("registers .eh_frame in code that cannot be changed; link with "
             "-Wl,--eh-frame-hdr or -static-pie");
  }

private:
  BinaryContext &BC;
  BinarySection &Old;
  /// What code takes for the beginning of .eh_frame.
  SetVector<BinaryData *> Registered;
  /// Code refers to a distance from something in .eh_frame.
  bool Inside = false;

  void collect(BinaryFunction &BF) {
    for (BinaryBasicBlock &Block : BF)
      for (MCInst &Inst : Block)
        if (!BC.MIB->isPseudo(Inst) && !BC.MIB->isCFI(Inst))
          for (const MCOperand &Op : MCPlus::primeOperands(Inst))
            if (Op.isExpr())
              collect(*Op.getExpr());
  }

  void collect(const MCExpr &Expr) {
    const auto [Symbol, Addend] = BC.MIB->getTargetSymbolInfo(&Expr);
    BinaryData *Data =
        Symbol ? BC.getBinaryDataByName(Symbol->getName()) : nullptr;
    if (!Data || !Old.containsAddress(Data->getAddress() + Addend))
      return;
    if (Addend)
      Inside = true;
    else
      Registered.insert(Data);
  }

  /// Code that stays as it is may register the old records, or does.
  bool isRegisteredByOthers() const {
    if (Registered.empty())
      return BC.getBinaryDataByName("__register_frame_info") ||
             BC.getBinaryDataByName("__register_frame");
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (!BF.isPseudo() && !BC.shouldEmit(BF) && refersToRegistered(BF))
        return true;
    return false;
  }

  /// Looks for the bytes, since nobody read the instructions. Where the linker
  /// kept the relocations, only what it relocated is an address.
  bool refersToRegistered(const BinaryFunction &BF) const {
    ErrorOr<ArrayRef<uint8_t>> Code = BF.getData();
    for (size_t I = 0; Code && I + 4 <= Code->size(); ++I) {
      const uint32_t Value = support::endian::read32le(Code->data() + I);
      const uint64_t Relative = BF.getAddress() + I + 4 + int32_t(Value);
      for (const BinaryData *Start : Registered)
        if ((Start->getAddress() == Value || Start->getAddress() == Relative) &&
            (!BC.HasRelocations || isRelocated(BF.getAddress() + I)))
          return true;
    }
    return false;
  }

  /// Whether the linker relocated what is at \p Address.
  bool isRelocated(uint64_t Address) const {
    const auto &Input = *Old.getSectionRef().getObject();
    for (const object::SectionRef &Table : Input.sections()) {
      auto Target = Table.getRelocatedSection();
      if (!Target) {
        consumeError(Target.takeError());
        continue;
      }
      if (*Target == Input.section_end() ||
          Address - (*Target)->getAddress() >= (*Target)->getSize())
        continue;
      for (const object::RelocationRef &R : Table.relocations())
        if (R.getOffset() == Address)
          return true;
    }
    return false;
  }

  [[noreturn]] void refuse(const char *Why) const {
    WithColor::error(errs(), "graupel-bolt")
        << BC.getFilename() << ": " << Why << '\n';
    std::exit(1);
  }
};

} // namespace

void graupel::redirectRegisteredFrames(BinaryContext &BC) {
  if (boltFlag("stock-pipeline") || !BC.isX86())
    return;
  if (ErrorOr<BinarySection &> Old = BC.getUniqueSectionByName(".eh_frame"))
    Redirector(BC, *Old).run();
}
