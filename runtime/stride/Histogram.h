//===- stride/Histogram.h - Streams and their histograms -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The published histograms (Balle, Steely 1997), both variants at once. A
// reference is counted by the tuple of its bins; equal tuples that follow each
// other in a share are counted together. This counts one reference at a time;
// Pending.h many.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_HISTOGRAM_H
#define GRAUPEL_STRIDE_HISTOGRAM_H

#include "Counters.h"
#include <bit>

namespace graupel::stride {

struct LoopGroup;
struct Pending;
class Share;

/// Eight numbers, in whatever registers there are.
using Eight = uint64_t __attribute__((vector_size(64), aligned(64)));
using SignedEight = int64_t __attribute__((vector_size(64), aligned(64)));
using Bytes8 = uint8_t __attribute__((vector_size(8)));

/// The last addresses of a stream, except for waiting ones. Users of the
/// history count these first (countPending).
class Stream {
public:
  Stream(uint32_t Object, const Counting &C);

  /// The last lags() addresses; `[0]` is the latest.
  const uint64_t *history() const {
    return Older ? Older : reinterpret_cast<const uint64_t *>(&Recent);
  }
  const Eight &recent() const { return Recent; }
  /// Sets all lags at once. The stream must be full and have no other lags.
  GRAUPEL_HOT void setRecent(const Eight &New) { Recent = New; }
  unsigned lags() const { return Known; }
  bool isFull() const { return Known == Depth; }
  /// Clears the history, as if there had been no reference. The stream must be
  /// closed.
  void forget();
  GRAUPEL_HOT void push(uint64_t Address) {
    // Stored as a whole: a load after partial stores has to wait.
    Recent =
        __builtin_shufflevector(Recent, Eight{Address}, 8, 0, 1, 2, 3, 4, 5, 6);
    if (__builtin_expect(Known != Depth || Older, false))
      pushOlder(Address);
  }

  /// Changes the history as if all addresses had been `By` larger. The stream
  /// must be full.
  void move(uint64_t By);

  /// References may wait from now on, until close().
  void open();
  /// Nothing waits.
  void close() { End = nullptr; }
  /// Nothing waits any more.
  void rewind() { Next = Begin; }
  unsigned waiting() const { return static_cast<unsigned>(Next - Begin); }

  /// The place of the next waiting address, if it is less than End; the place
  /// of its share is ShareAt words behind it.
  uint64_t *Next = nullptr, *End = nullptr, *Begin = nullptr;
  static constexpr size_t ShareAt = 144;
  /// The group of a running loop's members that belongs to this stream, or
  /// null. A stream with a group is closed.
  LoopGroup *Group = nullptr;
  /// For a list of those that are open.
  Stream *NextOpen = nullptr;
  bool IsListed = false;
  /// It is in the list of streams used in the current part of a thread's time.
  bool IsUsed = false;
  const uint32_t Object;

private:
  void pushOlder(uint64_t Address);

  unsigned Depth, Known = 0;
  Eight Recent{};
  /// If there are more lags than fit into Recent: into Room, which fills from
  /// its end.
  uint64_t *Older = nullptr, *Room = nullptr;
};

/// The histogram of one site's references in a stream.
class Share {
public:
  /// Null if the record cannot grow.
  static Share *create(RecordFile &File, const Counting &C, uint32_t Site,
                       uint32_t Object, uint32_t Thread);
  /// For references that are counted already and only wait to become history.
  static Share *createForNothing(const Counting &C);

  /// Counts a reference `Weight` times, as if the stream's history were the
  /// same each time. Does not enter it into the history.
  GRAUPEL_HOT void count(const Counting &C, const Stream &S, uint64_t Address,
                         uint64_t Weight = 1) {
    if (__builtin_expect(!S.isFull() || C.MaxLag > TupleLags, false))
      return countSlowly(C, S, Address, Weight);
    countTuple(C, tuple(C, S, Address), Weight);
  }
  /// Writes the counts into the record.
  void flush(const Counting &C);

  /// The tuple that count() would count. The stream must be full and have at
  /// most TupleLags lags.
  GRAUPEL_HOT static uint64_t tuple(const Counting &C, const Stream &S,
                                    uint64_t Address);
  /// The same, by the distances to the history.
  GRAUPEL_HOT static uint64_t tuple(const Counting &C, const Eight &Distances);
  /// The same, for a history of MAXEL addresses; the latest is the first.
  static uint64_t tuple(const Counting &C, const uint64_t *History,
                        uint64_t Address);
  void addTuple(const Counting &C, uint64_t Tuple, uint64_t Weight);

