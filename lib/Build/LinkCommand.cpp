//===- Build/LinkCommand.cpp - Arguments of a linker ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Response files are replaced by their words.
//   2. Words are read from left to right. Long options may begin with one dash
//      or two, but for those that begin with an `o` and need two, since `-oX`
//      names the output. The value of an option is passed over, so that a file
//      called `-s` strips nothing.
//   3. If options ask for another kind of output (`-r`, another format or
//      processor, no inputs), no image is made: the command runs unchanged.
//   4. Else `--emit-relocs` goes to the front, and options that strip are left
//      out: the optimizer needs symbols. The caller strips afterwards.
//
//===----------------------------------------------------------------------===//

#include "LinkCommand.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace graupel::build;

StringRef graupel::build::stripOption(Strip S) {
  return S == Strip::All      ? "--strip-all"
         : S == Strip::Locals ? "--discard-all"
                              : "";
}

/// Options whose value is the next word, by name without dashes.
static bool takesNextWord(StringRef Name) {
  static const StringSet<> Names = {
      "a",
      "A",
      "architecture",
      "assert",
      "b",
      "c",
      "defsym",
      "dependency-file",
      "dynamic-linker",
      "dynamic-list",
      "e",
      "entry",
      "exclude-libs",
      "export-dynamic-symbol",
      "f",
      "F",
      "fini",
      "format",
      "G",
      "h",
      "hash-style",
      "I",
      "image-base",
      "init",
      "just-symbols",
      "l",
      "L",
      "library",
      "library-path",
      "m",
      "Map",
      "mllvm",
      "mri-script",
      "oformat",
      "output",
      "plugin",
      "plugin-opt",
      "R",
      "retain-symbols-file",
      "rpath",
      "rpath-link",
      "script",
      "section-start",
      "soname",
      "sysroot",
      "T",
      "Tbss",
      "Tdata",
      "Ttext",
      "u",
      "undefined",
      "version-script",
      "wrap",
      "y",
      "Y",
      "z",
  };
  return Names.contains(Name);
}

/// Depth ends what names itself.
static void expand(ArrayRef<std::string> Arguments, const ReadFile &Read,
                   unsigned Depth, std::vector<std::string> &To) {
  for (const std::string &Word : Arguments) {
    std::optional<std::string> Text;
    if (Word.size() > 1 && Word[0] == '@' && Depth < 16)
      Text = Read(StringRef(Word).drop_front());
    if (!Text) {
      To.push_back(Word);
      continue;
    }
    BumpPtrAllocator Memory;
    StringSaver Saver(Memory);
    SmallVector<const char *> Words;
    cl::TokenizeGNUCommandLine(*Text, Saver, Words);
    expand(std::vector<std::string>(Words.begin(), Words.end()), Read,
           Depth + 1, To);
  }
}

namespace {

class Reader {
public:
  explicit Reader(LinkCommand &To) : To(To) {}

  void read(ArrayRef<std::string> Words);

private:
  void readOption(StringRef Word, std::optional<StringRef> Next);
  /// Whether a word stays; what else it says is noted.
  bool readFlag(StringRef Name);
  void readValue(StringRef Name, StringRef Value);

  LinkCommand &To;
  bool HasInputs = false, IsOther = false, HasPassed = false;
};

} // namespace

bool Reader::readFlag(StringRef Name) {
  if (Name == "s" || Name == "strip-all") {
    To.Asked = Strip::All;
    return false;
  }
  if (Name == "x" || Name == "discard-all") {
    if (To.Asked == Strip::Nothing)
      To.Asked = Strip::Locals;
    return false;
  }
  if (Name == "r" || Name == "i" || Name == "Ur" || Name == "relocatable" ||
      Name == "version" || Name == "help" || Name == "target-help" ||
      Name == "print-output-format" || Name == "print-sysroot" ||
      Name == "run" || Name == "incremental-full" ||
      Name == "incremental-update" || Name == "incremental")
    IsOther = true;
  if (Name == "q" || Name == "emit-relocs")
    To.KeepsRelocations = true;
  return true;
}

void Reader::readValue(StringRef Name, StringRef Value) {
  if (Name == "output")
    To.Output = Value.str();
  else if (Name == "oformat")
    IsOther |= Value != "elf64-x86-64" && Value != "elf";
  else if (Name == "m")
    IsOther |= !Value.starts_with("elf_x86_64");
  else if (Name == "l" || Name == "library")
    HasInputs = true;
}

/// One word that begins with a dash, whose value may be the next one.
void Reader::readOption(StringRef Word, std::optional<StringRef> Next) {
  const bool HasTwo = Word.starts_with("--");
  StringRef Name = Word.drop_front(HasTwo ? 2 : 1);
  if (!HasTwo && Name.starts_with("o")) {
    HasPassed = Name.size() == 1;
    To.Output = (HasPassed ? Next.value_or("") : Name.drop_front()).str();
    return;
  }
  if (const size_t Equal = Name.find('='); Equal != Name.npos) {
    readValue(Name.take_front(Equal), Name.drop_front(Equal + 1));
    return;
  }
  HasPassed = takesNextWord(Name);
  if (HasPassed)
    readValue(Name, Next.value_or(""));
  else if (!HasTwo && (Name.starts_with("l") || Name.starts_with("melf")))
    readValue(Name.take_front(1), Name.drop_front());
}

void Reader::read(ArrayRef<std::string> Words) {
  To.Altered.push_back("--emit-relocs");
  for (size_t I = 0; I < Words.size(); ++I) {
    const StringRef Word = Words[I];
    HasPassed = false;
    if (Word.size() < 2 || Word[0] != '-') {
      HasInputs = true;
    } else if (!readFlag(Word.drop_front(Word.starts_with("--") ? 2 : 1))) {
      continue;
    } else {
      readOption(Word, I + 1 < Words.size()
                           ? std::optional<StringRef>(Words[I + 1])
                           : std::nullopt);
    }
    To.Altered.push_back(Words[I]);
    if (HasPassed && I + 1 < Words.size())
      To.Altered.push_back(Words[++I]);
  }
  To.MakesImage = HasInputs && !IsOther && !To.Output.empty();
}

LinkCommand graupel::build::readLinkCommand(ArrayRef<std::string> Arguments,
                                            const ReadFile &Read) {
  std::vector<std::string> Words;
  expand(Arguments, Read, 0, Words);
  LinkCommand Result;
  Reader(Result).read(Words);
  // Keep the command short: there may be a limit.
  if (Result.Asked == Strip::Nothing) {
    Result.Altered = {"--emit-relocs"};
    Result.Altered.insert(Result.Altered.end(), Arguments.begin(),
                          Arguments.end());
  }
  return Result;
}
