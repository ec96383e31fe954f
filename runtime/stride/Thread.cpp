//===- stride/Thread.cpp --------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the references that a thread has written into its buffer.
//
// 1. The constructor makes the buffer and the tables, finds the thread's stack,
//    and writes a thread record for each part of its time.
// 2. drain takes the thread's lock and reads the records. count handles those
//    of a thread that is recorded all the time; countSampled those of a sampled
//    one.
// 3. record tells records apart: one reference, lanes, bulk, a block that was
//    noted, a loop. loop counts an execution as an earlier one if all streams
//    find the same distances (repeat, repeatNest). Otherwise it begins a loop
//    or counts a nest.
// 4. refer finds the site's object, stream and share (resolve, findShare). The
//    reference then waits in its stream; a stream where it cannot wait counts
//    it at once (appendSlowly).
// 5. At the end of drain everything that waits is counted, and shares, loops
//    and nests are flushed. Consumers get the references, and the simulated
//    caches and the page traffic read the buffer once more.
//
//===----------------------------------------------------------------------===//

#include "Thread.h"
#include "ThreadNumber.h"
#include <algorithm>
#include <pthread.h>

namespace graupel::stride {

static constexpr uint32_t BatchSize = 1024;
/// The pass makes no loop with more.
static constexpr uint32_t MaxMembers = GRAUPEL_STRIDE_GROUP_BYTES / 8;

static char *makeBuffer() {
  // The bit of GRAUPEL_STRIDE_FULL is clear in the buffer and set behind it. A
  // second buffer follows, for records between bursts.
  constexpr uint64_t Bytes = 2 * GRAUPEL_STRIDE_GAP;
  auto Where = reinterpret_cast<uint64_t>(reserve(2 * Bytes));
  return reinterpret_cast<char *>((Where + Bytes - 1) & -Bytes);
}

Thread::Thread(Recording &R, uint32_t Number)
    : R(R), C(R.Wanted.Counts), Number(Number), Buffer(makeBuffer()),
      Start(Buffer),
      States(static_cast<SiteState *>(reserve(MaxSites * sizeof(SiteState)))),
      LoopStates(
          static_cast<LoopState *>(reserve(MaxLoops * sizeof(LoopState)))),
      NestStates(
          static_cast<NestState *>(reserve(MaxLoops * sizeof(NestState)))),
      CurrentNest(GRAUPEL_STRIDE_NEST_ITEMS + GRAUPEL_STRIDE_NEST_LEVELS,
                  Terms),
      Ignored(NoNumber, C), ForNothing(Share::createForNothing(C)) {
  NestSteps = static_cast<int64_t *>(
      reserve(GRAUPEL_STRIDE_NEST_ITEMS * GRAUPEL_STRIDE_NEST_LEVELS *
              sizeof(int64_t)));
  for (uint64_t **Each :
       {&NestRuns, &NestLow, &NestHigh, &NestBases, &NestReferences})
    *Each = static_cast<uint64_t *>(
        allocate(GRAUPEL_STRIDE_NEST_ITEMS * sizeof(uint64_t)));
  Bases = static_cast<uint64_t *>(allocate(MaxMembers * sizeof(uint64_t)));
  Steps = static_cast<int64_t *>(allocate(MaxMembers * sizeof(int64_t)));
  GroupSpace =
      static_cast<LoopGroup *>(allocate(MaxMembers * sizeof(LoopGroup)));
  MemberSpace =
      static_cast<GroupMember *>(allocate(MaxMembers * sizeof(GroupMember)));
  if (R.Readers.Count || (R.Wanted.Pages && R.Wanted.Bursts.IsOn))
    Batch = static_cast<Reference *>(allocate(BatchSize * sizeof(Reference)));
  pthread_attr_t Attributes;
  void *Stack;
  size_t Bytes;
  if (pthread_getattr_np(pthread_self(), &Attributes) == 0) {
    if (pthread_attr_getstack(&Attributes, &Stack, &Bytes) == 0) {
      StackBegin = reinterpret_cast<uint64_t>(Stack);
      StackEnd = StackBegin + Bytes;
      heap::forget(StackBegin, Bytes);
    }
    pthread_attr_destroy(&Attributes);
  }
  if (R.Simulation)
    CacheSim = make<Simulated>(*R.Simulation, Number, StackBegin, StackEnd,
                               R.Wanted.Objects.size() != 0);
  if (R.Wanted.Pages)
    Traffic =
        make<PageTraffic>(R.File, Number, StackBegin, StackEnd, R.Wanted.Homes);
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
      T->Created = creationNumber();
      R.File.commit(T);
    }
  if (R.Wanted.Bursts.IsOn) {
    Sampled = make<Bursts>(R.Wanted.Bursts, R.File, Number);
    startBurst();
  }
}