  /// For lists of shares that have to be flushed.
  Share *NextDirty = nullptr;
  bool IsDirty = false;
  void setDirty(bool Now) {
    IsDirty = Now;
    OpenRows = Now ? In.wide() : nullptr;
  }

  /// Counts a tuple of a stream that is full, at most TupleLags lags. As with
  /// count(), flush() has to follow.
  GRAUPEL_HOT void countTuple(const Counting &C, uint64_t New,
                              uint64_t Weight) {
    if (New != Tuple) {
      if (In.wide())
        return addWide(C, New, Weight);
      change(C, New);
    }
    Run += Weight;
  }
  /// The counters of a share whose tuples change all the time (Counters::wide).
  /// Null for another share, and if it has nothing to flush. At most
  /// Counters::MostBetween references may be counted there before flush().
  uint16_t *OpenRows = nullptr;
  /// Numbers of references that went back, stayed or went forward at lag 1,
  /// since the last flush.
  uint64_t Signs[3] = {};

private:
  void change(const Counting &C, uint64_t New);
  GRAUPEL_HOT void addWide(const Counting &C, uint64_t Which, uint64_t Weight) {
    if (__builtin_expect(Weight > Counters::MostAtOnce, false))
      return addTuple(C, Which, Weight);
    unsigned Meta = Which >> TupleMetaShift;
    Signs[1 + !!(Meta & TupleForward) - !!(Meta & TupleBackward)] += Weight;
    In.addWide(C, Which, Weight);
  }
  void countSlowly(const Counting &C, const Stream &S, uint64_t Address,
                   uint64_t Weight);
  void countSign(uint64_t Address, uint64_t Previous, uint64_t Weight);

  uint64_t Tuple = 0, Run = 0;
  uint32_t Changes = 0;
  Counters In;
};

/// The shares that have not written all they counted.
class DirtyShares {
public:
  GRAUPEL_HOT void add(Share *S) {
    if (S->IsDirty)
      return;
    S->setDirty(true);
    S->NextDirty = First;
    First = S;
  }
  void flush(const Counting &C);
  /// Announces references that will be counted by OpenRows.
  GRAUPEL_HOT void begin(const Counting &C, uint32_t References) {
    if (__builtin_expect(Counted + References > Counters::MostBetween, false))
      flush(C);
    Counted += References;
  }

private:
  Share *First = nullptr;
  uint32_t Counted = 0; ///< Since the last flush.
};

// All lags at once. Below 2^52 a number is the mantissa of a double, whose
// exponent is the number's logarithm.
GRAUPEL_HOT uint64_t Share::tuple(const Counting &C, const Stream &S,
                                  uint64_t Address) {
  return tuple(C, Address - S.recent());
}

GRAUPEL_HOT uint64_t Share::tuple(const Counting &C, const Eight &Distances) {
  auto Signed = reinterpret_cast<SignedEight>(Distances);
  SignedEight Negative = Signed < 0;
  SignedEight Distance = (Signed ^ Negative) - Negative;
  using Doubles = double __attribute__((vector_size(64), aligned(64)));
  constexpr double Unit = 0x1p52;
  auto Mantissa =
      reinterpret_cast<Doubles>(Distance | std::bit_cast<int64_t>(Unit));
  auto Log = (reinterpret_cast<SignedEight>(Mantissa - Unit) >> 52) - 1023;
  SignedEight Coarse = ExactBins - 7 + (Log < 15 ? Log : Log * 0 + 15);
  SignedEight Bin = Distance < int64_t(ExactBins) ? Distance : Coarse;
  constexpr uint64_t Never = INT64_MAX;
  SignedEight Passes =
      Distance >
      static_cast<int64_t>(C.PassAbove < Never ? C.PassAbove : Never);
  auto Lanes = std::bit_cast<uint64_t>(__builtin_convertvector(Bin, Bytes8));
  auto Passed =
      std::bit_cast<uint64_t>(__builtin_convertvector(Passes, Bytes8));
  // The last lag ends it in any case.
  uint64_t Stops = ~Passed | uint64_t(1) << (8 * C.MaxLag - 1);
  uint64_t Meta = static_cast<unsigned>(__builtin_ctzll(Stops)) / 8 + 1;
  Meta |= Signed[0] > 0 ? TupleForward : 0;
  Meta |= Signed[0] < 0 ? TupleBackward : 0;
  return (Lanes & ((uint64_t(1) << 8 * C.MaxLag) - 1)) | Meta << TupleMetaShift;
}

} // namespace graupel::stride

#endif
