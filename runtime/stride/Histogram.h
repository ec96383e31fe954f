//===- stride/Histogram.h - Streams and their histograms -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The published histograms (Balle and Steely 1998), both variants at once. A
// reference is counted by the tuple of its bins; equal tuples that follow each
// other in a share are counted together.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_HISTOGRAM_H
#define GRAUPEL_STRIDE_HISTOGRAM_H

#include "RecordFile.h"

namespace graupel::stride {

/// How references are counted; the same for the whole process.
struct Counting {
  unsigned MaxLag = 5;
  /// Variant filtered goes on if the distance is larger.
  uint64_t PassAbove = 128;
};

/// The lags whose bins fit into one word, with what else there is to know.
inline constexpr unsigned TupleLags = 7;

struct LoopGroup;

/// The last addresses of a stream.
class Stream {
public:
  Stream(uint32_t Object, const Counting &C)
      : Object(Object), Depth(C.MaxLag), Capacity(C.MaxLag + 64),
        Addresses(static_cast<uint64_t *>(
            allocate((C.MaxLag + 64) * sizeof(uint64_t)))),
        Head(Addresses + Capacity) {}

  /// `[0]` is the latest. Of lags() addresses.
  const uint64_t *history() const { return Head; }
  unsigned lags() const { return Known; }
  bool isFull() const { return Known == Depth; }
  void push(uint64_t Address) {
    if (Head == Addresses)
      rewind();
    *--Head = Address;
    Known += Known != Depth;
  }

  const uint32_t Object;
  /// What of a running loop's summary belongs to this stream, or null.
  LoopGroup *Group = nullptr;

private:
  void rewind();

  unsigned Depth, Known = 0, Capacity;
  uint64_t *Addresses, *Head;
};

/// What a site contributes to a stream.
class Share {
public:
  /// Null if the record cannot grow.
  static Share *create(RecordFile &File, const Counting &C, uint32_t Site,
                       uint32_t Object, uint32_t Thread);

  /// Counts a reference `Weight` times, as if the stream's history were the
  /// same each time. Does not enter it into the history.
  void count(const Counting &C, const Stream &S, uint64_t Address,
             uint64_t Weight = 1);
  /// Writes what is counted into the record.
  void flush(const Counting &C);

  /// What count() would count of a stream that is full, at most TupleLags
  /// lags; and to count it.
  static uint64_t tuple(const Counting &C, const Stream &S, uint64_t Address);
  void addTuple(const Counting &C, uint64_t Tuple, uint64_t Weight);

  /// For lists of what has to be flushed.
  Share *NextDirty = nullptr;
  bool IsDirty = false;

private:
  void countYoung(const Counting &C, const Stream &S, uint64_t Address,
                  uint64_t Weight);
  DenseRow *denseRow(unsigned Number);
  void widen(const Counting &C);
  void countDeep(const Counting &C, const Stream &S, uint64_t Address,
                 uint64_t Weight);
  void countSign(uint64_t Address, uint64_t Previous, uint64_t Weight);
  void add(unsigned Lag, bool OnlyAll, unsigned Bin, uint64_t Weight);

  uint64_t Tuple = 0, Run = 0;
  /// All rows are dense: tuples changed too often.
  bool Wide = false;
  uint32_t Changes = 0;
  ShareRecord *Record = nullptr;
  uint64_t *NoPredecessor = nullptr;
  Row *Rows = nullptr;
  DenseRow **Dense = nullptr;
  RecordFile *File = nullptr;
};

} // namespace graupel::stride

#endif
