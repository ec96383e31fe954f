//===- stride/Histogram.cpp -----------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Histogram.h"
#include <cstring>

namespace graupel::stride {

void Stream::rewind() {
  uint64_t *New = Addresses + Capacity - Known;
  memmove(New, Head, Known * sizeof(uint64_t));
  Head = New;
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

static uint64_t distance(uint64_t A, uint64_t B) {
  return A > B ? A - B : B - A;
}

// A tuple: a bin a lag in the lower bytes; in the highest how many lags variant
// filtered counts, and the sign at lag 1.
static constexpr unsigned MetaShift = 8 * TupleLags;
static constexpr unsigned ForwardBit = 16, BackwardBit = 32;

template <unsigned Lags>
static uint64_t tupleOf(const uint64_t *History, uint64_t Address,
                        uint64_t PassAbove) {
  uint64_t Tuple = 0, Counted = 1, Alive = 1;
  for (unsigned Lag = 0; Lag < Lags; ++Lag) {
    uint64_t D = distance(Address, History[Lag]);
    Tuple |= uint64_t(binOf(D)) << 8 * Lag;
    Alive &= D > PassAbove;
    if (Lag + 1 < Lags)
      Counted += Alive;
  }
  Counted |= Address > History[0] ? ForwardBit : 0;
  Counted |= Address < History[0] ? BackwardBit : 0;
  return Tuple | Counted << MetaShift;
}

static uint64_t tupleOf(unsigned Lags, const uint64_t *History,
                        uint64_t Address, uint64_t PassAbove) {
  switch (Lags) {
  case 1:
    return tupleOf<1>(History, Address, PassAbove);
  case 2:
    return tupleOf<2>(History, Address, PassAbove);
  case 3:
    return tupleOf<3>(History, Address, PassAbove);
  case 4:
    return tupleOf<4>(History, Address, PassAbove);
  case 6:
    return tupleOf<6>(History, Address, PassAbove);
  case 7:
    return tupleOf<7>(History, Address, PassAbove);
  default:
    return tupleOf<5>(History, Address, PassAbove);
  }
}

uint64_t Share::tuple(const Counting &C, const Stream &S, uint64_t Address) {
  return C.MaxLag == 5 ? tupleOf<5>(S.history(), Address, C.PassAbove)
                       : tupleOf(C.MaxLag, S.history(), Address, C.PassAbove);
}

/// So many changes of tuples make a share wide.
static constexpr uint32_t ManyChanges = 512;

void Share::count(const Counting &C, const Stream &S, uint64_t Address,
                  uint64_t Weight) {
  if (!S.isFull())
    return countYoung(C, S, Address, Weight);
  if (C.MaxLag > TupleLags)
    return countDeep(C, S, Address, Weight);
  uint64_t New = tuple(C, S, Address);
  if (New != Tuple) {
    if (Wide)
      return addTuple(C, New, Weight);
    flush(C);
    Tuple = New;
    if (++Changes == ManyChanges)
      widen(C);
  }
  Run += Weight;
}

void Share::flush(const Counting &C) {
  if (!Run)
    return;
  addTuple(C, Tuple, Run);
  Run = 0;
}

void Share::addTuple(const Counting &C, uint64_t Which, uint64_t Weight) {
  unsigned Meta = Which >> MetaShift, Counted = Meta & 15;
  Record->References += Weight;
  Record->Forward += Meta & ForwardBit ? Weight : 0;
  Record->Backward += Meta & BackwardBit ? Weight : 0;
  if (Wide) {
    for (unsigned Lag = 0; Lag < C.MaxLag; ++Lag)
      Dense[2 * Lag + (Lag >= Counted)]->Count[Which >> 8 * Lag & 255] +=
          Weight;
    return;
  }
  for (unsigned Lag = 0; Lag < C.MaxLag && Lag < TupleLags; ++Lag)
    add(Lag, Lag >= Counted, Which >> 8 * Lag & 255, Weight);
}

DenseRow *Share::denseRow(unsigned Number) {
  DenseRow *&More = Dense[Number];
  if (More)
    return More;
  More = static_cast<DenseRow *>(
      File->append(ChunkKind::Row, sizeof(DenseRow), true));
  if (!More)
    return nullptr;
  More->Share = File->offsetOf(Record);
  More->Lag = Number / 2 + 1;
  More->OnlyAll = Number & 1;
  File->commit(More);
  Rows[Number].Full = 1;
  return More;
}

void Share::widen(const Counting &C) {
  Wide = true;
  for (unsigned Number = 0; Number < 2 * C.MaxLag; ++Number)
    Wide &= denseRow(Number) != nullptr;
}

void Share::countSign(uint64_t Address, uint64_t Previous, uint64_t Weight) {
  Record->Forward += Address > Previous ? Weight : 0;
  Record->Backward += Address < Previous ? Weight : 0;
}

// With less history than there are lags.
void Share::countYoung(const Counting &C, const Stream &S, uint64_t Address,
                       uint64_t Weight) {
  Record->References += Weight;
  bool Alive = true;
  for (unsigned Lag = 0; Lag < S.lags(); ++Lag) {
    uint64_t D = distance(Address, S.history()[Lag]);
    add(Lag, !Alive, binOf(D), Weight);
    Alive = Alive && D > C.PassAbove;
  }
  NoPredecessor[S.lags()] += Weight;
  NoPredecessor[C.MaxLag + S.lags()] += Alive ? Weight : 0;
  if (S.lags())
    countSign(Address, S.history()[0], Weight);
}

// With more lags than a tuple holds.
void Share::countDeep(const Counting &C, const Stream &S, uint64_t Address,
                      uint64_t Weight) {
  Record->References += Weight;
  bool Alive = true;
  for (unsigned Lag = 0; Lag < C.MaxLag; ++Lag) {
    uint64_t D = distance(Address, S.history()[Lag]);
    add(Lag, !Alive, binOf(D), Weight);
    Alive = Alive && D > C.PassAbove;
  }
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
