//===- Interpose.h - The C library's functions below ours -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs link this library before libc, so calls from anywhere in the
// process, the C library's own aside, come here first. Interposed functions are
// exported in exports.map.
//
// Functions get their name by the assembler, because headers give the same name
// to several symbols, and other types. Files with them are compiled with
// exceptions: a thread that is cancelled is online again when the program's
// cleanup runs.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_NODE_INTERPOSE_H
#define GRAUPEL_DSM_NODE_INTERPOSE_H

#include "Errors/Error.h"
#include "Node.h"
#include <atomic>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>

namespace graupel::dsm {

/// The C library's function of that name. A library that is older than C23 has
/// those of C99. No allocation or lock after the first time, which is when the
/// library is loaded: handlers of signals may call.
inline void *findNext(const char *Name, const char *Version) {
#if __has_feature(thread_sanitizer)
  Version = nullptr; // The sanitizer's functions come next, which have none.
#endif
  void *Found = Version ? dlvsym(RTLD_NEXT, Name, Version) : nullptr;
  if (!Found)
    Found = dlsym(RTLD_NEXT, Name);
  constexpr size_t Prefix = sizeof("__isoc23_") - 1;
  if (Found || strncmp(Name, "__isoc23_", Prefix))
    return Found;
  char Older[64];
  snprintf(Older, sizeof(Older), "__isoc99_%s", Name + Prefix);
  return dlsym(RTLD_NEXT, Older);
}

template <class F>
F *next(const char *Name, const char *Version, std::atomic<void *> &Known) {
  void *Found = Known.load(std::memory_order_relaxed);
  if (!Found) [[unlikely]] {
    Found = findNext(Name, Version);
    if (!Found)
      fail("the C library has no %s; link programs dynamically", Name);
    Known.store(Found, std::memory_order_relaxed);
  }
  return reinterpret_cast<F *>(Found);
}

} // namespace graupel::dsm

/// Begins the definition of the symbol Name as interposed_Name; real_Name() is
/// what it hides.
#define GRAUPEL_INTERPOSE_VERSION(Version, Result, Name, Parameters)           \
  extern "C" __attribute__((visibility(                                        \
      "default"))) Result interposed_##Name Parameters __asm__(#Name);         \
  static std::atomic<void *> Known_##Name;                                     \
  [[maybe_unused]] static auto *real_##Name() {                                \
    return graupel::dsm::next<decltype(interposed_##Name)>(#Name, Version,     \
                                                           Known_##Name);      \
  }                                                                            \
  __attribute__((constructor)) static void find_##Name() {                     \
    Known_##Name.store(graupel::dsm::findNext(#Name, Version),                 \
                       std::memory_order_relaxed);                             \
  }                                                                            \
  Result interposed_##Name Parameters
#define GRAUPEL_INTERPOSE(Result, Name, Parameters)                            \
  GRAUPEL_INTERPOSE_VERSION(nullptr, Result, Name, Parameters)

#define GRAUPEL_BLOCKING_VERSION(Version, Result, Name, Parameters, Arguments) \
  GRAUPEL_INTERPOSE_VERSION(Version, Result, Name, Parameters) {               \
    graupel::dsm::Blocking Here;                                               \
    return real_##Name() Arguments;                                            \
  }
#define GRAUPEL_BLOCKING(Result, Name, Parameters, Arguments)                  \
  GRAUPEL_BLOCKING_VERSION(nullptr, Result, Name, Parameters, Arguments)

/// First without waiting; `Failed` tells that it would have to wait.
#define GRAUPEL_BLOCKING_AFTER(Try, Failed, Name, Parameters, Arguments)       \
  GRAUPEL_INTERPOSE(int, Name, Parameters) {                                   \
    int Result = Try;                                                          \
    if (Result != (Failed))                                                    \
      return Result;                                                           \
    graupel::dsm::Blocking Here;                                               \
    return real_##Name() Arguments;                                            \
  }

#endif
