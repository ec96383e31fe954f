//===- Dispatcher.cpp - When threads run handlers ---------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements the protocol lock, the dispatch of messages, and waiting. Loop B2
// is await() in the header.
//
// 1. lock: try, spin, then sleep a millisecond at most at a time until the lock
//    is free.
// 2. send: queue messages to this node. Send others, and dispatch messages
//    while there is no credit.
// 3. dispatchOne: run a handler for an arrived message or a queued one, by
//    turns. burst, loop B1, runs up to BurstMessages and stops when nothing
//    arrives.
// 4. Idle and sleep: a thread that waits spins, then yields, then sleeps. One
//    thread sleeps at the transport, the others until Event changes (signal).
// 5. rest: where processors are few, a thread in a waiting loop serves a burst.
//    After WakefulRests rests in a row it sleeps, longer each time, up to
//    RestMicroseconds.
// 6. stopServing and abandon leave serving to another thread: to one that polls
//    or sleeps, or to the helper, which serves while no thread is online
//    (help). Where processors are few, a thread that has waited serves by its
//    polls, and wakes nobody.
//
//===----------------------------------------------------------------------===//

#include "Node/Dispatcher.h"
#include "Base/Futex.h"
#include "Errors/Error.h"
#include "Trace/Trace.h"
#include <algorithm>
#include <cstring>
#include <immintrin.h>
#include <sched.h>

