//===- stride/Histogram.cpp -----------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps a stream's history and counts references one at a time, into the
// histograms of (Balle, Steely 1997).
//
// 1. Stream keeps the last addresses: eight of them together, all in memory
//    that fills from its end if there are more lags.
// 2. Share::count, in the header, makes a tuple of the bins of all lags. Equal
//    tuples that follow each other are one run.
// 3. change ends a run when another tuple comes. After many changes the share
//    gets a counter for each bin.
// 4. countSlowly counts bin by bin, while the history is shorter than the lags,
//    or if there are more lags than a tuple holds. In bursts it only notes a
//    reference whose history is not full.
// 5. flush writes the run and the signs into the record. DirtyShares::flush
//    does that for all shares that have something to write.
//
//===----------------------------------------------------------------------===//

#include "Pending.h"
#include <cstddef>
#include <cstring>

namespace graupel::stride {

static constexpr unsigned RecentLags = sizeof(Eight) / sizeof(uint64_t);
static constexpr unsigned Spare = 64;

Stream::Stream(uint32_t Object, const Counting &C)
    : Object(Object), Depth(C.MaxLag) {
  if (Depth <= RecentLags)
    return;
  Room = static_cast<uint64_t *>(allocate((Depth + Spare) * sizeof(uint64_t)));
  Older = Room + Depth + Spare;
}

static_assert(Stream::ShareAt ==
              (offsetof(Pending, Hists) - offsetof(Pending, Address)) / 8);

void Stream::open() {
  if (!Begin)
    Begin = static_cast<Pending *>(allocate(sizeof(Pending)))->Address;
  Next = Begin;
  End = Begin + Pending::Size;
}

void Stream::pushOlder(uint64_t Address) {
  if (Older) {
    if (Older == Room) {
      Older = Room + Depth + Spare - Known;
      memmove(Older, Room, Known * sizeof(uint64_t));
    }
    *--Older = Address;
  }
  Known += Known != Depth;
}

void Stream::move(uint64_t By) {
  Recent += By;
  for (unsigned Lag = 0; Older && Lag < Known; ++Lag)
    Older[Lag] += By;
}

void Stream::forget() {
  Known = 0;
  Recent = {};
  if (Older)
    Older = Room + Depth + Spare;
}

Share *Share::create(RecordFile &File, const Counting &C, uint32_t Site,
                     uint32_t Object, uint32_t Thread) {
  Counters In;
  if (!In.create(File, C, Site, Object, Thread))
    return nullptr;
  auto *S = make<Share>();
  S->In = In;
  return S;
}

Share *Share::createForNothing(const Counting &C) {
  auto *S = make<Share>();
  S->In.createForNothing(C);
  return S;
}

/// Number of changes of tuples after which a share becomes wide.
static constexpr uint32_t ManyChanges = 512;

void Share::change(const Counting &C, uint64_t New) {
  flush(C);
  Tuple = New;
  if (++Changes != ManyChanges || In.wide())
    return;
  In.widen(C);
  setDirty(IsDirty);
}

void Share::flush(const Counting &C) {
  if (Run)
    addTuple(C, Tuple, Run);
  Run = 0;
  const uint64_t References = Signs[0] + Signs[1] + Signs[2];
  if (!References)
    return;
  ShareRecord &R = In.record();
  R.References += References;
  R.Backward += Signs[0];
  R.Forward += Signs[2];
  memset(Signs, 0, sizeof(Signs));
  In.noteWide(C, References);
}

void DirtyShares::flush(const Counting &C) {
  for (Share *S = First; S; S = S->NextDirty) {
    S->flush(C);
    S->setDirty(false);
  }
  First = nullptr;
  Counted = 0;
}

void Share::addTuple(const Counting &C, uint64_t Which, uint64_t Weight) {
  const unsigned Meta = Which >> TupleMetaShift;
  ShareRecord &R = In.record();
  R.References += Weight;
  R.Forward += Meta & TupleForward ? Weight : 0;
  R.Backward += Meta & TupleBackward ? Weight : 0;
  In.addTuple(C, Which, Weight);
}

void Share::countSign(uint64_t Address, uint64_t Previous, uint64_t Weight) {
  In.record().Forward += Address > Previous ? Weight : 0;
  In.record().Backward += Address < Previous ? Weight : 0;
}

uint64_t Share::tuple(const Counting &C, const uint64_t *History,
                      uint64_t Address) {
  uint64_t Tuple = 0, Counted = 0;
  for (unsigned Lag = 0; Lag < C.MaxLag; ++Lag) {
    uint64_t Previous = History[Lag];
    uint64_t D = Address > Previous ? Address - Previous : Previous - Address;
    Tuple |= uint64_t(binOf(D)) << 8 * Lag;
    // As long as all before have passed.
    if (Counted == Lag)
      Counted += Lag + 1 < C.MaxLag && D > C.PassAbove;
  }
  uint64_t Meta = Counted + 1;
  Meta |= Address > History[0] ? TupleForward : 0;
  Meta |= Address < History[0] ? TupleBackward : 0;
  return Tuple | Meta << TupleMetaShift;
}

// With less history than there are lags, or more lags than a tuple holds.
void Share::countSlowly(const Counting &C, const Stream &S, uint64_t Address,
                        uint64_t Weight) {
  if (C.InBursts && !S.isFull()) {
    In.record().WarmUp += static_cast<uint32_t>(Weight);
    return;
  }
  In.record().References += Weight;
  bool Alive = true;
  for (unsigned Lag = 0; Lag < S.lags(); ++Lag) {
    uint64_t Previous = S.history()[Lag];
    uint64_t D = Address > Previous ? Address - Previous : Previous - Address;
    In.addBin(C, Lag, !Alive, binOf(D), Weight);
    Alive = Alive && D > C.PassAbove;
  }
  if (!S.isFull()) {
    In.noPredecessor()[S.lags()] += Weight;
    In.noPredecessor()[C.MaxLag + S.lags()] += Alive ? Weight : 0;
  }
  if (S.lags())
    countSign(Address, S.history()[0], Weight);
}

} // namespace graupel::stride
