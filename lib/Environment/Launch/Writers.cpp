//===- Launch/Writers.cpp - Programs that write originals -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writers.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"
#include <climits>
#include <cstdlib>

using namespace llvm;
using namespace graupel::environment;

namespace {

class Reader {
public:
  explicit Reader(const std::string &Folder) : Folder(Folder) {}

  std::vector<std::string> run(ArrayRef<std::string> Words) {
    if (Words.empty())
      return {};
    const StringRef Program = sys::path::filename(Words.front());
    const ArrayRef<std::string> Arguments = Words.drop_front();
    readOptions(Arguments);
    if (is_contained({"chattr", "chgrp", "chmod", "chown", "mv", "objcopy",
                      "patchelf", "rm", "setcap", "setfacl", "setfattr",
                      "shred", "strip", "touch", "truncate", "unlink"},
                     Program))
      for (const std::string &Word : Arguments)
        add(Word);
    if (is_contained({"cp", "install", "ln"}, Program) && !Arguments.empty())
      readTarget(Arguments);
    return std::move(Written);
  }

private:
  const std::string &Folder;
  std::vector<std::string> Written;

  void add(StringRef Word) {
    const std::string Path =
        Word.starts_with("/") ? Word.str() : Folder + "/" + Word.str();
    char Real[PATH_MAX];
    if (!Word.empty() && realpath(Path.c_str(), Real))
      Written.push_back(Real);
  }

  // Step 1.
  void readOptions(ArrayRef<std::string> Arguments) {
    for (size_t I = 0; I < Arguments.size(); ++I) {
      StringRef Word = Arguments[I];
      if ((Word == "-o" || Word == "--output") && I + 1 < Arguments.size())
        add(Arguments[++I]);
      else if (Word.consume_front("--output=") || Word.consume_front("-o"))
        add(Word);
    }
  }

  // Step 2.
  void readTarget(ArrayRef<std::string> Arguments) {
    std::string Target = Arguments.back();
    for (size_t I = 0; I + 1 < Arguments.size(); ++I)
      if (Arguments[I] == "-t" || Arguments[I] == "--target-directory")
        Target = Arguments[I + 1];
    for (StringRef Word : Arguments)
      if (Word.consume_front("--target-directory="))
        Target = Word.str();
    add(Target);
    for (const std::string &Word : Arguments)
      add(Target + "/" + sys::path::filename(Word).str());
  }
};

} // namespace

std::vector<std::string>
graupel::environment::writtenBy(const Started &Program) {
  return Reader(Program.Folder).run(Program.Words);
}
