//===- profile/Message.h - Messages to users --------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_MESSAGE_H
#define GRAUPEL_PROFILE_MESSAGE_H

#include <stdint.h>

namespace graupel {

/// Reasons for refusing a file, besides errors of the kernel.
enum Refusal : int {
  NotRegular = 4000,
  OtherImage,
  KeepsVanishing,
};

/// Error is a negated errno or Refusal.
void sayNotRecorded(const char *Path, int Error);
void sayOtherFile(const char *Path, uint64_t Plan);

} // namespace graupel

#endif // GRAUPEL_PROFILE_MESSAGE_H
