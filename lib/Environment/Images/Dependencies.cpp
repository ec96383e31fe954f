//===- Images/Dependencies.cpp - Libraries that the loader loads ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. If the program's interpreter is a loader that programs of the system name,
//    too, and nobody else can write it, ask it: LOADER --list PROGRAM.
// 2. Otherwise it is not run. Read which libraries each image names, and look
//    for them in the image's own folders and beside the loader.
// 3. Libraries have paths without links, and each comes once. The loader is
//    none.
//
//===----------------------------------------------------------------------===//

#include "Dependencies.h"
#include "Environment/Process/Child.h"
#include "Examine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel::environment;

/// "libx.so.1 => /lib/libx.so.1 (0x00007f...)" and its variants, up to the
/// address. The path may have newlines; other words may follow in lines of their
/// own.
static StringRef withoutAddress(StringRef Entry) {
  const size_t At = Entry.rfind(" (0x");
  return At == StringRef::npos ? Entry.split('\n').first : Entry.take_front(At);
}

Dependencies graupel::environment::parseListing(StringRef Listing) {
  Dependencies Result;
  // Each entry begins with a tab in a new line.
  SmallVector<StringRef> Entries;
  const std::string All = ("\n" + Listing).str();
  StringRef(All).split(Entries, "\n\t");
  for (StringRef Entry : drop_begin(Entries)) {
    auto [Name, Path] = Entry.split(" => ");
    if (Path.split('\n').first == "not found")
      Result.Missing.push_back(Name.str());
    else if (StringRef File = withoutAddress(Path.empty() ? Name : Path);
             File.starts_with("/"))
      Result.Paths.push_back(File.str());
  }
  return Result;
}

static std::string withoutLinks(const std::string &Path) {
  SmallString<256> Real;
  return sys::fs::real_path(Path, Real) ? Path : std::string(Real);
}

/// Whether programs of the system name it, too, and nobody else can write it.
static bool isOfSystem(const std::string &Interpreter) {
  struct stat Loader, Root;
  // Where other users have no numbers, root has none either.
  if (!sys::path::is_absolute(Interpreter) ||
      stat(Interpreter.c_str(), &Loader) || !S_ISREG(Loader.st_mode) ||
      stat("/", &Root) ||
      (Loader.st_uid != geteuid() && Loader.st_uid != Root.st_uid))
    return false;
  for (const char *Program : {"/proc/self/exe", "/bin/sh", "/usr/bin/env"}) {
    Expected<ImageFacts> Facts = examineImage(Program);
    if (!Facts)
      consumeError(Facts.takeError());
    else if (!Facts->Interpreter.empty() &&
             withoutLinks(Facts->Interpreter) == withoutLinks(Interpreter))
      return true;
  }
  return false;
}

namespace {
/// Names that are written in an image.
struct Named {
  SmallVector<StringRef> Libraries, Folders;
};
} // namespace

static Named namesIn(StringRef Bytes) {
  Named Result;
  if (!Bytes.starts_with("\x7f"
                         "ELF\2\1"))
    return Result;
  auto File = object::ELF64LEFile::create(Bytes);
  if (!File)
    return consumeError(File.takeError()), Result;
  auto Entries = File->dynamicEntries();
  if (!Entries)
    return consumeError(Entries.takeError()), Result;
  StringRef Texts;
  for (const auto &E : *Entries)
    if (E.d_tag == ELF::DT_STRTAB) {
      auto At = File->toMappedAddr(
          E.d_un.d_ptr, [](const Twine &) { return Error::success(); });
      if (!At)
        return consumeError(At.takeError()), Result;
      Texts = Bytes.substr(size_t(*At - Bytes.bytes_begin()));
    }
  for (const auto &E : *Entries) {
    const StringRef Text = Texts.substr(E.d_un.d_val).split('\0').first;
    if (E.d_tag == ELF::DT_NEEDED)
      Result.Libraries.push_back(Text);
    else if (E.d_tag == ELF::DT_RUNPATH || E.d_tag == ELF::DT_RPATH)
      Text.split(Result.Folders, ':', -1, /*KeepEmpty=*/false);
  }
  return Result;
}

