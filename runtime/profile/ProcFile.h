//===- profile/ProcFile.h - Files of processes in /proc ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_PROCFILE_H
#define GRAUPEL_PROFILE_PROCFILE_H

#include "Syscall.h"

namespace graupel {

/// Reads a file byte by byte through a buffer that small stacks can afford.
class ByteStream {
public:
  explicit ByteStream(const char *Path) : FD(sys::open(Path, O_RDONLY)) {}
  ~ByteStream() {
    if (isOpen())
      sys::close(FD);
  }
  ByteStream(const ByteStream &) = delete;
  ByteStream &operator=(const ByteStream &) = delete;

  bool isOpen() const { return FD >= 0; }
  /// -1 at the end.
  int next();

private:
  int FD;
  size_t Position = 0;
  size_t End = 0;
  unsigned char Buffer[512];
};

/// A line of /proc/self/maps.
struct Mapping {
  uint64_t Begin, End, Offset, Inode;
  int Protection;
  bool Shared;
};

/// Walks /proc/self/maps.
class Mappings {
public:
  Mappings() : Stream("/proc/self/maps") {}
  bool next(Mapping &Out);

private:
  ByteStream Stream;
};

/// Fields of /proc/PID/stat.
struct ProcessStatus {
  uint64_t PID;
  char State;
  uint64_t ThreadCount;
  uint64_t StartTime;
};
bool readStatus(const char *Path, ProcessStatus &Out);

/// The value of an entry of the auxiliary vector, or 0.
uint64_t auxiliaryValue(uint64_t Type);

/// Copies the value of a variable of the environment that the process was
/// started with. False if there is none or it is empty or too long.
bool readEnvironment(const char *Name, char *Out, size_t Capacity);

} // namespace graupel

#endif // GRAUPEL_PROFILE_PROCFILE_H
