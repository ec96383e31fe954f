//===- profile/ProfileFile.cpp - The file that is counted into ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens the file that an image counts into, makes it if it is missing, and
// makes it larger.
//
// 1. open tries the path, with the process's number where that is wanted. If it
//    finds another image's file, it tries the path with the plan's hash.
// 2. openLocked opens or makes the file, locks it, and checks that the path
//    still leads to it. Otherwise it tries again.
// 3. start fills in a file that is empty or unfinished: space first, then all
//    but the first page, then that page. If that fails, it empties the file,
//    and removes it if openLocked has made it.
// 4. A file with a head must be unsealed and of the same plan (belongsTo).
// 5. grow and reserve take space on the disk, within the limit of file sizes.
//    If that fails, grow cuts the file to its old size.
//
//===----------------------------------------------------------------------===//

#include "ProfileFile.h"
#include "Message.h"
#include "Text.h"
#include <linux/falloc.h>

using namespace graupel;

namespace {

constexpr int LockExclusive = 2;
constexpr int LockNone = 8;

/// Whether two profiles count the same things: all of the header up to the
/// checksums.
bool samePlan(const graupel_profile_header &A,
              const graupel_profile_header &B) {
  const auto *X = reinterpret_cast<const char *>(&A);
  const auto *Y = reinterpret_cast<const char *>(&B);
  constexpr size_t Flags = offsetof(graupel_profile_header, flags);
  constexpr size_t Plan = offsetof(graupel_profile_header, plan);
  constexpr size_t End = offsetof(graupel_profile_header, slots_checksum);
  return sameBytes(X, Y, Flags) && sameBytes(X + Plan, Y + Plan, End - Plan);
}

/// Growing a file beyond the limit would be answered by a signal.
bool isTooLarge(uint64_t Size) {
  rlimit64 Limit;
  return sys::call(__NR_prlimit64, 0, RLIMIT_FSIZE, 0, sys::word(&Limit)) ==
             0 &&
         Size > Limit.rlim_cur;
}

int writeAll(int FD, const char *From, uint64_t Size, uint64_t Offset) {
  while (Size) {
    const long Written = sys::pwrite(FD, From, Size, Offset);
    if (Written <= 0)
      return Written < 0 ? static_cast<int>(Written) : -EIO;
    From += Written;
    Offset += static_cast<uint64_t>(Written);
    Size -= static_cast<uint64_t>(Written);
  }
  return 0;
}

} // namespace

int ProfileFile::open(const Image &I, bool MayTalk) {
  Runtime &R = I.runtime();
  R.Path[R.BaseLength] = 0;
  TextWriter Path(R.Path, PathCapacity, R.BaseLength);
  if (I.has(GRAUPEL_STATE_APPEND_PID)) {
    Path.put('.');
    Path.putDecimal(static_cast<uint64_t>(sys::getpid()));
  }
  int Error = start(I, R.Path);
  if (Error != -OtherImage)
    return Error;

  close();
  if (MayTalk)
    sayOtherFile(R.Path, I.header().plan);
  Path.put('.');
  Path.putHex16(I.header().plan);
  return Path.overflowed() ? -ENAMETOOLONG : start(I, R.Path);
}

void ProfileFile::close() {
  if (FD < 0)
    return;
  // A thread that forked meanwhile left a child with a copy of the descriptor,
  // so closing ours does not unlock.
  sys::flock(FD, LockNone);
  sys::close(FD);
  FD = -1;
}

