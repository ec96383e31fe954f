//===- Numa/Bench/Leader.cpp - Takes samples of a case --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes samples of one case.
//
// 1. sample chooses the next part of the memory, and the kernel of the case.
// 2. prepare brings the lines into the state of the case: a step at a time, on
//    the processor that makes it (act).
// 3. time runs the kernel between two looks at the clock. It notes whether
//    another program had the processor. chainTime, linesRate and rangeRate make
//    nanoseconds a step or a rate of it.
// 4. restart times kernels with more and more work, less the same work on a
//    line of its own, until the result is constant.
// 5. together starts several processors at once, and divides all bytes by the
//    time from the first start to the last end. underLoad times a chain while
//    others read the same memory.
// 6. batch samples until it has enough undisturbed values, or has tried three
//    times as often. If all are disturbed, it returns these and says so.
//
//===----------------------------------------------------------------------===//

#include "Leader.h"
#include <algorithm>
#include <sys/resource.h>
#include <time.h>

namespace graupel::numa::bench {

static double now() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return double(T.tv_sec) * 1e9 + double(T.tv_nsec);
}

/// Number of times that another thread was put on this thread's processor.
static long interruptions() {
  rusage Usage;
  getrusage(RUSAGE_THREAD, &Usage);
  return Usage.ru_nivcsw;
}

static bool localShares(Kernel K) {
  return K == Kernel::Upgrd || K == Kernel::UpgrdSer || K == Kernel::BwUpgrd;
}

Leader::Leader(Meter &Parent, const Case &C)
    : Parent(Parent), C(C), Home(*Parent.Memories[C.Home]),
      Used(Home.Compact.lines()), Range(Home.Range),
      Steps(stepsTo(C.From, unsigned(C.Remote.size()),
                    localShares(C.TimedKernel))) {}

double Leader::time(const std::function<void()> &Kernel) {
  long Before = interruptions();
  double Start = now();
  Kernel();
  double End = now();
  Interrupted = interruptions() != Before;
  return std::max(End - Start - Parent.ClockCost, 1.0);
}

// --- States.

/// Performs a step, on the processor that does it.
void Leader::act(Step::Action Do) {
  const bool Whole = C.At == Place::Range;
  switch (Do) {
  case Step::Action::Flush:
    // A range is larger than the caches, which have its end at most.
    return Whole ? (void)0 : flush(Used);
  case Step::Action::Load:
    return Whole ? loadRange(Range, Parent.Each.AloneBytes) : load(Used);
  case Step::Action::Store:
    return Whole ? storeRange(Range, Parent.Each.AloneBytes) : store(Used);
  case Step::Action::Drop:
    return Whole ? (void)0
                 : loadRange(Home.Range, std::min(Home.RangeBytes,
                                                  3 * Parent.M.PrivateBytes));
  case Step::Action::DropAll: {
    // Last caches may prefer what they have to what streams by.
    const size_t Caches = Parent.M.SharedBytes + Parent.M.PrivateBytes;
    return Whole ? (void)0
                 : loadRange(Home.Range, std::min(Home.RangeBytes,
                                                  4 * Caches / 4096 * 4096));
  }
  }
}

void Leader::prepare() {
  if (C.From == State::None && C.At != Place::Range)
    walk(Used.first(), Used.Count); // Into the private cache.
  for (Step S : Steps) {
    const Crew::Work Work = [&] {
      act(S.Do);
      // Stores are done before anybody is told.
      std::atomic_thread_fence(std::memory_order_seq_cst);
    };
    if (S.By == Step::Actor::Local)
      Work();
    else if (S.By == Step::Actor::Owner)
      Parent.Threads.on(C.Remote[0], Work);
    else
      for (unsigned Sharer : C.Remote)
        Parent.Threads.on(Sharer, Work);
  }
}

// --- Kernels of one processor.

double Leader::chainTime(const std::function<void()> &Kernel) {
  prepare();
  return time(Kernel) / double(Used.Count);
}

double Leader::linesRate(const std::function<void()> &Kernel) {
  prepare();
  return double(Used.Count * LineBytes) * 1e3 / time(Kernel);
}

double Leader::rangeRate(size_t Bytes, const std::function<void()> &Kernel) {
  prepare();
  return double(Bytes) * 1e3 / time(Kernel);
}

