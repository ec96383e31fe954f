//===- AccessControl.cpp - Changes of tags and of data with them ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changes tags, and data with them. The parts:
//
// 1. set changes the tags of blocks: count the refusing granules of the page,
//    publish a refusing summary, store the tags, publish a permitting summary.
//    No store touches a tag of another block. The tags of a hidden page are
//    only written to its record.
// 2. fill and put write the data of blocks: sentinels, or contents, which are
//    there before the tag that permits them.
// 3. map gives a page its first contents, then tags, then the summary. Contents
//    that are right already are not written.
// 4. refuseAll makes a page refuse everything and keeps its tags; restore puts
//    them back.
// 5. findStrayStore looks for a byte that is no sentinel where tags refuse
//    loads, or where the page was never mapped.
// 6. unmap, move and hide take the contents of a page that refuses everything
//    away, to another page or a record, and leave sentinels. show puts hidden
//    contents and tags back.
//
//===----------------------------------------------------------------------===//

#include "Memory/AccessControl.h"
#include "Base/Copy.h"
#include <cassert>
#include <cstring>
#include <initializer_list>

namespace graupel::dsm {

namespace {

/// Stores a tag into `Count` bytes, aligned to their number or to 8, with plain
/// stores that touch no other byte: neighbors belong to other blocks, whose
/// tags may be read at any time.
void storeTags(uint8_t *At, size_t Count, uint8_t Tag) {
  uint64_t Eight = Tag * UINT64_C(0x0101010101010101);
  auto Store = [At](auto Value, size_t I) {
    __atomic_store_n(reinterpret_cast<decltype(Value) *>(At + I), Value,
                     __ATOMIC_RELAXED);
  };
  switch (Count) {
  case 1:
    return Store(Tag, 0);
  case 2:
    return Store(static_cast<uint16_t>(Eight), 0);
  case 4:
    return Store(static_cast<uint32_t>(Eight), 0);
  default:
    size_t I = 0;
    for (; I + 8 <= Count; I += 8)
      Store(Eight, I);
    for (; I != Count; ++I)
      Store(Tag, I);
  }
}

/// The compiler and, on x86, the processor keep stores in order around this.
void order() { __atomic_thread_fence(__ATOMIC_RELEASE); }

} // namespace

uint8_t *AccessControl::tags(uintptr_t A) const {
  if (Shared->page(A).Hidden)
    return Shared->hidden(A).Tags + A % PageBytes / GranuleBytes;
  return Tags->tag(A);
}

uint8_t *AccessControl::data(uintptr_t A, size_t) const {
  if (Shared->page(A).Hidden)
    return Shared->hidden(A).Data + A % PageBytes;
  return Shared->view(A);
}

const void *AccessControl::data(uintptr_t A) const { return data(A, 0); }

void AccessControl::set(uintptr_t A, size_t Length, tempest_tag From,
                        tempest_tag To) {
  assert(A % GranuleBytes == 0 && Length % GranuleBytes == 0 &&
         A % PageBytes + Length <= PageBytes && "not blocks of one page");
  uint8_t *At = tags(A);
  size_t Count = Length / GranuleBytes;
#ifndef NDEBUG
  for (size_t I = 0; I != Count; ++I)
    assert(At[I] == From && "the tag is not what the change says");
#endif
  Page &P = Shared->page(A);
  if (P.Hidden) {
    memset(At, To, Count);
    return;
  }
  int Loads = refuses(To, false) - refuses(From, false);
  int Stores = refuses(To, true) - refuses(From, true);
  P.LoadsRefused += Loads * static_cast<int>(Count);
  P.StoresRefused += Stores * static_cast<int>(Count);
  if (Loads > 0 || Stores > 0)
    publish(A);
  else
    Shared->permit(A, Count, To);
  order();
  storeTags(At, Count, To);
  order();
  if (Loads < 0 || Stores < 0) {
    publish(A);
    Shared->protect(A);
  }
}

void AccessControl::publish(uintptr_t A) {
  const Page &P = Shared->page(A);
  uint8_t Summary = P.LoadsRefused    ? GRAUPEL_DSM_TAG_INVALID
                    : P.StoresRefused ? GRAUPEL_DSM_TAG_READ_ONLY
                                      : GRAUPEL_DSM_TAG_READ_WRITE;
  __atomic_store_n(Tags->summary(A), Summary, __ATOMIC_RELAXED);
}

void AccessControl::fill(uintptr_t A, size_t Length) {
  fillWithSentinel(data(A, Length), Length);
}

void AccessControl::put(uintptr_t A, size_t Length, const void *From) {
  copyToBlocks(data(A, Length), From, Length);
  order();
}

void AccessControl::countAgain(uintptr_t PageStart) {
  unsigned Loads = 0, Stores = 0;
  for (unsigned I = 0; I != GranulesPerPage; ++I) {
    Loads += refuses(Tags->tag(PageStart)[I], false);
    Stores += refuses(Tags->tag(PageStart)[I], true);
  }
  Page &P = Shared->page(PageStart);
  P.LoadsRefused = static_cast<uint8_t>(Loads);
  P.StoresRefused = static_cast<uint8_t>(Stores);
}

void AccessControl::map(uintptr_t PageStart, tempest_tag Tag) {
  uint8_t *Data = Shared->view(PageStart);
  Page &P = Shared->page(PageStart);
  bool Sentinels = refuses(Tag, false);
  bool HoldsZeros = !P.Touched && Shared->chunk(PageStart).Zeros;
  P.Touched = 1;
  if (Sentinels && HoldsZeros) {
    fillWithSentinel(Data, PageBytes);
  } else if (!Sentinels && !HoldsZeros) {
    copyToBlocks(Data, Shared->initial(PageStart), PageBytes);
  }
  Shared->permit(PageStart, GranulesPerPage, Tag);
  order();
  storeTags(Tags->tag(PageStart), GranulesPerPage, Tag);
  countAgain(PageStart);
  order();
  publish(PageStart);
  Shared->protect(PageStart);
}

void AccessControl::refuseAll(uintptr_t PageStart, uint8_t *Old) {
  memcpy(Old, Tags->tag(PageStart), GranulesPerPage);
  Page &P = Shared->page(PageStart);
  P.LoadsRefused = P.StoresRefused = GranulesPerPage;
  publish(PageStart);
  order();
  storeTags(Tags->tag(PageStart), GranulesPerPage, TEMPEST_INVALID);
}

void AccessControl::restore(uintptr_t PageStart, const uint8_t *Old) {
  for (unsigned I = 0; I != GranulesPerPage; ++I)
    Shared->permit(PageStart + I * GranuleBytes, 1, Old[I]);
  order();
  for (unsigned I = 0; I != GranulesPerPage; ++I)
    storeTags(Tags->tag(PageStart) + I, 1, Old[I]);
  countAgain(PageStart);
  order();
  publish(PageStart);
  Shared->protect(PageStart);
}

uintptr_t AccessControl::findStrayStore(uintptr_t PageStart) const {
  const Page &P = Shared->page(PageStart);
  if (P.Hidden ||
      (P.Touched ? !P.LoadsRefused : Shared->chunk(PageStart).Zeros))
    return 0;
  for (unsigned I = 0; I != GranulesPerPage; ++I) {
    if (P.Touched && !refuses(Tags->tag(PageStart)[I], false))
      continue;
    const uintptr_t Granule = PageStart + I * GranuleBytes;
    const size_t Stored = findNoSentinel(Shared->view(Granule), GranuleBytes);
    if (Stored != GranuleBytes)
      return Granule + Stored;
  }
  return 0;
}

void AccessControl::unmap(uintptr_t PageStart) {
  fillWithSentinel(Shared->view(PageStart), PageBytes);
}

void AccessControl::move(uintptr_t From, uintptr_t To, const uint8_t *Old) {
  copyToBlocks(Shared->view(To), Shared->view(From), PageBytes);
  fillWithSentinel(Shared->view(From), PageBytes);
  restore(To, Old);
}

void AccessControl::hide(uintptr_t PageStart, const uint8_t *Old) {
  HiddenPage &H = Shared->hide(PageStart);
  memcpy(H.Tags, Old, sizeof(H.Tags));
  memcpy(H.Data, Shared->view(PageStart), PageBytes);
  fillWithSentinel(Shared->view(PageStart), PageBytes);
}

void AccessControl::show(uintptr_t PageStart) {
  HiddenPage &H = Shared->hidden(PageStart);
  copyToBlocks(Shared->view(PageStart), H.Data, PageBytes);
  uint8_t Old[GranulesPerPage];
  memcpy(Old, H.Tags, sizeof(Old));
  Shared->unhide(PageStart);
  restore(PageStart, Old);
}

} // namespace graupel::dsm
