//===- profile/Syscall.h - System calls without a C library -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All return the kernel's result: a negative errno on failure.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_SYSCALL_H
#define GRAUPEL_PROFILE_SYSCALL_H

#include <asm/prctl.h>
#include <asm/stat.h>
#include <asm/unistd.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/futex.h>
#include <linux/mman.h>
#include <linux/resource.h>
#include <linux/stat.h>
#include <linux/uio.h>
#include <stddef.h>
#include <stdint.h>

namespace graupel::sys {

inline long call(long Number, long A = 0, long B = 0, long C = 0, long D = 0,
                 long E = 0, long F = 0) {
  long Result;
  register long R10 asm("r10") = D;
  register long R8 asm("r8") = E;
  register long R9 asm("r9") = F;
  asm volatile("syscall"
               : "=a"(Result)
               : "a"(Number), "D"(A), "S"(B), "d"(C), "r"(R10), "r"(R8), "r"(R9)
               : "rcx", "r11", "memory");
  return Result;
}

template <typename T> long word(T *Pointer) {
  return reinterpret_cast<long>(Pointer);
}

inline bool isError(const void *Address) {
  return reinterpret_cast<uintptr_t>(Address) > static_cast<uintptr_t>(-4096L);
}

/// Repeats a call that a signal handler of the host program interrupts.
template <typename... Args> long retry(long Number, Args... As) {
  long Result;
  do
    Result = call(Number, As...);
  while (Result == -EINTR);
  return Result;
}

inline int open(const char *Path, int Flags, int Mode = 0) {
  return static_cast<int>(
      retry(__NR_openat, AT_FDCWD, word(Path), Flags | O_CLOEXEC, Mode));
}
inline void close(int FD) { call(__NR_close, FD); }
inline long read(int FD, void *To, size_t Size) {
  return retry(__NR_read, FD, word(To), static_cast<long>(Size));
}
inline long pread(int FD, void *To, size_t Size, uint64_t Offset) {
  return retry(__NR_pread64, FD, word(To), static_cast<long>(Size),
               static_cast<long>(Offset));
}
inline long pwrite(int FD, const void *From, size_t Size, uint64_t Offset) {
  return retry(__NR_pwrite64, FD, word(From), static_cast<long>(Size),
               static_cast<long>(Offset));
}
inline int stat(const char *Path, struct stat &Out) {
  return static_cast<int>(
      call(__NR_newfstatat, AT_FDCWD, word(Path), word(&Out), 0));
}
inline bool isLink(const char *Path) {
  struct stat Status;
  return call(__NR_newfstatat, AT_FDCWD, word(Path), word(&Status),
              AT_SYMLINK_NOFOLLOW) == 0 &&
         (Status.st_mode & S_IFMT) == S_IFLNK;
}
inline int fstat(int FD, struct stat &Out) {
  return static_cast<int>(call(__NR_fstat, FD, word(&Out)));
}
inline int flock(int FD, int Operation) {
  return static_cast<int>(retry(__NR_flock, FD, Operation));
}
inline int ftruncate(int FD, uint64_t Size) {
  return static_cast<int>(retry(__NR_ftruncate, FD, static_cast<long>(Size)));
}
inline void *mmap(void *Hint, size_t Size, int Protection, int Flags, int FD,
                  uint64_t Offset) {
  return reinterpret_cast<void *>(call(__NR_mmap, word(Hint),
                                       static_cast<long>(Size), Protection,
                                       Flags, FD, static_cast<long>(Offset)));
}
/// Zeroed private memory, or nullptr.
inline void *allocate(size_t Size) {
  void *Memory = mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return isError(Memory) ? nullptr : Memory;
}
inline void munmap(void *Address, size_t Size) {
  call(__NR_munmap, word(Address), static_cast<long>(Size));
}
inline int mprotect(void *Address, size_t Size, int Protection) {
  return static_cast<int>(
      call(__NR_mprotect, word(Address), static_cast<long>(Size), Protection));
}
inline int getpid() { return static_cast<int>(call(__NR_getpid)); }
inline int gettid() { return static_cast<int>(call(__NR_gettid)); }

} // namespace graupel::sys

#endif // GRAUPEL_PROFILE_SYSCALL_H
