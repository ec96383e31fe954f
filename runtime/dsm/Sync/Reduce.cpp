//===- Reduce.cpp - Values of each thread become one for all ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values are combined from the first thread to the last, so that the result is
// the same on all nodes and however threads are spread over nodes:
//
//   1. Threads of a node meet; the last one does the rest for it.
//   2. If what its threads have fits into a message, node 0 gets it from all
//      and combines it: two messages, one after the other.
//   3. Otherwise parts of it go from node to node: each combines what comes
//      from the node before with what its own threads have. So no node gets
//      more than one array, and all work on different parts at a time.
//   4. The node that has the result sends it down a binomial tree.
//
// Either way each part goes up and down once: 2 (nodes - 1) messages a part. In
// a chain all nodes but the first tell that one which call they are in, too.
//
//===----------------------------------------------------------------------===//

#include "Base/Lines.h"
#include "Errors/Error.h"
#include "Sync/Sync.h"
#include "Trace/Trace.h"
#include "Transport/Packet.h"
#include "graupel/dsm.h"
#include "graupel/dsm_wrappers.h"
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <type_traits>
#include <vector>

namespace graupel::dsm {

namespace {

constexpr size_t ElementBytes[] = {4, 4, 8, 8, 4, 8};
static_assert(std::size(ElementBytes) == GDSM_DOUBLE + 1);

/// The array to reduce.
struct Array {
  gdsm_type Type;
  size_t Count;
  gdsm_operation Operation;
  size_t bytes() const { return Count * ElementBytes[Type]; }
};

/// Arrays of other nodes, for a call.
struct Incoming {
  std::map<int, std::vector<char>> From;
  std::atomic<size_t> Bytes{0};
};

/// The arrays of this node's threads.
std::vector<const char *> *Own = nullptr;
/// By collective call. Under the protocol lock.
std::map<uint64_t, Incoming> *Arrived = nullptr;
/// Until the threads of this node meet again.
std::vector<char> *Result = nullptr;
std::atomic<size_t> ResultBytes{0};

void onValues(const Message &M) {
  compareCollective(M.Source, M.Word[0], CollectiveCall(M.Word[1], M.Word[2]));
  if (!M.Length)
    return; // Only compares.
  Incoming &I = (*Arrived)[M.Word[0]];
  auto *Payload = static_cast<const char *>(M.Payload);
  std::vector<char> &Data = I.From[M.Source];
  Data.insert(Data.end(), Payload, Payload + M.Length);
  I.Bytes.fetch_add(M.Length, std::memory_order_release);
  TheNode->Dispatch.signal(TheMeeting.Outside);
}

void onResult(const Message &M) {
  memcpy(Result->data() + M.Word[1], M.Payload, M.Length);
  ResultBytes.fetch_add(M.Length, std::memory_order_release);
  TheNode->Dispatch.signal(TheMeeting.Outside);
  passDown(*TheNode, M, static_cast<int>(M.Word[0]));
}

template <class T> T combine(T A, T B, gdsm_operation Operation) {
  switch (Operation) {
  case GDSM_SUM:
    // Integers wrap.
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(A) +
                            static_cast<std::make_unsigned_t<T>>(B));
    else
      return A + B;
  case GDSM_MIN:
    return B < A ? B : A;
  case GDSM_MAX:
    return A < B ? B : A;
  }
  return A;
}

/// Anywhere in memory.
template <class T>
void combineAll(char *Into, const char *With, size_t Bytes,
                gdsm_operation Operation) {
  for (size_t At = 0; At != Bytes; At += sizeof(T)) {
    T A, B;
    memcpy(&A, Into + At, sizeof(T));
    memcpy(&B, With + At, sizeof(T));
    A = combine(A, B, Operation);
    memcpy(Into + At, &A, sizeof(T));
  }
}

void combine(char *Into, const char *With, size_t Bytes, const Array &A) {
  switch (A.Type) {
  case GDSM_INT32:
    return combineAll<int32_t>(Into, With, Bytes, A.Operation);
  case GDSM_UINT32:
    return combineAll<uint32_t>(Into, With, Bytes, A.Operation);
  case GDSM_INT64:
    return combineAll<int64_t>(Into, With, Bytes, A.Operation);
  case GDSM_UINT64:
    return combineAll<uint64_t>(Into, With, Bytes, A.Operation);
  case GDSM_FLOAT:
    return combineAll<float>(Into, With, Bytes, A.Operation);
  case GDSM_DOUBLE:
    return combineAll<double>(Into, With, Bytes, A.Operation);
  }
}

/// Waits for others' values; with the protocol lock before and after.
void awaitBytes(Node &N, const Incoming &I, size_t Bytes) {
  awaitLocked(N, [&I, Bytes] {
    return I.Bytes.load(std::memory_order_acquire) >= Bytes;
  });
}

void sendUp(Node &N, int To, uint64_t Number, const CollectiveCall &Call,
            const char *Data, size_t Bytes) {
  Message M =
      internalMessage(Internal::ReduceValues, Number, Call.word(), Call.Pc);
  M.Length = static_cast<uint32_t>(Bytes);
  M.Payload = Data;
  N.Dispatch.send(To, M);
}

/// A part of the result, by the node that has combined it.
void sendDown(Node &N, size_t Offset, size_t Bytes) {
  Message M = internalMessage(Internal::ReduceResult, N.Number, Offset);
  M.Length = static_cast<uint32_t>(Bytes);
  M.Payload = Result->data() + Offset;
  passDown(N, M, N.Number);
  ResultBytes.fetch_add(Bytes, std::memory_order_release);
}

int threadsThatGive(const Node &N) {
  return inParallel() ? N.ThreadsPerNode : 1;
}

/// All to node 0.
void gather(Node &N, uint64_t Number, const CollectiveCall &Call,
            const Array &A) {
  int Threads = threadsThatGive(N);
  size_t Bytes = A.bytes();
  if (N.Number != 0) {
    std::vector<char> All;
    for (int I = 0; I != Threads; ++I)
      All.insert(All.end(), (*Own)[I], (*Own)[I] + Bytes);
    return sendUp(N, 0, Number, Call, All.data(), All.size());
  }
  Incoming &In = (*Arrived)[Number];
  awaitBytes(N, In, size_t(N.Count - 1) * Threads * Bytes);
  memcpy(Result->data(), (*Own)[0], Bytes);
  for (int I = 1; I != Threads; ++I)
    combine(Result->data(), (*Own)[I], Bytes, A);
  for (auto &[Source, Data] : In.From)
    for (size_t At = 0; At != Data.size(); At += Bytes)
      combine(Result->data(), Data.data() + At, Bytes, A);
  Arrived->erase(Number);
  sendDown(N, 0, Bytes);
}

/// From each node to the next one, part by part.
void chain(Node &N, uint64_t Number, const CollectiveCall &Call,
           const Array &A) {
  int Threads = threadsThatGive(N);
  size_t Bytes = A.bytes();
  // If node 0 has made another call, this one would wait for it.
  if (N.Number != 0)
    sendUp(N, 0, Number, Call, nullptr, 0);
  Incoming &In = (*Arrived)[Number];
  for (size_t At = 0, Part; At != Bytes; At += Part) {
    Part = std::min<size_t>(MaxPayload, Bytes - At);
    char *Into = Result->data() + At;
    int First = 0;
    if (N.Number == 0) {
      memcpy(Into, (*Own)[First++] + At, Part);
    } else {
      awaitBytes(N, In, At + Part);
      memcpy(Into, In.From[N.Number - 1].data() + At, Part);
    }
    for (int I = First; I != Threads; ++I)
      combine(Into, (*Own)[I] + At, Part, A);
    if (N.Number + 1 == N.Count)
      sendDown(N, At, Part);
    else
      sendUp(N, N.Number + 1, Number, Call, Into, Part);
  }
  Arrived->erase(Number);
}

/// By the last thread of a node to arrive.
void reduceNodes(Node &N, const CollectiveCall &Call, const Array &A) {
  N.Dispatch.lock();
  uint64_t Number = beginCollective(N, Call).OfAll;
  size_t Bytes = A.bytes();
  // Nobody has the result before this node has given its part.
  Result->resize(Bytes);
  ResultBytes.store(0, std::memory_order_relaxed);
  if (size_t(threadsThatGive(N)) * Bytes <= MaxPayload)
    gather(N, Number, Call, A);
  else
    chain(N, Number, Call, A);
  awaitUnlocked(N, true, [Bytes] {
    return ResultBytes.load(std::memory_order_acquire) == Bytes;
  });
  trace::passedBarrier(false);
}

/// `Values` are private.
void reduce(const CollectiveCall &Call, const Array &A, void *Values) {
  Node &N = nodeFor(Call.name());
  InCollective Here(N, Call);
  (*Own)[inParallel() ? Here.thread().Number.load() : 0] =
      static_cast<const char *>(Values);
  meet(N, Call, [&] { reduceNodes(N, Call, A); });
  memcpy(Values, Result->data(), A.bytes());
}

template <class T>
T reduceOne(Collective Kind, const void *Pc, gdsm_type Type, T Value,
            gdsm_operation Operation) {
  reduce(CollectiveCall(Kind, Pc, static_cast<uint32_t>(Operation)),
         {Type, 1, Operation}, &Value);
  return Value;
}

void check(const Array &A, const void *Pc) {
  auto Place = [Pc] { return nameOf(reinterpret_cast<uintptr_t>(Pc)); };
  if (A.Type < GDSM_INT32 || A.Type > GDSM_DOUBLE)
    fail("gdsm_reduce at %s: type %d is none of enum gdsm_type", Place().Text,
         int(A.Type));
  if (A.Operation < GDSM_SUM || A.Operation > GDSM_MAX)
    fail("gdsm_reduce at %s: operation %d is none of enum gdsm_operation",
         Place().Text, int(A.Operation));
  if (A.Count > ReducedArray::MaxCount)
    fail("gdsm_reduce at %s: %zu elements are too many; reduce %zu at a time",
         Place().Text, A.Count, size_t(ReducedArray::MaxCount));
}

} // namespace

