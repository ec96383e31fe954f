//===- Launch/Readers.cpp - Programs that handle files --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides by name and arguments whether a program handles files.
//
// 1. handlesFiles takes the program's name without its version. For an
//    interpreter or a program of many names, such as busybox, it takes the next
//    word.
// 2. Names in the list of needsNoNames are enough. handlesFilesNow looks at the
//    arguments of find, git, ninja, meson and cmake, which also run programs.
// 3. Names in the list of needsNames and tools for binaries need an argument
//    that leads to an ELF file or a folder, by itself or behind a `=`.
//
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include <fstream>
#include <sys/stat.h>

using namespace llvm;
using namespace graupel::environment;

/// Handle whole folders, or what a file or their input names.
static bool needsNoNames(StringRef Program) {
  static const StringSet<> Names = {
      "7z",     "7za",   "7zr",     "appimagetool", "bsdcpio",
      "bsdtar", "cpack", "cpio",    "du",           "dpkg-deb",
      "gtar",   "ls",    "mkisofs", "mksquashfs",   "pax",
      "rsync",  "tar",   "xorriso", "zip"};
  return Names.contains(Program);
}

static bool needsNames(StringRef Program) {
  static const StringSet<> Names = {
      "b2sum",     "base32",    "base64",    "brotli",    "bsdcat",
      "bzip2",     "cat",       "chattr",    "chgrp",     "chmod",
      "chown",     "chrpath",   "cksum",     "cmp",       "cp",
      "dd",        "debugedit", "diff",      "dwz",       "file",
      "getcap",    "getfacl",   "getfattr",  "ginstall",  "graupel-bolt",
      "gzip",      "head",      "hexdump",   "install",   "link",
      "llvm-bolt", "ln",        "lsattr",    "lz4",       "lzma",
      "lzop",      "md5sum",    "mv",        "od",        "patchelf",
      "perf2bolt", "pigz",      "rename",    "rm",        "rmdir",
      "scp",       "sed",       "setcap",    "setfacl",   "setfattr",
      "sha1sum",   "sha224sum", "sha256sum", "sha384sum", "sha512sum",
      "shasum",    "shred",     "split",     "stat",      "sum",
      "tail",      "tee",       "touch",     "truncate",  "unlink",
      "upx",       "xxd",       "xz",        "zstd",      "zstdmt"};
  return Names.contains(Program);
}

/// `strip` of all kinds: x86_64-linux-gnu-strip, llvm-strip, eu-strip.
static bool isBinaryTool(StringRef Program) {
  static const StringSet<> Names = {"ar",      "dwp",     "elfedit", "nm",
                                    "objcopy", "objdump", "ranlib",  "readelf",
                                    "size",    "strings", "strip",   "unstrip"};
  return Names.contains(Program.substr(Program.rfind('-') + 1));
}

/// "llvm-strip" of "/usr/bin/llvm-strip-22", "python" of "python3.11".
static StringRef withoutVersion(StringRef Path) {
  const StringRef Name = sys::path::filename(Path);
  const StringRef Rest = Name.rtrim("0123456789.");
  if (Rest.ends_with("-"))
    return Rest.drop_back();
  return Rest == "python" || Rest == "perl" ? Rest : Name;
}

/// The first word that is no option, nor its value.
static StringRef gitCommand(ArrayRef<std::string> Arguments) {
  while (!Arguments.empty() && StringRef(Arguments.front()).starts_with("-")) {
    const bool HasValue = is_contained({"-C", "-c"}, Arguments.front());
    Arguments = Arguments.drop_front(HasValue && Arguments.size() > 1 ? 2 : 1);
  }
  return Arguments.empty() ? StringRef() : StringRef(Arguments.front());
}

