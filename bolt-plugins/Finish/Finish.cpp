//===- Finish/Finish.cpp - Headers that other tools can work with ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT puts new program headers behind everything, and leaves holes. When it
// has written the file:
//
//  1. Symbols that are numbers and no addresses get their values back, the
//     loader's, too (restoreNumbers).
//  2. The program headers move to where loaders and tools look for them, behind
//     the ELF header, if there is room (ProgramHeaders.h).
//  3. Holes are closed and sections sorted by their place in the file (Holes.h,
//     SectionOrder.h).
//  4. The bytes of the input behind all of that are appended.
//
//===----------------------------------------------------------------------===//

#include "Finish.h"
#include "Holes.h"
#include "ProgramHeaders.h"
#include "SectionOrder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FileSystem.h"
#include <optional>

using namespace llvm;
using namespace graupel;

namespace {

/// A file whose content is changed in place.
class MappedFile {
public:
  static Expected<MappedFile> open(StringRef Path, uint64_t Size) {
    Expected<sys::fs::file_t> File = sys::fs::openNativeFileForReadWrite(
        Path, sys::fs::CD_OpenExisting, sys::fs::OF_None);
    if (!File)
      return File.takeError();
    std::error_code EC = sys::fs::resize_file(*File, Size);
    MappedFile Mapped;
    if (!EC)
      Mapped.Region = sys::fs::mapped_file_region(
          *File, sys::fs::mapped_file_region::readwrite, Size, 0, EC);
    sys::fs::closeFile(*File);
    if (EC)
      return errorCodeToError(EC);
    return Mapped;
  }

  MutableArrayRef<char> bytes() { return {Region.data(), Region.size()}; }
  StringRef text() const { return {Region.const_data(), Region.size()}; }

private:
  sys::fs::mapped_file_region Region;
};

Expected<MappedFile> openAll(StringRef Path) {
  uint64_t Size = 0;
  if (std::error_code EC = sys::fs::file_size(Path, Size))
    return errorCodeToError(EC);
  return MappedFile::open(Path, Size);
}

} // namespace

/// Moves the program headers; returns why not.
static Expected<std::string> moveHeaders(const ElfView &Input, StringRef Path) {
  Expected<MappedFile> File = openAll(Path);
  if (!File)
    return File.takeError();
  Expected<ElfView> View = ElfView::open(File->text());
  if (!View)
    return toString(View.takeError());
  Expected<std::optional<ProgramHeaderPlan>> Plan =
      ProgramHeaderPlan::make(Input, *View);
  if (!Plan)
    return toString(Plan.takeError());
  if (!*Plan)
    return std::string();
  if ((*Plan)->fileSize() != File->bytes().size()) {
    File = MappedFile::open(Path, (*Plan)->fileSize());
    if (!File)
      return File.takeError();
  }
  (*Plan)->apply(File->bytes());
  return std::string();
}

using Symbol = ElfView::Symbol;

/// Whether \p S is a constant, or an offset in the block of a thread.
static bool isNumber(const Symbol &S) {
  return S.st_shndx == ELF::SHN_ABS || S.getType() == ELF::STT_TLS;
}

static bool hasLoadersNumbers(const ElfView &File) {
  const ElfView::Section *Table = File.find(".dynsym");
  return Table && any_of(File.table<Symbol>(*Table), isNumber);
}

/// The index in \p Output of the section that \p S is of in \p Input.
static std::optional<uint16_t> newHome(const ElfView &Input,
                                       const ElfView &Output, const Symbol &S) {
  if (S.st_shndx >= Input.sections().size())
    return S.st_shndx;
  const StringRef Name = Input.name(Input.sections()[S.st_shndx]);
  for (const auto &[Index, Home] : enumerate(Output.sections()))
    if (Output.name(Home) == Name && Home.sh_flags & ELF::SHF_TLS)
      return Index;
  return std::nullopt;
}

/// BOLT takes a number for the function whose address it is by chance.
static void restoreLoadersNumbers(const ElfView &Input, const ElfView &Output,
                                  MappedFile &File) {
  const ElfView::Section *Old = Input.find(".dynsym"),
                         *New = Output.find(".dynsym");
  if (!Old || !New)
    return;
  for (const auto &[Before, Now] :
       zip(Input.table<Symbol>(*Old), Output.table<Symbol>(*New))) {
    const bool IsSame = Before.st_value == Now.st_value &&
                        Before.st_size == Now.st_size && isNumber(Now);
    if (!isNumber(Before) || IsSame)
      continue;
    Symbol &Written = writableEntry(File.bytes(), Now);
    if (std::optional<uint16_t> Home = newHome(Input, Output, Before))
      Written.st_shndx = *Home;
    Written.st_value = Before.st_value;
    Written.st_size = Before.st_size;
  }
}

