//===- Stache/FirstTouch.cpp - Elections of homes -------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a first-touch page is at home (Schoinas 1998, A.4.2):
//
// 1. Outside of gdsm_parallel a page that nobody has been elected for is at
// home
//    on node 0, provisionally.
// 2. When gdsm_parallel begins, each node closes its provisional pages: their
//    protection becomes Invalid, contents and tags stay. Node 0 closes one
//    before, if another node begins earlier and is elected.
// 3. A thread that faults on a closed or unknown page asks the page's manager,
//    which elects the first to ask, lets the others wait, and asks node 0 to
//    send the page.
// 4. If node 0 has it, it takes back all of its blocks, one after the other (so
//    that no burst of messages arises), and sends the contents.
// 5. The elected node installs the page and tells the manager, which tells
//    everybody. Only that answer opens the page; it is recorded with the page,
//    and stays true for ever.
//
//===----------------------------------------------------------------------===//

#include "Stache/Node.h"
#include <bit>
#include <utility>

namespace graupel::dsm::stache {

namespace {

unsigned managerOf(const Node &N, uintptr_t Address) {
  return unsigned((Address >> 12) % unsigned(N.Nodes));
}

void tellHome(Node &N, const Page &P, unsigned To, unsigned Home,
              bool Provisionally) {
  send(N, To, Kind::HomeIs, {P.Address, Home, Provisionally});
}

void perform(ElectionAction A, Node &N, Page &P, unsigned From) {
  switch (A) {
  case ElectionAction::None:
    return;
  case ElectionAction::Provisional:
    return tellHome(N, P, From, 0, true);
  case ElectionAction::Elect:
    P.Home = uint8_t(From);
    return send(N, 0, Kind::Move, {P.Address, From});
  case ElectionAction::Queue:
    P.Waiting |= only(From);
    return;
  case ElectionAction::Announce:
    for (NodeSet Left = std::exchange(P.Waiting, 0); Left; Left &= Left - 1)
      tellHome(N, P, unsigned(std::countr_zero(Left)), P.Home, false);
    return;
  case ElectionAction::Answer:
    return tellHome(N, P, From, P.Home, false);
  case ElectionAction::Count:
    break;
  }
}

void sendGrant(Node &N, unsigned To, uintptr_t Address, bool WithContents) {
  tempest_message M;
  tempest_begin(&M, int(To), N.Handlers[size_t(Kind::Grant)]);
  tempest_put_word(&M, Address);
  if (WithContents)
    tempest_put_blocks(&M, pointer(Address), TEMPEST_PAGE_SIZE,
                       TEMPEST_READ_WRITE_TO_INVALID);
  tempest_send(&M);
}

void tellInstalled(Node &N, uintptr_t Address) {
  ++N.Counts.Elected;
  send(N, managerOf(N, Address), Kind::Installed, {Address});
}

} // namespace

void raise(Node &N, Page &P, ElectionEvent Event, unsigned From) {
  for (const ElectionRow &R : N.Rules->Election.rows(P.Election, Event)) {
    P.Election = R.Next;
    for (ElectionAction A : R.Actions)
      perform(A, N, P, From);
    return;
  }
  impossible(ElectionEventNames[size_t(Event)],
             ElectionStateNames[size_t(P.Election)], P.Address, From);
}

void touch(Node &N, Page &P) {
  if (std::exchange(P.Touching, true))
    return;
  send(N, managerOf(N, P.Address), Kind::Touch, {P.Address, N.Parallel});
}

void homeIs(Node &N, Page &Asked, unsigned Home, bool Provisionally) {
  Page *P = &Asked;
  P->Touching = false;
  // Asked for before gdsm_parallel began, and too late: the page may be elected
  // for by now, and must not have a second home.
  if (Provisionally && N.Parallel)
    return touch(N, *P);
  if (Home == unsigned(N.Self)) {
    P = &pageAtHome(N, P->Address);
  } else {
    tempest_page_info Info{Cached, int(Home), P};
    tempest_set_page_info(P->pointer(), &Info);
  }
  if (Provisionally)
    makeProvisional(N, *P);
  setProtection(*P, TEMPEST_PAGE_READ_WRITE);
  tempest_resume(P->pointer(), TEMPEST_PAGE_SIZE);
}

void move(Node &N, uintptr_t Address, unsigned Successor) {
  tempest_page_info Info;
  bool HasIt = tempest_get_page_info(pointer(Address), &Info) == 1 &&
               Info.mode == AtHome;
  if (!HasIt)
    return sendGrant(N, Successor, Address, false);
  // The elected node may have begun gdsm_parallel before this one.
  closeProvisional(*static_cast<Page *>(Info.user_pointer));
  if (Successor == unsigned(N.Self))
    return tellInstalled(N, Address);
  HomePage &P = pageAtHome(N, Address);
  P.Evacuating = true;
  P.Successor = uint8_t(Successor);
  evacuate(N, P);
}

void evacuate(Node &N, HomePage &P) {
  for (unsigned I = 0; I < P.count(); ++I)
    if (P.blocks()[I].State != HomeState::Exclusive)
      // Comes back here when it is.
      return raise(N, P, I, HomeEvent::HomeStore, unsigned(N.Self));
  P.Evacuating = false;
  sendGrant(N, P.Successor, P.Address, true);
  becomeCached(N, P);
}

void grant(Node &N, Page &P, unsigned Bytes) {
  HomePage &H = becomeHome(N, P);
  if (Bytes)
    tempest_get_blocks(H.pointer(), TEMPEST_PAGE_SIZE, TEMPEST_NO_CHANGE);
  tellInstalled(N, H.Address);
}

void closeProvisionalPages(Node &N) {
  for (uintptr_t Address : std::exchange(N.ProvisionalPages, {}))
    if (Page *P = findPage(Address))
      closeProvisional(*P);
}

} // namespace graupel::dsm::stache
