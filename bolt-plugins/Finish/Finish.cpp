//===- Finish/Finish.cpp - Headers that other tools can work with ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Finish.h"
#include "ProgramHeaders.h"
#include "SectionOrder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FileSystem.h"

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

/// Constants of assembly and of the linker have no section. BOLT takes one for
/// the function whose address the number is by chance.
static Error restoreNumbers(const ElfView &Input, StringRef Path) {
  auto isNumber = [](const ElfView::Symbol &S) {
    return S.st_shndx == ELF::SHN_ABS;
  };
  const ElfView::Section *Old = Input.find(".dynsym");
  if (!Old || none_of(Input.table<ElfView::Symbol>(*Old), isNumber))
    return Error::success();
  Expected<MappedFile> File = openAll(Path);
  if (!File)
    return File.takeError();
  Expected<ElfView> View = ElfView::open(File->text());
  if (!View) {
    consumeError(View.takeError());
    return Error::success();
  }
  const ElfView::Section *New = View->find(".dynsym");
  if (!New)
    return Error::success();
  for (const auto &[Before, Now] : zip(Input.table<ElfView::Symbol>(*Old),
                                       View->table<ElfView::Symbol>(*New))) {
    if (!isNumber(Before) || isNumber(Now))
      continue;
    const auto At = reinterpret_cast<const char *>(&Now) - File->text().data();
    auto &Written =
        *reinterpret_cast<ElfView::Symbol *>(File->bytes().data() + At);
    Written.st_shndx = Before.st_shndx;
    Written.st_value = Before.st_value;
    Written.st_size = Before.st_size;
  }
  return Error::success();
}

Expected<std::string> graupel::finishOutput(StringRef Input, StringRef Path) {
  Expected<ElfView> Before = ElfView::open(Input);
  if (!Before)
    return toString(Before.takeError());
  if (Error E = restoreNumbers(*Before, Path))
    return std::move(E);
  Expected<std::string> Reason = moveHeaders(*Before, Path);
  if (!Reason || !Reason->empty())
    return Reason;
  Expected<MappedFile> File = openAll(Path);
  if (!File)
    return File.takeError();
  Expected<ElfView> View = ElfView::open(File->text());
  if (!View)
    return toString(View.takeError());
  sortSections(*View, File->bytes());
  return std::string();
}
