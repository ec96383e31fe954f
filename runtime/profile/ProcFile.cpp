//===- profile/ProcFile.cpp - Files of processes in /proc -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads files of /proc by system calls, without a library and without memory of
// its own.
//
// 1. ByteStream reads a file through a buffer of 512 bytes.
// 2. Mappings::next reads a line of /proc/self/maps. It fails at the end of the
//    file.
// 3. readStatus reads the state, the number of threads and the start time from
//    a file like /proc/self/stat. It counts fields from the last `)`, which
//    ends the process's name.
// 4. auxiliaryValue reads pairs of numbers from /proc/self/auxv, up to the type
//    it wants or the last one.
// 5. readEnvironment looks for a name in /proc/self/environ and copies its
//    value.
//
//===----------------------------------------------------------------------===//

#include "ProcFile.h"
#include "Text.h"
#include <linux/auxvec.h>

using namespace graupel;

int ByteStream::next() {
  if (Position == End) {
    const long Got = isOpen() ? sys::read(FD, Buffer, sizeof(Buffer)) : 0;
    if (Got <= 0)
      return -1;
    Position = 0;
    End = static_cast<size_t>(Got);
  }
  return Buffer[Position++];
}

namespace {

bool isDigit(int C) { return C >= '0' && C <= '9'; }

/// Reads a number and the byte that ends it.
uint64_t readHex(ByteStream &In) {
  uint64_t Value = 0;
  while (true) {
    const int C = In.next();
    if (isDigit(C))
      Value = Value << 4 | static_cast<uint64_t>(C - '0');
    else if (C >= 'a' && C <= 'f')
      Value = Value << 4 | static_cast<uint64_t>(C - 'a' + 10);
    else
      return Value;
  }
}

uint64_t readDecimal(ByteStream &In) {
  uint64_t Value = 0;
  int C;
  while (isDigit(C = In.next()))
    Value = Value * 10 + static_cast<uint64_t>(C - '0');
  return Value;
}

} // namespace

bool Mappings::next(Mapping &Out) {
  Out.Begin = readHex(Stream);
  Out.End = readHex(Stream);
  if (!Out.End)
    return false;
  Out.Protection = 0;
  if (Stream.next() == 'r')
    Out.Protection |= PROT_READ;
  if (Stream.next() == 'w')
    Out.Protection |= PROT_WRITE;
  if (Stream.next() == 'x')
    Out.Protection |= PROT_EXEC;
  Out.Shared = Stream.next() == 's';
  Stream.next();
  Out.Offset = readHex(Stream);
  readHex(Stream);
  readHex(Stream);
  // Ends with the line if nothing is mapped there that has a name.
  int C;
  for (Out.Inode = 0; isDigit(C = Stream.next());)
    Out.Inode = Out.Inode * 10 + static_cast<uint64_t>(C - '0');
  while (C != '\n' && C != -1)
    C = Stream.next();
  return true;
}

bool graupel::readStatus(const char *Path, ProcessStatus &Out) {
  ByteStream In(Path);
  if (!In.isOpen())
    return false;
  Out.PID = readDecimal(In);

  // The name is in parentheses and may contain anything, so the last ')' of
  // the line ends it. Fields are counted anew after every ')'.
  int Field = 0;
  Out.StartTime = 0;
  int C = In.next();
  while (C != -1 && C != '\n') {
    if (C == ')')
      Field = 2;
    if (C != ' ' || Field == 0) {
      C = In.next();
      continue;
    }
    ++Field;
    if (Field == 20 || Field == 22) {
      uint64_t Value = 0;
      while (isDigit(C = In.next()))
        Value = Value * 10 + static_cast<uint64_t>(C - '0');
      (Field == 20 ? Out.ThreadCount : Out.StartTime) = Value;
      continue;
    }
    C = In.next();
    if (Field == 3)
      Out.State = static_cast<char>(C);
  }
  return Out.StartTime != 0;
}

uint64_t graupel::auxiliaryValue(uint64_t Type) {
  ByteStream In("/proc/self/auxv");
  while (true) {
    uint64_t Entry[2] = {0, 0};
    for (unsigned I = 0; I < sizeof(Entry); ++I) {
      const int C = In.next();
      if (C == -1)
        return 0;
      Entry[I / 8] |= static_cast<uint64_t>(C) << (I % 8 * 8);
    }
    if (Entry[0] == Type)
      return Entry[1];
    if (Entry[0] == AT_NULL)
      return 0;
  }
}

bool graupel::readEnvironment(const char *Name, char *Out, size_t Capacity) {
  ByteStream In("/proc/self/environ");
  int C = In.next();
  while (C != -1) {
    size_t Same = 0;
    while (Name[Same] && C == Name[Same]) {
      ++Same;
      C = In.next();
    }
    const bool Found = !Name[Same] && C == '=';
    if (Found) {
      TextWriter Value(Out, Capacity);
      while ((C = In.next()) > 0)
        Value.put(static_cast<char>(C));
      return Value.length() && !Value.overflowed();
    }
    while (C > 0)
      C = In.next();
    if (C == 0)
      C = In.next();
  }
  return false;
}
