//===- stride/Repeat.h - Loops that do again what they did -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a nest counts depends on nothing but distances: among its references,
// and to their streams' histories. Inner loops mostly find the same ones again
// (the next row), and then what they counted is counted once more.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_REPEAT_H
#define GRAUPEL_STRIDE_REPEAT_H

#include "Nest.h"
#include "Tables.h"

namespace graupel::stride {

struct Object;

/// What a thread knows of a site.
struct SiteState {
  uint64_t Begin, Bytes; ///< Addresses that belong to Of.
  Stream *S;
  Share *H; ///< Null if the reference is not counted.
  Object *Of;
  uint64_t Padding[3];
};

/// An execution of a nest that can be compared with the next ones.
class Execution {
public:
  /// Whether one with this record would count the same, from its streams'
  /// histories on.
  GRAUPEL_HOT bool matches(const NestShape &Shape, const uint64_t *Words,
                           const SiteState *States) const {
    if (!IsKnown)
      return false;
    for (uint32_t N = 1; N < Shape.Bases; ++N)
      if (Words[N] != Known[N])
        return false;
    for (uint32_t N = Shape.Bases; N < Shape.Lengths; ++N)
      if (Words[N] - Words[First[N]] != Known[N])
        return false;
    for (uint32_t N = Shape.Lengths; N < Shape.End; ++N)
      if (Words[N] != Known[N])
        return false;
    for (uint32_t N = 0; N < AnchorCount; ++N) {
      const Anchor &A = Anchors[N];
      const SiteState &Site = States[A.Site];
      uint64_t From = Words[A.Word] - Site.Begin;
      if (Site.H != A.Of || From + A.Low >= Site.Bytes ||
          From + A.High >= Site.Bytes)
        return false;
    }
    for (uint32_t N = 0; N < PartCount; ++N) {
      const Part &P = Parts[N];
      Eight Different =
          ((Words[P.Word] - P.S->recent()) ^ P.Distances) & Compared;
      uint64_t Any = 0;
      for (unsigned Lag = 0; Lag < 8; ++Lag)
        Any |= Different[Lag];
      if (Any)
        return false;
    }
    return true;
  }
  /// It did.
  GRAUPEL_HOT void again(const uint64_t *Words) {
    ++Times;
    for (uint32_t N = 0; N < PartCount; ++N)
      Parts[N].S->setRecent(Words[Parts[N].Word] + Parts[N].Tail);
  }

  /// Forgets what it knew, after flush(): an execution with this record will be
  /// added.
  void begin(const NestShape &Shape, const uint64_t *Words, const Counting &C);
  /// A reference of the stream that addPart() adds next: all its addresses are
  /// from `Low` to `High`.
  void addReference(uint32_t Word, uint32_t Site, const SiteState *States,
                    uint64_t Low, uint64_t High);
  /// What a stream's nest has as tallies; `Before` was the history.
  void addPart(const StreamNest &Nest, Stream &S, const Eight &Before);
  /// An inner or the outermost loop's share in what is repeated.
  void addLoop(LoopCounts *Counts, uint64_t Executions, uint64_t Iterations);
  void end() { IsKnown = true; }
  /// Writes what was repeated, since what was added, to the shares and loops.
  void flush(const Counting &C);

  /// For a list of those that have to be flushed.
  Execution *NextDirty = nullptr;
  bool IsDirty = false;

private:
  /// What one stream counted.
  struct Part {
    /// From the history to the first base; the history afterwards, from there.
    Eight Distances, Tail;
    Stream *S;
    uint32_t Word; ///< Of the first base.
    uint32_t TallyCount;
    Tally *Tallies;
  };
  /// Addresses that must be in the object they were in, relative to a base.
  struct Anchor {
    uint32_t Word, Site;
    Share *Of;
    uint64_t Low, High;
  };
  struct Loop {
    LoopCounts *Counts;
    uint64_t Executions, Iterations;
  };

  bool IsKnown = false;
  uint32_t PartCount = 0, AnchorCount = 0, LoopCount = 0;
  uint32_t PartAnchors = 0; ///< The next part's begin here.
  uint64_t Times = 0;
  Eight Compared{}; ///< Which lags there are.
  /// By word: what is expected; of bases, relative to the word First.
  uint64_t *Known = nullptr;
  uint32_t *First = nullptr;
  Part *Parts = nullptr;
  Anchor *Anchors = nullptr;
  Loop *LoopsIn = nullptr;
  const uint64_t *Words = nullptr; ///< Of the execution that is added.
  Tally *Tallies = nullptr;
  uint32_t TallyCount = 0, TallyRoom = 0;
};

} // namespace graupel::stride

#endif
