//===- Arguments.cpp - Arguments in a va_list -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Foreign/Arguments.h"
#include "graupel/dsm_checks.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <pthread.h>

namespace graupel::dsm {

namespace {

struct List {
  uint32_t General, Floating;
  const uint64_t *Stack, *Saved;
};

/// Bytes of general registers that are saved, and of all.
constexpr uint32_t GeneralBytes = 48, SavedBytes = 176;
/// Longer lists are not looked through.
constexpr size_t MostWords = 128;

struct Bounds {
  uintptr_t Begin = 0, End = 0;

  bool contain(const void *P, size_t Size) const {
    auto A = reinterpret_cast<uintptr_t>(P);
    return A % alignof(uint64_t) == 0 && A >= Begin && A < End &&
           End - A >= Size;
  }
};

/// The bounds of the calling thread's stack, from its caller's frame.
Bounds callersStack() {
  thread_local uintptr_t End = 0;
  if (!End) {
    int Errno = errno;
    pthread_attr_t Attributes;
    void *Lowest;
    size_t Size;
    End = 1; // Unknown.
    if (!pthread_getattr_np(pthread_self(), &Attributes)) {
      if (!pthread_attr_getstack(&Attributes, &Lowest, &Size))
        End = reinterpret_cast<uintptr_t>(Lowest) + Size;
      pthread_attr_destroy(&Attributes);
    }
    errno = Errno;
  }
  return {reinterpret_cast<uintptr_t>(__builtin_frame_address(0)), End};
}

bool isList(const List &L, const Bounds &Stack) {
  return L.General <= GeneralBytes && L.General % 8 == 0 &&
         L.Floating >= GeneralBytes && L.Floating <= SavedBytes &&
         L.Floating % 16 == 0 && Stack.contain(L.Saved, SavedBytes) &&
         Stack.contain(L.Stack, sizeof(*L.Stack));
}

} // namespace

ListedArguments::ListedArguments(const void *At) {
  Bounds Stack = callersStack();
  if (!Stack.contain(At, sizeof(List)))
    return;
  List L;
  memcpy(&L, At, sizeof(L));
  if (!isList(L, Stack))
    return;
  const uint64_t *Registers = L.Saved + L.General / 8,
                 *PastRegisters = L.Saved + GeneralBytes / 8,
                 *PastStack =
                     std::min(L.Stack + MostWords,
                              reinterpret_cast<const uint64_t *>(Stack.End));
  const uint64_t *End =
      std::find(Registers, PastRegisters, GRAUPEL_DSM_LIST_END);
  Parts[0] = {Registers, End};
  if (End != PastRegisters)
    return;
  End = std::find(L.Stack, PastStack, GRAUPEL_DSM_LIST_END);
  if (End == PastStack)
    Parts[0] = {};
  else
    Parts[1] = {L.Stack, End};
}

const void *const *ListedArguments::next() {
  for (; Part != 2; ++Part)
    if (Parts[Part].At != Parts[Part].End)
      return reinterpret_cast<const void *const *>(Parts[Part].At++);
  return nullptr;
}

} // namespace graupel::dsm
