//===- Conditions.cpp - Condition variables by number -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A condition variable's home is a node, by its number, and keeps those who
// wait, in the order in which they came. A thread that waits
//
//   1. tells the home, and only when that knows of it
//   2. gives its lock back: whoever takes the lock then and signals finds it.
//      The home's answer is needed only if the lock has another home: messages
//      between two nodes arrive in order;
//   3. waits for a signal, and takes the lock again.
//
// A condition variable is nothing but its waiters, so one that nobody waits for
// takes no room, and a signal for it is forgotten. Waiters of a node that has
// ended are forgotten, and a signal on its way there goes back.
//
//===----------------------------------------------------------------------===//

#include "Base/Lines.h"
#include "Errors/Error.h"
#include "Sync/AtHome.h"
#include "Sync/Sync.h"
#include "graupel/dsm.h"
#include <deque>
#include <unordered_map>

namespace graupel::dsm {

namespace {

struct Waiter {
  int Node;
  uint64_t Thread; ///< Index of its record.
  uint64_t Lock;
  uintptr_t Pc;
};

/// Those at home here; under the protocol lock.
std::unordered_map<uint64_t, std::deque<Waiter>> *Conditions = nullptr;

enum HowMany : uint64_t { One, All };

void waitAtHome(uint64_t Number, const Waiter &W) {
  std::deque<Waiter> &Waiters = (*Conditions)[Number];
  if (!Waiters.empty() && Waiters.front().Lock != W.Lock) {
    const Waiter &Other = Waiters.front();
    uintptr_t Places[] = {W.Pc, Other.Pc};
    PlaceName Names[2];
    namePlaces(Places, Names, 2);
    fail("gdsm_cond_wait at %s: a thread of node %d waits for condition "
         "variable %llu with lock %llu, another one of node %d at %s with lock "
         "%llu; all have to give the same lock",
         Names[0].Text, W.Node, (unsigned long long)Number,
         (unsigned long long)W.Lock, Other.Node, Names[1].Text,
         (unsigned long long)Other.Lock);
  }
  Waiters.push_back(W);
}

void wake(uint64_t Thread) {
  Node &N = *TheNode;
  N.Team.record(static_cast<unsigned>(Thread))
      .Wants.store(Want::Nothing, std::memory_order_release);
  N.Dispatch.signal();
}

void signalAtHome(uint64_t Number, HowMany H) {
  auto I = Conditions->find(Number);
  if (I == Conditions->end())
    return;
  std::deque<Waiter> &Waiters = I->second, Woken;
  if (H == All) {
    Woken.swap(Waiters);
  } else {
    Woken.push_back(Waiters.front());
    Waiters.pop_front();
  }
  if (Waiters.empty())
    Conditions->erase(I);
  // Sending may run handlers, which may do anything to the condition variable.
  for (const Waiter &W : Woken)
    if (W.Node == TheNode->Number)
      wake(W.Thread);
    else
      TheNode->Dispatch.send(
          W.Node, internalMessage(Internal::ConditionWake, Number, W.Thread));
}

void onWait(const Message &M) {
  waitAtHome(M.Word[0], {M.Source, M.Word[1], M.Word[2], M.Word[3]});
  if (M.Word[4])
    TheNode->Dispatch.send(
        M.Source, internalMessage(Internal::ConditionQueued, M.Word[1]));
}

void onSignal(const Message &M) {
  signalAtHome(M.Word[0], static_cast<HowMany>(M.Word[1]));
}

void onQueued(const Message &M) {
  Node &N = *TheNode;
  N.Team.record(static_cast<unsigned>(M.Word[0]))
      .Queued.store(true, std::memory_order_release);
  N.Dispatch.signal();
}

void onWake(const Message &M) {
  Node &N = *TheNode;
  // The thread ends with its node; another one may need the signal.
  if (N.Ending)
    return N.Dispatch.send(
        homeOf(N, M.Word[0]),
        internalMessage(Internal::ConditionSignal, M.Word[0], One));
  wake(M.Word[1]);
}

/// Returns when the home knows of the thread. Keeps the protocol lock.
void enqueue(Node &N, uint64_t Number, uint64_t Lock, ThreadRecord &T) {
  int Home = homeOf(N, Number);
  uintptr_t Pc = T.Note.Pc.load(std::memory_order_relaxed);
  if (Home == N.Number)
    return waitAtHome(Number, {Home, T.Index, Lock, Pc});
  bool Ask = homeOf(N, Lock) != Home;
  T.Queued = !Ask;
  N.Dispatch.send(Home, internalMessage(Internal::ConditionWait, Number,
                                        T.Index, Lock, Pc, Ask));
  if (Ask)
    awaitLocked(N, [&T] { return T.Queued.load(std::memory_order_acquire); });
}

void signal(const char *Caller, const void *Pc, uint64_t Number, HowMany H) {
  Node &N = nodeFor(Caller);
  Away Here(N, WaitNote::Other, Caller, Pc);
  Locked Lock(N.Dispatch);
  int Home = homeOf(N, Number);
  if (Home == N.Number)
    return signalAtHome(Number, H);
  N.Dispatch.send(Home, internalMessage(Internal::ConditionSignal, Number, H));
}

} // namespace

void forgetConditionWaiters(int Ended) {
  for (auto I = Conditions->begin(); I != Conditions->end();) {
    std::erase_if(I->second, [=](const Waiter &W) { return W.Node == Ended; });
    I = I->second.empty() ? Conditions->erase(I) : std::next(I);
  }
}

void registerConditionHandlers(Node &N) {
  Conditions = new std::unordered_map<uint64_t, std::deque<Waiter>>;
  N.Dispatch.setHandler(unsigned(Internal::ConditionWait), onWait);
  N.Dispatch.setHandler(unsigned(Internal::ConditionQueued), onQueued);
  N.Dispatch.setHandler(unsigned(Internal::ConditionSignal), onSignal);
  N.Dispatch.setHandler(unsigned(Internal::ConditionWake), onWake);
}

} // namespace graupel::dsm

using namespace graupel::dsm;

void gdsm_cond_wait(gdsm_lock_t Number, gdsm_lock_t Lock) {
  Node &N = nodeFor("gdsm_cond_wait");
  const void *Pc = __builtin_return_address(0);
  Away Here(N, WaitNote::Condition, "gdsm_cond_wait", Pc, Number);
  ThreadRecord &T = Here.thread();
  N.Dispatch.lock();
  if (!hasLock(N, Lock, T))
    fail("gdsm_cond_wait at %s: this thread does not have lock %llu; call "
         "gdsm_lock before",
         nameOf(reinterpret_cast<uintptr_t>(Pc)).Text,
         (unsigned long long)Lock);
  T.Wants = Want::Condition;
  if (!N.Ending)
    enqueue(N, Number, Lock, T);
  releaseLock(N, Lock);
  awaitLocked(N, [&T] {
    return T.Wants.load(std::memory_order_acquire) == Want::Nothing;
  });
  T.Note.set(WaitNote::Lock, "gdsm_cond_wait", Pc, Lock);
  takeLock(N, Lock, T);
}

void gdsm_cond_signal(gdsm_lock_t Number) {
  signal("gdsm_cond_signal", __builtin_return_address(0), Number, One);
}

void gdsm_cond_broadcast(gdsm_lock_t Number) {
  signal("gdsm_cond_broadcast", __builtin_return_address(0), Number, All);
}
