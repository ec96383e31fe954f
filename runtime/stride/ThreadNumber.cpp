//===- stride/ThreadNumber.cpp --------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadNumber.h"
#include "graupel/stride_record.h"
#include <unistd.h>

namespace graupel::stride {

namespace {
constexpr uint32_t Unasked = 0, Unknown = ~0u;
/// The number and 1. Every allocation asks for it, so the kernel is asked once.
__thread uint32_t Own __attribute__((tls_model("initial-exec"))) = Unasked;
} // namespace

uint64_t creationNumber() {
  if (Own == Unasked)
    Own = gettid() == getpid() ? 1 : Unknown;
  return Own == Unknown ? NoNumber : Own - 1;
}

void setCreationNumber(uint32_t Number) { Own = Number + 1; }

} // namespace graupel::stride
