//===- Pages.cpp - Tempest's calls on pages and the node --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements Tempest's calls on pages and the node. Calls on pages return
// whether they could be done, and change nothing if not. The parts:
//
// 1. Queries of the node and of an address's allocation; tempest_fatal.
// 2. tempest_alloc_and_map: note mode, home and user of an unmapped page, and
//    give it contents and tags.
// 3. tempest_unmap_and_free: take all access away (close) or drop the hidden
//    contents, fill with sentinels, forget the record.
// 4. tempest_remap: take all access away, and move record, contents and tags to
//    an unmapped page of the same block size.
// 5. tempest_get_page_info and tempest_set_page_info read and write mode, home
//    and user.
// 6. Protection: Invalid takes all access away and hides contents and tags;
//    ReadWrite shows them again.
//
//===----------------------------------------------------------------------===//

#include "Errors/Error.h"
#include "Tempest/Tempest.h"
#include <cstdarg>
#include <cstdio>
#include <cstring>

using namespace graupel::dsm;

namespace {

/// A whole page of an open chunk?
bool isPage(const void *P) {
  const Region &R = TheNode->Shared;
  return R.contains(P) && addressOf(P) % PageBytes == 0 &&
         R.chunk(addressOf(P)).Block;
}

/// Takes all access to a page away from the node's threads.
void close(uintptr_t PageStart, uint8_t *Old) {
  TheNode->Access.refuseAll(PageStart, Old);
  TheNode->Team.handshake();
  TheNode->Shared.protect(PageStart);
}

/// The page is as if it had never been mapped, but may hold anything.
void forget(uintptr_t PageStart) {
  Page Unmapped = {};
  Unmapped.Touched = 1;
  TheNode->Shared.page(PageStart) = Unmapped;
}

} // namespace

int tempest_node(void) { return TheNode->Number; }
int tempest_nodes(void) { return TheNode->Count; }
void **tempest_protocol_data(void) { return &TheNode->ProtocolData; }

void tempest_fatal(const char *Format, ...) {
  char Message[900];
  va_list Arguments;
  va_start(Arguments, Format);
  vsnprintf(Message, sizeof(Message), Format, Arguments);
  va_end(Arguments);
  fail("%s", Message);
}

int tempest_get_allocation(const void *Address, tempest_allocation *A) {
  const Region &R = TheNode->Shared;
  if (!R.contains(Address) || !R.chunk(addressOf(Address)).Block)
    return 0;
  const Chunk &C = R.chunk(addressOf(Address));
  *A = {C.Block, C.Home};
  return 1;
}

void tempest_register_page_fault_handler(tempest_page_fault_handler H) {
  TheNode->Refused.setPageHandler(H);
}

int tempest_alloc_and_map(void *Start, int Mode, tempest_tag Tag, int Home,
                          void *User) {
  if (!isPage(Start) || Mode < 0 || Mode >= TEMPEST_MODES)
    return 0;
  Page &P = TheNode->Shared.page(addressOf(Start));
  if (P.Mapped)
    return 0;
  P.User = User;
  P.Home = static_cast<int16_t>(Home);
  P.Mode = static_cast<uint8_t>(Mode);
  P.Mapped = 1;
  TheNode->Access.map(addressOf(Start), Tag);
  return 1;
}

int tempest_unmap_and_free(void *Start) {
  if (!isPage(Start) || !TheNode->Shared.page(addressOf(Start)).Mapped)
    return 0;
  uintptr_t A = addressOf(Start);
  if (TheNode->Shared.page(A).Hidden) {
    TheNode->Shared.unhide(A);
  } else {
    uint8_t Old[GranulesPerPage];
    close(A, Old);
  }
  TheNode->Access.unmap(A);
  forget(A);
  return 1;
}

int tempest_remap(void *From, void *To) {
  Region &R = TheNode->Shared;
  if (!isPage(From) || !isPage(To) || !R.page(addressOf(From)).Mapped ||
      R.page(addressOf(From)).Hidden || R.page(addressOf(To)).Mapped ||
      R.chunk(addressOf(From)).Block != R.chunk(addressOf(To)).Block)
    return 0;
  uint8_t Old[GranulesPerPage];
  close(addressOf(From), Old);
  R.page(addressOf(To)) = R.page(addressOf(From));
  R.page(addressOf(To)).Touched = 1;
  TheNode->Access.move(addressOf(From), addressOf(To), Old);
  forget(addressOf(From));
  return 1;
}

int tempest_get_page_info(const void *Address, tempest_page_info *Info) {
  if (!TheNode->Shared.contains(Address))
    return -1;
  const Page &P = TheNode->Shared.page(addressOf(Address));
  if (!P.Mapped)
    return 0;
  *Info = {P.Mode, P.Home, P.User};
  return 1;
}

int tempest_set_page_info(void *Address, const tempest_page_info *Info) {
  if (!TheNode->Shared.contains(Address))
    return 0;
  Page &P = TheNode->Shared.page(addressOf(Address));
  if (!P.Mapped || Info->mode < 0 || Info->mode >= TEMPEST_MODES)
    return 0;
  P.Mode = static_cast<uint8_t>(Info->mode);
  P.Home = static_cast<int16_t>(Info->home);
  P.User = Info->user_pointer;
  return 1;
}

int tempest_get_page_protection(const void *Address) {
  if (!TheNode->Shared.contains(Address) ||
      !TheNode->Shared.page(addressOf(Address)).Mapped)
    return -1;
  return TheNode->Shared.page(addressOf(Address)).Hidden
             ? TEMPEST_PAGE_INVALID
             : TEMPEST_PAGE_READ_WRITE;
}

int tempest_set_page_protection(void *Address,
                                tempest_page_protection Protection) {
  int Now = tempest_get_page_protection(Address);
  if (Now < 0 || Now == Protection)
    return Now < 0 ? -1 : 1;
  uintptr_t A = addressOf(Address) & -PageBytes;
  if (Protection == TEMPEST_PAGE_INVALID) {
    uint8_t Old[GranulesPerPage];
    close(A, Old);
    TheNode->Access.hide(A, Old);
  } else {
    TheNode->Access.show(A);
  }
  return 1;
}
