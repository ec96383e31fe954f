//===- Collective.cpp - Calls that every node has to make -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All nodes make the same collective calls in the same order. A node that does
// not makes others wait for ever; that is noticed instead, as early as it is
// certain:
//
//   1. Each node counts its calls. Messages of a call carry its number and
//      which call it is; the receiver compares with its own call of that
//      number, or keeps them until it makes that.
//   2. Within a node, threads that meet compare their calls. A thread that has
//      returned from the function of gdsm_parallel can meet nobody any more.
//   3. A node that ends tells all others how far it came.
//
// A thread's position (ThreadRecord::Collectives) orders its calls: twice the
// number of its calls of gdsm_parallel, plus one inside of the function; below
// that the calls made there. Lower positions are reached before higher ones on
// all threads, so a thread that waits in a call waits for those that are below.
//
//===----------------------------------------------------------------------===//

#include "Base/Lines.h"
#include "Errors/Error.h"
#include "Sync/Sync.h"
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace graupel::dsm {

namespace {

enum Waiting { ForBarrier, ForReduction, ForBroadcast, WaitingKinds };
using Counts = std::array<uint64_t, WaitingKinds>;

struct Ended {
  bool Here = false; // Its message is.
  int Status = -1;
  Counts Calls{};
};

struct Theirs {
  int Source;
  CollectiveCall Call;
};

// All of it under the protocol lock, but for NodesEnded.
std::vector<Ended> *Nodes = nullptr;
std::atomic<int> NodesEnded{0};
Counts Calls{};

/// The calls of this node so far, and the last of them.
constexpr unsigned Kept = 256;
uint64_t CallCount = 0;
std::array<CollectiveCall, Kept> *Own = nullptr;
/// Calls of other nodes that this one has not made yet.
std::map<uint64_t, Theirs> *Early = nullptr;

/// The last call of this node. Its wait may be over: then those that it needed
/// have made it, too, and nobody is to blame.
struct {
  Waiting Kind = ForBarrier;
  const char *Caller = nullptr;
  int Needed = EveryNode;
} Last;

Waiting waitingOf(Collective Kind) {
  switch (Kind) {
  case Collective::ReduceDouble:
  case Collective::ReduceInt64:
  case Collective::ReduceArray:
    return ForReduction;
  case Collective::Broadcast:
    return ForBroadcast;
  default:
    return ForBarrier;
  }
}

/// "gdsm_broadcast from node 1".
std::string describe(const CollectiveCall &C) {
  static const char *const Operations[] = {"GDSM_SUM", "GDSM_MIN", "GDSM_MAX"};
  std::string Text = C.name();
  if (C.Kind == Collective::ParallelEnd)
    return "returns from the function of " + Text;
  if (C.Kind == Collective::Broadcast)
    Text += " from node " + std::to_string(C.Detail);
  uint32_t Operation = C.Detail;
  if (C.Kind == Collective::ReduceArray) {
    static const char *const Types[] = {"GDSM_INT32", "GDSM_UINT32",
                                        "GDSM_INT64", "GDSM_UINT64",
                                        "GDSM_FLOAT", "GDSM_DOUBLE"};
    ReducedArray A(C.Detail);
    Operation = A.Operation;
    if (A.Type < std::size(Types))
      Text += " of " + std::to_string(A.Count) + " " + Types[A.Type];
  }
  if (waitingOf(C.Kind) == ForReduction && Operation < std::size(Operations))
    Text += std::string(" with ") + Operations[Operation];
  return "calls " + Text;
}

[[noreturn]] void differ(const std::string &A, const CollectiveCall &OfA,
                         const std::string &B, const CollectiveCall &OfB) {
  uintptr_t Places[] = {OfA.Pc, OfB.Pc};
  PlaceName Names[2];
  namePlaces(Places, Names, 2);
  fail("%s %s at %s, where %s %s at %s; all have to make the same collective "
       "calls in the same order",
       A.c_str(), describe(OfA).c_str(), Names[0].Text, B.c_str(),
       describe(OfB).c_str(), Names[1].Text);
}

void compare(const CollectiveCall &Mine, const Theirs &T) {
  if (Mine.word() != T.Call.word())
    differ("node " + std::to_string(TheNode->Number), Mine,
           "node " + std::to_string(T.Source), T.Call);
}

void blame(int Other) {
  const Ended &E = (*Nodes)[Other];
  if (!E.Here || !Last.Caller || E.Calls[Last.Kind] >= Calls[Last.Kind] ||
      (Last.Needed != EveryNode && Last.Needed != Other))
    return;
  char Status[32] = "";
  if (E.Status >= 0)
    snprintf(Status, sizeof(Status), ", with status %d,", E.Status);
  failWithStatus(E.Status > 0 ? E.Status : 1,
                 "%s waits for node %d, which has ended%s without this call; "
                 "every node has to make the same collective calls before its "
                 "main returns or calls exit",
                 Last.Caller, Other, Status);
}

void onEnded(const Message &M) {
  Ended &E = (*Nodes)[M.Source];
  E.Here = true;
  E.Status = static_cast<int>(M.Word[0]);
  std::copy_n(M.Word + 1, E.Calls.size(), E.Calls.begin());
  blame(M.Source);
  forgetSemaphoreWaiters(M.Source);
  forgetConditionWaiters(M.Source);
  NodesEnded.fetch_add(1, std::memory_order_release);
  TheNode->Dispatch.signal();
}

/// A broadcast has an end also where nobody has asked for it.
void compareBroadcasts(int Own) {
  unsigned Kind = ForBroadcast;
  for (const Ended &E : *Nodes)
    if (E.Status > 0)
      return; // This is to be told, and explains the rest.
  for (const Ended &E : *Nodes)
    if (E.Calls[Kind] < Calls[Kind])
      fail("node %d has called gdsm_broadcast %llu times, node %d %llu times; "
           "every node has to make the same collective calls",
           Own, (unsigned long long)Calls[Kind], int(&E - Nodes->data()),
           (unsigned long long)E.Calls[Kind]);
}

} // namespace

void registerCollectiveHandlers(Node &N) {
  Nodes = new std::vector<Ended>(N.Count);
  Own = new std::array<CollectiveCall, Kept>;
  Early = new std::map<uint64_t, Theirs>;
  N.Dispatch.setHandler(unsigned(Internal::Ended), onEnded);
}

const char *CollectiveCall::name() const {
  switch (Kind) {
  case Collective::Barrier:
    return "gdsm_barrier";
  case Collective::ParallelBegin:
  case Collective::ParallelEnd:
    return "gdsm_parallel";
  case Collective::ReduceDouble:
    return "gdsm_reduce_double";
  case Collective::ReduceInt64:
    return "gdsm_reduce_int64";
  case Collective::ReduceArray:
    return "gdsm_reduce";
  case Collective::Broadcast:
    return "gdsm_broadcast";
  }
  return "another version's call";
}

CollectiveNumber beginCollective(Node &N, const CollectiveCall &Call,
                                 int Needed) {
  Waiting Kind = waitingOf(Call.Kind);
  CollectiveNumber Number = {++Calls[Kind], ++CallCount};
  (*Own)[Number.OfAll % Kept] = Call;
  if (!Early->empty() && Early->begin()->first == Number.OfAll) {
    Theirs T = Early->begin()->second;
    Early->erase(Early->begin());
    compare(Call, T);
  }
  Last = {Kind, Call.name(), Needed};
  if (NodesEnded.load(std::memory_order_relaxed)) [[unlikely]]
    for (int Other = 0; Other != N.Count; ++Other)
      blame(Other);
  return Number;
}

void compareCollective(int Source, uint64_t Number,
                       const CollectiveCall &Call) {
  if (Number > CallCount)
    Early->try_emplace(Number, Theirs{Source, Call});
  else if (CallCount - Number < Kept)
    compare((*Own)[Number % Kept], {Source, Call});
}

//===-- Within a node -----------------------------------------------------===//

Meeting TheMeeting;

namespace {

constexpr uint64_t Inside = uint64_t(1) << 32;

constexpr unsigned CallShift = 16;
static_assert(MaxThreads < 1 << CallShift);

/// The call in the word that also counts the arrived threads; never 0.
uint64_t meetingOf(const CollectiveCall &C) {
  return (C.word() + 1) << CallShift;
}

uint64_t callOf(uint64_t Arrived) { return Arrived >> CallShift << CallShift; }

[[noreturn]] void failToMeet(uintptr_t Pc, const char *Caller) {
  fail(
      "node %d: a thread waits in %s at %s for another one, which has returned "
      "from the function of gdsm_parallel; all have to make the same "
      "collective calls",
      TheNode->Number, Caller, nameOf(Pc).Text);
}

} // namespace

InCollective::InCollective(Node &N, const CollectiveCall &C)
    : Away(N,
           C.Kind == Collective::Broadcast ? WaitNote::Other
                                           : WaitNote::Collective,
           C.name(), reinterpret_cast<const void *>(C.Pc)) {
  if (thread().Number < 0)
    fail("%s at %s by a thread that gdsm_parallel did not start; only main "
         "threads and those of gdsm_parallel make collective calls",
         C.name(), nameOf(C.Pc).Text);
  thread().Collectives.fetch_add(1, std::memory_order_relaxed);
}

void beginParallel(ThreadRecord &T) {
  static std::atomic<uint64_t> Parallels{0};
  // The main thread is the first one here.
  if (T.Number == 0) {
    TheMeeting.Returned.store(0, std::memory_order_relaxed);
    Parallels.fetch_add(1, std::memory_order_relaxed);
  }
  uint64_t Count = Parallels.load(std::memory_order_relaxed);
  T.Note.clear();
  T.Collectives.store((2 * Count - 1) * Inside, std::memory_order_relaxed);
}

void returnFromParallel(ThreadRecord &T, const void *Pc) {
  T.Note.set(WaitNote::Collective, "gdsm_parallel", Pc, 0);
  T.Collectives.fetch_or(Inside - 1, std::memory_order_relaxed);
  TheMeeting.Returned.fetch_add(1, std::memory_order_seq_cst);
  if (TheMeeting.Arrived.load(std::memory_order_seq_cst))
    failToMeet(TheMeeting.FirstPc.load(std::memory_order_relaxed),
               "a collective call");
}

void endParallel(ThreadRecord &T) {
  T.Collectives.fetch_add(1, std::memory_order_relaxed);
}

bool arrive(const CollectiveCall &Call, int Members, uint64_t Round) {
  uint64_t Which = meetingOf(Call), Now = 0;
  do {
    if (Now && callOf(Now) != Which)
      break;
    if (!Now)
      TheMeeting.FirstPc.store(Call.Pc, std::memory_order_relaxed);
  } while (!TheMeeting.Arrived.compare_exchange_weak(
      Now, (Now ? Now : Which) + 1, std::memory_order_seq_cst));
  if (Now && callOf(Now) != Which) {
    std::string On = " of node " + std::to_string(TheNode->Number);
    differ("a thread" + On, Call, "another one" + On,
           CollectiveCall(
               (Now >> CallShift) - 1,
               uint64_t(TheMeeting.FirstPc.load(std::memory_order_relaxed))));
  }
  // The last to arrive may have ended this meeting and returned since.
  if (Members > 1 && TheMeeting.Returned.load(std::memory_order_seq_cst) &&
      TheMeeting.Round.load(std::memory_order_acquire) == Round)
    failToMeet(Call.Pc, Call.name());
  return static_cast<int>(Now - (Now ? Which : 0)) + 1 == Members;
}

//===-- The end -----------------------------------------------------------===//

void endTogether(Node &N, int Status) {
  N.Dispatch.lock();
  N.Ending = true;
  N.Ender = self();
  abandonLocks(N);
  forgetSemaphoreWaiters(N.Number);
  forgetConditionWaiters(N.Number);
  for (int To = 0; To != N.Count; ++To)
    N.Dispatch.send(To, internalMessage(Internal::Ended, Status, Calls[0],
                                        Calls[1], Calls[2]));
  bool HasLock = N.Dispatch.await(true, [&N] {
    return NodesEnded.load(std::memory_order_acquire) == N.Count;
  });
  if (!HasLock)
    N.Dispatch.lock();
  compareBroadcasts(N.Number);
  N.Dispatch.unlock();
}

} // namespace graupel::dsm