void registerReduceHandlers(Node &N) {
  Own = new std::vector<const char *>(N.ThreadsPerNode);
  Arrived = new std::map<uint64_t, Incoming>;
  Result = new std::vector<char>;
  N.Dispatch.setHandler(unsigned(Internal::ReduceValues), onValues);
  N.Dispatch.setHandler(unsigned(Internal::ReduceResult), onResult);
}

} // namespace graupel::dsm

using namespace graupel::dsm;

double gdsm_reduce_double(double Given, enum gdsm_operation Operation) {
  return reduceOne(Collective::ReduceDouble, __builtin_return_address(0),
                   GDSM_DOUBLE, Given, Operation);
}

int64_t gdsm_reduce_int64(int64_t Given, enum gdsm_operation Operation) {
  return reduceOne(Collective::ReduceInt64, __builtin_return_address(0),
                   GDSM_INT64, Given, Operation);
}

void gdsm_reduce(void *Values, size_t Count, enum gdsm_type Type,
                 enum gdsm_operation Operation) {
  const void *Pc = __builtin_return_address(0);
  Array A = {Type, Count, Operation};
  check(A, Pc);
  CollectiveCall Call(Collective::ReduceArray, Pc,
                      ReducedArray::pack(Count, Type, Operation));
  const Node &N = nodeFor(Call.name());
  size_t Bytes = A.bytes();
  auto *First = static_cast<char *>(Values);
  if (!N.Shared.contains(First) &&
      (!Bytes || !N.Shared.contains(First + Bytes - 1)))
    return reduce(Call, A, Values);
  auto Copy = std::make_unique_for_overwrite<char[]>(Bytes);
  graupel_dsm_memcpy(Copy.get(), Values, Bytes);
  reduce(Call, A, Copy.get());
  graupel_dsm_memcpy(Values, Copy.get(), Bytes);
}
