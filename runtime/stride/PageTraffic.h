//===- stride/PageTraffic.h - Bytes referred to by page ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With GRAUPEL_STRIDE=pages the thread's buffers are read a second time: bytes
// by page. A loop's iterations within the same pages are counted at once.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_PAGETRAFFIC_H
#define GRAUPEL_STRIDE_PAGETRAFFIC_H

#include "Homes.h"
#include "Objects.h"
#include "Walk.h"
#include "graupel/stride_pages.h"

namespace graupel::stride {

class PageTraffic {
public:
  /// The stack is the thread's.
  PageTraffic(RecordFile &File, uint32_t Thread, uint64_t StackBegin,
              uint64_t StackEnd, bool AsksHomes);

  /// Counts the records of a buffer. Called by the thread, or when the process
  /// ends.
  void drain(const uint64_t *Words, const uint64_t *Last);
  /// For a sampled thread: counts the references that its bursts have recorded,
  /// for that part of it; other records in the buffer are not read.
  void take(uint32_t Part, const Reference *Batch, size_t Count);
  void takeBulk(uint32_t Part, uint32_t Site, uint64_t Address, uint64_t Bytes);
  /// The same for references that are counted even outside of bursts.
  void takeWhole(uint32_t Part, uint32_t Site, uint64_t Address,
                 uint64_t Bytes);
  /// For a sampled thread: the buffer has been read.
  void endOfSample();
  /// Number of bytes of the buffer to use: somebody may wait for the traffic of
  /// pages, and a buffer of nests may last for seconds.
  uint32_t room() const { return Room; }

private:
  friend Walk<PageTraffic>;
  bool isSelected(uint32_t Site) const { return Sites[Site].Selected; }
  void advance(const uint64_t *Words, const uint64_t *) { Current = Words; }
  bool stays(uint64_t) const { return true; }
  uint32_t lineBytes() const { return PageBytes; }
  void refer(uint32_t Site, uint64_t Address) {
    add(Site, Address, Facts[Site].Bytes, Facts[Site].Store);
  }
  void again(uint32_t Site, uint64_t Address, int64_t, uint64_t Count) {
    add(Site, Address, Count * Facts[Site].Bytes, Facts[Site].Store);
  }
  void bulk(uint32_t Site, uint64_t Address, uint64_t Bytes);

  /// The addresses that a site last referred to: a part of a span within one
  /// object.
  struct Recent {
    uint64_t Begin, Bytes;
    PagesRecord *Record; ///< Null: not selected.
    bool IsUsed;
  };
  void add(uint32_t Site, uint64_t Address, uint64_t Bytes, bool Store);
  void beginPart(uint32_t Part);
  void forgetSites();
  void endOfBuffer();
  void adaptRoom(uint64_t Nanoseconds);
  void resolve(Recent &R, uint32_t Site, uint64_t Address);
  static void describe(PagesRecord &R, const Place &P);
  PagesRecord *span(const Place &P, uint64_t Address);

  RecordFile &File;
  uint32_t Thread; ///< Or its current part.
  const uint32_t FirstPart;
  const uint64_t StackBegin, StackEnd;
  Walk<PageTraffic> W;
  Recent *RecentBySite;
  Array<uint32_t> UsedSites;
  Homes *PageHomes = nullptr;  ///< Null: nobody asks.
  Homes *WholeHomes = nullptr; ///< For takeWhole(), once it has been called.
  const bool AsksHomes;
  Table<Homes> PartHomes;   ///< By part, and 1.
  Table<PagesRecord> Known; ///< By object and span.
  uint64_t Epoch = 0;
  /// When the buffer was empty, and nanoseconds a word of it since then.
  uint64_t Begin, Each = 0;
  uint64_t Emptied; ///< When endOfSample was called last.
  uint32_t Room = 1024;
  const uint64_t *First = nullptr, *Current = nullptr; ///< In the buffer.
};

} // namespace graupel::stride

#endif
