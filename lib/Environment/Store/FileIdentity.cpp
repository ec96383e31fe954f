//===- Store/FileIdentity.cpp - Whether a file has changed ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileIdentity.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

using namespace llvm;
using namespace graupel::environment;

static int64_t nanoseconds(const timespec &T) {
  return int64_t(T.tv_sec) * 1000000000 + T.tv_nsec;
}

static Error cannotRead(const std::string &Path) {
  const int Code = errno;
  return createStringError(Path + ": cannot be read: " + strerror(Code) +
                           "; check the path and your rights");
}

FileIdentity FileIdentity::of(const struct stat &Status) {
  return {int64_t(Status.st_dev), int64_t(Status.st_ino), Status.st_size,
          nanoseconds(Status.st_mtim), nanoseconds(Status.st_ctim)};
}

Expected<FileIdentity> FileIdentity::of(const std::string &Path) {
  struct stat Status;
  if (stat(Path.c_str(), &Status) != 0)
    return cannotRead(Path);
  return of(Status);
}

std::string graupel::environment::sha256(StringRef Bytes) {
  return toHex(SHA256::hash(arrayRefFromStringRef(Bytes)),
               /*LowerCase=*/true);
}

/// Whether a change from now on is sure to show another time than \p Changed.
static bool isSettled(int64_t Changed) {
  constexpr int64_t Granularity = 2000000000; // For the coarsest file systems.
  timespec Now;
  clock_gettime(CLOCK_REALTIME, &Now);
  return nanoseconds(Now) - Changed > Granularity;
}

static Expected<HashedFile> hashOpen(int File, const std::string &Path) {
  struct stat Before, After;
  if (fstat(File, &Before) != 0)
    return cannotRead(Path);
  if (!S_ISREG(Before.st_mode))
    return createStringError(Path + ": is not a regular file; name a program "
                                    "or a library");
  SHA256 Hash;
  std::vector<uint8_t> Buffer(1 << 20);
  ssize_t Got;
  while ((Got = read(File, Buffer.data(), Buffer.size())) != 0) {
    if (Got > 0)
      Hash.update(ArrayRef<uint8_t>(Buffer.data(), size_t(Got)));
    else if (errno != EINTR)
      return cannotRead(Path);
  }
  if (fstat(File, &After) != 0)
    return cannotRead(Path);
  HashedFile Result{toHex(Hash.final(), /*LowerCase=*/true),
                    FileIdentity::of(After)};
  Result.IsFresh = FileIdentity::of(Before) != Result.Identity ||
                   !isSettled(Result.Identity.ChangeTime);
  return Result;
}

Expected<HashedFile> graupel::environment::hashFile(const std::string &Path) {
  const int File = open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (File < 0)
    return cannotRead(Path);
  Expected<HashedFile> Result = hashOpen(File, Path);
  close(File);
  return Result;
}
