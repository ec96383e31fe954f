//===- Images/Examine.cpp - Whether an image can be handled ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. A file that begins with "#!" is a script: find its interpreter. Other
//    files that are not ELF are no programs (examineImage).
// 2. An ELF file cannot be optimized for the first of these reasons that
//    applies: its kind, its processor, bytes behind its end that it may look
//    for, sections that it lacks or that other tools have left (examineElf,
//    unfitBySections). A file that was linked without relocations can be
//    optimized if somebody wants it.
// 3. Obstacles to replacing the file come before all that: rights that the
//    system gives to this file alone (unfitByRights).
//
//===----------------------------------------------------------------------===//

#include "Examine.h"
#include "Profile/ImageIdentity.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>
#include <sys/stat.h>
#include <sys/xattr.h>

using namespace llvm;
using namespace graupel::environment;
using object::ELF64LE;
using ElfFile = object::ELFFile<ELF64LE>;

static std::string unfitByRights(const std::string &Path, mode_t Mode) {
  if (Mode & (S_ISUID | S_ISGID))
    return "it runs with the rights of its owner (set-uid or set-gid), which "
           "another file must not have";
  if (getxattr(Path.c_str(), "security.capability", nullptr, 0) > 0)
    return "it has capabilities, which another file must not have";
  return "";
}

/// Whether something that is not ELF's follows the last thing that is: an
/// archive, a signature. Programs that read it look for it at the end of the
/// file, or at an offset in it.
static bool hasPayload(const ElfFile &File, StringRef Bytes) {
  const auto &Head = File.getHeader();
  uint64_t End = std::max<uint64_t>(
      Head.e_shoff + uint64_t(Head.e_shnum) * Head.e_shentsize,
      Head.e_phoff + uint64_t(Head.e_phnum) * Head.e_phentsize);
  if (auto Segments = File.program_headers())
    for (const auto &S : *Segments)
      End = std::max<uint64_t>(End, S.p_offset + S.p_filesz);
  else
    consumeError(Segments.takeError());
  if (auto Sections = File.sections()) {
    for (const auto &S : *Sections)
      if (S.sh_type != ELF::SHT_NOBITS)
        End = std::max<uint64_t>(End, S.sh_offset + S.sh_size);
  } else {
    consumeError(Sections.takeError());
  }
  return End < Bytes.size() &&
         Bytes.drop_front(End).find_first_not_of('\0') != StringRef::npos;
}

/// Whether a symbol is what is looked for: called with its section and itself.
static bool hasSymbol(
    const ElfFile &File,
    function_ref<bool(const ELF64LE::Shdr &, const ELF64LE::Sym &)> Predicate) {
  auto Sections = File.sections();
  if (!Sections) {
    consumeError(Sections.takeError());
    return false;
  }
  for (const auto &S : *Sections) {
    if (S.sh_type != ELF::SHT_SYMTAB && S.sh_type != ELF::SHT_DYNSYM)
      continue;
    auto Symbols = File.symbols(&S);
    if (!Symbols)
      consumeError(Symbols.takeError());
    else if (any_of(*Symbols, [&](const ELF64LE::Sym &Symbol) {
               return Predicate(S, Symbol);
             }))
      return true;
  }
  return false;
}

/// BOLT handles no such code.
static bool hasAddressSanitizer(const ElfFile &File) {
  return hasSymbol(
      File, [&](const ELF64LE::Shdr &Table, const ELF64LE::Sym &Symbol) {
        Expected<StringRef> Names =
            File.getStringTableForSymtab(Table, cantFail(File.sections()));
        Expected<StringRef> Name =
            Names ? Symbol.getName(*Names) : Names.takeError();
        if (!Name) {
          consumeError(Name.takeError());
          return false;
        }
        return Name->starts_with("__asan_init");
      });
}

/// The C library and its loader run before anything could be counted, and in
/// every program.
static bool isCLibrary(const ElfFile &File, StringRef Bytes) {
  auto Entries = File.dynamicEntries();
  if (!Entries) {
    consumeError(Entries.takeError());
    return false;
  }
  uint64_t Strings = 0, Name = 0;
  for (const auto &Entry : *Entries) {
    if (Entry.d_tag == ELF::DT_STRTAB)
      Strings = Entry.d_un.d_ptr;
    else if (Entry.d_tag == ELF::DT_SONAME)
      Name = Entry.d_un.d_val;
  }
  if (!Name)
    return false;
  auto At = File.toMappedAddr(Strings + Name);
  if (!At) {
    consumeError(At.takeError());
    return false;
  }
  const size_t Offset = reinterpret_cast<const char *>(*At) - Bytes.data();
  if (Offset >= Bytes.size())
    return false;
  const StringRef Own = Bytes.substr(Offset).split('\0').first;
  return any_of(ArrayRef{"libc.so.", "libc.musl", "ld-linux", "ld-musl",
                         "libpthread.so."},
                [&](StringRef Known) { return Own.starts_with(Known); });
}

