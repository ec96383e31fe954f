//===- stride/Thread.h - A thread's buffer and streams ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_THREAD_H
#define GRAUPEL_STRIDE_THREAD_H

#include "Bursts.h"
#include "HeapMap.h"
#include "NestExtent.h"
#include "NestRepeat.h"
#include "Objects.h"
#include "PageTraffic.h"
#include "Pending.h"
#include "Repeat.h"
#include "Simulated.h"
#include "Summary.h"
#include "Tables.h"
#include <algorithm>

namespace graupel::stride {

/// State that threads share while they record.
struct Recording {
  RecordFile File;
  Options Wanted;
  Consumers Readers{};
  Caches *Simulation = nullptr; ///< Null: caches are not simulated.
  Lock ReadersMutex;
};

class Thread {
public:
  Thread(Recording &R, uint32_t Number);

  /// The value of Budget while everything is recorded: negative, however much
  /// functions subtract from it.
  static constexpr int64_t NoBudget = GRAUPEL_STRIDE_NO_BUDGET;

  /// Counts the records in the buffer up to `End`. Takes the thread's lock;
  /// called by the thread itself, or when the process ends.
  void drain(const char *End);
  /// Sets Cursor and Budget for the next references; called by the thread
  /// itself. `Record`: the next burst is near, or has begun.
  void resume(bool Record);
  /// Counts a copy or fill of uninstrumented code, by the site's entry.
  void countLarge(uint64_t Entry, uint64_t Address, uint64_t Bytes);
  /// Notes a block that is allocated or freed (`Obj` is null then) in the
  /// buffer: earlier records are drained later, but must not see the change.
  /// Called by the thread itself, between its groups of records; false if it
  /// must drain.
  bool noteBlock(uint64_t Address, uint64_t Bytes, Object *Obj);
  /// Whether noted blocks may overlap this one.
  bool isNoted(uint64_t Address, uint64_t Bytes) const {
    return Address < NotedEnd && NotedBegin < Address + Bytes;
  }

  /// The owner's cursor and budget.
  char **Cursor = nullptr;
  int64_t *Budget = nullptr;
  Thread *Next = nullptr;
  /// For a list of threads: it has ended.
  bool Ended = false;

private:
  /// An object that a site has referred to, and the SiteState at that time.
  struct Visit {
    static constexpr unsigned Count = 8;
    static unsigned placeOf(const Object *Obj) {
      return reinterpret_cast<uint64_t>(Obj) * 0x9e3779b97f4a7c15 >> 61;
    }
    Object *Obj;
    Stream *S;
    Share *H;
  };
  /// The thread's state of a site.
  struct SiteState {
    /// Addresses that belong to Obj. If there are no bytes, Begin is the value
    /// of heap::numberAt() for them.
    uint64_t Begin, Bytes;
    Stream *S; ///< Never null if there are any.
    Share *H;  ///< Null if the reference is not counted; S is Ignored then.
    Object *Obj;
    Visit *Visits; ///< Null while there was one object only.
    uint64_t Padding[2];
  };
  /// The thread's state of a nest.
  struct NestState {
    static constexpr uint32_t Size = 4;
    uint32_t Latest, Oldest;
    uint32_t Changes; ///< Executions since one was like an earlier one.
    NestExecution Known[Size];
  };
  /// An execution of a nest.
  struct Nesting {
    const NestShape *Shape;
    const uint64_t *Words;
    /// The items of a part of it, and the first one if it is a loop that goes
    /// on, or NoNumber.
    uint32_t First, End, GoesOn;
    const int64_t *Steps;
    uint64_t *Bases;     ///< By item: the address in the first iterations.
    NestExecution *Next; ///< Remembers the execution, or null.
    bool IsSingle;       ///< One loop, which finds new distances each time.
    /// By item: the number of executions that are still to be counted; the
    /// lowest and highest address; the next one.
    uint64_t *Runs, *Low, *High, *Addresses;
  };
  /// An execution of a loop that can be compared with the next ones.
  struct Execution {
    bool IsKnown, IsDirty;
    uint64_t Iterations;
    uint32_t GroupCount;
    /// By member: the group's first member, and the offset from its base.
    uint32_t *First;
    uint64_t *Offset;
    int64_t *Steps;
    struct Group {
      Repeat Again;
      uint32_t First, Site; ///< The first member, and its site.
      Share *Hist;
      /// The lowest and highest address, from the first member's base.
      uint64_t Low, High;
    } *Groups;
    Execution *NextDirty;
  };
  /// The thread's state of a loop. The first row of a matrix differs from the
  /// next ones, and comes again.
  struct LoopState {
    static constexpr uint32_t Size = 4;
    LoopCounts *Counts;
    uint32_t Latest, Oldest;
    Execution Known[Size];
  };
  struct Running {
    const LoopInfo *Loop = nullptr;
    uint32_t Number;
    /// Nothing of it is counted: between bursts.
    bool Silent;
    uint64_t Iterations, Iteration;
    uint32_t Other; ///< The next one of the others.
    LoopGroup *Groups;
    uint32_t GroupCount;
    /// The execution that the members repeat, if they are counted already:
    /// as long as no other reference falls into their streams.
    Execution *Ahead;
    /// Members that cannot be split by stream.
    bool Literal;
    uint64_t MemberIteration;
    uint32_t NextMember;
  };

