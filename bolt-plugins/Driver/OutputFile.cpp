//===- Driver/OutputFile.cpp - All of the output or none ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputFile.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include <cstdlib>

using namespace llvm;
using namespace graupel;

// What an exit handler can reach: the file to remove, empty if there is none.
static std::string &temporaryFile() {
  static std::string *Path = new std::string;
  return *Path;
}

// BOLT ends some of its modes (-aggregate-only) well through exit(0).
static void settleTemporaryFile(int ExitCode, void *Final) {
  if (temporaryFile().empty())
    return;
  if (ExitCode == 0)
    sys::fs::rename(temporaryFile(), *static_cast<std::string *>(Final));
  else
    sys::fs::remove(temporaryFile());
}

static Error cannotWrite(const std::string &Path, std::error_code EC) {
  return createStringError(EC,
                           Path + ": cannot write the output: " + EC.message() +
                               "; check its folder and your rights there");
}

Expected<OutputFile> OutputFile::redirect() {
  const std::string Final = opts::OutputFilename;
  sys::fs::file_status Status;
  const bool Exists = !sys::fs::status(Final, Status);
  if (Final == "-" || (Exists && !sys::fs::is_regular_file(Status))) {
    if (Exists && sys::fs::is_directory(Status))
      return createStringError(Final + ": cannot write the output: it is a "
                                       "directory; name a file in it");
    return OutputFile("");
  }
  SmallString<128> Temporary;
  if (std::error_code EC =
          sys::fs::createUniqueFile(Final + ".%%%%%%.tmp", Temporary))
    return cannotWrite(Final, EC);
  temporaryFile() = Temporary.str().str();
  on_exit(settleTemporaryFile, new std::string(Final));
  sys::RemoveFileOnSignal(Temporary);
  opts::OutputFilename = Temporary.str().str();
  return OutputFile(Final);
}

Error OutputFile::keep() {
  if (Final.empty())
    return Error::success();
  if (std::error_code EC = sys::fs::rename(temporaryFile(), Final))
    return cannotWrite(Final, EC);
  sys::DontRemoveFileOnSignal(temporaryFile());
  temporaryFile().clear();
  return Error::success();
}
