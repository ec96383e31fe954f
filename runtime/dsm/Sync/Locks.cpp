//===- Locks.cpp - Locks by number ------------------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements locks by number. A lock's home is a node. The home grants the lock
// to a node and queues the others; within a node threads pass it on, the
// hierarchy that Schoinas 1998, 5.5 proposes. All but step 1 is under the
// protocol lock.
//
// 1. gdsm_lock and gdsm_unlock: a thread of the home takes and releases a lock
//    that nobody else wants by one atomic instruction each (LockWords.h).
// 2. takeLock: a thread of the home may still find the lock free (takeFree).
//    Else the thread queues on its node. The first that queues sends a request
//    to the home, unless the node has the lock.
// 3. requestAtHome: close the lock's word, so that the queues know all about
//    it. Grant the lock if it is free, else queue the node.
// 4. onGrant: the node has the lock and passes it to the first thread of its
//    queue.
// 5. releaseLock: pass the lock within the node, at most MaxPasses times in a
//    row. Else give it back to the home, with a new request if threads still
//    wait. The home grants it to the next node, or opens the word
//    (releaseAtHome).
// 6. abandonLocks: a lock whose thread has ended is not granted again. A thread
//    that wants it ends the job.
//
// Nothing stays with a node that has unlocked: where nodes take turns, that
// would make each turn a recall. New numbers come from node 0 (gdsm_locks_new).
//
//===----------------------------------------------------------------------===//

#include "Errors/Error.h"
#include "Sync/AtHome.h"
#include "Sync/LockWords.h"
#include "Sync/Sync.h"
#include "graupel/dsm.h"
#include <deque>
#include <unordered_map>
#include <vector>

