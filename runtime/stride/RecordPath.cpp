//===- stride/RecordPath.cpp ----------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordPath.h"
#include "graupel/stride_record.h"
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace graupel::stride {

static bool isTaken(const char *Path) {
  RecordHeader H;
  int File = open(Path, O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return false;
  ssize_t Got = read(File, &H, sizeof(H));
  close(File);
  if (Got != sizeof(H) ||
      memcmp(H.Magic, RecordMagic, sizeof(RecordMagic)) != 0 ||
      H.State == RecordState::Ended)
    return false;
  auto Process = static_cast<pid_t>(H.Process);
  if (Process == getpid() || H.State == RecordState::Replaced)
    return Process == getpid();
  return kill(Process, 0) == 0 || errno == EPERM;
}

void findRecordPath(char *Path, size_t Bytes, const char *Program,
                    bool Forked) {
  const char *Wanted = getenv("GRAUPEL_STRIDE_OUT");
  const char *Slash = strrchr(Program, '/');
  bool HasProcess = !Wanted || !*Wanted || strstr(Wanted, "%p");
  char Name[4096];
  if (!Wanted || !*Wanted) {
    snprintf(Name, sizeof(Name), "%s.%d.gstride", Slash ? Slash + 1 : Program,
             getpid());
  } else {
    size_t To = 0;
    for (const char *At = Wanted; *At && To + 16 < sizeof(Name);)
      if (At[0] == '%' && At[1] == 'p') {
        To += snprintf(Name + To, sizeof(Name) - To, "%d", getpid());
        At += 2;
      } else {
        Name[To++] = *At++;
      }
    Name[To] = 0;
  }
  if (Forked && !HasProcess) {
    size_t Length = strlen(Name);
    snprintf(Name + Length, sizeof(Name) - Length, ".%d", getpid());
    HasProcess = true;
  }
  snprintf(Path, Bytes, "%s", Name);
  if (isTaken(Path) && !HasProcess) {
    size_t Length = strlen(Name);
    snprintf(Name + Length, sizeof(Name) - Length, ".%d", getpid());
    snprintf(Path, Bytes, "%s", Name);
  }
  for (unsigned N = 2; isTaken(Path) && N < 10000; ++N)
    snprintf(Path, Bytes, "%s.%u", Name, N);
}

} // namespace graupel::stride
