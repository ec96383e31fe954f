//===- Futex.h - Threads of a node that sleep -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By the kernel alone: syscall() is interposed, and entries that have not saved
// vector registers wake, too.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_BASE_FUTEX_H
#define GRAUPEL_DSM_BASE_FUTEX_H

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

namespace graupel::dsm {

inline long futex(uint32_t &Word, long Operation, long Value,
                  const timespec *Limit) {
  long Result = SYS_futex;
  register const timespec *Time __asm__("r10") = Limit;
  __asm__ volatile("syscall"
                   : "+a"(Result)
                   : "D"(&Word), "S"(Operation), "d"(Value), "r"(Time)
                   : "rcx", "r11", "memory");
  return Result;
}

/// Until woken, if Word is `Seen`.
inline void futexWait(uint32_t &Word, uint32_t Seen, unsigned Microseconds) {
  timespec Limit = {Microseconds / 1'000'000, Microseconds % 1'000'000 * 1000};
  futex(Word, FUTEX_WAIT_PRIVATE, Seen, &Limit);
}

inline void futexWake(uint32_t &Word, int Count) {
  futex(Word, FUTEX_WAKE_PRIVATE, Count, nullptr);
}

} // namespace graupel::dsm

#endif
