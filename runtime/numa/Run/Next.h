//===- numa/Run/Next.h - Functions behind interposed ones ----- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_NEXT_H
#define GRAUPEL_NUMA_NEXT_H

#include "common/NextFunction.h"

namespace graupel::numa {

/// dlsym, which may call calloc, is looking for a function.
extern __thread bool Looking __attribute__((tls_model("initial-exec")));

struct LookingGuard {
  bool Before = Looking;
  LookingGuard() { Looking = true; }
  ~LookingGuard() { Looking = Before; }
};

template <class Function> using Next = NextFunction<Function, LookingGuard>;

} // namespace graupel::numa

#endif
