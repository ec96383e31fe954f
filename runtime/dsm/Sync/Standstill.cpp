//===- Standstill.cpp - Nobody is left to signal ----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any thread may post a semaphore or signal a condition variable, so one who
// waits for that waits for ever only if nobody in the job can go on:
//
//   1. A wave visits all nodes in turn, from one with a thread that has waited
//      for a while. It ends at a node with a thread that is not at a stand: all
//      must wait for a lock, semaphore, condition variable or all other
//      threads, or have ended. Nor must there be a thread in the process that
//      has not called the runtime, whoever has started it.
//   2. It adds up the messages that nodes have sent and handled, and what
//      threads have done so far (their state words). Waves and probes of locks
//      (Deadlock.cpp), which nobody waits for, do not count.
//   3. A second wave follows, of the same number. If it finds the same of
//      threads, and as many messages sent as the first one found handled, then
//      no message was under way in between (Mattern 1987, four counters), so
//      nothing will ever change.
//   4. A thread that waits for all others may be about to notice that they have
//      come. It is at a stand only if a thread that waits for something else
//      has yet to make its call, which both waves look for, too.
//
//===----------------------------------------------------------------------===//

#include "Base/Lines.h"
#include "Errors/Error.h"
#include "Node/Process.h"
#include "Sync/Sync.h"
#include <cstring>
#include <string>
#include <vector>

namespace graupel::dsm {

LookMessages Looks;

namespace {

/// A thread at a stand.
struct Stand {
  int32_t Node;
  int32_t Thread; ///< Number in the job, or -1.
  Want Wants;     ///< Nothing: in a collective call.
  uint64_t Number;
  uint64_t Pc;
};
constexpr size_t MaxStands = 64;

/// The findings of a wave so far; the messages of waves carry them.
struct Found {
  uint64_t Sent, Handled, States;
  /// Positions of threads in the collective calls (ThreadRecord::Collectives):
  /// the lowest of those that wait for something else, and of those in one.
  uint64_t Lowest, LowestCollective;
  uint64_t Ended; ///< A bit a node.
};
constexpr uint64_t None = ~uint64_t(0);
constexpr Found Nothing = {0, 0, 0, None, None, 0};

/// Waves are numbered by the node that they come from: several of them may be
/// under way.
struct Wave {
  uint64_t Number;
  bool Second;
  int From;

