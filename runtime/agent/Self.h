//===- agent/Self.h - The kernel's data of this process ------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_AGENT_SELF_H
#define GRAUPEL_AGENT_SELF_H

#include "profile/Syscall.h"
#include <linux/limits.h>

namespace graupel {

/// The path of the program's file. False if /proc is not there.
inline bool readOwnPath(char (&Path)[PATH_MAX]) {
  const long Size =
      sys::call(__NR_readlinkat, AT_FDCWD, sys::word("/proc/self/exe"),
                sys::word(Path), sizeof(Path) - 1);
  Path[Size > 0 ? Size : 0] = 0;
  return Size > 0;
}

/// The numbers of /proc/self/stat, counted as in proc(5); 0 where there is
/// none.
class OwnNumbers {
public:
  OwnNumbers() {
    char Text[2048];
    const int File = sys::open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    const long Got = File < 0 ? 0 : sys::read(File, Text, sizeof(Text));
    if (File >= 0)
      sys::close(File);
    // "pid (name) state ...": the name may have anything in it.
    long At = Got - 1;
    while (At > 0 && Text[At] != ')')
      --At;
    for (unsigned Field = 2; At >= 0 && At < Got; ++At)
      if (Text[At] == ' ')
        ++Field;
      else if (Field < Count && Text[At] >= '0' && Text[At] <= '9')
        All[Field] = All[Field] * 10 + static_cast<uint64_t>(Text[At] - '0');
  }
  uint64_t operator[](unsigned Field) const { return All[Field]; }

private:
  static constexpr unsigned Count = 53;
  uint64_t All[Count] = {};
};

} // namespace graupel

#endif // GRAUPEL_AGENT_SELF_H
