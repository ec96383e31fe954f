//===- stride/PageTraffic.cpp ---------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the bytes that a thread loads from and stores to each page.
//
// 1. drain reads a buffer's records (Walk), and add gets each reference or
//    iterations within the same page. bulk calls add page by page. take,
//    takeBulk and takeWhole do that for a part of a sampled thread's time.
// 2. add counts in the span of pages that the site last referred to. The first
//    reference to a page also gets a time, by its place in the buffer.
// 3. For an address outside of that span, resolve finds the object, and span
//    finds or makes the record of its pages. describe notes the block.
// 4. If an interval of the heap map does not hold any more, all sites forget
//    their spans (forgetSites).
// 5. After each buffer Homes asks on which nodes its pages are, if that is
//    wanted.
// 6. adaptRoom doubles or halves how much of the buffer is used, so that it
//    lasts between 0.5 and 4 ms.
//
//===----------------------------------------------------------------------===//

#include "PageTraffic.h"
#include "HeapMap.h"
#include <algorithm>
#include <utility>

namespace graupel::stride {

PageTraffic::PageTraffic(RecordFile &File, uint32_t Thread, uint64_t StackBegin,
                         uint64_t StackEnd, bool AsksHomes)
    : File(File), Thread(Thread), FirstPart(Thread), StackBegin(StackBegin),
      StackEnd(StackEnd), W(*this),
      RecentBySite(static_cast<Recent *>(reserve(MaxSites * sizeof(Recent)))),
      PageHomes(AsksHomes ? make<Homes>(File, Thread) : nullptr),
      AsksHomes(AsksHomes), Begin(nanoseconds()), Emptied(Begin) {
  if (PageHomes)
    PartHomes.insert(Thread + 1, PageHomes);
}

void PageTraffic::drain(const uint64_t *Words, const uint64_t *Last) {
  Current = First = Words;
  const uint64_t End = nanoseconds();
  Each = Last > Words ? (End - Begin) / static_cast<uint64_t>(Last - Words) : 0;
  if (Epoch != heap::epoch())
    forgetSites();
  adaptRoom(End - Begin);
  W.run(Words, Last);
  if (PageHomes)
    PageHomes->ask();
  Begin = nanoseconds();
}

void PageTraffic::forgetSites() {
  Epoch = heap::epoch();
  for (uint32_t Site : UsedSites)
    RecentBySite[Site].Bytes = 0;
}

void PageTraffic::beginPart(uint32_t Part) {
  if (Part != Thread) {
    endOfBuffer();
    Thread = Part;
    if (AsksHomes && !(PageHomes = PartHomes.find(Part + 1)))
      PartHomes.insert(Part + 1, PageHomes = make<Homes>(File, Part));
    forgetSites();
  } else if (Epoch != heap::epoch()) {
    forgetSites();
  }
  Begin = nanoseconds();
  Each = 0;
  First = Current;
}

void PageTraffic::take(uint32_t Part, const Reference *Batch, size_t Count) {
  beginPart(Part);
  for (size_t N = 0; N < Count; ++N)
    refer(Batch[N].Site, Batch[N].Address);
}

void PageTraffic::takeBulk(uint32_t Part, uint32_t Site, uint64_t Address,
                           uint64_t Bytes) {
  beginPart(Part);
  bulk(Site, Address, Bytes);
}

void PageTraffic::takeWhole(uint32_t Part, uint32_t Site, uint64_t Address,
                            uint64_t Bytes) {
  if (AsksHomes && !WholeHomes)
    WholeHomes = make<Homes>(File, Part);
  const uint32_t Current = std::exchange(Thread, Part);
  Homes *const CurrentHomes = std::exchange(PageHomes, WholeHomes);
  const Recent Before =
      std::exchange(RecentBySite[Site], Recent{0, 0, nullptr, true});
  Begin = nanoseconds();
  Each = 0;
  bulk(Site, Address, Bytes);
  RecentBySite[Site] = Before;
  PageHomes = CurrentHomes;
  Thread = Current;
}

void PageTraffic::endOfBuffer() {
  if (PageHomes)
    PageHomes->ask();
  if (WholeHomes)
    WholeHomes->ask();
}

void PageTraffic::endOfSample() {
  endOfBuffer();
  const uint64_t Now = nanoseconds();
  adaptRoom(Now - Emptied);
  Emptied = Now;
}

void PageTraffic::adaptRoom(uint64_t Nanoseconds) {
  constexpr uint64_t Soon = 500000, Late = 4000000;
  constexpr uint32_t Least = 2 * sizeof(uint64_t);
  if (Nanoseconds < Soon && Room < GRAUPEL_STRIDE_FULL)
    Room *= 2;
  else if (Nanoseconds > Late && Room > Least)
    Room /= 2;
}

void PageTraffic::bulk(uint32_t Site, uint64_t Address, uint64_t Bytes) {
  const bool Store = Sites[Site].Entry->kind == GRAUPEL_STRIDE_BULK_STORE;
  for (uint64_t End = Address + Bytes; Address < End;) {
    uint64_t Next = std::min(End, (Address | (PageBytes - 1)) + 1);
    add(Site, Address, Next - Address, Store);
    Address = Next;
  }
}

void PageTraffic::add(uint32_t Site, uint64_t Address, uint64_t Bytes,
                      bool Store) {
  Recent &R = RecentBySite[Site];
  if (__builtin_expect(Address - R.Begin >= R.Bytes, false))
    resolve(R, Site, Address);
  if (!R.Record)
    return;
  PageCounts &C = R.Record->Pages[Address / PageBytes % SpanPages];
  if (!C.First)
    C.First = Begin + Each * static_cast<uint64_t>(Current - First);
  (Store ? C.StoreBytes : C.LoadBytes) += Bytes;
  if (PageHomes)
    PageHomes->count(Address / PageBytes, Bytes);
}

__attribute__((noinline, cold)) void
PageTraffic::resolve(Recent &R, uint32_t Site, uint64_t Address) {
  if (!R.IsUsed)
    UsedSites.push(Site);
  R.IsUsed = true;
  Place P = findObjectOf(Site, Address, StackBegin, StackEnd);
  const uint64_t Span = Address & -SpanBytes;
  const uint64_t End = std::min(P.Begin + P.Bytes, Span + SpanBytes);
  R.Begin = std::max(P.Begin, Span);
  R.Bytes = P.Bytes ? End - R.Begin : 0;
  R.Record = P.Obj->Selected ? span(P, Span) : nullptr;
}

/// The block is unknown on a page that several blocks share; a later reference
/// may tell.
void PageTraffic::describe(PagesRecord &R, const Place &P) {
  if (R.BlockBytes || !P.Bytes ||
      (P.Obj->Kind != ObjectKind::Heap && P.Obj->Kind != ObjectKind::Global))
    return;
  R.Block = P.Begin;
  R.BlockBytes = P.Bytes;
}

PagesRecord *PageTraffic::span(const Place &P, uint64_t Address) {
  uint32_t Object = enterObject(File, P.Obj);
  if (Object == NoNumber)
    return nullptr;
  // Addresses have 47 bits; an object and a thread's parts are fewer.
  const uint64_t Key = uint64_t(Thread - FirstPart) << 58 |
                       uint64_t(Object) << 29 | Address / SpanBytes;
  if (PagesRecord *Found = Known.find(Key)) {
    describe(*Found, P);
    return Found;
  }
  auto *New = static_cast<PagesRecord *>(
      File.append(PagesChunk, sizeof(PagesRecord), true));
  if (!New)
    return nullptr;
  New->Object = Object;
  New->Thread = Thread;
  New->Address = Address;
  describe(*New, P);
  File.commit(New);
  Known.insert(Key, New);
  return New;
}

} // namespace graupel::stride
