//===- Memory/SmallObjects.h - Memory for small objects ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT holds a large program in tens of millions of small objects, and what one
// thread made while it disassembled others free while they build flow graphs.
// This is a heap for that:
//
// 1. Sizes are rounded up to one of NumClasses classes. Objects have no header.
// 2. Memory is handed out in spans of SpanSize bytes, each for one class. A
//    span with no object left in it goes to whatever class needs one next; if
//    there are many of them, they are given back to the system.
// 3. Each thread keeps short lists of free objects of its own. It fills them
//    from, and empties them into, the spans by the batch, under one lock a
//    class.
//
// The design is that of TCMalloc (Ghemawat and Menage), with fixed spans.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_MEMORY_SMALLOBJECTS_H
#define GRAUPEL_MEMORY_SMALLOBJECTS_H

#include <cstddef>
#include <cstdint>

namespace graupel::memory {

/// Larger ones are not for this heap.
constexpr size_t MaxSmall = 8192;

/// Memory for \p Size bytes, at most MaxSmall, aligned for anything of that
/// size that needs no more than 16; null if there is none left. Like all of
/// these, may be called by any thread at any time.
void *allocate(size_t Size);

/// True if allocate() returned \p Object.
bool owns(const void *Object);

/// Takes back \p Object, which allocate() returned.
void deallocate(void *Object);

/// The bytes that \p Object has room for.
size_t roomOf(const void *Object);

} // namespace graupel::memory

#endif // GRAUPEL_MEMORY_SMALLOBJECTS_H
