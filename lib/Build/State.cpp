//===- Build/State.cpp - The state folder of a build ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file `lock` in the folder is locked as long as the process lives, however
// it ends. Children do not inherit it.
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel::build;

static Error makeFolders(const std::string &State) {
  for (StringRef Name : {"unstripped", "plain", "placed", "instrumented",
                         "profiles", "optimized"})
    if (std::error_code EC =
            sys::fs::create_directories(State + "/" + Name.str()))
      return createStringError(State + ": cannot be made: " + EC.message() +
                               "; give --state a folder that can be written");
  std::error_code EC;
  raw_fd_ostream Ignore(State + "/.gitignore", EC);
  if (!EC)
    Ignore << "*\n";
  return Error::success();
}

Expected<StateLock> StateLock::take(const std::string &State) {
  if (Error Err = makeFolders(State))
    return std::move(Err);
  const std::string Path = State + "/lock";
  const int File = open(Path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (File < 0)
    return createStringError(Path + ": cannot be written: " + strerror(errno) +
                             "; give --state a folder that can be written");
  StateLock Lock(File);
  // What a killed process has left.
  auto clear = [&](StringRef Name) {
    sys::fs::remove_directories(State + "/" + Name.str());
    sys::fs::create_directories(State + "/" + Name.str());
  };
  if (flock(File, LOCK_EX | LOCK_NB) != 0)
    return createStringError(State + ": another `graupel build` works there; "
                                     "wait for it, or give --state another "
                                     "folder");
  clear("instrumented");
  clear("optimized");
  return Lock;
}

StateLock::~StateLock() {
  if (File >= 0)
    close(File);
}
