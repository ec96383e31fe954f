//===- Stache/Pages.cpp - From addresses to pages, and home policies ------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maps pages when a thread of the node or a request of another node first
// touches them, and finds their records.
//
// 1. onPageFault: find the page's record. If the page is mapped with protection
//    Invalid, ask for its home (touch).
// 2. mapTouched maps an unmapped page whose home is arithmetic. First-touch
//    pages are at home on node 0, provisionally, until the first gdsm_parallel;
//    later their home has to be asked for (FirstTouch.cpp).
// 3. A page at home gets a directory and tags ReadWrite. A cached one gets
//    states of blocks and tags Invalid (newPage, map).
// 4. Raise the access again, as the fault of its block (raiseAccess).
// 5. findPage, findPageAtHome, pageAtHome, cachedPage and recordOf find the
//    page of a message. pageAtHome and recordOf map it if need be.
// 6. becomeHome and becomeCached replace a record by one of the other kind.
//    makeProvisional lists a page to be elected for, closeProvisional ends
//    that.
//
//===----------------------------------------------------------------------===//

#include "Stache/Node.h"
#include "graupel/dsm.h"
#include <bit>
#include <cstdlib>
#include <new>

namespace graupel::dsm::stache {

namespace {

constexpr uintptr_t pageOf(uintptr_t Address) {
  return Address & ~uintptr_t(TEMPEST_PAGE_SIZE - 1);
}

tempest_allocation allocationOf(uintptr_t Address) {
  tempest_allocation A;
  if (!tempest_get_allocation(pointer(Address), &A))
    tempest_fatal("the program accessed %#zx, which is shared memory that is "
                  "not allocated; look for an access out of bounds, or for a "
                  "pointer that was not passed on correctly",
                  size_t(Address));
  return A;
}

/// A record with room for Blocks behind it.
template <typename PageT, typename BlockT>
PageT &newPage(uintptr_t Address, uint32_t BlockSize) {
  unsigned Count = TEMPEST_PAGE_SIZE / BlockSize;
  void *Memory = std::malloc(sizeof(PageT) + Count * sizeof(BlockT));
  if (!Memory)
    tempest_fatal("out of memory for the directory of a page");
  PageT *P = new (Memory) PageT{};
  P->Address = pageOf(Address);
  P->BlockSize = BlockSize;
  P->Shift = uint8_t(std::countr_zero(BlockSize));
  for (unsigned I = 0; I < Count; ++I)
    new (P->blocks() + I) BlockT{};
  return *P;
}

void map(Page &P, Mode M, tempest_tag Tag, int Home) {
  if (!tempest_alloc_and_map(P.pointer(), M, Tag, Home, &P))
    tempest_fatal("the page at %#zx could not be mapped", size_t(P.Address));
}

HomePage &mapAtHome(Node &N, uintptr_t Address, uint32_t BlockSize) {
  HomePage &P = newPage<HomePage, HomeBlock>(Address, BlockSize);
  map(P, AtHome, TEMPEST_READ_WRITE, N.Self);
  return P;
}

CachedPage &mapCached(uintptr_t Address, uint32_t BlockSize, int Home) {
  CachedPage &P = newPage<CachedPage, CacheState>(Address, BlockSize);
  map(P, Cached, TEMPEST_INVALID, Home);
  return P;
}

tempest_page_info infoOf(const Page &P) {
  tempest_page_info Info;
  tempest_get_page_info(P.pointer(), &Info);
  return Info;
}

/// Moves the part that is common to both kinds of pages to the new record.
template <typename NewT>
NewT &replaceRecord(Page &Old, NewT &New, Mode M, int Home) {
  static_cast<Page &>(New) = Old;
  tempest_page_info Info{M, Home, static_cast<Page *>(&New)};
  tempest_set_page_info(New.pointer(), &Info);
  std::free(&Old);
  return New;
}

/// Maps a page that a thread of this node has touched, if its home is known.
/// Returns null if it has to be asked for.
Page *mapTouched(Node &N, uintptr_t Address) {
  tempest_allocation A = allocationOf(Address);
  int Home = A.home;
  if (Home == GDSM_HOME_ROUND_ROBIN)
    Home = int((Address >> 12) % unsigned(N.Nodes));
  bool FirstTouch = Home == GDSM_HOME_FIRST_TOUCH;
  if (FirstTouch && N.EverParallel && N.Nodes > 1)
    return nullptr;
  if (FirstTouch)
    Home = 0;
  Page &P = Home == N.Self ? static_cast<Page &>(mapAtHome(N, Address, A.block))
                           : mapCached(Address, A.block, Home);
  if (FirstTouch && N.Nodes > 1)
    makeProvisional(N, P);
  return &P;
}

/// The access to a mapped page, as the block fault that it would be.
void raiseAccess(Node &N, Page &P, uintptr_t Address, bool IsStore) {
  tempest_page_info Info = infoOf(P);
  unsigned Index = P.indexOf(Address);
  if (Info.mode == AtHome)
    return raise(N, static_cast<HomePage &>(P), Index,
                 IsStore ? HomeEvent::HomeStore : HomeEvent::HomeLoad,
                 unsigned(N.Self));
  raise(N, static_cast<CachedPage &>(P), Index,
        IsStore ? CacheEvent::Store : CacheEvent::Load, unsigned(Info.home));
}

} // namespace

Page *findPage(uintptr_t Address) {
  tempest_page_info Info;
  if (tempest_get_page_info(pointer(Address), &Info) != 1)
    return nullptr;
  return static_cast<Page *>(Info.user_pointer);
}

HomePage *findPageAtHome(uintptr_t Address) {
  tempest_page_info Info;
  if (tempest_get_page_info(pointer(Address), &Info) != 1 ||
      Info.mode != AtHome)
    return nullptr;
  return static_cast<HomePage *>(static_cast<Page *>(Info.user_pointer));
}

HomePage &pageAtHome(Node &N, uintptr_t Address) {
  tempest_page_info Info;
  int Mapped = tempest_get_page_info(pointer(Address), &Info);
  if (Mapped == 1 && Info.mode == AtHome) [[likely]]
    return static_cast<HomePage &>(*static_cast<Page *>(Info.user_pointer));
  // Another node knows before this one: its thread was the first to touch the
  // page. If homes are asked for, this node's threads still have to.
  tempest_allocation A = allocationOf(Address);
  if (A.home != GDSM_HOME_FIRST_TOUCH)
    return mapAtHome(N, Address, A.block);
  if (Mapped == 1)
    return becomeHome(N, *static_cast<Page *>(Info.user_pointer));
  HomePage &P = mapAtHome(N, Address, A.block);
  setProtection(P, TEMPEST_PAGE_INVALID);
  return P;
}

CachedPage &cachedPage(uintptr_t Address) {
  return static_cast<CachedPage &>(*findPage(Address));
}

Page &recordOf(Node &, uintptr_t Address) {
  if (Page *P = findPage(Address))
    return *P;
  CachedPage &P = mapCached(Address, allocationOf(Address).block, -1);
  setProtection(P, TEMPEST_PAGE_INVALID);
  return P;
}

HomePage &becomeHome(Node &N, Page &Old) {
  HomePage &New = newPage<HomePage, HomeBlock>(Old.Address, Old.BlockSize);
  static const char Zeros[TEMPEST_PAGE_SIZE] = {};
  tempest_change_blocks_and_put(Old.pointer(), TEMPEST_PAGE_SIZE,
                                TEMPEST_INVALID_TO_READ_WRITE, Zeros);
  return replaceRecord(Old, New, AtHome, N.Self);
}

CachedPage &becomeCached(Node &, HomePage &Old) {
  CachedPage &New = newPage<CachedPage, CacheState>(Old.Address, Old.BlockSize);
  return replaceRecord(Old, New, Cached, -1);
}

void setProtection(Page &P, tempest_page_protection Protection) {
  tempest_set_page_protection(P.pointer(), Protection);
}

void makeProvisional(Node &N, Page &P) {
  if (P.Provisional)
    return;
  P.Provisional = true;
  N.ProvisionalPages.push_back(P.Address);
}

void closeProvisional(Page &P) {
  if (!P.Provisional)
    return;
  P.Provisional = false;
  setProtection(P, TEMPEST_PAGE_INVALID);
}

void onPageFault(void *Address, uintptr_t, int IsStore) {
  Node &N = node();
  uintptr_t A = uintptr_t(Address);
  Page *P = findPage(A);
  if (!P)
    P = mapTouched(N, A);
  else if (tempest_get_page_protection(Address) == TEMPEST_PAGE_INVALID)
    return touch(N, *P);
  if (!P)
    return touch(N, recordOf(N, A));
  raiseAccess(N, *P, A, IsStore);
}

} // namespace graupel::dsm::stache
