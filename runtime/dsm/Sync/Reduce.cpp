//===- Reduce.cpp - One value of each thread becomes one for all ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Node 0 gets the values of all threads and combines them from the first thread
// to the last, so that the result is the same however threads are spread over
// nodes.
//
//===----------------------------------------------------------------------===//

#include "Sync/Sync.h"
#include "Trace/Trace.h"
#include "graupel/dsm.h"
#include <cstring>
#include <vector>

namespace graupel::dsm {

namespace {

union Value {
  double Real;
  int64_t Integer;
};
static_assert(sizeof(Value) == 8);

std::vector<Value> *Own = nullptr; // One a thread of this node.
std::vector<Value> *All = nullptr; // On node 0.
std::atomic<int> NodesHeard{0};    // On node 0.
Value Result;
std::atomic<uint64_t> ResultsHeard{0};

void onValues(const Message &M) {
  compareCollective(M.Source, M.Word[0], CollectiveCall(M.Word[1], M.Word[2]));
  memcpy(All->data() + M.Source * TheNode->ThreadsPerNode, M.Payload, M.Length);
  NodesHeard.fetch_add(1, std::memory_order_release);
}

void onResult(const Message &M) {
  memcpy(&Result, &M.Word[0], sizeof(Result));
  ResultsHeard.fetch_add(1, std::memory_order_release);
}

template <class T> T combine(T A, T B, gdsm_operation Operation) {
  switch (Operation) {
  case GDSM_SUM:
    return A + B;
  case GDSM_MIN:
    return B < A ? B : A;
  case GDSM_MAX:
    return A < B ? B : A;
  }
  return A;
}

/// Node 0, when it has all values: outside of gdsm_parallel one of each node.
template <class T>
T combineAll(const Node &N, T Value::*Member, gdsm_operation Operation) {
  int Step = inParallel() ? 1 : N.ThreadsPerNode;
  T Sum = (*All)[0].*Member;
  for (int I = Step; I < N.Count * N.ThreadsPerNode; I += Step)
    Sum = combine(Sum, (*All)[I].*Member, Operation);
  return Sum;
}

/// By the last thread of a node to arrive.
template <class T>
void reduceNodes(Node &N, const CollectiveCall &Call, T Value::*Member,
                 gdsm_operation Operation) {
  N.Dispatch.lock();
  auto [Number, OfAll] = beginCollective(N, Call);
  Message M =
      internalMessage(Internal::ReduceValues, OfAll, Call.word(), Call.Pc);
  M.Length = static_cast<uint32_t>(Own->size() * sizeof(Value));
  M.Payload = Own->data();
  N.Dispatch.send(0, M);
  if (N.Number == 0) {
    bool HasLock = N.Dispatch.await(true, [&N] {
      return NodesHeard.load(std::memory_order_acquire) == N.Count;
    });
    if (!HasLock)
      N.Dispatch.lock();
    NodesHeard.store(0, std::memory_order_relaxed);
    Value Sum;
    Sum.*Member = combineAll(N, Member, Operation);
    uint64_t Bits;
    memcpy(&Bits, &Sum, sizeof(Bits));
    for (int To = N.Count - 1; To >= 0; --To)
      N.Dispatch.send(To, internalMessage(Internal::ReduceResult, Bits));
  }
  uint64_t Wanted = Number;
  awaitUnlocked(N, true, [Wanted] {
    return ResultsHeard.load(std::memory_order_acquire) == Wanted;
  });
  trace::passedBarrier(false);
}

template <class T>
T reduce(Collective Kind, const void *Pc, T Given, T Value::*Member,
         gdsm_operation Operation) {
  CollectiveCall Call(Kind, Pc, static_cast<uint32_t>(Operation));
  Node &N = nodeFor(Call.name());
  InCollective Here(N, Call);
  int Number = inParallel() ? Here.thread().Number : 0;
  (*Own)[Number].*Member = Given;
  meet(N, Call, [&] { reduceNodes(N, Call, Member, Operation); });
  return Result.*Member;
}

} // namespace

void registerReduceHandlers(Node &N) {
  Own = new std::vector<Value>(N.ThreadsPerNode);
  All = new std::vector<Value>(N.Count * N.ThreadsPerNode);
  N.Dispatch.setHandler(unsigned(Internal::ReduceValues), onValues);
  N.Dispatch.setHandler(unsigned(Internal::ReduceResult), onResult);
}

} // namespace graupel::dsm

using namespace graupel::dsm;

double gdsm_reduce_double(double Given, enum gdsm_operation Operation) {
  return reduce(Collective::ReduceDouble, __builtin_return_address(0), Given,
                &Value::Real, Operation);
}

int64_t gdsm_reduce_int64(int64_t Given, enum gdsm_operation Operation) {
  return reduce(Collective::ReduceInt64, __builtin_return_address(0), Given,
                &Value::Integer, Operation);
}
