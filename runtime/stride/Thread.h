//===- stride/Thread.h - A thread's buffer and streams ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_THREAD_H
#define GRAUPEL_STRIDE_THREAD_H

#include "Objects.h"
#include "Repeat.h"
#include "Summary.h"
#include "Tables.h"

namespace graupel::stride {

/// What threads share while they record.
struct Recording {
  RecordFile File;
  Options Wanted;
  Consumers Readers{};
  Lock ReadersMutex;
};

class Thread {
public:
  Thread(Recording &R, uint32_t Number);

  /// What Budget is while all is recorded: negative, however much functions
  /// subtract from it.
  static constexpr int64_t NoBudget = GRAUPEL_STRIDE_NO_BUDGET;

  /// Counts what is in the buffer up to `End`. Takes the thread's lock; called
  /// by the thread itself, or when the process ends.
  void drain(const char *End);
  /// Sets Cursor and Budget for what comes next; by the thread itself.
  /// `Record`: the next burst is near, or has begun.
  void resume(bool Record);

  /// Where the owner keeps its cursor and budget.
  char **Cursor = nullptr;
  int64_t *Budget = nullptr;
  Thread *Next = nullptr;
  /// Of a list of threads: it has ended.
  bool Ended = false;

private:
  /// What the thread knows of a site.
  struct SiteState {
    uint64_t Begin, Bytes; ///< Addresses that belong to Of.
    Stream *S;
    Share *H; ///< Null if the reference is not counted.
    Object *Of;
    uint64_t Padding[3];
  };
  /// An execution of a loop that can be compared with the next ones.
  struct Execution {
    bool IsKnown, IsDirty;
    uint64_t Iterations;
    uint32_t GroupCount;
    /// By member: the group's first member, and where from its base.
    uint32_t *First;
    uint64_t *Offset;
    int64_t *Steps;
    struct Group {
      Repeat Again;
      uint32_t First, Site; ///< The first member, and its site.
      Share *Of;
      /// The lowest and highest address, from the first member's base.
      uint64_t Low, High;
    } *Groups;
    Execution *NextDirty;
  };
  /// What the thread knows of a loop. The first row of a matrix differs from
  /// the next ones, and comes again.
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
    uint32_t Other; ///< Which of the others comes next.
    LoopGroup *Groups;
    uint32_t GroupCount;
    /// Members that cannot be split by stream.
    bool Literal;
    uint64_t MemberIteration;
    uint32_t NextMember;
  };

  GRAUPEL_HOT void refer(uint32_t Site, uint64_t Address);
  void resolve(SiteState &State, uint32_t Site, uint64_t Address);
  bool resolveRange(SiteState &State, uint32_t Site, uint64_t First,
                    uint64_t Bytes);
  void setObject(SiteState &State, uint32_t Site, Object *Of);
  GRAUPEL_HOT void emit(uint32_t Site, uint64_t Address, uint32_t Object);
  void handOver();
  GRAUPEL_HOT void markDirty(Share *S);
  void advance(LoopGroup &G, uint64_t To, uint32_t Order);
  void flushShares();
  void forgetIntervals();

  void count(const uint64_t *Words, const uint64_t *Last);
  GRAUPEL_HOT const uint64_t *record(const uint64_t *Words);
  GRAUPEL_HOT const uint64_t *lanes(const uint64_t *Words, uint32_t Site,
                                    unsigned Tag);
  const uint64_t *bulk(const uint64_t *Words, uint32_t Site);
  GRAUPEL_HOT uint32_t loopOf(const uint64_t *Words);
  GRAUPEL_HOT const uint64_t *loop(const uint64_t *Words);
  GRAUPEL_HOT void runLoop(uint32_t Loop, const uint64_t *Words);
  void beginLoop(uint32_t Loop, const uint64_t *Words);
  GRAUPEL_HOT bool countLoop(LoopState &State, uint32_t Loop,
                             uint64_t Iterations);
  GRAUPEL_HOT bool isRepeated(const Execution &State, const LoopInfo &L,
                              const uint64_t *Words);
  GRAUPEL_HOT bool repeat(LoopState &Loop, const LoopInfo &L,
                          const uint64_t *Words);
  void remember(Execution &State, const LoopInfo &L);
  static void makeRoom(Execution &State, uint32_t Members);
  bool group(const LoopInfo &L);
  GRAUPEL_HOT void before(uint32_t Site);
  GRAUPEL_HOT void after();
  void referMembers(uint64_t To, uint32_t Order);
  void countMembers();
  void finishLoop();

  // In Bursts' time.
  void countSampled(const uint64_t *Words, const uint64_t *Last);
  GRAUPEL_HOT const uint64_t *sampled(const uint64_t *Words);
  GRAUPEL_HOT const uint64_t *sampledLoop(const uint64_t *Words);
  GRAUPEL_HOT uint64_t referencesOf(uint32_t Site, unsigned Tag) const;
  GRAUPEL_HOT void goBy(uint64_t References);
  void startBurst();
  void endBurst();
  void leavePart();

  Recording &R;
  const Counting &C;
  /// Of the part of its time, if it is sampled.
  uint32_t Number;
  Bursts *Sampled = nullptr;
  uint32_t Part = 0;
  Lock Mutex;
  char *Buffer;
  const char *Start; ///< Of what is in the buffer.
  uint64_t StackBegin = 0, StackEnd = 0;
  uint64_t Epoch = 0;
  NumberRange LastSites, LastLoops;
  SiteState *States;
  Array<uint32_t> UsedSites;
  Table<Share> *Shares; ///< By part.
  Array<Stream *> Listed;
  Table<Stream> Streams;
  LoopState *LoopStates;
  Table<LoopCounts> *LoopTables; ///< By part.
  Array<uint32_t> UsedLoops;
  Execution *DirtyLoops = nullptr;
  Table<BulkRecord> *BulkTables;
  Share *Dirty = nullptr;
  Running Now;
  /// Of the running loop.
  uint64_t *Bases;
  int64_t *Steps;
  LoopGroup *GroupSpace;
  GroupMember *MemberSpace;
  Reference *Batch = nullptr;
  uint32_t BatchCount = 0;
};

} // namespace graupel::stride

#endif