//===--- References -------------------------------------------------------===//

/// For a stream without room: it is full or closed, or its references cannot
/// wait.
__attribute__((noinline)) void Thread::appendSlowly(SiteState &State,
                                                    uint64_t Address) {
  Stream &S = *State.S;
  if (State.H && (S.Group || !S.isFull() || !canWait(C))) {
    if (S.Group)
      S.Group->advance(C, Now.Iteration, Now.Loop->OtherOrders[Now.Other]);
    Dirty.add(State.H);
    State.H->count(C, S, Address);
    S.push(Address);
    return;
  }
  makeRoom(S);
  append(State, Address);
}

void Thread::makeRoom(Stream &S) {
  emptyOut(S);
  S.open();
  if (S.IsListed)
    return;
  S.IsListed = true;
  S.NextOpen = Open;
  Open = &S;
}

/// The same, but discards references that are not counted.
void Thread::emptyOut(Stream &S) {
  if (&S != &Ignored)
    settle(S);
  S.rewind();
}

void Thread::settleAll() {
  for (Stream *S = Open; S; S = S->NextOpen) {
    emptyOut(*S);
    S->close();
    S->IsListed = false;
  }
  Open = nullptr;
}

GRAUPEL_HOT void Thread::refer(uint32_t Site, uint64_t Address) {
  SiteState &State = States[Site];
  if (!isThere(State, Address))
    resolve(State, Site, Address);
  if (!append(State, Address))
    appendSlowly(State, Address);
  if (Batch && State.H)
    emit(Site, Address, State.Obj->Number);
}

/// Sites of a library's functions, say, go from object to object, and come
/// back.
GRAUPEL_HOT void Thread::setObject(SiteState &State, uint32_t Site, Object *Obj,
                                   uint64_t Address) {
  if (State.Obj == Obj)
    return;
  if (Visit *V = State.Visits) {
    V += Visit::placeOf(Obj);
    if (V->Obj == Obj) {
      State.Obj = Obj;
      State.S = V->S;
      State.H = V->H;
      return;
    }
  }
  findShare(State, Site, Obj, Address);
}

__attribute__((noinline, cold)) void Thread::findShare(SiteState &State,
                                                       uint32_t Site,
                                                       Object *Obj,
                                                       uint64_t Address) {
  if (!State.Obj)
    UsedSites.push(Site);
  else if (!State.Visits)
    State.Visits = static_cast<Visit *>(allocate(Visit::Count * sizeof(Visit)));
  State.Obj = Obj;
  State.S = &Ignored;
  State.H = nullptr;
  if (Sites[Site].Selected && Obj->Selected) {
    // Objects are at multiples of 64.
    uint64_t Key = reinterpret_cast<uint64_t>(Obj) >> 6 | uint64_t(Site) << 41;
    uint64_t StreamKey = reinterpret_cast<uint64_t>(Obj) | Facts[Site].Store;
    Stream *S = Streams.find(StreamKey);
    State.H = Shares[Part].find(Key);
    if (!State.H) {
      uint32_t Entered = enterObject(R.File, Obj);
      if (!S) {
        S = make<Stream>(Entered, C);
        Streams.insert(StreamKey, S);
      }
      if (Entered != NoNumber)
        State.H = Share::create(R.File, C, Site, Entered, Number);
      if (State.H)
        Shares[Part].insert(Key, State.H);
    }
    if (State.H) {
      State.S = S;
      if (Sampled && !S->IsUsed) {
        S->IsUsed = true;
        UsedStreams.push(S);
      }
      noteOffset(State, Site, Address);
    }
  }
  if (State.Visits)
    State.Visits[Visit::placeOf(Obj)] = {Obj, State.S, State.H};
}

__attribute__((noinline)) void Thread::resolve(SiteState &State, uint32_t Site,
                                               uint64_t Address) {
  uint32_t Number = Sites[Site].Variable ? 0 : heap::numberAt(Address);
  if (__builtin_expect(Number != 0, true)) {
    setObject(State, Site, heap::objectOf(Number), Address);
    State.Begin = Number;
    State.Bytes = 0;
  } else {
    resolveSlowly(State, Site, Address);
  }
  if (Now.Loop && Now.Ahead && hasStream(*Now.Ahead, State.S))
    takeBack();
}

