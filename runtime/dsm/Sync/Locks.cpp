//===- Locks.cpp - Locks by number ------------------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lock's home is a node, by its number. The home grants a lock to a node and
// queues the others; on a node threads pass it to each other, a few times in a
// row if others wait at home, for all that the node knows (the hierarchy that
// Schoinas 1998, 5.5 proposes). All of it under the protocol lock.
//
// Nothing stays with a node that has unlocked: where nodes take turns, that
// would make each turn a recall. Home's threads need no message for a lock that
// is free.
//
//===----------------------------------------------------------------------===//

#include "Node/Error.h"
#include "Sync/Sync.h"
#include "graupel/dsm.h"
#include <deque>
#include <unordered_map>

namespace graupel::dsm {

namespace {

/// Passed on within a node that often before it goes home.
constexpr unsigned MaxPasses = 8;

struct Waiter {
  std::atomic<bool> Granted{false};
};

/// On a node that has the lock, or waits for it.
struct LocalLock {
  bool Here = false;   ///< Granted to this node.
  bool Taken = false;  ///< By a thread of this node.
  unsigned Passes = 0; ///< Since it came here.
  std::deque<Waiter *> Waiters;
};

/// At its home, while a node has it.
struct HomeLock {
  int Owner;
  std::deque<int> Waiters;
};

std::unordered_map<gdsm_lock_t, LocalLock> *Locals = nullptr;
std::unordered_map<gdsm_lock_t, HomeLock> *Homes = nullptr;
uint64_t NextLock = 0; // On node 0.

int homeOf(const Node &N, gdsm_lock_t L) {
  return static_cast<int>(L % static_cast<uint64_t>(N.Count));
}

void requestAtHome(gdsm_lock_t L, int From) {
  auto [I, Free] = Homes->try_emplace(L, HomeLock{From, {}});
  if (Free)
    TheNode->Dispatch.send(From, internalMessage(Internal::LockGrant, L));
  else
    I->second.Waiters.push_back(From);
}

void onRequest(const Message &M) { requestAtHome(M.Word[0], M.Source); }

void releaseAtHome(gdsm_lock_t L, int From) {
  auto I = Homes->find(L);
  if (I == Homes->end() || I->second.Owner != From)
    fail("internal: lock %llu comes from node %d, which does not have it",
         (unsigned long long)L, From);
  HomeLock &H = I->second;
  if (H.Waiters.empty()) {
    Homes->erase(I);
    return;
  }
  H.Owner = H.Waiters.front();
  H.Waiters.pop_front();
  TheNode->Dispatch.send(H.Owner, internalMessage(Internal::LockGrant, L));
}

void onRelease(const Message &M) { releaseAtHome(M.Word[0], M.Source); }

void request(Node &N, gdsm_lock_t L) {
  if (homeOf(N, L) == N.Number)
    return requestAtHome(L, N.Number);
  N.Dispatch.send(homeOf(N, L), internalMessage(Internal::LockRequest, L));
}

/// A lock that nobody has or waits for, by a thread of its home.
bool takeFree(Node &N, gdsm_lock_t L) {
  if (homeOf(N, L) != N.Number || Locals->count(L) ||
      !Homes->try_emplace(L, HomeLock{N.Number, {}}).second)
    return false;
  Locals->emplace(L, LocalLock{true, true, 0, {}});
  return true;
}

void passTo(Waiter *W) {
  W->Granted.store(true, std::memory_order_release);
  TheNode->Dispatch.signal();
}

void onGrant(const Message &M) {
  LocalLock &L = (*Locals)[M.Word[0]];
  L.Here = L.Taken = true;
  L.Passes = 0;
  Waiter *W = L.Waiters.front();
  L.Waiters.pop_front();
  passTo(W);
}

void onLocksWanted(const Message &M) {
  uint64_t FirstNew = NextLock;
  NextLock += M.Word[0];
  TheNode->Dispatch.send(
      M.Source, internalMessage(Internal::LocksGranted, M.Word[1], FirstNew));
}

struct Reply {
  std::atomic<bool> Here{false};
  uint64_t Value = 0;
};

void onLocksGranted(const Message &M) {
  auto *R = reinterpret_cast<Reply *>(M.Word[0]);
  R->Value = M.Word[1];
  R->Here.store(true, std::memory_order_release);
  TheNode->Dispatch.signal();
}

/// The thread that has the lock gives it up.
void release(Node &N, gdsm_lock_t Number) {
  auto I = Locals->find(Number);
  if (I == Locals->end() || !I->second.Taken)
    fail("gdsm_unlock: no thread of node %d has lock %llu", N.Number,
         (unsigned long long)Number);
  LocalLock &L = I->second;
  if (!L.Waiters.empty() && L.Passes < MaxPasses) {
    ++L.Passes;
    Waiter *W = L.Waiters.front();
    L.Waiters.pop_front();
    return passTo(W);
  }
  bool Again = !L.Waiters.empty();
  if (Again)
    L.Here = L.Taken = false;
  else
    Locals->erase(I);
  int Home = homeOf(N, Number);
  if (Home == N.Number)
    releaseAtHome(Number, Home);
  else
    N.Dispatch.send(Home, internalMessage(Internal::LockRelease, Number));
  if (Again)
    request(N, Number);
}

} // namespace

void registerLockHandlers(Node &N) {
  Locals = new std::unordered_map<gdsm_lock_t, LocalLock>;
  Homes = new std::unordered_map<gdsm_lock_t, HomeLock>;
  N.Dispatch.setHandler(unsigned(Internal::LockRequest), onRequest);
  N.Dispatch.setHandler(unsigned(Internal::LockRelease), onRelease);
  N.Dispatch.setHandler(unsigned(Internal::LockGrant), onGrant);
  N.Dispatch.setHandler(unsigned(Internal::LocksWanted), onLocksWanted);
  N.Dispatch.setHandler(unsigned(Internal::LocksGranted), onLocksGranted);
}

} // namespace graupel::dsm

using namespace graupel::dsm;

gdsm_lock_t gdsm_locks_new(uint64_t Count) {
  Node &N = nodeFor("gdsm_locks_new");
  Away Here(N);
  Reply R;
  N.Dispatch.lock();
  N.Dispatch.send(0, internalMessage(Internal::LocksWanted, Count,
                                     reinterpret_cast<uintptr_t>(&R)));
  awaitUnlocked(N, true,
                [&R] { return R.Here.load(std::memory_order_acquire); });
  return R.Value;
}

void gdsm_lock(gdsm_lock_t Number) {
  Node &N = nodeFor("gdsm_lock");
  Away Here(N);
  Waiter W;
  N.Dispatch.lock();
  if (takeFree(N, Number))
    return N.Dispatch.unlock();
  LocalLock &L = (*Locals)[Number];
  bool Ask = !L.Here && L.Waiters.empty();
  L.Waiters.push_back(&W);
  // Sending may run handlers, which may erase L.
  if (Ask)
    request(N, Number);
  awaitUnlocked(N, true,
                [&W] { return W.Granted.load(std::memory_order_acquire); });
}

void gdsm_unlock(gdsm_lock_t Number) {
  Node &N = nodeFor("gdsm_unlock");
  Away Here(N);
  Locked Lock(N.Dispatch);
  release(N, Number);
}
