//===- stride/Thread.cpp --------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Thread.h"
#include "HeapMap.h"
#include <algorithm>
#include <pthread.h>

namespace graupel::stride {

static constexpr uint32_t BatchSize = 1024;
/// The pass makes no loop with more.
static constexpr uint32_t MaxMembers = GRAUPEL_STRIDE_GROUP_BYTES / 8;

static char *makeBuffer() {
  // The bit of GRAUPEL_STRIDE_FULL is clear in the buffer and set behind it;
  // then there is another one, for what is recorded between bursts.
  constexpr uint64_t Bytes = 2 * GRAUPEL_STRIDE_GAP;
  auto Where = reinterpret_cast<uint64_t>(reserve(2 * Bytes));
  return reinterpret_cast<char *>((Where + Bytes - 1) & -Bytes);
}

Thread::Thread(Recording &R, uint32_t Number)
    : R(R), C(R.Wanted.Counts), Number(Number), Buffer(makeBuffer()),
      Start(Buffer),
      States(static_cast<SiteState *>(reserve(MaxSites * sizeof(SiteState)))),
      LoopStates(
          static_cast<LoopState *>(reserve(MaxLoops * sizeof(LoopState)))) {
  Bases = static_cast<uint64_t *>(allocate(MaxMembers * sizeof(uint64_t)));
  Steps = static_cast<int64_t *>(allocate(MaxMembers * sizeof(int64_t)));
  GroupSpace =
      static_cast<LoopGroup *>(allocate(MaxMembers * sizeof(LoopGroup)));
  MemberSpace =
      static_cast<GroupMember *>(allocate(MaxMembers * sizeof(GroupMember)));
  if (R.Readers.Count)
    Batch = static_cast<Reference *>(allocate(BatchSize * sizeof(Reference)));
  pthread_attr_t Attributes;
  void *Stack;
  size_t Bytes;
  if (pthread_getattr_np(pthread_self(), &Attributes) == 0) {
    if (pthread_attr_getstack(&Attributes, &Stack, &Bytes) == 0) {
      StackBegin = reinterpret_cast<uint64_t>(Stack);
      StackEnd = StackBegin + Bytes;
    }
    pthread_attr_destroy(&Attributes);
  }
  uint32_t Parts = Bursts::partCount(R.Wanted.Bursts);
  Shares = static_cast<Table<Share> *>(allocate(Parts * sizeof(*Shares)));
  LoopTables =
      static_cast<Table<LoopCounts> *>(allocate(Parts * sizeof(*LoopTables)));
  BulkTables =
      static_cast<Table<BulkRecord> *>(allocate(Parts * sizeof(*BulkTables)));
  for (uint32_t N = 0; N < Parts; ++N)
    if (auto *T = static_cast<ThreadRecord *>(
            R.File.append(ChunkKind::Thread, sizeof(ThreadRecord), false))) {
      T->System = static_cast<uint64_t>(gettid());
      R.File.commit(T);
    }
  if (R.Wanted.Bursts.IsOn) {
    Sampled = make<Bursts>(R.Wanted.Bursts, R.File, Number);
    startBurst();
  }
}

//===--- References -------------------------------------------------------===//

GRAUPEL_HOT void Thread::markDirty(Share *S) {
  if (S->IsDirty)
    return;
  S->IsDirty = true;
  S->NextDirty = Dirty;
  Dirty = S;
}

__attribute__((noinline)) void Thread::advance(LoopGroup &G, uint64_t To,
                                               uint32_t Order) {
  for (uint32_t N = 0; N < G.Count; ++N)
    markDirty(G.Members[N].Of);
  G.advance(C, To, Order);
}

void Thread::flushShares() {
  for (Share *S = Dirty; S; S = S->NextDirty) {
    S->flush(C);
    S->IsDirty = false;
  }
  Dirty = nullptr;
  for (Execution *L = DirtyLoops; L; L = L->NextDirty) {
    for (uint32_t N = 0; N < L->GroupCount; ++N)
      L->Groups[N].Again.flush(C);
    L->IsDirty = false;
  }
  DirtyLoops = nullptr;
}

GRAUPEL_HOT void Thread::refer(uint32_t Site, uint64_t Address) {
  SiteState &State = States[Site];
  if (__builtin_expect(Address - State.Begin >= State.Bytes, false))
    resolve(State, Site, Address);
  if (!State.H)
    return;
  if (__builtin_expect(State.S->Group != nullptr, false))
    State.S->Group->advance(C, Now.Iteration, Now.Loop->OtherOrders[Now.Other]);
  markDirty(State.H);
  State.H->count(C, *State.S, Address);
  State.S->push(Address);
  if (Batch)
    emit(Site, Address, State.Of->Number);
}

void Thread::setObject(SiteState &State, uint32_t Site, Object *Of) {
  if (State.Of == Of)
    return;
  if (!State.Of)
    UsedSites.push(Site);
  State.Of = Of;
  State.H = nullptr;
  if (!Sites[Site].Selected || !Of->Selected)
    return;
  // Objects are at multiples of 64.
  uint64_t Key = reinterpret_cast<uint64_t>(Of) >> 6 | uint64_t(Site) << 41;
  uint64_t StreamKey = reinterpret_cast<uint64_t>(Of) | Facts[Site].Store;
  State.S = Streams.find(StreamKey);
  if (State.S && Sampled && !State.S->IsListed) {
    State.S->IsListed = true;
    Listed.push(State.S);
  }
  State.H = Shares[Part].find(Key);
  if (State.H)
    return;
  uint32_t Entered = enterObject(R.File, Of);
  if (!State.S) {
    State.S = make<Stream>(Entered, C);
    Streams.insert(StreamKey, State.S);
    State.S->IsListed = true;
    Listed.push(State.S);
  }
  if (Entered != NoNumber)
    State.H = Share::create(R.File, C, Site, Entered, Number);
  if (State.H)
    Shares[Part].insert(Key, State.H);
}

__attribute__((noinline, cold)) void
Thread::resolve(SiteState &State, uint32_t Site, uint64_t Address) {
  const SiteInfo &Info = Sites[Site];
  if (Info.Variable) {
    bool OnStack = Info.Entry->object_kind == GRAUPEL_STRIDE_STACK;
    setObject(
        State, Site,
        knownVariable(OnStack ? ObjectKind::Stack : ObjectKind::ThreadLocal,
                      Info.Variable));
    State.Begin = 0;
    State.Bytes = ~uint64_t(0);
    return;
  }
  Place P = findObject(Address, StackBegin, StackEnd);
  setObject(State, Site, P.Of);
  State.Begin = P.Begin;
  State.Bytes = P.Bytes;
}

/// Whether all of the range is in one object, which the site has then.
bool Thread::resolveRange(SiteState &State, uint32_t Site, uint64_t First,
                          uint64_t Bytes) {
  auto Inside = [&] {
    return First - State.Begin < State.Bytes &&
           Bytes <= State.Bytes - (First - State.Begin);
  };
  if (Inside())
    return true;
  resolve(State, Site, First);
  return Inside() || inOneObject(First, Bytes, State.Of);
}

void Thread::forgetIntervals() {
  Epoch = heap::epoch();
  for (uint32_t Site : UsedSites)
    States[Site].Bytes = 0;
}

GRAUPEL_HOT void Thread::emit(uint32_t Site, uint64_t Address,
                              uint32_t Object) {
  Batch[BatchCount++] = {Address, Site, Object};
  if (BatchCount == BatchSize)
    handOver();
}

__attribute__((noinline)) void Thread::handOver() {
  if (!BatchCount)
    return;
  Guard G(R.ReadersMutex);
  for (unsigned N = 0; N < R.Readers.Count; ++N)
    R.Readers.List[N]->consume(Number, Batch, BatchCount, Facts);
  BatchCount = 0;
}

//===--- Loops ------------------------------------------------------------===//

GRAUPEL_HOT bool Thread::countLoop(LoopState &State, uint32_t Loop,
                                   uint64_t Iterations) {
  LoopCounts *Counts = State.Counts;
  if (!Counts && Sampled) {
    UsedLoops.push(Loop);
    Counts = State.Counts = LoopTables[Part].find(Loop + 1);
  }
  if (!Counts) {
    Counts = static_cast<LoopCounts *>(
        R.File.append(ChunkKind::LoopCounts, sizeof(LoopCounts), true));
    if (!Counts)
      return false;
    Counts->Loop = Loop;
    Counts->Thread = Number;
    Counts->LeastIterations = ~uint64_t(0);
    R.File.commit(Counts);
    State.Counts = Counts;
    if (Sampled)
      LoopTables[Part].insert(Loop + 1, Counts);
  }
  ++Counts->Executions;
  Counts->Iterations += Iterations;
  Counts->LeastIterations = std::min(Counts->LeastIterations, Iterations);
  Counts->MostIterations = std::max(Counts->MostIterations, Iterations);
  return true;
}

/// Whether all streams find the distances of the loop's latest execution.
GRAUPEL_HOT bool Thread::isRepeated(const Execution &State, const LoopInfo &L,
                                    const uint64_t *Words) {
  if (!State.IsKnown || State.Iterations != Words[1])
    return false;
  const uint64_t *Base = Words + 2, *Dynamic = Base + L.MemberCount;
  for (uint32_t N = 0; N < L.MemberCount; ++N)
    if (Base[N] - Base[State.First[N]] != State.Offset[N])
      return false;
  if (L.Entry->dynamic_steps)
    for (uint32_t N = 0; N < L.MemberCount; ++N)
      if (L.Members[N].Step == GRAUPEL_STRIDE_DYNAMIC &&
          static_cast<int64_t>(*Dynamic++) != State.Steps[N])
        return false;
  for (uint32_t N = 0; N < State.GroupCount; ++N) {
    const Execution::Group &G = State.Groups[N];
    const SiteState &Site = States[G.Site];
    uint64_t From = Base[G.First] - Site.Begin;
    if (Site.H != G.Of || From + G.Low >= Site.Bytes ||
        From + G.High >= Site.Bytes || !G.Again.matches(*Site.S, Base[G.First]))
      return false;
  }
  return true;
}

/// Counts an execution that is like an earlier one.
GRAUPEL_HOT bool Thread::repeat(LoopState &Loop, const LoopInfo &L,
                                const uint64_t *Words) {
  uint32_t Which = Loop.Latest;
  for (uint32_t Tries = 0; !isRepeated(Loop.Known[Which], L, Words); ++Tries) {
    if (Tries == LoopState::Size - 1)
      return false;
    Which = (Which + 1) % LoopState::Size;
  }
  Loop.Latest = Which;
  Execution &State = Loop.Known[Which];
  for (uint32_t N = 0; N < State.GroupCount; ++N)
    State.Groups[N].Again.again(Words[2 + State.Groups[N].First]);
  if (!State.IsDirty) {
    State.IsDirty = true;
    State.NextDirty = DirtyLoops;
    DirtyLoops = &State;
  }
  return true;
}

void Thread::makeRoom(Execution &State, uint32_t Members) {
  if (State.Groups)
    return;
  State.First = static_cast<uint32_t *>(allocate(Members * sizeof(uint32_t)));
  State.Offset = static_cast<uint64_t *>(allocate(Members * sizeof(uint64_t)));
  State.Steps = static_cast<int64_t *>(allocate(Members * sizeof(int64_t)));
  State.Groups = static_cast<Execution::Group *>(
      allocate(Members * sizeof(Execution::Group)));
}

/// Counts the loop that has just been grouped.
__attribute__((noinline)) void Thread::remember(Execution &State,
                                                const LoopInfo &L) {
  makeRoom(State, L.MemberCount);
  for (uint32_t N = 0; N < State.GroupCount; ++N)
    State.Groups[N].Again.flush(C);
  State.IsKnown = true;
  State.Iterations = Now.Iterations;
  State.GroupCount = Now.GroupCount;
  for (uint32_t N = 0; N < L.MemberCount; ++N)
    // Of sites that are not counted the next address may be anything.
    State.IsKnown &= States[L.Members[N].Site].H != nullptr;
  for (uint32_t N = 0; N < Now.GroupCount; ++N) {
    LoopGroup &G = Now.Groups[N];
    Execution::Group &To = State.Groups[N];
    uint64_t Base = G.Members[0].Base;
    To.First = G.FirstMember;
    To.Site = L.Members[G.FirstMember].Site;
    To.Of = G.Members[0].Of;
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
  Now.Loop = nullptr;
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

GRAUPEL_HOT uint32_t Thread::loopOf(const uint64_t *Words) {
  uint64_t Entry = Words[0] - GRAUPEL_STRIDE_RECORD_LOOP;
  if (!LastLoops.has(Entry))
    LastLoops = rangeOfLoop(Entry);
  return LastLoops.number(Entry);
}

GRAUPEL_HOT const uint64_t *Thread::loop(const uint64_t *Words) {
  finishLoop();
  uint32_t Loop = loopOf(Words);
  const LoopInfo &L = Loops[Loop];
  if (countLoop(LoopStates[Loop], Loop, Words[1]) && L.Selected)
    runLoop(Loop, Words);
  return Words + L.Words;
}

void Thread::beginLoop(uint32_t Loop, const uint64_t *Words) {
  const LoopInfo &L = Loops[Loop];
  const uint64_t *Dynamic = Words + 2 + L.MemberCount;
  for (uint32_t N = 0; N < L.MemberCount; ++N) {
    Bases[N] = Words[2 + N];
    Steps[N] = L.Members[N].Step;
    if (Steps[N] == GRAUPEL_STRIDE_DYNAMIC)
      Steps[N] = static_cast<int64_t>(*Dynamic++);
  }
  Now = {};
  Now.Loop = &L;
  Now.Number = Loop;
  Now.Iterations = Words[1];
  Now.Groups = GroupSpace;
}

GRAUPEL_HOT void Thread::runLoop(uint32_t Loop, const uint64_t *Words) {
  const LoopInfo &L = Loops[Loop];
  LoopState &State = LoopStates[Loop];
  if (repeat(State, L, Words))
    return;
  beginLoop(Loop, Words);
  Now.Literal = R.Wanted.Literal || Batch || !group(L);
  if (!L.Others && !Now.Literal) {
    State.Latest = State.Oldest;
    State.Oldest = (State.Oldest + 1) % LoopState::Size;
    remember(State.Known[State.Latest], L);
  } else if (!L.Others)
    finishLoop();
}

/// Members in the order of the program, each as if it were alone.
__attribute__((noinline)) void Thread::referMembers(uint64_t To,
                                                    uint32_t Order) {
  const LoopInfo *L = Now.Loop;
  // References of members must not look for the loop.
  while (
      Now.MemberIteration < To ||
      (Now.MemberIteration == To && L->Members[Now.NextMember].Order < Order)) {
    uint32_t N = Now.NextMember;
    refer(L->Members[N].Site,
          Bases[N] + Now.MemberIteration * static_cast<uint64_t>(Steps[N]));
    if (++Now.NextMember == L->MemberCount) {
      Now.NextMember = 0;
      ++Now.MemberIteration;
    }
  }
}

/// Another record of a running loop comes; ends the loop if it is not its.
GRAUPEL_HOT void Thread::before(uint32_t Site) {
  if (!Now.Loop)
    return;
  if (Sites[Site].Loop != Now.Number)
    return finishLoop();
  if (Now.Literal)
    referMembers(Now.Iteration, Now.Loop->OtherOrders[Now.Other]);
}

GRAUPEL_HOT void Thread::after() {
  if (!Now.Loop || ++Now.Other != Now.Loop->Others)
    return;
  Now.Other = 0;
  if (++Now.Iteration == Now.Iterations)
    finishLoop();
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

__attribute__((noinline)) void Thread::countMembers() {
  uint64_t End = Now.Loop->Others ? Now.Iteration : Now.Iterations;
  if (Now.Literal)
    referMembers(End, 0);
  else
    for (uint32_t N = 0; N < Now.GroupCount; ++N) {
      advance(Now.Groups[N], End, 0);
      Now.Groups[N].S->Group = nullptr;
    }
}

//===--- The buffer -------------------------------------------------------===//

GRAUPEL_HOT const uint64_t *Thread::lanes(const uint64_t *Words, uint32_t Site,
                                          unsigned Tag) {
  const graupel_stride_site *E = Sites[Site].Entry;
  bool Gathered = Tag == GRAUPEL_STRIDE_RECORD_LANES;
  uint64_t Mask = Gathered ? Words[1] : Words[2];
  for (unsigned Lane = 0; Lane < E->lanes; ++Lane)
    if (Mask >> Lane & 1)
      refer(Site, Gathered ? Words[2 + Lane] : Words[1] + Lane * E->bytes);
  return Words + (Gathered ? (2 + E->lanes + 1) & ~1u : 4);
}

__attribute__((noinline)) const uint64_t *Thread::bulk(const uint64_t *Words,
                                                       uint32_t Site) {
  const SiteInfo &Info = Sites[Site];
  Object *Of = nullptr;
  if (Info.Selected && Words[2])
    Of = Info.Variable
             ? knownVariable(Info.Entry->object_kind == GRAUPEL_STRIDE_STACK
                                 ? ObjectKind::Stack
                                 : ObjectKind::ThreadLocal,
                             Info.Variable)
             : findObject(Words[1], StackBegin, StackEnd).Of;
  if (Of && Of->Selected) {
    uint64_t Key = reinterpret_cast<uint64_t>(Of) >> 6 | uint64_t(Site) << 41;
    BulkRecord *B = BulkTables[Part].find(Key);
    if (!B) {
      uint32_t Entered = enterObject(R.File, Of);
      B = static_cast<BulkRecord *>(
          R.File.append(ChunkKind::Bulk, sizeof(BulkRecord), true));
      if (!B)
        return Words + 4;
      *B = {Site, Entered, Number, 0, 0, 0};
      R.File.commit(B);
      BulkTables[Part].insert(Key, B);
    }
    ++B->Calls;
    B->Bytes += Words[2];
  }
  return Words + 4;
}

GRAUPEL_HOT const uint64_t *Thread::record(const uint64_t *Words) {
  unsigned Tag = Words[0] & GRAUPEL_STRIDE_RECORD_TAG;
  if (Tag == GRAUPEL_STRIDE_RECORD_LOOP)
    return loop(Words);
  if (__builtin_expect(!LastSites.has(Words[0] - Tag), false))
    LastSites = rangeOfSite(Words[0] - Tag);
  uint32_t Site = LastSites.number(Words[0] - Tag);
  before(Site);
  const uint64_t *Next = Words + 2;
  if (Tag == GRAUPEL_STRIDE_RECORD_REFERENCE)
    refer(Site, Words[1]);
  else if (Tag == GRAUPEL_STRIDE_RECORD_BULK)
    Next = bulk(Words, Site);
  else
    Next = lanes(Words, Site, Tag);
  after();
  return Next;
}

// Compiled for several processors, with all that it calls for each record.
__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3",
                             "default"))) void
Thread::count(const uint64_t *Words, const uint64_t *Last) {
  while (Words < Last)
    Words = record(Words);
}

//===--- Bursts -----------------------------------------------------------===//

void Thread::startBurst() {
  uint32_t Previous = Part;
  Part = Sampled->start();
  Number = Sampled->first() + Part;
  if (Part != Previous)
    leavePart();
  if (!Now.Loop || !Now.Silent)
    return;
  // In the middle of a loop: what comes from here on.
  Now.Silent = false;
  Now.Literal = R.Wanted.Literal || Batch || !group(*Now.Loop);
  Now.MemberIteration = Now.Iteration;
  Now.NextMember = 0;
  for (uint32_t N = 0; !Now.Literal && N < Now.GroupCount; ++N)
    Now.Groups[N].Iteration = Now.Iteration;
}

/// The next one knows nothing of this one's addresses.
void Thread::endBurst() {
  if (Now.Loop) {
    countMembers();
    Now.Silent = true;
    Now.Literal = false;
  }
  flushShares();
  for (Stream *S : Listed)
    S->forget();
  Sampled->end();
}

/// Sites and loops have other counters in another part.
void Thread::leavePart() {
  for (uint32_t Site : UsedSites)
    States[Site] = {};
  UsedSites.clear();
  for (uint32_t Loop : UsedLoops)
    LoopStates[Loop].Counts = nullptr;
  UsedLoops.clear();
  for (Stream *S : Listed)
    S->IsListed = false;
  Listed.clear();
}

GRAUPEL_HOT void Thread::goBy(uint64_t References) {
  if (!Sampled->isOpen())
    Sampled->pass(References);
  else if (Sampled->take(References))
    endBurst();
}

GRAUPEL_HOT uint64_t Thread::referencesOf(uint32_t Site, unsigned Tag) const {
  if (Tag == GRAUPEL_STRIDE_RECORD_REFERENCE)
    return 1;
  if (Tag == GRAUPEL_STRIDE_RECORD_BULK)
    return 0;
  // As the plain code counts: whatever the mask is.
  return Sites[Site].Entry->lanes;
}

GRAUPEL_HOT const uint64_t *Thread::sampledLoop(const uint64_t *Words) {
  finishLoop();
  uint32_t Loop = loopOf(Words);
  const LoopInfo &L = Loops[Loop];
  uint64_t Iterations = Words[1] & ~GRAUPEL_STRIDE_REST, Done = 0;
  bool Whole = Iterations == Words[1];
  uint64_t Piece[MaxMembers + 4];
  std::copy(Words, Words + L.Words, Piece);
  Piece[1] = Iterations;
  if (Sampled->isOpen() && Whole)
    Whole = countLoop(LoopStates[Loop], Loop, Iterations);
  if (L.Others) {
    // The rest goes by with them.
    if (Sampled->isOpen() && L.Selected)
      runLoop(Loop, Piece);
    else if (L.Selected) {
      beginLoop(Loop, Piece);
      Now.Silent = true;
    }
    return Words + L.Words;
  }
  while (Done < Iterations) {
    bool Open = Sampled->isOpen();
    if (!Open && !Sampled->gap()) {
      startBurst();
      continue;
    }
    uint64_t Until = Open ? Sampled->left() : Sampled->gap();
    uint64_t Count = std::min(Iterations - Done,
                              (Until + L.MemberCount - 1) / L.MemberCount);
    if (Open && L.Selected) {
      Piece[1] = Count;
      const uint64_t *Dynamic = Words + 2 + L.MemberCount;
      for (uint32_t N = 0; N < L.MemberCount; ++N) {
        uint64_t Step = static_cast<uint64_t>(L.Members[N].Step);
        if (L.Members[N].Step == GRAUPEL_STRIDE_DYNAMIC)
          Step = *Dynamic++;
        Piece[2 + N] = Words[2 + N] + Done * Step;
      }
      runLoop(Loop, Piece);
    }
    Done += Count;
    goBy(Count * L.MemberCount);
  }
  return Words + L.Words;
}

GRAUPEL_HOT const uint64_t *Thread::sampled(const uint64_t *Words) {
  if (!Sampled->isOpen() && !Sampled->gap())
    startBurst();
  unsigned Tag = Words[0] & GRAUPEL_STRIDE_RECORD_TAG;
  if (Tag == GRAUPEL_STRIDE_RECORD_LOOP)
    return sampledLoop(Words);
  if (__builtin_expect(!LastSites.has(Words[0] - Tag), false))
    LastSites = rangeOfSite(Words[0] - Tag);
  uint32_t Site = LastSites.number(Words[0] - Tag);
  uint64_t References = referencesOf(Site, Tag);
  const LoopInfo *Of = Now.Loop;
  uint64_t Iteration = Now.Iteration;
  const uint64_t *Next;
  if (Sampled->isOpen()) {
    Next = record(Words);
  } else {
    before(Site);
    after();
    Next = Words + (Tag == GRAUPEL_STRIDE_RECORD_REFERENCE ? 2
                    : Tag == GRAUPEL_STRIDE_RECORD_LANES
                        ? (2 + Sites[Site].Entry->lanes + 1) & ~1u
                        : 4);
  }
  // The loop's members go by with its last other.
  if (Of && (Now.Loop != Of || Now.Iteration != Iteration))
    References += Of->MemberCount;
  goBy(References);
  return Next;
}

__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3",
                             "default"))) void
