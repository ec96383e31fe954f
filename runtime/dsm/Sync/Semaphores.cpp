//===- Semaphores.cpp - Semaphores by number --------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A semaphore's home is a node, by its number.
//
//   1. Threads of the home post and take what is above zero with an atomic
//      instruction each (SemaphoreWords.h).
//   2. Otherwise the home has an entry, under the protocol lock: a value, or
//      those who wait, in the order in which they came.
//   3. Other nodes send what they want. Posts are not answered; a wait is, when
//      it is over. Threads send and are answered, by their index.
//   4. An entry that nobody waits in goes back to the words.
//
// Waits of a node that has ended are forgotten, and posts that were on their
// way there are posted again.
//
//===----------------------------------------------------------------------===//

#include "Base/Lines.h"
#include "Errors/Error.h"
#include "Sync/AtHome.h"
#include "Sync/SemaphoreWords.h"
#include "Sync/Sync.h"
#include "graupel/dsm.h"
#include <deque>
#include <unordered_map>
#include <vector>

namespace graupel::dsm {

namespace {

struct Waiter {
  int Node;
  uint64_t Thread; ///< Index of its record.
};

struct Semaphore {
  int64_t Value = 0; ///< 0 if anybody waits.
  std::deque<Waiter> Waiters;
};

/// The semaphores at home here that are not in Words.
std::unordered_map<uint64_t, Semaphore> *Semaphores = nullptr;
constinit SemaphoreWords Words;

enum Answer : uint64_t { Got, IsZero };

//===-- At home, under the protocol lock ----------------------------------===//

/// From here on Semaphores knows all about it. The caller ends with settle().
Semaphore &enter(uint64_t Number) {
  Words.close(Number, [](uint64_t Other, uint64_t Value) {
    (*Semaphores)[Other].Value = static_cast<int64_t>(Value);
  });
  auto [I, New] = Semaphores->try_emplace(Number);
  if (New)
    Words.add(Number);
  return I->second;
}

/// Back to the words, if they can tell it.
void settle(uint64_t Number) {
  auto I = Semaphores->find(Number);
  Semaphore &S = I->second;
  if (!S.Waiters.empty() || S.Value > int64_t(SemaphoreWords::MaxValue))
    return;
  auto Value = static_cast<uint64_t>(S.Value);
  Semaphores->erase(I);
  Words.remove(Number);
  Words.open(Number);
  // It may share its word with one that is in use.
  if (Value && !Words.post(Number, Value)) {
    Semaphore &Again = enter(Number);
    Again.Value += static_cast<int64_t>(Value);
  }
}

void wake(uint64_t Thread, Answer A) {
  Node &N = *TheNode;
  ThreadRecord &T = N.Team.record(static_cast<unsigned>(Thread));
  T.Answer = A;
  T.Wants.store(Want::Nothing, std::memory_order_release);
  N.Dispatch.signal();
}

void answer(const Waiter &To, uint64_t Number, Answer A) {
  Node &N = *TheNode;
  if (To.Node == N.Number)
    return wake(To.Thread, A);
  N.Dispatch.send(To.Node, internalMessage(Internal::SemaphoreAnswer, Number,
                                           To.Thread, A));
}

// Sending may run handlers, which may do anything to the semaphore. So answers
// come last.

void waitAtHome(uint64_t Number, const Waiter &W, bool Queues) {
  Semaphore &S = enter(Number);
  const bool IsFree = S.Value;
  if (IsFree)
    --S.Value;
  else if (Queues)
    S.Waiters.push_back(W);
  settle(Number);
  if (IsFree || !Queues)
    answer(W, Number, IsFree ? Got : IsZero);
}

void postAtHome(uint64_t Number, int64_t Count, uintptr_t Pc) {
  Semaphore &S = enter(Number);
  std::vector<Waiter> Served;
  for (; Count && !S.Waiters.empty(); --Count) {
    Served.push_back(S.Waiters.front());
    S.Waiters.pop_front();
  }
  if (__builtin_add_overflow(S.Value, Count, &S.Value))
    fail("gdsm_sem_post at %s: semaphore %llu would be above %lld",
         nameOf(Pc).Text, (unsigned long long)Number, (long long)INT64_MAX);
  settle(Number);
  for (const Waiter &W : Served)
    answer(W, Number, Got);
}

void onWait(const Message &M) {
  waitAtHome(M.Word[0], {M.Source, M.Word[1]}, M.Word[2]);
}

void onPost(const Message &M) {
  postAtHome(M.Word[0], static_cast<int64_t>(M.Word[1]), M.Word[2]);
}

//===-- Where threads wait ------------------------------------------------===//

void onAnswer(const Message &M) {
  Node &N = *TheNode;
  auto A = static_cast<Answer>(M.Word[2]);
  // The thread ends with its node; others may need what it got.
  if (N.Ending && A == Got)
    return N.Dispatch.send(
        homeOf(N, M.Word[0]),
        internalMessage(Internal::SemaphorePost, M.Word[0], 1, 0));
  wake(M.Word[1], A);
}

/// Returns whether the thread, which is away, has got it.
bool take(Node &N, uint64_t Number, ThreadRecord &T, bool Queues) {
  N.Dispatch.lock();
  openQuickWay(N);
  T.Wants = Want::Semaphore;
  if (!N.Ending) {
    int Home = homeOf(N, Number);
    if (Home == N.Number)
      waitAtHome(Number, {Home, T.Index}, Queues);
    else
      N.Dispatch.send(Home, internalMessage(Internal::SemaphoreWait, Number,
                                            T.Index, Queues));
  }
  awaitUnlocked(N, true, [&T] {
    return T.Wants.load(std::memory_order_acquire) == Want::Nothing;
  });
  return T.Answer == Got;
}

} // namespace

void forgetSemaphoreWaiters(int Ended) {
  for (auto &[Number, S] : *Semaphores)
    std::erase_if(S.Waiters, [=](const Waiter &W) { return W.Node == Ended; });
}

void registerSemaphoreHandlers(Node &N) {
  Semaphores = new std::unordered_map<uint64_t, Semaphore>;
  N.Dispatch.setHandler(unsigned(Internal::SemaphoreWait), onWait);
  N.Dispatch.setHandler(unsigned(Internal::SemaphorePost), onPost);
  N.Dispatch.setHandler(unsigned(Internal::SemaphoreAnswer), onAnswer);
}

} // namespace graupel::dsm