double Leader::restart(Batch &B) {
  alignas(LineBytes) void *Self = &Self;
  constexpr size_t OwnSteps = 256;
  RestartRule Rule;
  RestartWatch Watch(Rule);
  bool Enough = false;
  for (unsigned K = 0; K < Rule.Most && !Enough; ++K) {
    if (K == Parent.Work.size())
      Parent.Work.push_back(std::make_unique<WorkKernel>(K));
    const WorkKernel &W = *Parent.Work[K];
    if (!W.works())
      break;
    double Far = 1e30, Own = 1e30;
    // Others take long to bring lines into a state; passes are tries, too.
    for (unsigned Try = 0; Try < (C.Remote.empty() ? 2 : 1); ++Try)
      Far = std::min(Far, chainTime([&] { W.run(Used.first(), Used.Count); }));
    // Cheap, and an error here would look like a short latency.
    for (unsigned Try = 0; Try < 10; ++Try)
      Own = std::min(Own, time([&] { W.run(&Self, OwnSteps); }) / OwnSteps);
    Enough = Watch.add(Far - Own);
  }
  B.Settled = Watch.settled();
  return Watch.result();
}

double Leader::sweep() {
  double *At = reinterpret_cast<double *>(Home.Range);
  const size_t Count = C.Bytes / C.Stride, Step = C.Stride / sizeof(double);
  // Enough to time, and enough for an average.
  const size_t Laps = 1 + (size_t(1) << 14) / Count;
  auto Lap = [&] {
    if (C.TimedKernel == Kernel::ReadUse)
      readUse(At, Count, Step);
    else
      readModifyWrite(At, Count, Step);
  };
  Lap();
  return time([&] {
           for (size_t N = 0; N < Laps; ++N)
             Lap();
         }) /
         double(Laps * Count);
}

// --- Kernels of several processors.

/// All of C.Local at once: each does a part, given its number, and returns how
/// many bytes; who is first may tell the others to end. All bytes over the time
/// from the first start to the last end: rates of each, added up, would count
/// what a late one does alone.
double Leader::together(
    const std::function<size_t(unsigned, std::atomic<bool> &)> &Part) {
  const unsigned Count = unsigned(C.Local.size());
  std::atomic<unsigned> Ready = 0;
  std::atomic<bool> Stop = false;
  struct Span {
    double Start, End;
    size_t Bytes;
    bool Interrupted;
  };
  std::vector<Span> Spans(Count);
  std::vector<Crew::Work> Works;
  for (unsigned N = 0; N < Count; ++N)
    Works.push_back([&, N] {
      ++Ready;
      while (Ready.load() < Count)
        pause(1);
      long Before = interruptions();
      double Start = now();
      size_t Bytes = Part(N, Stop);
      Spans[N] = {Start, now(), Bytes, interruptions() != Before};
    });
  for (unsigned N = 1; N < Count; ++N)
    Parent.Threads.begin(C.Local[N], Works[N]);
  Works[0]();
  for (unsigned N = 1; N < Count; ++N)
    Parent.Threads.wait(C.Local[N]);
  Span All = Spans[0];
  for (unsigned N = 1; N < Count; ++N) {
    All.Start = std::min(All.Start, Spans[N].Start);
    All.End = std::max(All.End, Spans[N].End);
    All.Bytes += Spans[N].Bytes;
    All.Interrupted |= Spans[N].Interrupted;
  }
  Interrupted = All.Interrupted;
  return double(All.Bytes) * 1e3 /
         std::max(All.End - All.Start - Parent.ClockCost, 1.0);
}

double Leader::readTogether() {
  constexpr size_t Piece = 256 << 10;
  const size_t Pieces = Home.RangeBytes / Piece, Count = C.Local.size();
  const size_t Quota = std::max<size_t>(Pieces / Count, Pieces / 8);
  return together([&](unsigned N, std::atomic<bool> &Stop) {
    size_t At = Pieces * N / Count, Done = 0;
    for (; Done < Quota && !Stop.load(std::memory_order_relaxed); ++Done) {
      loadRange(Home.Range + At * Piece, Piece);
      At = (At + 1) % Pieces;
    }
    Stop.store(true, std::memory_order_relaxed);
    return Done * Piece;
  });
}

double Leader::storeTogether() {
  flush(Used);
  for (unsigned N = unsigned(C.Local.size()); N-- > 0;) {
    const Crew::Work Share = [&] { load(Used); };
    if (N)
      Parent.Threads.on(C.Local[N], Share);
    else
      Share();
  }
  return together([&](unsigned N, std::atomic<bool> &) {
    Lines Mine = Home.Compact.part(N, C.Local.size());
    store(Mine);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return Mine.Count * LineBytes;
  });
}

