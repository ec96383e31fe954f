//===- Driver/Originals.cpp - Code and data that stay ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beside copies the original stays: its code, and data, dynamic tables and
// symbols that lead to that code. BOLT lets some of them lead to the copies.
// Its changes are not tracked; all of them are undone.
//
//   1. All that is loaded from the input, in sections, stays.
//   2. These may change: the jumps in the beginnings of originals; the index of
//      unwind records, where BOLT wrote it in place; the numbers of sections;
//      and with -instrument what the loader calls first and last. The entry
//      point stays, unless the runtime is entered first.
//   3. Everything between is written as the input has it.
//
//===----------------------------------------------------------------------===//

#include "Originals.h"
#include "Elf/ElfView.h"
#include "Instrument/InstrumentedImage.h"
#include "Instrumenting.h"
#include "Options/CopyPlan.h"
#include "Support/BoltInternals.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/ToolOutputFile.h"
#include <map>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace graupel::internals {

struct OriginalInputTag {};
constexpr auto member(OriginalInputTag);
template struct Reveal<OriginalInputTag, &RewriteInstance::InputFile>;

} // namespace graupel::internals

namespace {

using Section = ElfView::Section;

class Originals {
public:
  Originals(const BinaryContext &BC, StringRef Input, const ElfView &File)
      : BC(const_cast<BinaryContext &>(BC)), Input(Input), File(File) {
    findPatches();
    keepSectionNumbers();
  }

  void write(raw_fd_ostream &OS) {
    for (const Section &S : File.sections())
      if (S.sh_flags & ELF::SHF_ALLOC && !File.content(S).empty() &&
          !mayChange(S))
        write(OS, S.sh_offset, S.sh_offset + S.sh_size);
    // The loader enters the original, or the runtime that -instrument adds.
    constexpr uint64_t EntryAt = offsetof(ElfView::Header, e_entry);
    if (!instrumentedImage() || isHooked())
      write(OS, EntryAt, EntryAt + sizeof(ElfView::Header::e_entry));
  }

private:
  BinaryContext &BC;
  const StringRef Input;
  const ElfView &File;
  std::map<uint64_t, uint64_t> Kept; ///< Ends by begins, in the file.

  /// Whether the loader calls the runtime, as in libraries. In programs it is
  /// entered first.
  static bool isHooked() {
    return instrumentedImage() && !instrumentedImage()->Options.ProgramEntry;
  }

  // Step 2.
  void findPatches() {
    for (const BinaryFunction *BF : BC.getInjectedBinaryFunctions())
      if (BF->isPatch() && BF->getFileOffset())
        Kept[BF->getFileOffset()] = BF->getFileOffset() + BF->getImageSize();
    if (!isHooked())
      return;
    // The runtime takes the place of the first entry of an array.
    for (std::optional<uint64_t> Array :
         {BC.InitAddress ? std::nullopt : BC.InitArrayAddress,
          BC.FiniAddress ? std::nullopt : BC.FiniArrayAddress}) {
      if (!Array)
        continue;
      if (const Section *Home = File.sectionAt(*Array))
        Kept[Home->sh_offset] = Home->sh_offset + sizeof(uint64_t);
      for (const Section &S : File.sections())
        if (S.sh_type == ELF::SHT_RELA && S.sh_flags & ELF::SHF_ALLOC)
          for (const ElfView::Rela &R : File.table<ElfView::Rela>(S))
            if (R.r_offset == *Array) {
              const uint64_t At =
                  reinterpret_cast<const char *>(&R) - Input.data();
              Kept[At] = At + sizeof(R);
            }
    }
  }

  /// Sections have other numbers in the output.
  void keepSectionNumbers() {
    using Symbol = ElfView::Symbol;
    for (const Section &S : File.sections())
      if (S.sh_type == ELF::SHT_DYNSYM)
        for (uint64_t At = S.sh_offset + offsetof(Symbol, st_shndx);
             At < S.sh_offset + S.sh_size; At += sizeof(Symbol))
          Kept[At] = At + sizeof(Symbol::st_shndx);
  }

  bool mayChange(const Section &S) const {
    return File.name(S) == ".eh_frame_hdr" ||
           (S.sh_type == ELF::SHT_DYNAMIC && isHooked());
  }

  // Step 3.
  void write(raw_fd_ostream &OS, uint64_t Begin, uint64_t End) const {
    auto Next = Kept.lower_bound(Begin);
    while (Begin < End) {
      const uint64_t Until =
          Next == Kept.end() ? End : std::min(End, Next->first);
      if (Until > Begin)
        OS.pwrite(Input.data() + Begin, Until - Begin, Begin);
      if (Next == Kept.end() || Next->first >= End)
        return;
      Begin = Next->second;
      ++Next;
    }
  }
};

} // namespace

Error graupel::restoreOriginals(RewriteInstance &Rewriter) {
  const auto &Out = Rewriter.*member(internals::OutTag());
  // BOLT writes nothing to /dev/null.
  if (!makesCopies() || !Out)
    return Error::success();
  const StringRef Input =
      (Rewriter.*member(internals::OriginalInputTag()))->getData();
  Expected<ElfView> File = ElfView::open(Input);
  if (!File)
    return File.takeError();
  raw_fd_ostream &OS = Out->os();
  Originals(Rewriter.getBinaryContext(), Input, *File).write(OS);
  OS.flush();
  return OS.has_error() ? errorCodeToError(OS.error()) : Error::success();
}
