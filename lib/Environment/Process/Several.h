//===- Process/Several.h - Several children at once -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_PROCESS_SEVERAL_H
#define GRAUPEL_ENVIRONMENT_PROCESS_SEVERAL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>

namespace graupel::environment {

/// Limits for jobs that run at once.
struct Capacity {
  unsigned Jobs = 1;
  uint64_t Memory = 0; ///< In bytes.

  /// A job for each processor, and most of the memory that is free.
  static Capacity ofMachine();
};

/// Calls \p Do with the number of each job, in several threads; \p Needs has
/// the bytes of memory that each may take, and those that need most begin
/// first. A job that needs more than there is runs alone. After a \p Do that
/// returns false no other one begins. Afterwards this process has as many
/// threads as before: one, where it may not have more for what it does next.
void runSeveral(llvm::ArrayRef<uint64_t> Needs, Capacity There,
                llvm::function_ref<bool(size_t)> Do);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_PROCESS_SEVERAL_H
