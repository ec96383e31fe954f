//===- Driver/RegisteredFrames.cpp - Programs that register frames --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   0. Without relocations functions keep their addresses. Registered records
//      are searched first, with an index or without, and would describe the old
//      code: such a file is refused.
//   1. All code that is emitted is searched for the address of .eh_frame, and
//      all that stays, by its bytes: crtbegin's frame_dummy has it, and
//      __do_global_dtors_aux, which a profile of a killed program leaves out.
//   2. Operands in emitted code get the address of the new section when the
//      code is linked.
//   3. Bytes of code that stays are written over when that address is known.
//
//===----------------------------------------------------------------------===//

#include "RegisteredFrames.h"
#include "Elf/RegisteredRecords.h"
#include "Options/CopyPlan.h"
#include "Support/BoltInternals.h"
#include "Support/OwnPipeline.h"
#include "bolt/Core/BinaryFunction.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// A reference to .eh_frame in code that stays.
struct KeptReference {
  uint64_t Address;
  bool IsRelative; ///< To the end of its four bytes.
};

/// Those to be pointed at the new .eh_frame.
struct {
  const BinarySection *New = nullptr;
  std::vector<KeptReference> References;
} Kept;

class Redirector {
public:
  Redirector(BinaryContext &BC, BinarySection &Old) : BC(BC), Old(Old) {}

  void run() {
    // Code without a registered record is looked up in the index.
    const bool HasIndex = bool(BC.getUniqueSectionByName(".eh_frame_hdr"));
    if (HasIndex && BC.HasRelocations && !opts::processAllFunctions())
      return;
    bool Unwinds = false;
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (BC.shouldEmit(BF)) {
        Unwinds |= BF.hasCFI();
        collect(BF);
      }
    if (!Unwinds)
      return;
    if ((!BC.HasRelocations || makesCopies()) && registersInPlace(HasIndex))
      refuse("registers .eh_frame, which cannot be replaced without "
             "relocations; link with -Wl,--emit-relocs or -static-pie");
    // The old records must not cover addresses at which there is other code.
    if (!Registered.empty() && opts::processAllFunctions())
      refuse("registers .eh_frame, whose old records have to stay valid; leave "
             "out -use-old-text and -strict");
    if (!HasIndex)
      redirect();
  }

private:
  BinaryContext &BC;
  BinarySection &Old;
  /// Data that code takes for the beginning of .eh_frame.
  SetVector<BinaryData *> Registered;
  /// Code refers to a distance from something in .eh_frame.
  bool Inside = false;

  bool isRegistryLinked() const {
    return BC.getBinaryDataByName("__register_frame_info") ||
           BC.getBinaryDataByName("__register_frame");
  }

  /// Symbols may be missing, and the startup code has no record by which it
  /// would be found.
  bool registersInPlace(bool HasIndex) const {
    if (!HasIndex && isRegistryLinked())
      return true;
    const object::SectionRef Section = Old.getSectionRef();
    Expected<ElfView> File = ElfView::open(Section.getObject()->getData());
    if (!File) {
      consumeError(File.takeError());
      return true;
    }
    const ElfView::Section *Records = File->find(".eh_frame");
    return Records && registersOneOf(*File, recordsIn(*File, *Records));
  }

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

  /// Points all references at the new records. Behind them BOLT puts all of the
  /// old.
  void redirect() {
    const bool Registers = isRegistryLinked();
    ErrorOr<BinarySection &> New =
        BC.getUniqueSectionByName(".bolt.new.eh_frame");
    if (New) {
      for (BinaryData *Start : Registered)
        Start->setOutputLocation(*New, 0);
      Kept.New = &*New;
    }
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (!BF.isPseudo() && !BC.shouldEmit(BF))
        collectKept(BF);
    if (Inside || (Registers && Registered.empty() && Kept.References.empty()))
      refuse("registers .eh_frame in code that cannot be changed; link with "
             "-Wl,--eh-frame-hdr or -static-pie");
  }

  /// Looks for bytes, since nobody read the instructions of \p BF.
  void collectKept(const BinaryFunction &BF) {
    ErrorOr<ArrayRef<uint8_t>> Code = BF.getData();
    for (size_t I = 0; Code && I + 4 <= Code->size(); ++I) {
      const uint32_t Value = support::endian::read32le(Code->data() + I);
      const uint64_t At = BF.getAddress() + I;
      const bool MayBeRelative = Old.containsAddress(At + 4 + int32_t(Value));
      const bool MayBeAbsolute = Old.containsAddress(Value);
      if (!MayBeRelative && !MayBeAbsolute)
        continue;
      // A displacement may be a number like an address of .eh_frame.
      const std::optional<uint64_t> Type = relocationAt(At);
      if (!Type)
        continue;
      const bool IsRelative = Relocation::isPCRelative(*Type);
      if (IsRelative ? MayBeRelative : MayBeAbsolute)
        Kept.References.push_back({At, IsRelative});
    }
  }

  /// The type of the linker's relocation of what is at \p Address.
  std::optional<uint64_t> relocationAt(uint64_t Address) const {
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
          return R.getType();
    }
    return std::nullopt;
  }

  [[noreturn]] void refuse(const char *Why) const {
    WithColor::error(errs(), "graupel-bolt")
        << BC.getFilename() << ": " << Why << '\n';
    std::exit(1);
  }
};

} // namespace

void graupel::redirectRegisteredFrames(BinaryContext &BC) {
  if (!isOurs(BC))
    return;
  if (ErrorOr<BinarySection &> Old = BC.getUniqueSectionByName(".eh_frame"))
    Redirector(BC, *Old).run();
}

void graupel::keepFramesTogether(BinaryContext &BC) {
  constexpr auto Flags = member(internals::ELFFlagsTag());
  if (auto Frames = BC.getUniqueSectionByName(".eh_frame"))
    (*Frames).*Flags &= ~unsigned(ELF::SHF_WRITE);
}

void graupel::redirectKeptFrames(BinarySection &Section) {
  if (Kept.New)
    for (const KeptReference &R : Kept.References)
      if (Section.containsAddress(R.Address)) {
        const uint64_t End = R.Address + 4;
        SmallString<4> Bytes;
        Bytes.resize(4);
        support::endian::write32le(Bytes.data(), Kept.New->getOutputAddress() -
                                                     (R.IsRelative ? End : 0));
        Section.addPatch(R.Address - Section.getAddress(), Bytes);
      }
}