static std::string withOrigin(StringRef Folder, StringRef Image) {
  const StringRef Rest = Folder;
  if (Folder.consume_front("$ORIGIN") || Folder.consume_front("${ORIGIN}"))
    return (sys::path::parent_path(Image) + Folder).str();
  return Rest.str();
}

/// The file that \p Image means by a name; or nothing.
static std::string findNamed(StringRef Name, StringRef Image,
                             ArrayRef<StringRef> Folders,
                             const std::string &Interpreter) {
  std::vector<std::string> Paths;
  if (Name.contains('/')) {
    Paths.push_back(Name.str());
  } else {
    for (StringRef Folder : Folders)
      Paths.push_back(withOrigin(Folder, Image) + "/" + Name.str());
    Paths.push_back((sys::path::parent_path(Interpreter) + "/" + Name).str());
  }
  for (const std::string &Path : Paths)
    if (sys::path::is_absolute(Path) && sys::fs::is_regular_file(Path))
      return withoutLinks(Path);
  return "";
}

/// Without the loader's help.
static Dependencies readDependencies(const std::string &Program,
                                     const std::string &Interpreter) {
  Dependencies Result;
  const std::string Loader = withoutLinks(Interpreter);
  std::vector<std::string> Images{Program};
  for (size_t I = 0; I < Images.size(); ++I) {
    const std::string Image = Images[I];
    auto Buffer = MemoryBuffer::getFile(Image, /*IsText=*/false,
                                        /*RequiresNullTerminator=*/false);
    if (!Buffer)
      continue;
    const Named Names = namesIn((*Buffer)->getBuffer());
    for (StringRef Name : Names.Libraries) {
      const std::string Path =
          findNamed(Name, Image, Names.Folders, Interpreter);
      if (Path.empty() && !is_contained(Result.Missing, Name))
        Result.Missing.push_back(Name.str());
      else if (!Path.empty() && Path != Loader && !is_contained(Images, Path))
        Images.push_back(Path);
    }
  }
  Result.Paths.assign(Images.begin() + 1, Images.end());
  return Result;
}

Expected<Dependencies>
graupel::environment::listDependencies(const std::string &Program,
                                       const std::string &Interpreter) {
  if (!isOfSystem(Interpreter))
    return readDependencies(Program, Interpreter);
  Expected<ChildOutcome> Listing = runChild({Interpreter, "--list", Program});
  if (!Listing)
    return Listing.takeError();
  Dependencies Result = parseListing(Listing->Output);
  if (Listing->Status && Result.Missing.empty())
    return createStringError(Program + ": its libraries are not known: " +
                             StringRef(Listing->Output).trim().str() +
                             "; check that it runs, with the same environment");
  // The loader lists itself, too.
  const std::string Loader = withoutLinks(Interpreter);
  std::vector<std::string> Paths;
  for (const std::string &Path : Result.Paths)
    if (std::string Real = withoutLinks(Path);
        Real != Loader && !is_contained(Paths, Real))
      Paths.push_back(Real);
  Result.Paths = std::move(Paths);
  return Result;
}

Expected<std::string>
graupel::environment::findProgram(const std::string &Name) {
  std::string Found = Name;
  if (Name.find('/') == Name.npos) {
    ErrorOr<std::string> Path = sys::findProgramByName(Name);
    if (!Path)
      return createStringError(Name + ": there is no such program in PATH; "
                                      "give its path");
    Found = *Path;
  }
  SmallString<256> Real;
  if (std::error_code EC = sys::fs::real_path(Found, Real))
    return createStringError(Name + ": " + EC.message() + "; check the path");
  if (!sys::fs::is_regular_file(Real))
    return createStringError(Name + ": is not a file; name a program");
  return std::string(Real);
}
