//===- stride/Counters.cpp ------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Counters.h"

namespace graupel::stride {

static_assert(Counters::MostWide + Counters::MostBetween +
                  Counters::MostAtOnce <=
              UINT16_MAX);

bool Counters::create(RecordFile &NewFile, const Counting &C, uint32_t Site,
                      uint32_t Object, uint32_t Thread) {
  Record = static_cast<ShareRecord *>(
      NewFile.append(ChunkKind::Share, bytesOfShare(C.MaxLag), true));
  if (!Record)
    return false;
  Record->Site = Site;
  Record->Object = Object;
  Record->Thread = Thread;
  File = &NewFile;
  File->commit(Record);
  return true;
}

void Counters::createForNothing(const Counting &C) {
  Record = static_cast<ShareRecord *>(allocate(bytesOfShare(C.MaxLag)));
  auto *W = static_cast<WideRecord *>(allocate(bytesOfWide(C.MaxLag)));
  Wide = reinterpret_cast<uint16_t *>(W + 1);
}

/// A chunk of this share; null if there is none.
template <class T> T *Counters::append(ChunkKind Kind, uint64_t Bytes) {
  if (!File)
    return nullptr;
  auto *Payload = static_cast<T *>(File->append(Kind, Bytes, true));
  if (Payload)
    Payload->Share = File->offsetOf(Record);
  return Payload;
}

//===--- Tuples -----------------------------------------------------------===//

bool Counters::addToList(TupleCount *List, unsigned Places, uint64_t Tuple,
                         uint64_t Weight) {
  for (TupleCount *T = List; T < List + Places; ++T) {
    if (!T->Count)
      T->Tuple = Tuple;
    if (T->Tuple != Tuple)
      continue;
    __atomic_store_n(&T->Count, T->Count + Weight, __ATOMIC_RELEASE);
    return true;
  }
  return false;
}

void Counters::addTuple(const Counting &C, uint64_t Tuple, uint64_t Weight) {
  if (Wide && Weight <= MostAtOnce)
    return addWide(C, Tuple, Weight);
  auto *List = reinterpret_cast<TupleCount *>(reinterpret_cast<char *>(Record) +
                                              tuplesOfShare(C.MaxLag));
  if (addToList(List, ShareTuples, Tuple, Weight))
    return;
  if (!Tuples &&
      (Tuples = append<TuplesRecord>(ChunkKind::Tuples, sizeof(TuplesRecord))))
    File->commit(Tuples);
  if (Tuples && addToList(Tuples->List, MoreTuples, Tuple, Weight))
    return;
  if (!Wide && Weight <= MostAtOnce)
    widen(C);
  if (Wide && Weight <= MostAtOnce)
    return addWide(C, Tuple, Weight);
  addBins(C, Tuple, Weight);
}

//===--- Bins -------------------------------------------------------------===//

void Counters::addBins(const Counting &C, uint64_t Tuple, uint64_t Weight) {
  const unsigned Counted = Tuple >> TupleMetaShift & 15;
  for (unsigned Lag = 0; Lag < C.MaxLag && Lag < TupleLags; ++Lag)
    addBin(C, Lag, Lag >= Counted, Tuple >> 8 * Lag & 255, Weight);
}

void Counters::addBin(const Counting &C, unsigned Lag, bool OnlyAll,
                      unsigned Bin, uint64_t Weight) {
  const unsigned Row = 2 * Lag + OnlyAll;
  const uint32_t Key = Row << 8 | Bin;
  if (!Few && (Few = append<BinsRecord>(ChunkKind::Bins, sizeof(BinsRecord))))
    File->commit(Few);
  for (unsigned N = 0; Few && N < MoreBins; ++N) {
    if (!Few->Count[N])
      Few->Key[N] = Key;
    if (Few->Key[N] != Key)
      continue;
    __atomic_store_n(&Few->Count[N], Few->Count[N] + Weight, __ATOMIC_RELEASE);
    return;
  }
  if (DenseRow *More = denseRow(C, Row))
    More->Count[Bin] += Weight;
}

DenseRow *Counters::denseRow(const Counting &C, unsigned Row) {
  if (!Dense)
    Dense =
        static_cast<DenseRow **>(allocate(2 * C.MaxLag * sizeof(DenseRow *)));
  DenseRow *&More = Dense[Row];
  if (More || !(More = append<DenseRow>(ChunkKind::Row, sizeof(DenseRow))))
    return More;
  More->Lag = Row / 2 + 1;
  More->OnlyAll = Row & 1;
  File->commit(More);
  return More;
}

//===--- Wide -------------------------------------------------------------===//

void Counters::widen(const Counting &C) {
  auto *W = append<WideRecord>(ChunkKind::Wide, bytesOfWide(C.MaxLag));
  if (!W)
    return;
  File->commit(W);
  Wide = reinterpret_cast<uint16_t *>(W + 1);
}

/// Empties the counters of 16 bits.
__attribute__((noinline)) void Counters::carry(const Counting &C) {
  Filled = 0;
  for (unsigned Row = 0; Row < 2 * C.MaxLag; ++Row) {
    if (Row == 1)
      continue;
    uint16_t *Each = Wide + wideRow(Row) * Bins;
    for (unsigned Bin = 0; File && Bin < Bins; ++Bin)
      if (uint16_t Count = Each[Bin]) {
        Each[Bin] = 0;
        addBin(C, Row / 2, Row & 1, Bin, Count);
      }
  }
}

} // namespace graupel::stride