/// Whether the command handles files in a folder itself; `git bisect run`
/// starts programs.
static bool isOfFiles(StringRef GitCommand) {
  static const StringSet<> Names = {
      "add",    "am",    "apply",      "archive",    "checkout",    "clean",
      "commit", "diff",  "diff-files", "diff-index", "hash-object", "ls-files",
      "merge",  "mv",    "pull",       "read-tree",  "reset",       "restore",
      "rm",     "stash", "status",     "switch",     "update-index"};
  return Names.contains(GitCommand);
}

static bool hasPair(ArrayRef<std::string> Words, StringRef First,
                    StringRef BeginOfSecond) {
  for (size_t I = 0; I + 1 < Words.size(); ++I)
    if (Words[I] == First && StringRef(Words[I + 1]).starts_with(BeginOfSecond))
      return true;
  return false;
}

/// CMake and Meson run tests, too.
static bool installs(StringRef Program, ArrayRef<std::string> Arguments) {
  if (Program == "meson")
    return !Arguments.empty() && Arguments.front() == "install";
  if (Program != "cmake")
    return false;
  for (size_t I = 0; I < Arguments.size(); ++I) {
    const StringRef Word = Arguments[I];
    const StringRef Next =
        I + 1 < Arguments.size() ? StringRef(Arguments[I + 1]) : "";
    if (Word == "--install" ||
        (Word == "-P" &&
         is_contained(ArrayRef<StringRef>{"cmake_install.cmake",
                                          "cmake_clean.cmake",
                                          "cmake_clean_target.cmake"},
                      sys::path::filename(Next))))
      return true;
    if (Word == "-E")
      return any_of(ArrayRef<StringRef>{"cat", "compare_files", "copy",
                                        "create_", "md5sum", "re", "rm", "sha",
                                        "touch", "tar"},
                    [&](StringRef Begin) { return Next.starts_with(Begin); });
  }
  return false;
}

/// Decides by the arguments, since these programs run others, too.
static bool handlesFilesNow(StringRef Program,
                            ArrayRef<std::string> Arguments) {
  if (Program == "find")
    return is_contained(Arguments, "-delete") || is_contained(Arguments, "-ls");
  if (Program == "git")
    return isOfFiles(gitCommand(Arguments));
  if (Program == "ninja" || Program == "samu")
    return hasPair(Arguments, "-t", "clean");
  return installs(Program, Arguments);
}

static bool isElfOrFolder(const std::string &Path) {
  struct stat Status;
  if (stat(Path.c_str(), &Status))
    return false;
  if (S_ISDIR(Status.st_mode))
    return true;
  // To open a pipe would wait for somebody.
  char Magic[4] = {};
  return S_ISREG(Status.st_mode) &&
         std::ifstream(Path, std::ios::binary).read(Magic, sizeof(Magic)) &&
         StringRef(Magic, sizeof(Magic)) == "\177ELF";
}

/// For an option, looks at its value: if=FILE, --file=FILE.
static bool leadsToElfOrFolder(StringRef Word, const std::string &Folder) {
  const auto IsThere = [&](StringRef Name) {
    return !Name.empty() &&
           isElfOrFolder(Name.starts_with("/") ? Name.str()
                                               : Folder + "/" + Name.str());
  };
  return IsThere(Word) ||
         (Word.contains('=') && IsThere(Word.split('=').second));
}

bool graupel::environment::handlesFiles(const Started &Program) {
  ArrayRef<std::string> Arguments = Program.Words;
  if (Arguments.empty())
    return false;
  StringRef Name = withoutVersion(Arguments.consume_front());
  // A script names its language's program first, a box what it is to be.
  if (is_contained({"python", "perl", "busybox", "coreutils", "toybox"},
                   Name) &&
      !Arguments.empty())
    Name = withoutVersion(Arguments.consume_front());
  if (needsNoNames(Name) || handlesFilesNow(Name, Arguments))
    return true;
  return (needsNames(Name) || isBinaryTool(Name)) &&
         any_of(Arguments, [&](const std::string &Word) {
           return leadsToElfOrFolder(Word, Program.Folder);
         });
}
