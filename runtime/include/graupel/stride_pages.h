//===- stride_pages.h - Traffic of pages in records -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chunks 96 and 98 of .gstride files: who refers to which pages. What the fields mean:
// docs/stride-record-format.md.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_PAGES_H
#define GRAUPEL_STRIDE_PAGES_H

#include "graupel/stride_record.h"

namespace graupel::stride {

inline constexpr ChunkKind PagesChunk = static_cast<ChunkKind>(96);
inline constexpr uint64_t PageBytes = 4096;
inline constexpr unsigned SpanPages = 64;
inline constexpr uint64_t SpanBytes = SpanPages * PageBytes;

struct PageCounts {
  uint64_t LoadBytes, StoreBytes;
  /// When the page was first referred to, by the machine's monotonic clock in
  /// nanoseconds, about: between a buffer's begin and end references are taken
  /// to be evenly spread. 0: never.
  uint64_t First;
};

/// Live: what one thread refers to of one object in SpanPages pages.
struct PagesRecord {
  uint32_t Object, Thread;
  uint64_t Address; ///< Of the first page, a multiple of SpanBytes.
  /// What of the object the span was first referred to in: a block of a heap, a
  /// global; no bytes if that is not known.
  uint64_t Block, BlockBytes;
  PageCounts Pages[SpanPages];
};

inline constexpr ChunkKind HomesChunk = static_cast<ChunkKind>(98);

/// Live: where the pages were that a thread referred to, asked for each time a
/// buffer was read. Bytes.
struct HomesRecord {
  uint32_t Thread, Reserved;
  uint64_t Local, Remote;
  uint64_t Unknown; ///< The kernel did not say.
};

} // namespace graupel::stride

#endif
