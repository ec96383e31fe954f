//===- Driver/OutputFile.cpp - All of the output or none ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. prepare() keeps the name of the temporary file where parent and child see
//    it.
// 2. redirect() has BOLT write to a new file beside what -o leads to, or into a
//    device as it is.
// 3. keep() gives that file the permissions and the name of the output. So does
//    exit(0), but for the permissions: some of BOLT's modes end there. However
//    else the process ends before, it or its parent removes the file.
//
//===----------------------------------------------------------------------===//

#include "OutputFile.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel;

// The name of the temporary file, empty if there is none. If the process that
// writes it is ended, its parent may have to remove the file, so both see the
// name.
static char *temporaryName() {
  static char *Name = [] {
    void *Shared = mmap(nullptr, PATH_MAX, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return static_cast<char *>(Shared == MAP_FAILED ? calloc(PATH_MAX, 1)
                                                    : Shared);
  }();
  return Name;
}

// BOLT ends some of its modes (-aggregate-only) well through exit(0).
static void settleTemporaryFile(int ExitCode, void *Final) {
  if (!*temporaryName())
    return;
  if (ExitCode == 0)
    sys::fs::rename(temporaryName(), *static_cast<std::string *>(Final));
  else
    sys::fs::remove(temporaryName());
  *temporaryName() = 0;
}

bool OutputFile::isFull(StringRef Why) {
  return any_of(std::initializer_list<int>{ENOSPC, EDQUOT, EFBIG},
                [&](int Code) { return Why.ends_with(strerror(Code)); });
}

Error OutputFile::cannotWrite(const std::string &Path, const std::string &Why) {
  return createStringError(Path + ": cannot write the output: " + Why +
                           (isFull(Why)
                                ? "; make room for it, or name a file elsewhere"
                                : "; check its folder and your rights there"));
}

void OutputFile::prepare() {
  temporaryName();
  // Writing more than the user allows is an error, not the end.
  std::signal(SIGXFSZ, SIG_IGN);
}

std::string graupel::behindLinks(std::string Path) {
  constexpr unsigned MostLinks = 40;
  for (unsigned I = 0; I < MostLinks; ++I) {
    char Target[PATH_MAX];
    const ssize_t Size = readlink(Path.c_str(), Target, sizeof(Target));
    if (Size <= 0 || Size == sizeof(Target))
      break;
    SmallString<128> Next(StringRef(Target, Size));
    if (sys::path::is_relative(Next)) {
      Next = sys::path::parent_path(Path);
      sys::path::append(Next, StringRef(Target, Size));
    }
    Path = Next.str().str();
  }
  return Path;
}

Expected<std::string> graupel::createBeside(const std::string &Path, int &FD) {
  constexpr unsigned MostAttempts = 128;
  std::error_code EC;
  for (unsigned I = 0; I < MostAttempts; ++I) {
    const uint64_t Number = sys::Process::GetRandomNumber() & 0xffffff;
    std::string Name = Path + "." +
                       utohexstr(Number, /*LowerCase=*/true, /*Width=*/6) +
                       ".tmp";
    EC = sys::fs::openFileForReadWrite(Name, FD, sys::fs::CD_CreateNew,
                                       sys::fs::OF_None);
    if (!EC)
      return Name;
    if (EC != std::errc::file_exists)
      break;
  }
  return errorCodeToError(EC);
}

Expected<OutputFile> OutputFile::redirect() {
  std::string Final = opts::OutputFilename;
  if (Final == "-")
    return createStringError("-: cannot write the output: a program is not "
                             "written to standard output; name a file");
  sys::fs::file_status Status;
  const bool Exists = !sys::fs::status(Final, Status);
  if (Exists && !sys::fs::is_regular_file(Status)) {
    if (sys::fs::is_directory(Status))
      return createStringError(Final + ": cannot write the output: it is a "
                                       "directory; name a file in it");
    // BOLT goes back in what it writes, and makes it executable: the device,
    // too. But -aggregate-only writes text.
    if (!opts::AggregateOnly && !sys::fs::equivalent(Final, "/dev/null"))
      return createStringError(Final + ": cannot write the output: it is no "
                                       "regular file; name one with -o");
    if (!opts::AggregateOnly)
      opts::OutputFilename = "/dev/null"; // Which BOLT knows by this name.
    return OutputFile("", 0);
  }
  Final = behindLinks(Final);
  int FD;
  Expected<std::string> Temporary = createBeside(Final, FD);
  if (!Temporary)
    return cannotWrite(Final, toString(Temporary.takeError()));
  close(FD);
  llvm::copy(*Temporary, temporaryName());
  temporaryName()[Temporary->size()] = 0;
  on_exit(settleTemporaryFile, new std::string(Final));
  sys::RemoveFileOnSignal(*Temporary);
  opts::OutputFilename = std::move(*Temporary);
  return OutputFile(Final, Exists ? unsigned(Status.permissions()) : 0);
}

Error OutputFile::keep() {
  if (Final.empty())
    return Error::success();
  // Users who may read an older output may run the new one, and nobody else.
  if (Mode) {
    const unsigned Read = Mode & sys::fs::all_read;
    if (std::error_code EC = sys::fs::setPermissions(
            temporaryName(), sys::fs::perms((Mode & sys::fs::all_all) |
                                            Read >> 2 | sys::fs::owner_write)))
      return cannotWrite(Final, EC.message());
  }
  if (std::error_code EC = sys::fs::rename(temporaryName(), Final))
    return cannotWrite(Final, EC.message());
  sys::DontRemoveFileOnSignal(temporaryName());
  *temporaryName() = 0;
  return Error::success();
}

StringRef OutputFile::temporaryPath() { return temporaryName(); }

void OutputFile::removeLeftOver() {
  if (!*temporaryName())
    return;
  sys::fs::remove(temporaryName());
  *temporaryName() = 0;
}
