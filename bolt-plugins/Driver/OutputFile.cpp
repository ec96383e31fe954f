//===- Driver/OutputFile.cpp - All of the output or none ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputFile.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include <climits>
#include <cstdlib>
#include <sys/mman.h>

using namespace llvm;
using namespace graupel;

// The name of the temporary file, empty if there is none. What ends the process
// that writes it may leave its parent to remove the file, so both see the name.
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

Error OutputFile::cannotWrite(const std::string &Path, const std::string &Why) {
  return createStringError(Path + ": cannot write the output: " + Why +
                           "; check its folder and your rights there");
}

void OutputFile::prepare() { temporaryName(); }

Expected<OutputFile> OutputFile::redirect() {
  const std::string Final = opts::OutputFilename;
  if (Final == "-")
    return createStringError("-: cannot write the output: a program is not "
                             "written to standard output; name a file");
  sys::fs::file_status Status;
  const bool Exists = !sys::fs::status(Final, Status);
  if (Exists && !sys::fs::is_regular_file(Status)) {
    if (Exists && sys::fs::is_directory(Status))
      return createStringError(Final + ": cannot write the output: it is a "
                                       "directory; name a file in it");
    return OutputFile("");
  }
  SmallString<128> Temporary;
  if (std::error_code EC =
          sys::fs::createUniqueFile(Final + ".%%%%%%.tmp", Temporary))
    return cannotWrite(Final, EC.message());
  if (Temporary.size() >= PATH_MAX)
    return cannotWrite(
        Final, std::make_error_code(std::errc::filename_too_long).message());
  llvm::copy(Temporary.str(), temporaryName());
  temporaryName()[Temporary.size()] = 0;
  on_exit(settleTemporaryFile, new std::string(Final));
  sys::RemoveFileOnSignal(Temporary);
  opts::OutputFilename = Temporary.str().str();
  return OutputFile(Final);
}

Error OutputFile::keep() {
  if (Final.empty())
    return Error::success();
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