  GRAUPEL_HOT void refer(uint32_t Site, uint64_t Address);
  GRAUPEL_HOT static bool isPiece(const SiteState &State, uint64_t Address) {
    uint64_t Number = heap::numberAt(Address);
    return Number && Number == State.Begin;
  }
  /// Whether the site's object is at the address.
  GRAUPEL_HOT static bool isThere(const SiteState &State, uint64_t Address) {
    return Address - State.Begin < State.Bytes || isPiece(State, Address);
  }
  void resolve(SiteState &State, uint32_t Site, uint64_t Address);
  void resolveSlowly(SiteState &State, uint32_t Site, uint64_t Address);
  bool resolveRange(SiteState &State, uint32_t Site, uint64_t First,
                    uint64_t Bytes);
  GRAUPEL_HOT void setObject(SiteState &State, uint32_t Site, Object *Obj,
                             uint64_t Address);
  void findShare(SiteState &State, uint32_t Site, Object *Obj,
                 uint64_t Address);
  void noteOffset(const SiteState &State, uint32_t Site, uint64_t Address);
  GRAUPEL_HOT void emit(uint32_t Site, uint64_t Address, uint32_t Object);
  void handOver();
  GRAUPEL_HOT bool append(SiteState &State, uint64_t Address);
  void appendSlowly(SiteState &State, uint64_t Address);
  GRAUPEL_HOT void settle(Stream &S);
  void emptyOut(Stream &S);
  void makeRoom(Stream &S);
  GRAUPEL_HOT void wait(Stream &S, Share *Hist, uint64_t Address);
  void settleAll();
  void advance(LoopGroup &G, uint64_t To, uint32_t Order);
  void flushLoops();
  void forgetIntervals();