using namespace graupel::dsm;

void gdsm_sem_post(gdsm_lock_t Number, int64_t Count) {
  if (Count > 0) [[likely]]
    if (ThreadRecord *T = quickThread(Number);
        T && Words.post(Number, static_cast<uint64_t>(Count))) [[likely]]
      return meetHandshakes(*T);
  Node &N = nodeFor("gdsm_sem_post");
  const void *Pc = __builtin_return_address(0);
  auto From = reinterpret_cast<uintptr_t>(Pc);
  if (Count <= 0)
    fail("gdsm_sem_post at %s: %lld is added to semaphore %llu; give 1 or more",
         nameOf(From).Text, (long long)Count, (unsigned long long)Number);
  Away Here(N, WaitNote::Other, "gdsm_sem_post", Pc);
  Locked Lock(N.Dispatch);
  openQuickWay(N);
  int Home = homeOf(N, Number);
  if (Home == N.Number)
    return postAtHome(Number, Count, From);
  N.Dispatch.send(
      Home, internalMessage(Internal::SemaphorePost, Number, Count, From));
}

void gdsm_sem_wait(gdsm_lock_t Number) {
  if (ThreadRecord *T = quickThread(Number); T && Words.take(Number)) [[likely]]
    return meetHandshakes(*T);
  Node &N = nodeFor("gdsm_sem_wait");
  Away Here(N, WaitNote::Semaphore, "gdsm_sem_wait",
            __builtin_return_address(0), Number);
  take(N, Number, Here.thread(), true);
}

int gdsm_sem_trywait(gdsm_lock_t Number) {
  if (ThreadRecord *T = quickThread(Number); T && Words.take(Number))
      [[likely]] {
    meetHandshakes(*T);
    return 1;
  }
  Node &N = nodeFor("gdsm_sem_trywait");
  Away Here(N, WaitNote::Other, "gdsm_sem_trywait",
            __builtin_return_address(0));
  return take(N, Number, Here.thread(), false);
}