Error graupel::restoreNumbers(StringRef Input, uint64_t Mark, StringRef Path) {
  Expected<ElfView> Before = ElfView::open(Input);
  if (!Before)
    return Before.takeError();
  if (!Mark && !hasLoadersNumbers(*Before))
    return Error::success();
  Expected<MappedFile> File = openAll(Path);
  if (!File)
    return File.takeError();
  Expected<ElfView> Now = ElfView::open(File->text());
  if (!Now) {
    consumeError(Now.takeError());
    return Error::success();
  }
  restoreLoadersNumbers(*Before, *Now, *File);
  constexpr unsigned MarkShift = 48;
  if (const ElfView::Section *Table = Now->find(".symtab"); Table && Mark)
    for (const Symbol &S : Now->table<Symbol>(*Table))
      if (isNumber(S) && S.st_value >> MarkShift == Mark >> MarkShift)
        writableEntry(File->bytes(), S).st_value = S.st_value & ~Mark;
  return Error::success();
}

/// Shortens the file and sorts its sections.
static Error tidy(const ElfView &Input, StringRef Path) {
  Expected<MappedFile> File = openAll(Path);
  if (!File)
    return File.takeError();
  uint64_t Size = File->bytes().size();
  if (Expected<ElfView> View = ElfView::open(File->text()))
    Size = closeHoles(*View, Input.end(), File->bytes());
  else
    return View.takeError();
  if (Size != File->bytes().size()) {
    File = MappedFile::open(Path, Size);
    if (!File)
      return File.takeError();
  }
  Expected<ElfView> View = ElfView::open(File->text());
  if (!View)
    return View.takeError();
  sortSections(*View, File->bytes());
  return Error::success();
}

Expected<std::string> graupel::finishOutput(StringRef Input, StringRef Path) {
  Expected<ElfView> Before = ElfView::open(Input);
  if (!Before)
    return toString(Before.takeError());
  Expected<std::string> Reason = moveHeaders(*Before, Path);
  if (!Reason || !Reason->empty())
    return Reason;
  if (Error E = tidy(*Before, Path))
    return std::move(E);
  return std::string();
}

namespace {

/// An input and the output that was made of it.
struct Both {
  ElfView Before;
  MappedFile File; ///< The output, which can be written to.
  ElfView Now;

  static Expected<Both> open(StringRef Input, StringRef Path) {
    Expected<ElfView> Before = ElfView::open(Input);
    if (!Before)
      return Before.takeError();
    Expected<MappedFile> File = openAll(Path);
    if (!File)
      return File.takeError();
    Expected<ElfView> Now = ElfView::open(File->text());
    if (!Now)
      return Now.takeError();
    return Both{std::move(*Before), std::move(*File), std::move(*Now)};
  }
};

} // namespace

Error graupel::renumberSections(StringRef Input, StringRef Path) {
  Expected<Both> Files = Both::open(Input, Path);
  if (!Files)
    return Files.takeError();
  auto &[Before, File, Now] = *Files;
  const ElfView::Section *Old = Before.find(".dynsym"),
                         *New = Now.find(".dynsym");
  if (!Old || !New)
    return Error::success();
  for (const auto &[Was, Is] :
       zip(Before.table<Symbol>(*Old), Now.table<Symbol>(*New))) {
    if (!Was.st_shndx || Was.st_shndx >= Before.sections().size())
      continue;
    const ElfView::Section &Home = Before.sections()[Was.st_shndx];
    for (const auto &[Index, S] : enumerate(Now.sections()))
      if (S.sh_addr == Home.sh_addr && S.sh_size == Home.sh_size &&
          S.sh_flags == Home.sh_flags)
        writableEntry(File.bytes(), Is).st_shndx = Index;
  }
  return Error::success();
}

Error graupel::checkEntry(StringRef Input, StringRef Path) {
  Expected<Both> Files = Both::open(Input, Path);
  if (!Files)
    return Files.takeError();
  const uint64_t Entry = Files->Before.header().e_entry;
  if (!Entry || Files->Now.header().e_entry)
    return Error::success();
  return createStringError("the entry point 0x" + utohexstr(Entry) +
                           " is not the beginning of a function, and would be "
                           "lost; -copies=always keeps it");
}

Error graupel::append(StringRef Bytes, StringRef Path) {
  if (Bytes.empty())
    return Error::success();
  uint64_t Size = 0;
  {
    Expected<MappedFile> File = openAll(Path);
    if (!File)
      return File.takeError();
    Expected<ElfView> View = ElfView::open(File->text());
    if (!View)
      return View.takeError();
    Size = View->end();
  }
  Expected<MappedFile> File = MappedFile::open(Path, Size + Bytes.size());
  if (!File)
    return File.takeError();
  llvm::copy(Bytes, File->bytes().begin() + Size);
  return Error::success();
}