__attribute__((noinline, cold)) void
Thread::resolveSlowly(SiteState &State, uint32_t Site, uint64_t Address) {
  Place P = findObjectOf(Site, Address, StackBegin, StackEnd);
  setObject(State, Site, P.Obj, Address);
  State.Begin = P.Begin;
  State.Bytes = P.Bytes;
}

/// Once a share: where in a block or global its first reference was.
void Thread::noteOffset(const SiteState &State, uint32_t Site,
                        uint64_t Address) {
  Object *Obj = State.Obj;
  auto Key = reinterpret_cast<uint64_t>(State.H);
  if (Obj->Kind > ObjectKind::Heap || WithOffset.find(Key))
    return;
  WithOffset.insert(Key, State.H);
  Place P = Obj->Kind == ObjectKind::Heap
                ? heap::find(Address)
                : Place{Obj, Obj->Address, Obj->Bytes};
  // A block's first page is known by pieces; the next one tells where it
  // begins.
  if (!P.Bytes) {
    constexpr uint64_t NextPage = 4096;
    Place Next = heap::find(Address + NextPage);
    if (Next.Obj != Obj || !Next.Bytes || Next.Begin > Address)
      return;
    P = Next;
  }
  auto *O = static_cast<OffsetRecord *>(
      R.File.append(ChunkKind::Offset, sizeof(OffsetRecord), false));
  if (!O)
    return;
  *O = {Site, Obj->Number, Number, 0, Address - P.Begin, P.Bytes};
  R.File.commit(O);
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
  return Inside() || inOneObject(First, Bytes, State.Obj);
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
  if (R.Readers.Count) {
    Guard G(R.ReadersMutex);
    for (unsigned N = 0; N < R.Readers.Count; ++N)
      R.Readers.List[N]->consume(Number, Batch, BatchCount, Facts);
  }
  if (Traffic && Sampled)
    Traffic->take(Number, Batch, BatchCount);
  BatchCount = 0;
}

//===--- Loops ------------------------------------------------------------===//

/// Whether all streams find the distances of the loop's latest execution.
GRAUPEL_HOT bool Thread::isRepeated(const Execution &State, const LoopInfo &L,
                                    const uint64_t *Words) {
  if (!State.IsKnown)
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
    if (Site.H != G.Hist || !G.Again.fits(Words[1]))
      return false;
    uint64_t From = Base[G.First] - Site.Begin, Low = G.Low, High = G.High;
    int64_t Step = State.Steps[G.First];
    (Step < 0 ? Low : High) +=
        (Words[1] - State.Iterations) * static_cast<uint64_t>(Step);
    if (From + Low >= Site.Bytes || From + High >= Site.Bytes)
      return false;
    settle(*Site.S);
    if (!G.Again.matches(*Site.S, Base[G.First]))
      return false;
  }
  return !L.Others || areApart(State, L);
}

bool Thread::hasStream(const Execution &State, const Stream *S) const {
  for (uint32_t N = 0; N < State.GroupCount; ++N)
    if (States[State.Groups[N].Site].S == S)
      return true;
  return false;
}

/// Whether the other references of a loop are of other streams than its
/// members, as far as one can tell.
bool Thread::areApart(const Execution &State, const LoopInfo &L) const {
  for (uint32_t N = 0; N < L.OtherSiteCount; ++N)
    if (hasStream(State, States[L.OtherSites[N]].S))
      return false;
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
    State.Groups[N].Again.again(Words[2 + State.Groups[N].First], Words[1]);
  setDirty(State);
  return true;
}

/// Counts an execution that is like an earlier one.
GRAUPEL_HOT bool Thread::repeatNest(NestState &Loop, const NestShape &Shape,
                                    const uint64_t *Words) {
  uint32_t Which = Loop.Latest;
  auto Settle = [&](Stream &S) { settle(S); };
  for (uint32_t Tries = 0;
       !Loop.Known[Which].matches(Shape, Words, States, Settle); ++Tries) {
    if (Tries == NestState::Size - 1)
      return false;
    Which = (Which + 1) % NestState::Size;
  }
  Loop.Latest = Which;
  Loop.Changes = 0;
  NestExecution &State = Loop.Known[Which];
  State.again(Words);
  if (!State.IsDirty) {
    State.IsDirty = true;
    State.NextDirty = DirtyNests;
    DirtyNests = &State;
  }
  return true;
}

