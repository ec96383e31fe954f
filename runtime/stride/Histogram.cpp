//===- stride/Histogram.cpp -----------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
              (offsetof(Pending, Of) - offsetof(Pending, Address)) / 8);

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
  auto *Record = static_cast<ShareRecord *>(
      File.append(ChunkKind::Share, bytesOfShare(C.MaxLag), true));
  if (!Record)
    return nullptr;
  Record->Site = Site;
  Record->Object = Object;
  Record->Thread = Thread;
  auto *S = make<Share>();
  S->File = &File;
  S->Record = Record;
  S->NoPredecessor = reinterpret_cast<uint64_t *>(Record + 1);
  S->Rows = reinterpret_cast<Row *>(reinterpret_cast<char *>(Record) +
                                    rowsOfShare(C.MaxLag));
  for (unsigned N = 0; N < 2 * C.MaxLag; ++N)
    memset(S->Rows[N].Bin, FreeBin, RowBins);
  S->Dense =
      static_cast<DenseRow **>(allocate(2 * C.MaxLag * sizeof(DenseRow *)));
  File.commit(Record);
  return S;
}

Share *Share::createForNothing(const Counting &C) {
  auto *S = make<Share>();
  S->Record = static_cast<ShareRecord *>(allocate(sizeof(ShareRecord)));
  S->Wide = static_cast<uint64_t *>(
      allocate(2 * C.MaxLag * RowWords * sizeof(uint64_t)));
  return S;
}

/// So many changes of tuples make a share wide.
static constexpr uint32_t ManyChanges = 512;

void Share::change(const Counting &C, uint64_t New) {
  flush(C);
  Tuple = New;
  if (++Changes == ManyChanges)
    widen(C);
}

void Share::flush(const Counting &C) {
  if (Run)
    addTuple(C, Tuple, Run);
  Run = 0;
  Record->References += Signs[0] + Signs[1] + Signs[2];
  Record->Backward += Signs[0];
  Record->Forward += Signs[2];
  memset(Signs, 0, sizeof(Signs));
}

void DirtyShares::flush(const Counting &C) {
  for (Share *S = First; S; S = S->NextDirty) {
    S->flush(C);
    S->setDirty(false);
  }
  First = nullptr;
}

void Share::addTuple(const Counting &C, uint64_t Which, uint64_t Weight) {
  unsigned Meta = Which >> MetaShift, Counted = Meta & 15;
  Record->References += Weight;
  Record->Forward += Meta & ForwardBit ? Weight : 0;
  Record->Backward += Meta & BackwardBit ? Weight : 0;
  if (Wide)
    return addToRows(C, Which, Weight);
  for (unsigned Lag = 0; Lag < C.MaxLag && Lag < TupleLags; ++Lag)
    add(Lag, Lag >= Counted, Which >> 8 * Lag & 255, Weight);
}

void Share::beginRow(void *Payload, unsigned Number) {
  auto *Row = static_cast<DenseRow *>(Payload);
  Row->Share = File->offsetOf(Record);
  Row->Lag = Number / 2 + 1;
  Row->OnlyAll = Number & 1;
  File->commit(Row);
  Rows[Number].Full = 1;
}

DenseRow *Share::denseRow(unsigned Number) {
  DenseRow *&More = Dense[Number];
  if (More)
    return More;
  More = static_cast<DenseRow *>(
      File->append(ChunkKind::Row, sizeof(DenseRow), true));
  if (More)
    beginRow(More, Number);
  return More;
}

// Its rows side by side.
void Share::widen(const Counting &C) {
  static_assert(nextChunk(0, sizeof(DenseRow)) == RowWords * sizeof(uint64_t));
  auto *First = static_cast<char *>(
      File->append(ChunkKind::Row, sizeof(DenseRow), true, 2 * C.MaxLag));
  if (!First)
    return;
  for (unsigned Number = 0; Number < 2 * C.MaxLag; ++Number)
    beginRow(First + Number * RowWords * sizeof(uint64_t), Number);
  Wide = reinterpret_cast<DenseRow *>(First)->Count;
  setDirty(IsDirty);
}

void Share::countSign(uint64_t Address, uint64_t Previous, uint64_t Weight) {
  Record->Forward += Address > Previous ? Weight : 0;
  Record->Backward += Address < Previous ? Weight : 0;
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
  Meta |= Address > History[0] ? ForwardBit : 0;
  Meta |= Address < History[0] ? BackwardBit : 0;
  return Tuple | Meta << MetaShift;
}

// With less history than there are lags, or more lags than a tuple holds.
void Share::countSlowly(const Counting &C, const Stream &S, uint64_t Address,
                        uint64_t Weight) {
  if (C.InBursts && !S.isFull()) {
    Record->WarmUp += static_cast<uint32_t>(Weight);
    return;
  }
  Record->References += Weight;
  bool Alive = true;
  for (unsigned Lag = 0; Lag < S.lags(); ++Lag) {
    uint64_t Previous = S.history()[Lag];
    uint64_t D = Address > Previous ? Address - Previous : Previous - Address;
    add(Lag, !Alive, binOf(D), Weight);
    Alive = Alive && D > C.PassAbove;
  }
  if (!S.isFull()) {
    NoPredecessor[S.lags()] += Weight;
    NoPredecessor[C.MaxLag + S.lags()] += Alive ? Weight : 0;
  }
  if (S.lags())
    countSign(Address, S.history()[0], Weight);
}

void Share::add(unsigned Lag, bool OnlyAll, unsigned Bin, uint64_t Weight) {
  unsigned Number = 2 * Lag + OnlyAll;
  Row &R = Rows[Number];
  for (unsigned N = 0; N < RowBins; ++N) {
    if (R.Bin[N] == Bin) {
      R.Count[N] += Weight;
      return;
    }
    if (R.Bin[N] == FreeBin) {
      R.Count[N] = Weight;
      __atomic_store_n(&R.Bin[N], static_cast<uint8_t>(Bin), __ATOMIC_RELEASE);
      return;
    }
  }
  if (DenseRow *More = denseRow(Number))
    More->Count[Bin] += Weight;
}

} // namespace graupel::stride
