//===- common/NextFunction.h - Functions behind interposed ones -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_COMMON_NEXTFUNCTION_H
#define GRAUPEL_COMMON_NEXTFUNCTION_H

#include <atomic>
#include <dlfcn.h>

namespace graupel {

/// The next function of that name, which is looked for once. A Guard exists
/// meanwhile: dlsym may call calloc.
template <class Function, class Guard> class NextFunction {
public:
  explicit constexpr NextFunction(const char *Name) : Name(Name) {}
  Function *operator*() {
    Function *F = Known.load(std::memory_order_relaxed);
    if (__builtin_expect(!F, false)) {
      Guard Here;
      F = reinterpret_cast<Function *>(dlsym(RTLD_NEXT, Name));
      Known.store(F, std::memory_order_relaxed);
    }
    return F;
  }

private:
  const char *Name;
  std::atomic<Function *> Known{nullptr};
};

} // namespace graupel

#endif
