//===- Freeing.cpp - Shared memory for the C library's allocator *- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code with checks calls Wrappers/Allocation.cpp. Shared memory that code
// without checks, or operator delete, gives to free ends the job with the place
// of the call: the library would read a header of its own before shared memory,
// on a node that may not have it.
//
// Sanitizers call both before this library's constructors have run, also from
// within the look-up of what is below.
//
//===----------------------------------------------------------------------===//

#include "Base/Lines.h"
#include "Entries/Entries.h"
#include "Node/Interpose.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <malloc.h>

using namespace graupel::dsm;

static void refuseShared(const char *Function, void *Memory, const void *From) {
  if (Look.Shared.contains(reinterpret_cast<uintptr_t>(Memory))) [[unlikely]]
    fail("%s got %p, which is shared memory, at %s; give it back with "
         "gdsm_free, or with graupel::dsm_delete what dsm_new has made",
         Function, Memory, nameOf(reinterpret_cast<uintptr_t>(From)).Text);
}

/// Set while the thread looks up what is below.
static __thread bool IsLooking __attribute__((tls_model("initial-exec")));

/// The function below, or null while it is looked up: the look-up frees and
/// allocates itself, and would look for ever.
template <class F> static F *below(F *(*Real)(), std::atomic<void *> &Known) {
  if (Known.load(std::memory_order_relaxed)) [[likely]]
    return Real();
  if (IsLooking)
    return nullptr;
  IsLooking = true;
  F *Found = Real();
  IsLooking = false;
  return Found;
}

/// The same as realloc, but frees nothing.
static void *moved(void *Memory, size_t Size) {
  void *New = malloc(Size);
  if (New && Memory)
    memcpy(New, Memory, std::min(Size, malloc_usable_size(Memory)));
  return New;
}

// NOLINTBEGIN
GRAUPEL_INTERPOSE(void, free, (void *Memory)) {
  refuseShared("free or delete", Memory, __builtin_return_address(0));
  if (auto *Free = below(real_free, Known_free))
    Free(Memory);
}

GRAUPEL_INTERPOSE(void *, realloc, (void *Memory, size_t Size)) {
  refuseShared("realloc", Memory, __builtin_return_address(0));
  auto *Realloc = below(real_realloc, Known_realloc);
  return Realloc ? Realloc(Memory, Size) : moved(Memory, Size);
}
// NOLINTEND
