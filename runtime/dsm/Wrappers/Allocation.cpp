//===- Allocation.cpp - free and realloc of shared memory -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C library would find no header of its own before such memory. free is
// gdsm_free then. realloc is refused: compiled code relies on its results being
// private. Calls of other code come to Foreign/Freeing.cpp.
//
//===----------------------------------------------------------------------===//

#include "Entries/Pieces.h"
#include "Errors/Error.h"
#include "graupel/dsm.h"
#include "graupel/dsm_wrappers.h"
#include <cerrno>
#include <cstdlib>

using namespace graupel::dsm;

void graupel_dsm_free(void *Memory) {
  if (!isShared(Memory)) [[likely]]
    return free(Memory);
  int Errno = errno;
  gdsm_free(Memory);
  errno = Errno;
}

void *graupel_dsm_realloc(void *Memory, size_t Size) {
  if (isShared(Memory)) [[unlikely]]
    fail("realloc of %p, which is shared memory; call gdsm_alloc, copy, and "
         "gdsm_free",
         Memory);
  return realloc(Memory, Size);
}

void *graupel_dsm_reallocarray(void *Memory, size_t Count, size_t Size) {
  size_t Bytes;
  if (__builtin_mul_overflow(Count, Size, &Bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return graupel_dsm_realloc(Memory, Bytes);
}