namespace graupel::dsm {

namespace {

/// Passed on within a node that often before it goes home.
constexpr unsigned MaxPasses = 8;

struct Waiter {
  explicit Waiter(ThreadRecord &T) : Thread(&T) {}
  ThreadRecord *Thread;
  std::atomic<bool> Granted{false};
};

/// On a node that has the lock, or waits for it.
struct LocalLock {
  bool Here = false;  ///< Granted to this node.
  bool Taken = false; ///< By a thread of this node: Owner, or null if it ended.
  ThreadRecord *Owner = nullptr;
  unsigned Passes = 0; ///< Since it came here.
  std::deque<Waiter *> Waiters;
};

/// At its home, while a node has it.
struct HomeLock {
  int Owner;
  bool Abandoned = false;
  std::deque<int> Waiters;
};

std::unordered_map<gdsm_lock_t, LocalLock> *Locals = nullptr;
std::unordered_map<gdsm_lock_t, HomeLock> *Homes = nullptr;
/// The locks at home here that are not in Homes.
constinit LockWords Words;
uint64_t NextLock = 0; // On node 0.

//===-- At home -----------------------------------------------------------===//

/// From here on Homes knows all about the lock, which is at home here. The
/// caller ends with Words.open().
void queue(gdsm_lock_t L) {
  Words.close(L, [](uint64_t Number, uint64_t Owner) {
    ThreadRecord &T = TheNode->Team.record(static_cast<unsigned>(Owner));
    Homes->try_emplace(Number, HomeLock{TheNode->Number, false, {}});
    Locals->try_emplace(Number, LocalLock{true, true, &T, 0, {}});
  });
}

/// The node gets the lock, if nobody has it.
bool grantFree(gdsm_lock_t L, int To) {
  if (!Homes->try_emplace(L, HomeLock{To, false, {}}).second)
    return false;
  Words.add(L);
  return true;
}

void tellHome(Node &N, Internal Kind, gdsm_lock_t L) {
  N.Dispatch.send(homeOf(N, L), internalMessage(Kind, L));
}

[[noreturn]] void blame(gdsm_lock_t L, int Wants, int Has) {
  fail(
      "node %d waits in gdsm_lock for lock %llu, which a thread of node %d had "
      "when it ended; call gdsm_unlock before",
      Wants, (unsigned long long)L, Has);
}

void requestAtHome(gdsm_lock_t L, int From) {
  queue(L);
  if (grantFree(L, From))
    return TheNode->Dispatch.send(From,
                                  internalMessage(Internal::LockGrant, L));
  HomeLock &H = Homes->at(L);
  if (H.Abandoned)
    blame(L, From, H.Owner);
  H.Waiters.push_back(From);
}

void onRequest(const Message &M) { requestAtHome(M.Word[0], M.Source); }

void onAbandoned(const Message &M) {
  HomeLock &H = Homes->at(M.Word[0]);
  H.Abandoned = true;
  if (!H.Waiters.empty())
    blame(M.Word[0], H.Waiters.front(), H.Owner);
}

void releaseAtHome(gdsm_lock_t L, int From) {
  auto I = Homes->find(L);
  if (I == Homes->end() || I->second.Owner != From)
    fail("internal: lock %llu comes from node %d, which does not have it",
         (unsigned long long)L, From);
  HomeLock &H = I->second;
  if (H.Waiters.empty()) {
    Homes->erase(I);
    Words.remove(L);
    return Words.open(L);
  }
  H.Owner = H.Waiters.front();
  H.Waiters.pop_front();
  TheNode->Dispatch.send(H.Owner, internalMessage(Internal::LockGrant, L));
}

void onRelease(const Message &M) { releaseAtHome(M.Word[0], M.Source); }

void request(Node &N, gdsm_lock_t L) {
  if (homeOf(N, L) == N.Number)
    return requestAtHome(L, N.Number);
  tellHome(N, Internal::LockRequest, L);
}

/// A lock that nobody has or waits for, by a thread of its home, where another
/// one of its word is in the queues.
bool takeFree(Node &N, gdsm_lock_t L, ThreadRecord &T) {
  if (homeOf(N, L) != N.Number)
    return false;
  queue(L);
  if (Locals->count(L) || !grantFree(L, N.Number))
    return false;
  Locals->emplace(L, LocalLock{true, true, &T, 0, {}});
  return true;
}

/// To the first of those who wait on this node.
void pass(LocalLock &L) {
  Waiter *W = L.Waiters.front();
  L.Waiters.pop_front();
  L.Owner = W->Thread;
  W->Thread->Wants = Want::Nothing;
  // The thread may go on, and W be gone, from here on.
  const ThreadRecord *To = W->Thread;
  W->Granted.store(true, std::memory_order_release);
  TheNode->Dispatch.signal(To);
}

void onGrant(const Message &M) {
  LocalLock &L = (*Locals)[M.Word[0]];
  L.Here = L.Taken = true;
  L.Passes = 0;
  pass(L);
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

} // namespace

int lockHolder(uint64_t Number) {
  auto I = Homes->find(Number);
  return I == Homes->end() || I->second.Abandoned ? -1 : I->second.Owner;
}

ThreadRecord *lockOwner(uint64_t Number) {
  auto I = Locals->find(Number);
  return I == Locals->end() || !I->second.Taken ? nullptr : I->second.Owner;
}

bool hasLock(const Node &N, uint64_t Number, const ThreadRecord &T) {
  if (homeOf(N, Number) == N.Number)
    queue(Number);
  return lockOwner(Number) == &T;
}

void takeLock(Node &N, uint64_t Number, ThreadRecord &T) {
  if (takeFree(N, Number, T))
    return N.Dispatch.unlock();
  LocalLock &L = (*Locals)[Number];
  if (L.Taken && L.Owner == &T)
    fail("gdsm_lock: this thread has lock %llu already; locks are not "
         "recursive, call gdsm_unlock before",
         (unsigned long long)Number);
  if (L.Taken && !L.Owner && !N.Ending)
    blame(Number, N.Number, N.Number);
  bool Ask = !L.Here && L.Waiters.empty();
  Waiter W(T);
  L.Waiters.push_back(&W);
  T.Wants = Want::Lock;
  // Sending may run handlers, which may erase L.
  if (Ask)
    request(N, Number);
  awaitUnlocked(N, true,
                [&W] { return W.Granted.load(std::memory_order_acquire); });
}

void releaseLock(Node &N, uint64_t Number) {
  int Home = homeOf(N, Number);
  if (Home == N.Number)
    queue(Number);
  auto I = Locals->find(Number);
  if (I == Locals->end() || !I->second.Taken)
    fail("gdsm_unlock: no thread of node %d has lock %llu", N.Number,
         (unsigned long long)Number);
  LocalLock &L = I->second;
  if (L.Owner != self())
    fail(
        "gdsm_unlock: another thread of node %d has lock %llu; the thread that "
        "has called gdsm_lock is the one to unlock",
        N.Number, (unsigned long long)Number);
  bool Again = !L.Waiters.empty();
  if (Again && L.Passes < MaxPasses) {
    ++L.Passes;
    return pass(L);
  }
  if (Again)
    L.Here = L.Taken = false;
  else
    Locals->erase(I);
  if (Home != N.Number) {
    tellHome(N, Internal::LockRelease, Number);
    if (Again)
      request(N, Number);
    return;
  }
  // First the request: else its word might open between the two, and a thread
  // could take it there that nobody here would ever learn of.
  if (Again)
    requestAtHome(Number, Home);
  releaseAtHome(Number, Home);
}

void abandonLocks(Node &N) {
  if (ThreadRecord *T = self())
    Words.forEachHeldBy(T->Index, queue);
  std::vector<gdsm_lock_t> Abandoned;
  for (auto &[Number, L] : *Locals) {
    if (!L.Taken || L.Owner != self())
      continue;
    L.Owner = nullptr;
    // Where the process ends, those who wait here end with it.
    if (!L.Waiters.empty() && !N.Ending)
      blame(Number, N.Number, N.Number);
    Abandoned.push_back(Number);
  }
  // Sending may run handlers, which change Locals.
  for (gdsm_lock_t Number : Abandoned)
    tellHome(N, Internal::LockAbandoned, Number);
}

void registerLockHandlers(Node &N) {
  Locals = new std::unordered_map<gdsm_lock_t, LocalLock>;
  Homes = new std::unordered_map<gdsm_lock_t, HomeLock>;
  N.Dispatch.setHandler(unsigned(Internal::LockRequest), onRequest);
  N.Dispatch.setHandler(unsigned(Internal::LockRelease), onRelease);
  N.Dispatch.setHandler(unsigned(Internal::LockGrant), onGrant);
  N.Dispatch.setHandler(unsigned(Internal::LockAbandoned), onAbandoned);
  N.Dispatch.setHandler(unsigned(Internal::LocksWanted), onLocksWanted);
  N.Dispatch.setHandler(unsigned(Internal::LocksGranted), onLocksGranted);
}

} // namespace graupel::dsm

using namespace graupel::dsm;

gdsm_lock_t gdsm_locks_new(uint64_t Count) {
  Node &N = nodeFor("gdsm_locks_new");
  Away Here(N, WaitNote::Other, "gdsm_locks_new", __builtin_return_address(0));
  Reply R;
  N.Dispatch.lock();
  N.Dispatch.send(0, internalMessage(Internal::LocksWanted, Count,
                                     reinterpret_cast<uintptr_t>(&R)));
  awaitUnlocked(N, true,
                [&R] { return R.Here.load(std::memory_order_acquire); });
  return R.Value;
}

void gdsm_lock(gdsm_lock_t Number) {
  if (ThreadRecord *T = quickThread(Number); T && Words.take(Number, T->Index))
      [[likely]]
    return meetHandshakes(*T);
  Node &N = nodeFor("gdsm_lock");
  Away Here(N, WaitNote::Lock, "gdsm_lock", __builtin_return_address(0),
            Number);
  N.Dispatch.lock();
  openQuickWay(N);
  takeLock(N, Number, Here.thread());
}

void gdsm_unlock(gdsm_lock_t Number) {
  if (ThreadRecord *T = quickThread(Number);
      T && Words.release(Number, T->Index)) [[likely]]
    return meetHandshakes(*T);
  Node &N = nodeFor("gdsm_unlock");
  Away Here(N, WaitNote::Other, "gdsm_unlock", __builtin_return_address(0));
  Locked Lock(N.Dispatch);
  releaseLock(N, Number);
}