namespace graupel::dsm {

__thread bool Dispatcher::InHandler = false;

namespace {

/// Time for which a waiting thread keeps its processor: longer than most misses
/// take.
constexpr uint64_t SpinNanoseconds = 50'000;
/// Time for which it goes on looking while nobody else wants the processor:
/// longer than most waits for others at a barrier. Sleeping and being woken
/// costs both sides tens of microseconds, more on virtual machines.
constexpr uint64_t YieldNanoseconds = 2'000'000;
/// Number of looks where processors are few: for as long as sleeping and being
/// woken take the processors, and no longer.
constexpr unsigned CrowdedSpins = 4;
/// Messages that a poll handles before the thread may go on with its own work.
constexpr unsigned BurstMessages = 64;

/// Number of rests of a thread without sleeping; its first and its longest
/// time of sleep.
constexpr unsigned WakefulRests = 16, FirstRestMicroseconds = 50,
                   RestMicroseconds = 1000;

/// A thread that sleeps for the lock may miss that it was given back.
constexpr unsigned LockMicroseconds = 1000;

void futexWait(std::atomic<uint32_t> &Word, uint32_t Seen,
               unsigned Microseconds) {
  dsm::futexWait(reinterpret_cast<uint32_t &>(Word), Seen, Microseconds);
}

void futexWake(std::atomic<uint32_t> &Word, int Count) {
  dsm::futexWake(reinterpret_cast<uint32_t &>(Word), Count);
}

} // namespace

void Dispatcher::attach(Transport &Wire, Threads &Team, int Node,
                        const Crowd &Others) {
  this->Wire = &Wire;
  this->Team = &Team;
  this->Others = &Others;
  Self = Node;
  Control = &Wire.control();
}

/// Returns false, without the lock, if *GivesUp becomes true.
bool Dispatcher::lockUnless(const std::atomic<bool> *GivesUp) {
  if (tryLock())
    return true;
  Wanted.fetch_add(1, std::memory_order_relaxed);
  bool Has = false;
  for (unsigned Spins = Others->spins(); Spins && !Has; --Spins) {
    _mm_pause();
    Has = tryLock();
  }
  // Its holder may have no processor, or wait for a thread that has none.
  while (!Has && !(GivesUp && GivesUp->load(std::memory_order_acquire))) {
    __atomic_exchange_n(&LockSleepers, 1, __ATOMIC_SEQ_CST);
    if (isLocked())
      futexWait(LockSleepers, 1, LockMicroseconds);
    Has = tryLock();
  }
  Wanted.fetch_sub(1, std::memory_order_relaxed);
  return Has;
}

void Dispatcher::wakeForLock() {
  __atomic_store_n(&LockSleepers, 0, __ATOMIC_RELAXED);
  futexWake(LockSleepers, INT32_MAX);
}

/// After unlocking for others: gives one of them the time to notice. Where
/// processors are few it sleeps, and may wait for this one's.
void Dispatcher::letOthersIn() {
  if (Others->isHere())
    return;
  for (unsigned I = 0; I != 200 && wanted() && !isLocked(); ++I)
    _mm_pause();
}

/// A message to this node itself.
void Dispatcher::store(const Message &M) {
  Own.push_back({M, nullptr});
  Stored &S = Own.back();
  S.Msg.Source = Self;
  if (M.Length) {
    S.Payload = std::make_unique<char[]>(M.Length);
    memcpy(S.Payload.get(), M.Payload, M.Length);
    S.Msg.Payload = S.Payload.get();
  }
  // All of this node may sleep, and who sends need not serve.
  if (!InHandler)
    signal();
}

void Dispatcher::send(int Destination, const Message &M) {
  ++Sent;
  if (Destination == Self)
    return store(M);
  trace::sent(Destination, M.Handler, 8 * M.Words + M.Length);
  unsigned Spins = 0;
  while (!Wire->send(Destination, M, InHandler)) {
    if (dispatchOne())
      Spins = 0;
    else if (Spins++ < Others->spins())
      _mm_pause();
    else
      // The receiver has not run for long.
      Others->giveWay();
  }
}

bool Dispatcher::trySend(int Destination, const Message &M) {
  if (Destination == Self)
    store(M);
  else if (!Wire->send(Destination, M, false))
    return false;
  ++Sent;
  return true;
}

void Dispatcher::runLater(void (*Body)()) {
  Own.push_back({{}, nullptr, Body});
  Control->Poll.store(1, std::memory_order_release);
}

void Dispatcher::runStored() {
  Stored S = std::move(Own.front());
  Own.pop_front();
  if (S.Body)
    handle(S.Body);
  else
    run(S.Msg);
}

bool Dispatcher::runArrived() {
  const Message *M = Wire->next();
  if (!M) {
    if (!Wire->progress())
      return false;
    if (!(M = Wire->next()))
      return false;
  }
  run(*M);
  Wire->release();
  return true;
}

bool Dispatcher::dispatchOne() {
  // By turns: what handlers leave for later must not keep others waiting.
  if (Own.empty() || OwnWasLast) {
    OwnWasLast = false;
    if (runArrived())
      return true;
  }
  if (Own.empty())
    return false;
  OwnWasLast = true;
  runStored();
  return true;
}

/// Takes the flag back if it was for messages that have all been handled.
bool Dispatcher::nothingArrives() {
  return !Control->Poll.load(std::memory_order_relaxed) || !Wire->quiet();
}

void Dispatcher::burst() {
  for (unsigned I = 0; I != BurstMessages; ++I)
    if (!dispatchOne() && nothingArrives())
      return;
}

bool Dispatcher::Idle::spin() {
  if (Yields)
    return giveWay();
  _mm_pause();
  if (D.Others->isHere())
    return Spins++ < CrowdedSpins;
  if (Spins++ % 64 != 0)
    return true;
  uint64_t Now = monotonicNanoseconds();
  if (Spins == 1)
    Since = Now;
  Yields = Now - Since > SpinNanoseconds;
  return true;
}

bool Dispatcher::Idle::giveWay() {
  uint64_t Now = D.Others->giveWay();
  return !D.Others->isHere() && Now - Since <= YieldNanoseconds;
}

/// Until Event is not `Seen`, or, if `Wake` was read before a look at the wire,
/// a message comes: one thread is enough for that.
void Dispatcher::sleep(uint32_t Seen, const uint32_t *Wake,
                       unsigned Microseconds) {
  // Where processors are few, a thread that runs will poll soon enough.
  bool Polled = Wake && Others->isOversubscribed() && Team->anyOnline();
  bool Watch = Wake && !Polled;
  if (Watch && !Watched.exchange(true, std::memory_order_seq_cst)) {
    if (Event.load(std::memory_order_seq_cst) == Seen)
      atWire([&] { Wire->sleep(*Wake, Microseconds); });
    Watched.store(false, std::memory_order_seq_cst);
    return;
  }
  Sleeping.fetch_add(1, std::memory_order_seq_cst);
  // That thread may have begun to block before it could see a sleeper.
  if (!Polled || Team->anyOnline())
    futexWait(Event, Seen, Microseconds);
  Sleeping.fetch_sub(1, std::memory_order_relaxed);
}

void Dispatcher::rest(ThreadRecord &T, uintptr_t Pc) {
  if (!Others->isHere())
    return;
  // Nothing but rests since the last one, and in the same loop.
  bool Again = T.state() == T.RestedAt + 2 && Pc == T.RestedPc;
  T.Rests = Again ? T.Rests + 1 : 0;
  T.RestedAt = T.state();
  T.RestedPc = Pc;
  bool Sleeps = T.Rests >= WakefulRests;
  if (T.Rests == WakefulRests)
    wakeResting();
  Resting.fetch_add(Sleeps, std::memory_order_seq_cst);
  uint32_t Seen = Event.load(std::memory_order_seq_cst), Wake = 0;
  // When the node has finished, the lock is never free and there is no wire.
  AtWire.fetch_add(1, std::memory_order_seq_cst);
  bool Locks = tryLock(), Quiet = false;
  if (!Locks) {
    AtWire.fetch_sub(1, std::memory_order_relaxed);
  } else {
    Wake = Control->Wake.load(std::memory_order_seq_cst);
    uint64_t Before = Handled;
    burst();
    Quiet = Handled == Before && !Wire->quiet();
    unlock();
  }
  if (Sleeps && (Quiet || !Locks)) {
    unsigned Doublings = std::min(T.Rests - WakefulRests, 5u);
    sleep(Seen, Quiet ? &Wake : nullptr,
          std::min(FirstRestMicroseconds << Doublings, RestMicroseconds));
  }
  AtWire.fetch_sub(Locks, std::memory_order_release);
  Resting.fetch_sub(Sleeps, std::memory_order_relaxed);
}

void Dispatcher::close() {
  Closed.store(true, std::memory_order_seq_cst);
  while (AtWire.load(std::memory_order_seq_cst)) {
    wakeSleepers();
    Wire->notify();
    Others->giveWay();
  }
}

void Dispatcher::wakeSleepers() {
  Event.fetch_add(1, std::memory_order_seq_cst);
  if (Sleeping.load(std::memory_order_seq_cst))
    futexWake(Event, INT32_MAX);
}

void Dispatcher::signal(const ThreadRecord *For) {
  // A thread that handles a message looks for itself.
  if (For && For == self())
    return;
  wakeSleepers();
  // The one that waited for this may finish the node meanwhile.
  if (Watched.load(std::memory_order_seq_cst))
    atWire([this] { Wire->notify(); });
}

void Dispatcher::stopServing(bool HasLock) {
  Serving.fetch_sub(1, std::memory_order_relaxed);
  // Messages that this thread leaves behind are for whoever polls next, ...
  if (HasLock && (!Own.empty() || Wire->next()))
    Control->Poll.store(1, std::memory_order_release);
  // ... and its place at the wire for one that sleeps. Where processors are few
  // that one would leave it to this thread, which is about to poll.
  if (Others->isOversubscribed() && willPoll())
    return;
  wakeOne();
}

/// The calling thread goes on with the program's code, or waits again.
bool Dispatcher::willPoll() {
  const ThreadRecord *T = self();
  return T && !T->BlockedAt;
}

void Dispatcher::wakeOne() {
  if (!Sleeping.load(std::memory_order_seq_cst))
    return;
  Event.fetch_add(1, std::memory_order_seq_cst);
  futexWake(Event, 1);
}

void Dispatcher::abandon() {
  if (Team->anyOnline())
    return;
  wakeOne();
  // Also if somebody serves: who is about to stop does not look here again, but
  // the helper does.
  HelpWanted.store(1, std::memory_order_seq_cst);
  if (Helping && !Serving.load(std::memory_order_seq_cst))
    futexWake(HelpWanted, 1);
}

void Dispatcher::help() {
  Helping = true;
  while (!Dismissed) {
    if (!HelpWanted.exchange(0, std::memory_order_seq_cst)) {
      futexWait(HelpWanted, 0, SleepMicroseconds);
      continue;
    }
    if (await(false, [this] {
          return Team->anyOnline() || Dismissed ||
                 Serving.load(std::memory_order_relaxed) > 1;
        }))
      unlock();
  }
  Helping = false;
}

void Dispatcher::dismissHelper() {
  Dismissed = true;
  HelpWanted.store(1, std::memory_order_seq_cst);
  futexWake(HelpWanted, 1);
  while (Helping) {
    signal();
    sched_yield();
  }
}

} // namespace graupel::dsm
