//===- stride/ThreadLoop.cpp - Members of loops that are running ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the members of a loop that is running, a stream at a time.
//
// 1. group finds the object of each member's addresses and puts the members of
//    each stream together. If a member's addresses are not all of one object,
//    members are counted one by one instead, in the order of the program.
// 2. advance counts a group up to an iteration. That happens at the end, and
//    before another reference comes into the group's stream.
// 3. finishLoop ends the loop. If no group was advanced before and the loop has
//    made all its iterations, remember counts the groups and keeps the
//    execution, so that later ones can be compared with it. It does not do so
//    for sampled threads.
// 4. takeBack undoes an execution that was counted as an earlier one, because
//    another reference came into one of its streams or the loop was left early.
//    It groups the members again.
// 5. flushLoops moves the counts of executions that were repeated to their
//    shares.
//
//===----------------------------------------------------------------------===//

#include "Thread.h"
#include <algorithm>

namespace graupel::stride {

void Thread::makeRoom(Execution &State, uint32_t Members) {
  if (State.Groups)
    return;
  State.First = static_cast<uint32_t *>(allocate(Members * sizeof(uint32_t)));
  State.Offset = static_cast<uint64_t *>(allocate(Members * sizeof(uint64_t)));
  State.Steps = static_cast<int64_t *>(allocate(Members * sizeof(int64_t)));
  State.Groups = static_cast<Execution::Group *>(
      allocate(Members * sizeof(Execution::Group)));
}

/// Another reference came into a stream of members that are counted: the loop
/// is as if it had just begun.
__attribute__((noinline)) void Thread::takeBack() {
  Execution &State = *Now.Ahead;
  const LoopInfo &L = *Now.Loop;
  // It may be in the record already.
  setDirty(State);
  for (uint32_t N = 0; N < State.GroupCount; ++N)
    Bases[State.Groups[N].First] = State.Groups[N].Again.undo(Now.Iterations);
  for (uint32_t N = 0; N < L.MemberCount; ++N) {
    Bases[N] = Bases[State.First[N]] + State.Offset[N];
    Steps[N] = State.Steps[N];
  }
  Now.Ahead = nullptr;
  Now.Groups = GroupSpace;
  Now.Literal = !group(L);
}

/// Counts the running loop, whose groups have not been advanced.
__attribute__((noinline)) void Thread::remember() {
  const LoopInfo &L = *Now.Loop;
  LoopState &Loop = LoopStates[Now.Number];
  Execution &State = Loop.Known[Loop.Latest = Loop.Oldest];
  Loop.Oldest = (Loop.Oldest + 1) % LoopState::Size;
  makeRoom(State, L.MemberCount);
  for (uint32_t N = 0; N < State.GroupCount; ++N)
    State.Groups[N].Again.flush(C);
  State.IsKnown = true;
  State.Iterations = Now.Iterations;
  State.GroupCount = Now.GroupCount;
  for (uint32_t N = 0; N < L.MemberCount; ++N)
    // The next address of a site that is not counted may be anything.
    State.IsKnown &= States[L.Members[N].Site].H != nullptr;
  for (uint32_t N = 0; N < Now.GroupCount; ++N) {
    LoopGroup &G = Now.Groups[N];
    Execution::Group &To = State.Groups[N];
    uint64_t Base = G.Members[0].Base;
    To.First = G.FirstMember;
    To.Site = L.Members[G.FirstMember].Site;
    To.Hist = G.Members[0].Hist;
    int64_t Low = 0, High = 0;
    for (uint32_t K = 0; K < G.Count; ++K)
      for (uint64_t I : {uint64_t(0), Now.Iterations - 1}) {
        auto From = static_cast<int64_t>(G.Members[K].at(I) - Base);
        Low = std::min(Low, From);
        High = std::max(High, From);
      }
    To.Low = static_cast<uint64_t>(Low);
    To.High = static_cast<uint64_t>(High);
    for (uint32_t K = 0, M = 0; K < L.MemberCount; ++K)
      if (M < G.Count && G.Members[M].Order == L.Members[K].Order) {
        State.First[K] = G.FirstMember;
        State.Offset[K] = Bases[K] - Base;
        State.Steps[K] = Steps[K];
        ++M;
      }
    if (!To.Again.remember(C, G, Now.Iterations)) {
      State.IsKnown = false;
      advance(G, Now.Iterations, 0);
    }
    G.S->Group = nullptr;
  }
}

/// Splits the members by stream; not if one refers to several objects.
__attribute__((noinline)) bool Thread::group(const LoopInfo &L) {
  GroupMember *Space = MemberSpace;
  for (uint32_t N = 0; N < L.MemberCount; ++N) {
    uint32_t Site = L.Members[N].Site;
    uint64_t Way = (Now.Iterations - 1) * static_cast<uint64_t>(Steps[N]);
    bool Down = Steps[N] < 0;
    if (!resolveRange(States[Site], Site, Down ? Bases[N] + Way : Bases[N],
                      (Down ? 0 - Way : Way) + Facts[Site].Bytes))
      return false;
  }
  // A group's members stand side by side: one pass a group.
  Now.GroupCount = 0;
  for (uint32_t N = 0; N < L.MemberCount; ++N) {
    SiteState &State = States[L.Members[N].Site];
    if (!State.H || State.S->Group)
      continue;
    settle(*State.S);
    State.S->close();
    LoopGroup &G = GroupSpace[Now.GroupCount++];
    G = {State.S, Space, 0, N, true, 0, 0};
    State.S->Group = &G;
    for (uint32_t K = N; K < L.MemberCount; ++K) {
      SiteState &Other = States[L.Members[K].Site];
      if (Other.S != State.S || !Other.H)
        continue;
      G.Members[G.Count++] = {Other.H, Bases[K], Steps[K], L.Members[K].Order};
      G.SameStep &= Steps[K] == Steps[N];
    }
    Space += G.Count;
  }
  return true;
}

__attribute__((noinline)) void Thread::advance(LoopGroup &G, uint64_t To,
                                               uint32_t Order) {
  for (uint32_t N = 0; N < G.Count; ++N)
    Dirty.add(G.Members[N].Hist);
  G.advance(C, To, Order);
}

/// A loop that was left in another way than by its end has made the iterations
/// it has others of.
__attribute__((noinline)) void Thread::finishLoop() {
  if (!Now.Loop)
    return;
  if (!Now.Silent)
    countMembers();
  Now.Loop = nullptr;
}

void Thread::countMembers() {
  uint64_t End = Now.Loop->Others ? Now.Iteration : Now.Iterations;
  if (Now.Ahead && End != Now.Iterations)
    takeBack();
  if (Now.Literal)
    referMembers(End, 0);
  else if (!Now.Ahead)
    finishGroups(End);
}

void Thread::finishGroups(uint64_t End) {
  bool Begun = End != Now.Iterations;
  for (uint32_t N = 0; N < Now.GroupCount; ++N)
    Begun |= Now.Groups[N].Iteration || Now.Groups[N].Next;
  if (!Begun && !Sampled)
    return remember();
  for (uint32_t N = 0; N < Now.GroupCount; ++N) {
    advance(Now.Groups[N], End, 0);
    Now.Groups[N].S->Group = nullptr;
  }
}

void Thread::flushLoops() {
  for (Execution *L = DirtyLoops; L; L = L->NextDirty) {
    for (uint32_t N = 0; N < L->GroupCount; ++N)
      L->Groups[N].Again.flush(C);
    L->IsDirty = false;
  }
  DirtyLoops = nullptr;
}

} // namespace graupel::stride