/// Someone may remove the file between opening and locking it, or take it away
/// by another name, under a lock, to read it when nobody has it any more.
int ProfileFile::openLocked(const char *Path) {
  for (int Attempts = 0; Attempts < 100; ++Attempts) {
    Made = false;
    FD = sys::open(Path, O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (FD == -EAGAIN) // It is being read under a lease, so the path is free.
      continue;
    if (FD == -ENOENT) {
      FD = sys::open(Path, O_RDWR | O_CREAT | O_EXCL, 0666);
      // A dangling link exists, too: make its target. It is the user's, so
      // if that fails nothing is removed by the link's name.
      if (FD == -EEXIST && sys::isLink(Path))
        FD = sys::open(Path, O_RDWR | O_CREAT | O_NOCTTY | O_NONBLOCK, 0666);
      else if (FD == -EEXIST)
        continue;
      else
        Made = FD >= 0;
    }
    if (FD < 0)
      return FD;
    struct stat Status;
    int Error = sys::fstat(FD, Status);
    if (Error == 0 && (Status.st_mode & S_IFMT) != S_IFREG)
      Error = -NotRegular;
    if (Error == 0)
      Error = sys::flock(FD, LockExclusive);
    if (Error == 0)
      Error = sys::fstat(FD, Status);
    if (Error)
      return Error;
    Size = static_cast<uint64_t>(Status.st_size);
    Inode = Status.st_ino;
    struct stat Named;
    if (sys::stat(Path, Named) == 0 && Named.st_ino == Status.st_ino &&
        Named.st_dev == Status.st_dev)
      return 0;
    close();
  }
  return -KeepsVanishing;
}

int ProfileFile::start(const Image &I, const char *Path) {
  if (int Error = openLocked(Path))
    return Error;
  if (isUnfinished(I)) {
    const int Error = writeHead(I);
    if (Error) {
      sys::ftruncate(FD, 0);
      if (Made)
        sys::call(__NR_unlink, sys::word(Path));
    }
    return Error;
  }
  return belongsTo(I) ? 0 : -OtherImage;
}

/// An empty file, or one whose maker died before it wrote the first page, which
/// it does last. Another file that happens to begin with zeros must not be
/// overwritten, so the rest of the file, as far as it is there, has to be equal
/// to what we would write.
bool ProfileFile::isUnfinished(const Image &I) const {
  if (Size > I.header().slots_offset)
    return false;
  char Found[256];
  for (uint64_t At = 0; At < Size;) {
    const uint64_t Wanted =
        Size - At < sizeof(Found) ? Size - At : sizeof(Found);
    const long Got = sys::pread(FD, Found, Wanted, At);
    if (Got <= 0)
      return false;
    for (long Index = 0; Index < Got; ++Index, ++At)
      if (Found[Index] && (At < PageSize || Found[Index] != I.head()[At]))
        return false;
  }
  return true;
}

int ProfileFile::writeHead(const Image &I) {
  const uint64_t End = I.header().slots_offset;
  if (int Error = grow(End))
    return Error;
  if (int Error = writeAll(FD, I.head() + PageSize, End - PageSize, PageSize))
    return Error;
  return writeAll(FD, I.head(), PageSize, 0);
}

bool ProfileFile::belongsTo(const Image &I) const {
  graupel_profile_header Found;
  return sys::pread(FD, &Found, sizeof(Found), 0) == sizeof(Found) &&
         Found.flags == 0 && samePlan(Found, I.header()) &&
         Size >= I.header().slots_offset;
}

int ProfileFile::grow(uint64_t NewSize) {
  if (NewSize <= Size)
    return 0;
  if (isTooLarge(NewSize))
    return -EFBIG;
  int Error = allocate(Size, NewSize - Size);
  if (Error == -EOPNOTSUPP || Error == -ENOSYS)
    Error = sys::ftruncate(FD, NewSize);
  if (Error == 0)
    Size = NewSize;
  else // A part may have succeeded, and half a slot is damage.
    sys::ftruncate(FD, Size);
  return Error;
}

int ProfileFile::reserve(uint64_t Offset, uint64_t Length) {
  // Existing parts beyond the limit could be mapped, but not written to.
  if (isTooLarge(Offset + Length))
    return -EFBIG;
  const int Error = allocate(Offset, Length);
  return Error == -EOPNOTSUPP || Error == -ENOSYS ? 0 : Error;
}

int ProfileFile::allocate(uint64_t Offset, uint64_t Length) {
  return static_cast<int>(sys::retry(__NR_fallocate, FD, 0,
                                     static_cast<long>(Offset),
                                     static_cast<long>(Length)));
}