static std::string unfitBySections(const ElfFile &File, StringRef Bytes,
                                   bool &IsShipped) {
  auto Sections = File.sections();
  if (!Sections) {
    consumeError(Sections.takeError());
    return "it is damaged; link or install it again";
  }
  bool HasSymbols = false, HasRelocations = false, HasRecords = false;
  for (const auto &S : *Sections) {
    Expected<StringRef> Name = File.getSectionName(S);
    if (!Name)
      consumeError(Name.takeError());
    else if (*Name == ".note.bolt_info")
      return "it has been rewritten already; give the file it was made of";
    else
      HasRecords |= *Name == ".eh_frame";
    HasSymbols |= S.sh_type == ELF::SHT_SYMTAB;
    HasRelocations |=
        S.sh_type == ELF::SHT_RELA && !(S.sh_flags & ELF::SHF_ALLOC);
  }
  if (!HasRelocations && !HasRecords)
    return "it has neither relocations nor unwind records; link it with "
           "-Wl,--emit-relocs and do not strip it";
  if (HasRelocations && !HasSymbols)
    return "it is stripped, but for its relocations; do not strip it";
  if (!HasRelocations && isCLibrary(File, Bytes))
    return "it is the C library, which starts every program; build one with "
           "-Wl,--emit-relocs";
  if (hasAddressSanitizer(File))
    return "it was compiled with AddressSanitizer, and such code is not "
           "optimized; build it without -fsanitize=address";
  IsShipped = !HasRelocations;
  return IsShipped ? "it was linked without relocations, and is optimized only "
                     "if `graupel learn` or `graupel register` names it; or "
                     "link it with -Wl,--emit-relocs"
                   : "";
}

static void examineElf(StringRef Bytes, ImageFacts &Facts) {
  Expected<ElfFile> File = ElfFile::create(Bytes);
  if (!File) {
    consumeError(File.takeError());
    Facts.Unfit = "it is damaged; link or install it again";
    return;
  }
  const auto &Head = File->getHeader();
  if (Head.e_type != ELF::ET_EXEC && Head.e_type != ELF::ET_DYN)
    Facts.Unfit = "it is neither a program nor a shared library; link it";
  else if (Head.e_machine != ELF::EM_X86_64)
    Facts.Unfit = "it is for another processor; x86-64 can be optimized";
  else if (hasPayload(*File, Bytes))
    Facts.Unfit =
        "something is appended to it (an archive, a signature), which "
        "the program would not find again";
  else
    Facts.Unfit = unfitBySections(*File, Bytes, Facts.IsShipped);
  if (auto Segments = File->program_headers()) {
    for (const auto &S : *Segments)
      if (S.p_type == ELF::PT_INTERP && S.p_offset < Bytes.size())
        Facts.Interpreter =
            Bytes.substr(S.p_offset, S.p_filesz).split('\0').first.str();
  } else {
    consumeError(Segments.takeError());
  }
}

static void identify(MemoryBufferRef Buffer, ImageFacts &Facts) {
  auto Object = object::ObjectFile::createELFObjectFile(Buffer);
  if (!Object) {
    consumeError(Object.takeError());
    return;
  }
  Facts.BuildID =
      toHex(graupel::imageIdentity(cast<object::ELFObjectFileBase>(**Object)),
            /*LowerCase=*/true);
}

/// "#!/usr/bin/env python3" is run by python3, wherever PATH has it; the rest
/// of the line is an argument. A tab is a blank, too.
static std::string interpreterOfScript(StringRef Bytes) {
  static constexpr StringRef Blanks = " \t";
  const auto [Program, Rest] =
      getToken(Bytes.drop_front(2).split('\n').first.trim(), Blanks);
  const StringRef Argument = getToken(Rest, Blanks).first.rtrim();
  if (Program.ends_with("/env") && !Argument.empty() &&
      !Argument.starts_with("-"))
    return Argument.str();
  return Program.str();
}

Expected<ImageFacts>
graupel::environment::examineImage(const std::string &Path) {
  struct stat Status;
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/true,
                                      /*IsVolatile=*/true);
  if (!Buffer || stat(Path.c_str(), &Status) != 0)
    return createStringError(
        Path + ": cannot be read: " +
        (Buffer ? strerror(errno) : Buffer.getError().message().c_str()) +
        "; check the path and your rights");
  const StringRef Bytes = (*Buffer)->getBuffer();
  ImageFacts Facts;
  if (Bytes.starts_with("#!")) {
    Facts.IsScript = true;
    Facts.Interpreter = interpreterOfScript(Bytes);
    Facts.Unfit = "it is a script; the programs it runs can be optimized";
    return Facts;
  }
  if (!Bytes.starts_with("\x7f"
                         "ELF")) {
    Facts.Unfit = NotAProgram.str();
    return Facts;
  }
  if (Bytes.size() < 64 || Bytes[4] != ELF::ELFCLASS64 ||
      Bytes[5] != ELF::ELFDATA2LSB)
    Facts.Unfit = "it is for another processor; x86-64 can be optimized";
  else
    examineElf(Bytes, Facts);
  identify((*Buffer)->getMemBufferRef(), Facts);
  if (std::string Rights = unfitByRights(Path, Status.st_mode);
      !Rights.empty()) {
    Facts.Unfit = Rights;
    Facts.IsShipped = false;
  }
  return Facts;
}
