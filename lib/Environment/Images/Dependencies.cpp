//===- Images/Dependencies.cpp - What the loader loads --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dependencies.h"
#include "Environment/Process/Child.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

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

Expected<Dependencies>
graupel::environment::listDependencies(const std::string &Program,
                                       const std::string &Interpreter) {
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
