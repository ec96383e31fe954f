//===- Cache/LineMemory.h - Lines that were in a cache ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each line that has ever been in a cache: the object whose line evicted it
// last. 64 lines take 136 bytes.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_CACHE_LINEMEMORY_H
#define GRAUPEL_STRIDE_CACHE_LINEMEMORY_H

#include "Base/System.h"
#include "graupel/stride_record.h"

namespace graupel::stride {

/// Not thread-safe.
class LineMemory {
public:
  /// Whether the line comes for the first time.
  bool enter(uint64_t Block) {
    Page &P = pageOf(Block);
    uint64_t Bit = uint64_t(1) << Block % LinesOfPage;
    bool First = !(P.Entered & Bit);
    P.Entered |= Bit;
    return First;
  }
  void setEvictor(uint64_t Block, uint32_t Object) {
    pageOf(Block).Evictors[Block % LinesOfPage] =
        Object < Others ? static_cast<uint16_t>(Object) : Others;
  }
  /// NoNumber: one of too many objects.
  uint32_t evictor(uint64_t Block) {
    uint16_t Object = pageOf(Block).Evictors[Block % LinesOfPage];
    return Object == Others ? NoNumber : Object;
  }

private:
  static constexpr unsigned LinesOfPage = 64;
  static constexpr unsigned RecentPages = 64;
  static constexpr uint16_t Others = 0xffff;
  struct Page {
    uint64_t Entered;
    uint16_t Evictors[LinesOfPage];
  };

  struct Known {
    uint64_t Key; ///< And 1.
    Page *Where;
  };

  Page &pageOf(uint64_t Block) {
    uint64_t Key = Block / LinesOfPage;
    // Arrays are at distances that have many factors.
    Known &K = Recent[Key * 0x9e3779b97f4a7c15 >> 32 & (RecentPages - 1)];
    if (__builtin_expect(K.Key != Key + 1, false)) {
      Page *Found = Pages.find(Key);
      K = {Key + 1, Found ? Found : add(Key)};
    }
    return *K.Where;
  }
  Page *add(uint64_t Key) {
    constexpr size_t Several = 30;
    if (!Left) {
      Next = static_cast<Page *>(allocate(Several * sizeof(Page)));
      Left = Several;
    }
    --Left;
    Pages.insert(Key, Next);
    return Next++;
  }

  Table<Page> Pages;
  Known Recent[RecentPages] = {};
  Page *Next = nullptr;
  size_t Left = 0;
};

} // namespace graupel::stride

#endif