  void count(const uint64_t *Words, const uint64_t *Last);
  GRAUPEL_HOT const uint64_t *record(const uint64_t *Words);
  const uint64_t *recordAlone(const uint64_t *Words);
  GRAUPEL_HOT uint32_t siteOf(uint64_t Entry) {
    if (__builtin_expect(!LastSites.has(Entry), false))
      LastSites = rangeOfSite(Entry);
    return LastSites.number(Entry);
  }
  GRAUPEL_HOT uint32_t loopOf(uint64_t Entry) {
    if (!LastLoops.has(Entry))
      LastLoops = rangeOfLoop(Entry);
    return LastLoops.number(Entry);
  }
  const uint64_t *plain(const uint64_t *Words, const uint64_t *Last,
                        const NumberRange &Range);
  struct Period;
  const uint64_t *repeating(const uint64_t *Words, const uint64_t *Last,
                            const NumberRange &Range);
  GRAUPEL_HOT bool findPeriod(const uint64_t *Words, const uint64_t *Last,
                              const NumberRange &Range, Period &P);
  GRAUPEL_HOT const uint64_t *plainOfLoop(const uint64_t *Words,
                                          const uint64_t *Last);
  GRAUPEL_HOT const uint64_t *lanes(const uint64_t *Words, uint32_t Site,
                                    unsigned Tag);
  const uint64_t *bulk(const uint64_t *Words, uint32_t Site);
  const uint64_t *block(const uint64_t *Words);
  void countBulk(uint32_t Site, Object *Obj, uint64_t Calls, uint64_t Bytes) {
    countBulk(Part, Site, Obj, Calls, Bytes);
  }
  void countBulk(uint32_t InPart, uint32_t Site, Object *Obj, uint64_t Calls,
                 uint64_t Bytes);
  GRAUPEL_HOT const uint64_t *loop(const uint64_t *Words);
  void beginLoop(uint32_t Loop, const uint64_t *Words, uint64_t Iterations);
  GRAUPEL_HOT bool countLoop(uint32_t Loop, uint64_t Iterations);
  GRAUPEL_HOT bool isRepeated(const Execution &State, const LoopInfo &L,
                              const uint64_t *Words);
  GRAUPEL_HOT bool repeat(LoopState &Loop, const LoopInfo &L,
                          const uint64_t *Words);
  GRAUPEL_HOT void setDirty(Execution &State);
  bool areApart(const Execution &State, const LoopInfo &L) const;
  bool hasStream(const Execution &State, const Stream *S) const;
  void takeBack();
  void remember();
  static void makeRoom(Execution &State, uint32_t Members);
  bool group(const LoopInfo &L);
  LoopCounts *countsOf(uint32_t Loop);
  GRAUPEL_HOT bool repeatNest(NestState &Loop, const NestShape &Shape,
                              const uint64_t *Words);
  void nest(NestState &State, const LoopInfo &L, const uint64_t *Words);
  Nesting nesting(const NestShape &Shape, const uint64_t *Words);
  void countPart(Nesting &N, bool Selected);
  bool countNest(Nesting &N);
  bool countLoopOf(Nesting &N, const NestItem &Item,
                   const NestExtent::Extent &E);
  bool countExtents(Nesting &N);
  bool findRanges(Nesting &N);
  void countStreams(Nesting &N);
  void countStream(Nesting &N, Stream &S);
  struct Row;
  bool countRow(Nesting &N, Stream &S);
  void countSteady(const Row &L, uint64_t WarmUp);
  template <class Function>
  void walk(const Nesting &N, bool OnlyBulk, Function Do);
  template <class Function>
  void walk(const Nesting &N, uint32_t Loop, bool OnlyBulk, uint64_t *Addresses,
            Function Do);
  bool countBulks(const Nesting &N);
  void bulkOf(const Nesting &N, const NestItem &Item, uint64_t Address);
  void referAlone(uint32_t Site, uint64_t Address);
  void emitAlone(uint32_t Site, uint64_t Address);
  void flushNests();
  GRAUPEL_HOT void before(uint32_t Site);
  GRAUPEL_HOT void after();
  void referMembers(uint64_t To, uint32_t Order);
  void countMembers();
  void finishLoop();
  void finishGroups(uint64_t End);

  // For sampled threads.
  void countSampled(const uint64_t *Words, const uint64_t *Last);
  const uint64_t *sampled(const uint64_t *Words);
  const uint64_t *sampledLoop(const uint64_t *Words);
  uint64_t countReferences(const NestShape &Shape, const uint64_t *Words);
  uint64_t countExecutions(const NestShape &Shape, const uint64_t *Words);
  void sampledNest(const LoopInfo &L, const uint64_t *Words);
  struct Clip;
  void clipLoop(Clip &P, uint32_t Which);
  void clipTerms(Clip &P, uint32_t Which);
  void clipTerm(Clip &P, const NestItem &Item, uint64_t Address);
  void clipReference(Clip &P, uint32_t Which);
  void run(Clip &P, uint32_t First, uint32_t End);
  uint64_t referencesOf(uint32_t Site, unsigned Tag) const;
  void countWhole(uint32_t Site, uint64_t Address, uint64_t Bytes);
  void goBy(uint64_t References);
  void startIfDue();
  void startBurst();
  void endBurst();
  void leavePart();

