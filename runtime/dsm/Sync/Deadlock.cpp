//===- Deadlock.cpp - Locks that nobody will ever get -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread waits for one lock at most, so who waits for whom is a chain. A
// probe follows it, from a thread that has waited for a while:
//
//   1. At the lock's home: which node has it?
//   2. There: which thread, and what does that wait for? A lock: on to its
//   home.
//      The thread that the probe began with: the chain is a cycle. A collective
//      call that the first thread has yet to make: neither can go on, either.
//   3. Threads may have gone on since the probe passed. It visits all of them
//      once more: if each still is in the wait that it was in, all were so when
//      the first round ended, and what each has it had then, because only who
//      has a lock gives it back. So the job never ends, and fails.
//
// Each thread of a cycle begins probes of its own, so a probe that enters a
// cycle that it did not begin at is dropped.
//
// (Chandy, Misra, Haas 1983, for a single outstanding request; the second round
// is for chains that change under the probe.)
//
//===----------------------------------------------------------------------===//

#include "Base/Lines.h"
#include "Errors/Error.h"
#include "Sync/AtHome.h"
#include "Sync/Sync.h"
#include <cstring>
#include <string>
#include <vector>

namespace graupel::dsm {

namespace {

/// A thread on the way, and what it waits for.
struct Hop {
  int32_t Node;
  uint32_t Index;
  int32_t Thread; ///< Number in the job, or -1.
  uint32_t Kind;  ///< WaitNote::Lock or Collective.
  uint64_t State; ///< Tells one wait from another.
  uint64_t Lock;
  uint64_t Position; ///< ThreadRecord::Collectives.
  uint64_t Pc;
};
using Chain = std::vector<Hop>;
constexpr size_t MaxHops = 64;

enum Stage : uint64_t { AtHome, AtOwner, Again };

void send(Node &N, int To, Stage S, uint64_t Index, const Chain &C) {
  Message M = internalMessage(Internal::LockProbe, S, Index);
  M.Length = static_cast<uint32_t>(C.size() * sizeof(Hop));
  M.Payload = C.data();
  ++Looks.Sent;
  N.Dispatch.send(To, M);
}

Hop hopOf(const Node &N, const ThreadRecord &T) {
  return {N.Number,
          T.Index,
          T.Number < 0 ? -1 : N.Number * N.ThreadsPerNode + T.Number,
          T.Note.Reason.load(std::memory_order_relaxed),
          T.state(),
          T.Note.Value.load(std::memory_order_relaxed),
          T.Collectives.load(std::memory_order_relaxed),
          T.Note.Pc.load(std::memory_order_relaxed)};
}

bool isThread(const Hop &H, const Node &N, const ThreadRecord &T) {
  return H.Node == N.Number && H.Index == T.Index;
}

/// Whether all that waits in T's call waits for the first thread, too.
bool needs(const ThreadRecord &T, const Hop &First) {
  return T.Note.Reason.load(std::memory_order_relaxed) ==
             WaitNote::Collective &&
         First.Thread >= 0 && T.Number >= 0 &&
         First.Position < T.Collectives.load(std::memory_order_relaxed);
}

void follow(Node &N, Chain C) {
  const ThreadRecord *Owner = lockOwner(C.back().Lock);
  if (!Owner || (Owner->state() & 1) || C.size() == MaxHops)
    return;
  if (isThread(C.front(), N, *Owner))
    return send(N, C.front().Node, Again, 0, C);
  for (const Hop &H : C)
    if (isThread(H, N, *Owner))
      return;
  C.push_back(hopOf(N, *Owner));
  if (Owner->Wants == Want::Lock)
    return send(N, homeOf(N, C.back().Lock), AtHome, 0, C);
  if (needs(*Owner, C.front()))
    send(N, C.front().Node, Again, 0, C);
}

std::string nameOf(const Hop &H) {
  return (H.Thread < 0 ? "a thread" : "thread " + std::to_string(H.Thread)) +
         " of node " + std::to_string(H.Node);
}

[[noreturn]] void tell(const Chain &C) {
  std::vector<uintptr_t> Places;
  for (const Hop &H : C)
    Places.push_back(H.Pc);
  std::vector<PlaceName> Names(C.size());
  namePlaces(Places.data(), Names.data(), static_cast<unsigned>(C.size()));
  std::string Text = nameOf(C[0]);
  bool Cycle = C.back().Kind == WaitNote::Lock;
  for (size_t I = 0; I != C.size(); ++I) {
    Text += std::string(I ? ", which" : "") + " waits at " + Names[I].Text;
    if (C[I].Kind == WaitNote::Lock)
      Text += " for lock " + std::to_string(C[I].Lock) + ", which " +
              nameOf(C[(I + 1) % C.size()]) + " has";
  }
  fail("deadlock: %s%s", Text.c_str(),
       Cycle
           ? "; take locks in the same order everywhere"
           : " in a collective call for all threads; call gdsm_unlock before");
}

/// The second round, at the Index-th thread.
void visitAgain(Node &N, size_t Index, const Chain &C) {
  const Hop &H = C[Index];
  const ThreadRecord &T = N.Team.record(H.Index);
  bool Same = T.state() == H.State &&
              T.Note.Reason.load(std::memory_order_relaxed) == H.Kind &&
              (H.Kind != WaitNote::Lock || T.Wants == Want::Lock);
  if (!Same)
    return;
  if (Index + 1 == C.size())
    tell(C);
  send(N, C[Index + 1].Node, Again, Index + 1, C);
}

void pass(Node &N, const Message &M) {
  Chain C(M.Length / sizeof(Hop));
  memcpy(C.data(), M.Payload, C.size() * sizeof(Hop));
  switch (M.Word[0]) {
  case AtHome: {
    int Holder = lockHolder(C.back().Lock);
    return Holder < 0 ? void() : send(N, Holder, AtOwner, 0, C);
  }
  case AtOwner:
    return follow(N, std::move(C));
  default:
    return visitAgain(N, M.Word[1], C);
  }
}

void onProbe(const Message &M) {
  pass(*TheNode, M);
  ++Looks.Handled;
}

} // namespace

void registerDeadlockHandlers(Node &N) {
  N.Dispatch.setHandler(unsigned(Internal::LockProbe), onProbe);
}

void lookForDeadlock(Node &N, const ThreadRecord &T) {
  if (T.Wants == Want::Lock && !(T.state() & 1))
    send(N, homeOf(N, T.Note.Value.load(std::memory_order_relaxed)), AtHome, 0,
         {hopOf(N, T)});
}

} // namespace graupel::dsm