Thread::countSampled(const uint64_t *Words, const uint64_t *Last) {
  while (Words < Last) {
    // Most of what is recorded between bursts, where there is no plain code.
    const uint64_t *From = Words;
    if (!Sampled->isOpen() && !Now.Loop)
      while (Words < Last && !(Words[0] & GRAUPEL_STRIDE_RECORD_TAG) &&
             static_cast<uint64_t>(Words - From) < 2 * Sampled->gap())
        Words += 2;
    if (Words != From)
      Sampled->pass(static_cast<uint64_t>(Words - From) / 2);
    else
      Words = sampled(Words);
  }
}

//===--- The buffer's ends ------------------------------------------------===//

void Thread::drain(const char *End) {
  Guard G(Mutex);
  // Of another thread, that has just begun another part of its buffer.
  if (End < Start ||
      End > Start + GRAUPEL_STRIDE_FULL + GRAUPEL_STRIDE_GROUP_BYTES)
    return;
  if (Epoch != heap::epoch())
    forgetIntervals();
  auto *First = reinterpret_cast<const uint64_t *>(Start);
  auto *Last = reinterpret_cast<const uint64_t *>(End);
  if (!Sampled) {
    count(First, Last);
  } else {
    if (*Budget > NoBudget / 2)
      Sampled->resume(*Budget);
    countSampled(First, Last);
    Sampled->flush();
  }
  flushShares();
  if (Batch)
    handOver();
}

void Thread::resume(bool Record) {
  Start = Buffer;
  *Budget = NoBudget;
  if (Sampled) {
    uint64_t Gap = Sampled->gap();
    if (Sampled->isOpen() || !Gap || Record) {
      // So much that the burst's last reference fills the buffer.
      constexpr uint64_t Most = GRAUPEL_STRIDE_FULL / 16;
      uint64_t References = Gap < Most ? Gap + Sampled->left() : Most;
      Start += GRAUPEL_STRIDE_FULL - 16 * std::min(References, Most);
    } else {
      Start += GRAUPEL_STRIDE_GAP;
      *Budget = static_cast<int64_t>(Gap);
    }
  }
  *Cursor = const_cast<char *>(Start);
}

} // namespace graupel::stride
