//===- stride/Counters.h - A share's counters in the record ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most shares have few different tuples, or few different bins, and all of the
// record is memory of the program. So a share's counts are, as they come:
//
//   tuples    some in the share itself, some more in a chunk
//   wide      a counter of 16 bits for each bin, from where they are carried
//             into bins before they are full
//   bins      some with their numbers, and then rows of all bins
//
// The counts are the sums over all of these.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_COUNTERS_H
#define GRAUPEL_STRIDE_COUNTERS_H

#include "Base/RecordFile.h"

namespace graupel::stride {

/// Parameters of counting; the same for the whole process.
struct Counting {
  unsigned MaxLag = 5;
  /// Variant filtered goes on if the distance is larger.
  uint64_t PassAbove = 128;
  /// A reference without all its predecessors is not counted, but noted: they
  /// were before the burst.
  bool InBursts = false;
};

/// The counters of one share. Not thread-safe.
class Counters {
public:
  /// Number of references that the 16-bit counters of a bin may have counted
  /// when flush() is called, and how many more before the next call.
  static constexpr uint32_t MostWide = 32768, MostBetween = 16384;
  /// More at once are not counted there.
  static constexpr uint64_t MostAtOnce = 255;

  /// False if the record cannot grow.
  bool create(RecordFile &File, const Counting &C, uint32_t Site,
              uint32_t Object, uint32_t Thread);
  /// Creates counters whose counts are discarded.
  void createForNothing(const Counting &C);

  ShareRecord &record() const { return *Record; }
  uint64_t *noPredecessor() const {
    return reinterpret_cast<uint64_t *>(Record + 1);
  }

  /// Counters of 16 bits of all bins: where a tuple's lag and bin is. Null
  /// before widen(). Whoever counts there tells noteWide().
  uint16_t *wide() const { return Wide; }
  GRAUPEL_HOT static constexpr unsigned wideAt(unsigned Lag, bool OnlyAll,
                                               unsigned Bin) {
    return wideRow(2 * Lag + OnlyAll) * Bins + Bin;
  }
  void widen(const Counting &C);
  /// Notes references that have been counted, or will be at once.
  GRAUPEL_HOT void noteWide(const Counting &C, uint64_t References) {
    Filled += References;
    if (__builtin_expect(Filled > MostWide, false))
      carry(C);
  }
  /// A tuple, at most MostAtOnce times. Not before widen().
  GRAUPEL_HOT void addWide(const Counting &C, uint64_t Tuple, uint64_t Weight) {
    noteWide(C, Weight);
    const unsigned Counted = Tuple >> TupleMetaShift & 15;
    for (unsigned Lag = 0; Lag < C.MaxLag; ++Lag)
      Wide[wideAt(Lag, Lag >= Counted, Tuple >> 8 * Lag & 255)] += Weight;
  }

  /// A tuple, of at most TupleLags lags.
  void addTuple(const Counting &C, uint64_t Tuple, uint64_t Weight);
  /// The same, but adds to the bins of each lag instead of a list of tuples.
  void addBins(const Counting &C, uint64_t Tuple, uint64_t Weight);
  void addBin(const Counting &C, unsigned Lag, bool OnlyAll, unsigned Bin,
              uint64_t Weight);

private:
  void carry(const Counting &C);
  bool addToList(TupleCount *List, unsigned Places, uint64_t Tuple,
                 uint64_t Weight);
  template <class T> T *append(ChunkKind Kind, uint64_t Bytes);
  DenseRow *denseRow(const Counting &C, unsigned Row);

  ShareRecord *Record = nullptr;
  uint16_t *Wide = nullptr;
  uint32_t Filled = 0; ///< Since the last carry(), at least.
  TuplesRecord *Tuples = nullptr;
  BinsRecord *Few = nullptr;
  DenseRow **Dense = nullptr; ///< By row.
  RecordFile *File = nullptr; ///< Null: for nothing.
};

} // namespace graupel::stride

#endif
