//===- Freeing.cpp - Shared memory for the C library's allocator *- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code with checks calls Wrappers/Allocation.cpp. What code without checks, or
// operator delete, gives to free ends the job with the place of the call: the
// library would read a header of its own before shared memory, on a node that
// may not have it.
//
//===----------------------------------------------------------------------===//

#include "Base/Lines.h"
#include "Entries/Entries.h"
#include "Node/Interpose.h"
#include <cstdlib>

using namespace graupel::dsm;

static void refuseShared(const char *What, void *Memory, const void *From) {
  if (Look.Shared.contains(reinterpret_cast<uintptr_t>(Memory))) [[unlikely]]
    fail("%s got %p, which is shared memory, at %s; give it back with "
         "gdsm_free, or with graupel::dsm_delete what dsm_new has made",
         What, Memory, nameOf(reinterpret_cast<uintptr_t>(From)).Text);
}

// NOLINTBEGIN
GRAUPEL_INTERPOSE(void, free, (void *Memory)) {
  refuseShared("free or delete", Memory, __builtin_return_address(0));
  real_free()(Memory);
}

GRAUPEL_INTERPOSE(void *, realloc, (void *Memory, size_t Size)) {
  refuseShared("realloc", Memory, __builtin_return_address(0));
  return real_realloc()(Memory, Size);
}
// NOLINTEND