  Recording &R;
  const Counting &C;
  /// The thread's number in the record; the current part's if it is sampled.
  uint32_t Number;
  Bursts *Sampled = nullptr;
  uint32_t Part = 0;
  /// Between bursts, some records in the buffer precede references that passed
  /// without records.
  bool OutOfOrder = false;
  Lock Mutex;
  char *Buffer;
  const char *Start; ///< The first record in the buffer.
  uint64_t StackBegin = 0, StackEnd = 0;
  /// The range of all noted blocks.
  uint64_t NotedBegin = ~uint64_t(0), NotedEnd = 0;
  uint64_t Epoch = 0;
  NumberRange LastSites, LastLoops;
  SiteState *States;
  Array<uint32_t> UsedSites;
  Table<Share> *Shares; ///< By part.
  Table<Stream> Streams;
  Array<Stream *> UsedStreams; ///< In a part, if it is sampled.
  Table<Share> WithOffset;     ///< Shares whose first offset is known or not.
  LoopState *LoopStates;
  Table<LoopCounts> *LoopTables; ///< By part, if it is sampled.
  Array<uint32_t> UsedLoops;     ///< In a part, if it is sampled.
  Execution *DirtyLoops = nullptr;
  NestState *NestStates;
  NestExecution *DirtyNests = nullptr;
  NestTerms Terms;
  NestExtent Extents;
  StreamNest CurrentNest;
  int64_t *NestSteps;
  uint64_t *NestRuns, *NestLow, *NestHigh, *NestBases;
  uint64_t *NestReferences;      ///< By item: references of an iteration.
  Table<BulkRecord> *BulkTables; ///< By part.
  DirtyShares Dirty;
  /// Number of successive searches for a period that failed, and number of
  /// searches to skip.
  uint32_t InVain = 0, Waits = 0;
  /// Streams where references may wait, and one for those that are not counted.
  Stream *Open = nullptr;
  Stream Ignored;
  /// The share of waiting references that are counted already.
  Share *const ForNothing;
  Running Now;
  /// Members of the running loop.
  uint64_t *Bases;
  int64_t *Steps;
  LoopGroup *GroupSpace;
  GroupMember *MemberSpace;
  Simulated *CacheSim = nullptr;
  PageTraffic *Traffic = nullptr;
  Reference *Batch = nullptr;
  uint32_t BatchCount = 0;
};

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

/// False if the record cannot grow.
GRAUPEL_HOT bool Thread::countLoop(uint32_t Loop, uint64_t Iterations) {
  LoopCounts *Counts = LoopStates[Loop].Counts;
  if (!Counts)
    Counts = countsOf(Loop);
  if (!Counts)
    return false;
  ++Counts->Executions;
  Counts->Iterations += Iterations;
  Counts->LeastIterations = std::min(Counts->LeastIterations, Iterations);
  Counts->MostIterations = std::max(Counts->MostIterations, Iterations);
  return true;
}

GRAUPEL_HOT void Thread::setDirty(Execution &State) {
  if (State.IsDirty)
    return;
  State.IsDirty = true;
  State.NextDirty = DirtyLoops;
  DirtyLoops = &State;
}

/// Brings a stream's history up to date: no reference waits afterwards.
GRAUPEL_HOT void Thread::settle(Stream &S) {
  if (S.waiting())
    countPending(C, S, Dirty);
}

/// Whether there was room.
GRAUPEL_HOT bool Thread::append(SiteState &State, uint64_t Address) {
  Stream *S = State.S;
  uint64_t *To = S->Next;
  if (__builtin_expect(To >= S->End, false))
    return false;
  *To = Address;
  To[Stream::ShareAt] = reinterpret_cast<uint64_t>(State.H);
  S->Next = To + 1;
  return true;
}

} // namespace graupel::stride

#endif
