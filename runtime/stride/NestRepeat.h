//===- stride/NestRepeat.h - Repeated executions of nests -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The counts of a nest depend only on distances: among its references, and to
// their streams' histories. Inner loops mostly find the same distances again
// (the next row), and then their counts are added once more.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_NESTREPEAT_H
#define GRAUPEL_STRIDE_NESTREPEAT_H

#include "Nest.h"
#include "Tables.h"

namespace graupel::stride {

/// An execution of a nest that can be compared with the next ones.
class NestExecution {
public:
  /// Whether an execution with this record would count the same, given its
  /// streams' histories; `Settle` brings these up to date.
  /// `States` is the thread's state of each site.
  template <class SiteState, class Function>
  GRAUPEL_HOT bool matches(const NestShape &Shape, const uint64_t *Words,
                           const SiteState *States, Function Settle) const {
    if (!IsKnown)
      return false;
    for (uint32_t N = 1; N < Shape.Bases; ++N)
      if (Words[N] != Known[N])
        return false;
    for (uint32_t N = 0; N < CheckCount; ++N)
      if (Words[Checks[N].Word] - Words[Checks[N].Base] != Checks[N].Offset)
        return false;
    for (uint32_t N = Shape.Lengths; N < Shape.End; ++N)
      if (Words[N] != Known[N])
        return false;
    for (uint32_t N = 0; N < AnchorCount; ++N) {
      const Anchor &A = Anchors[N];
      const SiteState &Site = States[A.Site];
      uint64_t From = Words[A.Word] - Site.Begin;
      if (Site.H != A.Hist || From + A.Low >= Site.Bytes ||
          From + A.High >= Site.Bytes)
        return false;
    }
    for (uint32_t N = 0; N < PartCount; ++N) {
      const Part &P = Parts[N];
      Settle(*P.S);
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
  /// Counts an execution that matches().
  GRAUPEL_HOT void again(const uint64_t *Words) {
    ++Times;
    for (uint32_t N = 0; N < PartCount; ++N)
      Parts[N].S->setRecent(Words[Parts[N].Word] + Parts[N].Tail);
  }

  /// Clears its state, after flush(): an execution with this record will be
  /// added.
  void begin(const NestShape &Shape, const uint64_t *Words, const Counting &C);
  /// A reference of the stream that addPart() adds next: all its addresses are
  /// from `Low` to `High`.
  template <class SiteState>
  void addReference(uint32_t Word, uint32_t Site, const SiteState *States,
                    uint64_t Low, uint64_t High);
  /// Adds the tallies of a stream's nest; `Before` was the history.
  void addPart(const StreamNest &Nest, Stream &S, const Eight &Before);
  /// Adds an inner or the outermost loop's counts to those that are repeated.
  void addLoop(LoopCounts *Counts, uint64_t Executions, uint64_t Iterations);
  void end() { IsKnown = true; }
  /// Writes the repetitions since the execution was added to the shares and
  /// loops.
  void flush(const Counting &C);

  /// For a list of those that have to be flushed.
  NestExecution *NextDirty = nullptr;
  bool IsDirty = false;

private:
  void addCheck(uint32_t Word, uint32_t Base);

  /// The counts of one stream.
  struct Part {
    /// From the history to the first base; the history afterwards, from there.
    Eight Distances, Tail;
    Stream *S;
    uint32_t Word; ///< The word of the first base.
    uint32_t TallyCount;
    Tally *Tallies;
  };
  /// Two bases of one stream.
  struct Check {
    uint32_t Word, Base;
    uint64_t Offset;
  };
  /// Addresses that must be in the object they were in, relative to a base.
  struct Anchor {
    uint32_t Word, Site;
    Share *Hist;
    uint64_t Low, High;
  };
  struct Loop {
    LoopCounts *Counts;
    uint64_t Executions, Iterations;
  };

  bool IsKnown = false;
  uint32_t PartCount = 0, AnchorCount = 0, CheckCount = 0, LoopCount = 0;
  uint32_t PartAnchors = 0; ///< The next part's begin here.
  uint64_t Times = 0;
  Eight Compared{}; ///< A mask of the lags in use.
  /// By word: the expected values of all but bases.
  uint64_t *Known = nullptr;
  Check *Checks = nullptr;
  Part *Parts = nullptr;
  Anchor *Anchors = nullptr;
  Loop *LoopsIn = nullptr;
  const uint64_t *Words = nullptr; ///< The record of the execution being added.
  Tally *Tallies = nullptr;
  uint32_t TallyCount = 0, TallyRoom = 0;
};

template <class SiteState>
void NestExecution::addReference(uint32_t Word, uint32_t Site,
                                 const SiteState *States, uint64_t Low,
                                 uint64_t High) {
  const SiteState &State = States[Site];
  uint32_t Base = AnchorCount == PartAnchors ? Word : Anchors[PartAnchors].Word;
  addCheck(Word, Base);
  Low -= Words[Base];
  High -= Words[Base];
  for (uint32_t N = PartAnchors; N < AnchorCount; ++N) {
    Anchor &A = Anchors[N];
    const SiteState &Other = States[A.Site];
    if (Other.Begin != State.Begin || Other.Bytes != State.Bytes)
      continue;
    auto Signed = [](uint64_t V) { return static_cast<int64_t>(V); };
    A.Low = Signed(Low) < Signed(A.Low) ? Low : A.Low;
    A.High = Signed(High) > Signed(A.High) ? High : A.High;
    return;
  }
  Anchors[AnchorCount++] = {Base, Site, State.H, Low, High};
}

} // namespace graupel::stride

#endif