/// The time of a step, or what others get meanwhile.
double Leader::underLoad() {
  constexpr size_t Piece = 4 << 10;
  constexpr unsigned Laps = 4;
  std::atomic<bool> Stop = false;
  struct alignas(LineBytes) Count {
    std::atomic<uint64_t> Pieces = 0;
  };
  std::vector<Count> Counts(C.Remote.size());
  const size_t Pieces = Home.RangeBytes / Piece;
  std::vector<Crew::Work> Works;
  for (size_t N = 0; N < C.Remote.size(); ++N)
    Works.push_back([&, N] {
      size_t At = Pieces * N / C.Remote.size();
      while (!Stop.load(std::memory_order_relaxed)) {
        loadRange(Home.Range + At * Piece, Piece);
        At = (At + 1) % Pieces;
        Counts[N].Pieces.fetch_add(1, std::memory_order_relaxed);
        pause(C.Pause);
      }
    });
  for (size_t N = 0; N < C.Remote.size(); ++N)
    Parent.Threads.begin(C.Remote[N], Works[N]);
  for (const Count &Started : Counts)
    while (Started.Pieces.load() < 4)
      pause(1);
  auto All = [&] {
    uint64_t Sum = 0;
    for (const Count &Now : Counts)
      Sum += Now.Pieces.load(std::memory_order_relaxed);
    return Sum;
  };
  double Nanoseconds = 0;
  uint64_t Read = 0;
  bool Any = false;
  for (unsigned Lap = 0; Lap < Laps; ++Lap) {
    flush(Used);
    uint64_t Before = All();
    Nanoseconds += time([&] { walk(Used.first(), Used.Count); });
    Read += (All() - Before) * Piece;
    Any |= Interrupted;
  }
  // Without any load, those who make it had no processor.
  Interrupted = Any || Read == 0;
  Stop = true;
  for (unsigned Processor : C.Remote)
    Parent.Threads.wait(Processor);
  return C.TimedKernel == Kernel::Load
             ? double(Read) * 1e3 / Nanoseconds
             : Nanoseconds / double(Laps * Used.Count);
}

// --- Samples.

double Leader::sample(Batch &B) {
  // Another part each time.
  if (C.At == Place::Wide)
    Used = Home.Wide.part(Parent.WidePart++ % Parent.Each.WideParts,
                          Parent.Each.WideParts);
  if (C.At == Place::Range)
    Range = Home.Range +
            (Parent.RangePart++ % (Home.RangeBytes / Parent.Each.AloneBytes)) *
                Parent.Each.AloneBytes;
  const Lines L = Used;
  const size_t Bytes = Parent.Each.AloneBytes, Half = Bytes / 2;
  Interrupted = false;
  switch (C.TimedKernel) {
  case Kernel::Read:
    return chainTime([&] { walk(Used.first(), L.Count); });
  case Kernel::Rdex:
  case Kernel::Upgrd:
    return chainTime([&] { modify(Used.first(), L.Count); });
  case Kernel::RdexSer:
  case Kernel::UpgrdSer:
    return chainTime([&] { modifySerially(Used.first(), L.Count); });
  case Kernel::Restart:
    return restart(B);
  case Kernel::BwRead:
    return linesRate([&] { load(L); });
  case Kernel::BwRdsh:
    return linesRate([&] { loadShared(L); });
  case Kernel::BwRdex:
  case Kernel::BwUpgrd:
    return linesRate([&] {
      store(L);
      std::atomic_thread_fence(std::memory_order_seq_cst);
    });
  case Kernel::BwRdexAhead:
    return linesRate([&] {
      storeAhead(L);
      std::atomic_thread_fence(std::memory_order_seq_cst);
    });
  case Kernel::BwZero:
    return rangeRate(Bytes, [&] { storeRange(Range, Bytes); });
  case Kernel::BwZeroPast:
    return rangeRate(Bytes, [&] { storeRangePast(Range, Bytes); });
  case Kernel::BwCopy:
    return rangeRate(Half, [&] { copyRange(Range + Half, Range, Half); });
  case Kernel::BwRange:
    return rangeRate(Bytes, [&] { loadRange(Range, Bytes); });
  case Kernel::BwmpRead:
    return readTogether();
  case Kernel::BwmpRdex:
    return storeTogether();
  case Kernel::LoadedRead:
  case Kernel::Load:
    return underLoad();
  case Kernel::ReadUse:
  case Kernel::ReadModifyWrite:
    return sweep();
  }
  return 0;
}

Batch Leader::batch(unsigned Count) {
  Batch Clean, Any;
  for (unsigned Try = 0; Try < 3 * Count && Clean.Values.size() < Count;
       ++Try) {
    double Value = sample(Clean);
    // The restart latency is made of hundreds, the least of several each.
    bool Spoilt = Interrupted && C.TimedKernel != Kernel::Restart;
    (Spoilt ? Any : Clean).Values.push_back(Value);
  }
  if (!Clean.Values.empty())
    return Clean;
  Any.Disturbed = true;
  Any.Settled = Clean.Settled;
  return Any;
}

} // namespace graupel::numa::bench