  Wave(uint64_t Number, bool Second, int From)
      : Number(Number), Second(Second), From(From) {}
  explicit Wave(uint64_t Word)
      : Number(Word >> 9), Second(Word >> 8 & 1), From(int(Word & 255)) {}
  uint64_t word() const {
    return Number << 9 | uint64_t(Second) << 8 | uint64_t(From);
  }
};

/// The findings of the first waves of this node that returned last.
struct {
  uint64_t Wave = 0;
  Found Result = Nothing;
} Firsts[16];
uint64_t Begun = 0;

/// To the next node: what all up to this one have.
void send(Node &N, int To, const Wave &W, const Found &F,
          const std::vector<Stand> &Stands) {
  Message M = internalMessage(Internal::Standstill, W.word(), F.Sent, F.Handled,
                              F.States, F.Lowest, F.LowestCollective, F.Ended);
  M.Length = static_cast<uint32_t>(Stands.size() * sizeof(Stand));
  M.Payload = Stands.data();
  ++Looks.Sent;
  N.Dispatch.send(To, M);
}

/// False if the thread may go on.
bool visit(const Node &N, const ThreadRecord &T, Found &F,
           std::vector<Stand> &Stands) {
  // A worker that gdsm_parallel will need again.
  if (T.Number > 0 && !inParallel())
    return true;
  uint64_t State = T.state();
  if (State & 1)
    return false;
  F.States += State * (2 * T.Index + 1);
  if (&T == N.Ender)
    return true;
  Want Wants = T.Wants.load(std::memory_order_relaxed);
  uint64_t Position = T.Collectives.load(std::memory_order_relaxed);
  if (Wants == Want::Nothing) {
    if (T.Note.Reason.load(std::memory_order_relaxed) != WaitNote::Collective)
      return false;
    F.LowestCollective = std::min(F.LowestCollective, Position);
  } else if (T.Number >= 0) {
    F.Lowest = std::min(F.Lowest, Position);
  }
  if (Stands.size() != MaxStands)
    Stands.push_back(
        {N.Number, T.Number < 0 ? -1 : N.Number * N.ThreadsPerNode + T.Number,
         Wants, T.Note.Value.load(std::memory_order_relaxed),
         T.Note.Pc.load(std::memory_order_relaxed)});
  return true;
}

/// False if a thread of this node may go on.
bool visitAll(Node &N, Found &F, std::vector<Stand> &Stands) {
  bool All = true;
  int Started = 0;
  N.Team.forEach([&](const ThreadRecord &T) {
    if (!T.Taken)
      return;
    Started += T.Number < 0;
    All &= visit(N, T, F, Stands);
  });
  F.Sent += N.Dispatch.sent() - Looks.Sent;
  F.Handled += N.Dispatch.handled() - Looks.Handled;
  F.Ended |= uint64_t(N.Ending) << N.Number;
  // Others have not called the runtime yet, or nobody knows what they do.
  return All && Started == TheProgramsThreads.load() && allThreadsAreCounted();
}

std::string describe(const Stand &S, const char *Place) {
  static const char *const Resources[] = {"", "lock", "semaphore",
                                          "condition variable"};
  std::string Text =
      (S.Thread < 0 ? "a thread" : "thread " + std::to_string(S.Thread)) +
      " of node " + std::to_string(S.Node) + " waits at " + Place;
  if (S.Wants == Want::Nothing)
    return Text + " in a collective call for all threads";
  return Text + " for " + Resources[int(S.Wants)] + " " +
         std::to_string(S.Number);
}

[[noreturn]] void tell(const Found &F, const std::vector<Stand> &Stands) {
  std::vector<uintptr_t> Places;
  for (const Stand &S : Stands)
    Places.push_back(S.Pc);
  std::vector<PlaceName> Names(Stands.size());
  namePlaces(Places.data(), Names.data(), static_cast<unsigned>(Stands.size()));
  std::string Text;
  // Those that wait for a signal explain the others.
  for (bool Signals : {true, false})
    for (size_t I = 0; I != Stands.size(); ++I)
      if (Signals == (Stands[I].Wants >= Want::Semaphore))
        Text += (Text.empty() ? "" : "; ") + describe(Stands[I], Names[I].Text);
  for (int I = 0; I != TheNode->Count; ++I)
    if (F.Ended >> I & 1)
      Text += "; node " + std::to_string(I) + " has ended";
  fail("deadlock: nobody can signal any more: %s", Text.c_str());
}

/// From this node.
void begin(Node &N, uint64_t Number, bool Second) {
  Found F = Nothing;
  std::vector<Stand> Stands;
  if (visitAll(N, F, Stands))
    send(N, (N.Number + 1) % N.Count, {Number, Second, N.Number}, F, Stands);
}

void end(Node &N, const Wave &W, const Found &F,
         const std::vector<Stand> &Stands) {
  auto &First = Firsts[W.Number % std::size(Firsts)];
  if (!W.Second) {
    First = {W.Number, F};
    return begin(N, W.Number, true);
  }
  bool Same = First.Wave == W.Number && F.States == First.Result.States &&
              F.Sent == First.Result.Handled;
  if (Same && F.Lowest < F.LowestCollective)
    tell(F, Stands);
}

void onWave(const Message &M) {
  Node &N = *TheNode;
  Wave W(M.Word[0]);
  Found F = {M.Word[1], M.Word[2], M.Word[3], M.Word[4], M.Word[5], M.Word[6]};
  std::vector<Stand> Stands(M.Length / sizeof(Stand));
  if (M.Length)
    memcpy(Stands.data(), M.Payload, M.Length);
  if (W.From == N.Number)
    end(N, W, F, Stands);
  else if (visitAll(N, F, Stands))
    send(N, (N.Number + 1) % N.Count, W, F, Stands);
  // Not before: until it returns, it is not among those that were handled.
  ++Looks.Handled;
}

} // namespace

void registerStandstillHandlers(Node &N) {
  N.Dispatch.setHandler(unsigned(Internal::Standstill), onWave);
}

void lookForStandstill(Node &N) { begin(N, ++Begun, false); }

} // namespace graupel::dsm
