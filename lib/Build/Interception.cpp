//===- Build/Interception.cpp - Before all linkers ------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. linkers/driver has all names that compilers look for; COMPILER_PATH
//      leads to it. gcc takes `real-ld` from there before anything else, clang
//      `ld` or what -fuse-ld names.
//   2. linkers/path has the names of linkers that PATH has, and no others:
//      whoever asks which linkers there are gets the right answer.
//   3. Both stay when the build is done: a configure script may have written
//      the path of a linker into its results. Outside of a build what is there
//      becomes the real linker at once.
//
//===----------------------------------------------------------------------===//

#include "Interception.h"
#include "Environment/Process/Beside.h"
#include "Links.h"
#include "RealLinker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <set>
#include <unistd.h>

using namespace llvm;
using namespace graupel::build;

bool graupel::build::isLinkerName(StringRef Name) {
  if (Name.starts_with("x86_64-"))
    Name = Name.substr(Name.rfind("-ld") + 1);
  return Name == "ld" || Name == "ld.bfd" || Name == "ld.gold" ||
         Name == "ld.lld" || Name.starts_with("ld.lld-") || Name == "ld.mold" ||
         Name == "mold" || Name == "gold";
}

static std::set<std::string> linkersIn(StringRef Path,
                                       const std::string &Except) {
  std::set<std::string> Names;
  SmallVector<StringRef> Folders;
  Path.split(Folders, ':', -1, /*KeepEmpty=*/false);
  for (StringRef F : Folders) {
    std::error_code EC;
    if (F == Except)
      continue;
    for (sys::fs::directory_iterator I(F, EC), End; I != End && !EC;
         I.increment(EC))
      if (const StringRef Name = sys::path::filename(I->path());
          isLinkerName(Name))
        Names.insert(Name.str());
  }
  return Names;
}

static Error makeLinks(const std::string &Folder, const std::string &Program,
                       const std::set<std::string> &Names) {
  // A link is removed, not what is in the folder that it leads to.
  unlink(Folder.c_str());
  sys::fs::remove_directories(Folder);
  if (std::error_code EC = sys::fs::create_directories(Folder))
    return createStringError(Folder + ": " + EC.message() +
                             "; give --state a folder that can be written");
  for (const std::string &Name : Names)
    if (std::error_code EC = sys::fs::create_link(Program, Folder + "/" + Name))
      return createStringError(Folder + "/" + Name + ": " + EC.message() +
                               "; give --state another folder");
  return Error::success();
}

static Expected<std::string> ourProgram() {
  std::string Program =
      graupel::environment::findProgramBeside("graupel-linker");
  if (!Program.empty())
    return Program;
  return createStringError(
      "graupel-linker is not beside this command; install Graupel again");
}

static std::string valueOf(const char *Name) {
  const char *Value = getenv(Name);
  return Value ? Value : "";
}

Expected<std::map<std::string, std::string>>
graupel::build::intercept(const std::string &State) {
  if (State.find(':') != State.npos)
    return createStringError(
        State + ": PATH cannot have a folder with a colon; give --state "
                "another one");
  Expected<std::string> Program = ourProgram();
  if (!Program)
    return Program.takeError();
  const std::string Driver = State + "/linkers/driver",
                    InPath = State + "/linkers/path";
  const std::string Path = valueOf("PATH"),
                    Compilers = valueOf("COMPILER_PATH");
  if (Error Err = makeLinks(
          Driver, *Program,
          {NameForGcc, "ld", "ld.bfd", "ld.gold", "ld.lld", "ld.mold"}))
    return Err;
  if (Error Err = makeLinks(InPath, *Program, linkersIn(Path, InPath)))
    return Err;
  return std::map<std::string, std::string>{
      {"PATH", InPath + (Path.empty() ? "" : ":" + Path)},
      {"COMPILER_PATH", Driver + (Compilers.empty() ? "" : ":" + Compilers)},
      {StateVariable, State}};
}