void Thread::beginLoop(uint32_t Loop, const uint64_t *Words,
                       uint64_t Iterations) {
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
  Now.Iterations = Iterations;
  Now.Groups = GroupSpace;
}

GRAUPEL_HOT const uint64_t *Thread::loop(const uint64_t *Words) {
  finishLoop();
  uint32_t Loop = loopOf(Words[0] - GRAUPEL_STRIDE_RECORD_LOOP);
  const LoopInfo &L = Loops[Loop];
  if (L.Nest) {
    NestState &State = NestStates[Loop];
    if (!repeatNest(State, *L.Nest, Words))
      nest(State, L, Words);
    return Words + L.Words;
  }
  LoopState &State = LoopStates[Loop];
  if (!countLoop(Loop, Words[1]) || !L.Selected)
    return Words + L.Words;
  if (repeat(State, L, Words)) {
    if (L.Others) {
      Now = {};
      Now.Loop = &L;
      Now.Number = Loop;
      Now.Iterations = Words[1];
      Now.Ahead = &State.Known[State.Latest];
    }
    return Words + L.Words;
  }
  beginLoop(Loop, Words, Words[1]);
  Now.Literal = R.Wanted.Literal || Batch || !group(L);
  if (!L.Others)
    finishLoop();
  return Words + L.Words;
}

__attribute__((noinline)) void Thread::referAlone(uint32_t Site,
                                                  uint64_t Address) {
  refer(Site, Address);
}

__attribute__((noinline)) void Thread::emitAlone(uint32_t Site,
                                                 uint64_t Address) {
  emit(Site, Address, States[Site].Obj->Number);
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

/// plain() for the other references of the running loop.
GRAUPEL_HOT const uint64_t *Thread::plainOfLoop(const uint64_t *Words,
                                                const uint64_t *Last) {
  if (Now.Literal)
    return Words;
  const uint64_t Others = Now.Loop->Others;
  if (uint64_t Left = Now.Iterations - Now.Iteration;
      Left < static_cast<uint64_t>(Last - Words))
    Last = std::min(Last, Words + 2 * (Left * Others - Now.Other));
  const uint64_t *Next = plain(Words, Last, Now.Loop->Sites);
  uint64_t Other = Now.Other + static_cast<uint64_t>(Next - Words) / 2;
  if (Other >= Others)
    Now.Iteration += Other / Others;
  Now.Other = static_cast<uint32_t>(Other % Others);
  if (Now.Iteration == Now.Iterations)
    finishLoop();
  return Next;
}

GRAUPEL_HOT const uint64_t *Thread::record(const uint64_t *Words) {
  unsigned Tag = Words[0] & GRAUPEL_STRIDE_RECORD_TAG;
  if (Tag == GRAUPEL_STRIDE_RECORD_LOOP)
    return loop(Words);
  if (__builtin_expect(Tag == GRAUPEL_STRIDE_RECORD_BLOCK, false))
    return block(Words);
  uint32_t Site = siteOf(Words[0] - Tag);
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

__attribute__((noinline)) const uint64_t *
Thread::recordAlone(const uint64_t *Words) {
  return record(Words);
}

// Compiled for several processors, with all that it calls for each record.
__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3",
                             "default"))) void
Thread::count(const uint64_t *Words, const uint64_t *Last) {
  while (Words < Last) {
    if (!Batch)
      Words =
          Now.Loop ? plainOfLoop(Words, Last) : plain(Words, Last, LastSites);
    if (Words < Last)
      Words = record(Words);
  }
}

void Thread::drain(const char *End) {
  Guard G(Mutex);
  // The buffer of another thread, which has just begun another part of it.
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
    // References of uninstrumented code: before the burst, or until it noticed
    // the burst.
    OutOfOrder = false;
    if (*Budget <= NoBudget / 2) {
      Sampled->miss(static_cast<uint64_t>(NoBudget - *Budget));
    } else {
      OutOfOrder = *Budget != static_cast<int64_t>(Sampled->gap());
      Sampled->resume(*Budget);
    }
    countSampled(First, Last);
    Sampled->flush();
  }
  settleAll();
  Dirty.flush(C);
  flushLoops();
  flushNests();
  if (Batch)
    handOver();
  if (CacheSim)
    CacheSim->drain(First, Last);
  if (Traffic && Sampled)
    Traffic->endOfSample();
  else if (Traffic)
    Traffic->drain(First, Last);
  NotedBegin = ~uint64_t(0);
  NotedEnd = 0;
}

} // namespace graupel::stride
