//===- Build/RealLinker.cpp - The linker that would have run --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The search is that of whoever has found us:
//
//   1. gcc (collect2) looks for `real-ld` first, wherever -B leads. Next would
//      have been `collect-ld`, then the linker that -fuse-ld names, in
//      COMPILER_PATH, which its driver has set: -B, the user's, its own
//      folders. Then comes PATH.
//   2. clang looks into -B (where we are not), COMPILER_PATH, its own folder,
//      and PATH.
//   3. Other callers, which use a linker's plain name, look into PATH alone.
//
//===----------------------------------------------------------------------===//

#include "RealLinker.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <sys/auxv.h>
#include <unistd.h>
#include <vector>

using namespace llvm;
using namespace graupel::build;

static std::string variable(const char *Name) {
  const char *Value = getenv(Name);
  return Value ? Value : "";
}

/// Compilers that look for linkers beside themselves.
static std::string folderOfParent() {
  SmallString<256> Parent;
  if (sys::fs::real_path("/proc/" + std::to_string(getppid()) + "/exe", Parent))
    return "";
  const StringRef Name = sys::path::filename(Parent);
  const bool IsCompiler = Name.starts_with("clang") ||
                          Name.starts_with("flang") || Name.starts_with("ldc");
  return IsCompiler ? sys::path::parent_path(Parent).str() : "";
}

Invocation Invocation::ofThisProcess(StringRef Argument0) {
  // The path that was given to the kernel; scripts may have changed argument 0.
  const char *Asked = reinterpret_cast<const char *>(getauxval(AT_EXECFN));
  const StringRef Full = Asked ? StringRef(Asked) : Argument0;
  Invocation I;
  I.Name = sys::path::filename(Full).str();
  I.IsFromPath = sys::path::filename(sys::path::parent_path(Full)) == "path";
  I.CompilerPath = variable("COMPILER_PATH");
  I.Path = variable("PATH");
  I.GccOptions = variable("COLLECT_GCC_OPTIONS");
  I.ParentFolder = folderOfParent();
  return I;
}

std::string graupel::build::wantedLinker(const Invocation &I) {
  if (I.Name != NameForGcc)
    return I.Name;
  // '-fuse-ld=lld' '-o' 'app'
  const size_t At = StringRef(I.GccOptions).rfind("'-fuse-ld=");
  if (At == std::string::npos)
    return "ld";
  const StringRef Name =
      StringRef(I.GccOptions).drop_front(At + 10).split('\'').first;
  return "ld." + Name.str();
}

static void addFolders(StringRef Variable, std::vector<std::string> &To) {
  SmallVector<StringRef> Folders;
  Variable.split(Folders, ':', -1, /*KeepEmpty=*/false);
  for (StringRef F : Folders)
    To.push_back(F.str());
}

static std::string
findIn(const std::vector<std::string> &Folders, const std::string &Name,
       const std::function<bool(const std::string &)> &MayRun) {
  for (const std::string &F : Folders) {
    SmallString<256> Path(F);
    sys::path::append(Path, Name);
    if (MayRun(std::string(Path)))
      return std::string(Path);
  }
  return "";
}

std::string graupel::build::findLinker(
    const Invocation &I,
    const std::function<bool(const std::string &)> &MayRun) {
  std::vector<std::string> Folders;
  if (!I.IsFromPath) {
    addFolders(I.CompilerPath, Folders);
    if (I.Name == NameForGcc)
      for (const char *First : {NameForGcc, "collect-ld"})
        if (std::string Found = findIn(Folders, First, MayRun); !Found.empty())
          return Found;
    if (!I.ParentFolder.empty())
      Folders.push_back(I.ParentFolder);
  }
  addFolders(I.Path, Folders);
  return findIn(Folders, wantedLinker(I), MayRun);
}
