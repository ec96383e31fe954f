//===- numa/Run/Next.h - What an interposed function stands for -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_NEXT_H
#define GRAUPEL_NUMA_NEXT_H

#include <atomic>
#include <dlfcn.h>

namespace graupel::numa {

/// dlsym, which may call calloc, is looking for a function.
extern __thread bool Looking __attribute__((tls_model("initial-exec")));

/// The next function of that name, which is looked for once.
template <class Function> class Next {
public:
  explicit constexpr Next(const char *Name) : Name(Name) {}
  Function *operator*() {
    Function *F = Known.load(std::memory_order_relaxed);
    if (__builtin_expect(!F, false)) {
      bool Before = Looking;
      Looking = true;
      F = reinterpret_cast<Function *>(dlsym(RTLD_NEXT, Name));
      Looking = Before;
      Known.store(F, std::memory_order_relaxed);
    }
    return F;
  }

private:
  const char *Name;
  std::atomic<Function *> Known{nullptr};
};

} // namespace graupel::numa

#endif
