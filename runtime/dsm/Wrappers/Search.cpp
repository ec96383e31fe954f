//===- Search.cpp - search.h with a root or a count that is shared --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keys and elements are followed by the program's own comparison; guards look
// at that. The library itself follows a tree's root, and makes nodes in private
// memory, so a tree is of one node. It reads the number of elements, too.
//
//===----------------------------------------------------------------------===//

#include "Base/Lines.h"
#include "Entries/Private.h"
#include "Errors/Error.h"
#include <search.h>

using namespace graupel::dsm;

namespace {

using Comparison = int (*)(const void *, const void *);

void requirePrivate(const void *Root, const char *Function, const void *Pc) {
  if (isShared(Root)) [[unlikely]]
    fail("%s: %s gets a root in shared memory (%p), but what it inserts there "
         "is private to a node; use a private root, or a tree of your own",
         nameOf(reinterpret_cast<uintptr_t>(Pc)).Text, Function, Root);
}

} // namespace

#define GRAUPEL_TREE(Name, Root)                                               \
  extern "C" void *graupel_dsm_##Name(const void *Key, Root *Tree,             \
                                      Comparison Compare) {                    \
    requirePrivate(Tree, #Name, __builtin_return_address(0));                  \
    return Name(Key, Tree, Compare);                                           \
  }
GRAUPEL_TREE(tsearch, void *)
GRAUPEL_TREE(tfind, void *const)
GRAUPEL_TREE(tdelete, void *)

extern "C" void *graupel_dsm_lfind(const void *Key, const void *Base,
                                   size_t *Count, size_t Size,
                                   Comparison Compare) {
  size_t Known = *Object(const_cast<const size_t *>(Count)).get();
  return lfind(Key, Base, &Known, Size, Compare);
}
