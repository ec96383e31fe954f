//===- Alone.cpp - The transport of a job of one node -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Node/Alone.h"
#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace graupel::dsm {

void Alone::sleep(uint32_t WakeSeen, unsigned Microseconds) {
  timespec Limit = {Microseconds / 1'000'000, Microseconds % 1'000'000 * 1000};
  syscall(SYS_futex, &Control.Wake, FUTEX_WAIT_PRIVATE, WakeSeen, &Limit,
          nullptr, 0);
}

void Alone::notify() {
  Control.Poll.store(1, std::memory_order_seq_cst);
  Control.Wake.fetch_add(1, std::memory_order_seq_cst);
  syscall(SYS_futex, &Control.Wake, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr,
          nullptr, 0);
}

} // namespace graupel::dsm
