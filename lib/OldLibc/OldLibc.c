//===- OldLibc.c - What a C library from 2020 does not have ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's archives, libstdc++.a and our sources are compiled for glibc 2.36 and call
// these; programs that are linked with glibc 2.31 get them from here.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

/// 2.32. Never true, so libstdc++ always counts references with locks.
char __libc_single_threaded = 0;

/// 2.36, for std::random_device. There is no way to report an error: glibc's ends
/// the process, too.
uint32_t arc4random(void) {
  uint32_t Value;
  if (getentropy(&Value, sizeof(Value)) != 0)
    abort();
  return Value;
}

/// 2.33. Figures of 2 GiB and more are wrong, as those of mallinfo are; LLVM only
/// prints them, if it is asked for statistics.
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
struct mallinfo2 mallinfo2(void) {
  const struct mallinfo Old = mallinfo();
  return (struct mallinfo2){.arena = (unsigned)Old.arena,
                            .ordblks = (unsigned)Old.ordblks,
                            .smblks = (unsigned)Old.smblks,
                            .hblks = (unsigned)Old.hblks,
                            .hblkhd = (unsigned)Old.hblkhd,
                            .usmblks = (unsigned)Old.usmblks,
                            .fsmblks = (unsigned)Old.fsmblks,
                            .uordblks = (unsigned)Old.uordblks,
                            .fordblks = (unsigned)Old.fordblks,
                            .keepcost = (unsigned)Old.keepcost};
}

// 2.36. An older kernel says ENOSYS, as ever.

int open_tree(int Folder, const char *Path, unsigned Flags) {
  return (int)syscall(SYS_open_tree, Folder, Path, Flags);
}

int move_mount(int FromFolder, const char *From, int ToFolder, const char *To,
               unsigned Flags) {
  return (int)syscall(SYS_move_mount, FromFolder, From, ToFolder, To, Flags);
}

int mount_setattr(int Folder, const char *Path, unsigned Flags,
                  struct mount_attr *Attributes, size_t Size) {
  return (int)syscall(SYS_mount_setattr, Folder, Path, Flags, Attributes, Size);
}
