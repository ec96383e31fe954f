//===- stride/Nest.h - Counting loops by their records ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the references of one stream in an execution of a nest of loops (one
// loop is a nest, too). Streams do not depend on each other, so each is counted
// by itself:
//
//   1. If all references of a loop advance by the same step, and terms in it do
//      not depend on it, distances to the loop's own earlier references do not
//      depend on the iteration. So the first iterations are executed until the
//      whole history is the loop's; then one more, which counts for all others;
//      then the history is moved as they would have moved it.
//   2. Otherwise distances are affine in the iteration (with rounded terms, in
//      the iteration of a period). Two periods tell how they change. As long as
//      the conditions of terms hold, each reference is then counted by itself,
//      from bin to bin. The weights of an inner loop's references change in the
//      same way, so these are sums.
//
// Both go on inside of an iteration with its inner loops. References that step
// 2 has counted at once in an inner loop have a first and a last iteration in
// each bin: while both stay in their bins, so do all between them, since
// distances are affine in the iterations of both loops. So an outer loop looks
// only at these corners.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_NEST_H
#define GRAUPEL_STRIDE_NEST_H

#include "Histogram.h"
#include "Terms.h"

namespace graupel::stride {

/// References that count alike.
struct Tally {
  Share *Hist;
  uint64_t Tuple, Weight;
};

/// One stream's references in an execution of a nest. Made once a thread.
class StreamNest {
public:
  StreamNest(uint32_t MaxNodes, NestTerms &Terms);

  void begin(Stream *NewStream);
  /// Opens a loop or guard, which contains all items until its close(); if its
  /// number of iterations is no term, it is not 0. Terms are numbers plus one,
  /// or 0.
  void open(uint64_t Iterations, uint32_t Term);
  void close();
  /// `Steps`: one for each loop and guard around it.
  void add(Share *Hist, uint64_t Base, const int64_t *Steps, uint32_t Term);
  /// The whole nest, into the history and, if the stream is full and its lags
  /// fit into a tuple, as tallies; shares have counted the rest.
  void run(const Counting &C);

  /// The counts, as tallies. If `isWhole()`, a nest that finds the same
  /// distances counts the same, and nothing is in a share yet.
  const Tally *tallies() const { return Merged; }
  uint32_t tallyCount() const { return MergedCount; }
  bool isWhole() const { return Whole; }
  /// Moves them to the shares, or to where equal ones wait for flush().
  void countTallies(const Counting &C);
  /// Nothing waits any more.
  void flush(const Counting &C);

private:
  struct Node {
    uint32_t End; ///< Behind its contents.
    uint32_t Term;
    uint16_t Level;
    bool IsLoop;
    // For loops.
    bool SameStep;
    bool Varies, HasTerms; ///< Terms in it depend on it; it has some.
    uint64_t Iterations;
    int64_t Step; ///< If it is the same.
    // For references.
    Share *Hist;
    uint64_t Address; ///< In the next iteration.
    uint64_t Addend;  ///< The term's value in it.
    const int64_t *Steps;
    /// For a reference with a term: the level of the loop at whose beginning
    /// the term is evaluated. If that is the reference's own level, it is
    /// evaluated for each reference.
    uint16_t TermLevel;
  };
  /// A reference that was made, and its weight.
  struct Point {
    static constexpr unsigned MostFactors = 3;
    Eight Distances;
    Share *Hist;
    uint64_t Tuple;
    uint64_t Signs; ///< A byte a lag: whether it goes back.
    uint64_t Weight;
    /// Numbers of iterations that the weight is a multiple of, and that may
    /// change with those of outer loops.
    uint64_t Factors[MostFactors];
    /// Number of factors; more than there is room for if the weight is a sum.
    uint32_t FactorCount;
    /// The first or last of several references with different distances.
    bool IsCorner;

    bool isLike(const Point &Other) const {
      return Hist == Other.Hist && FactorCount == Other.FactorCount &&
             IsCorner == Other.IsCorner &&
             (!IsCorner || (Tuple == Other.Tuple && Signs == Other.Signs));
    }
  };
  /// Some iterations of a loop that varies.
  struct Period {
    uint32_t Points, Conditions; ///< Its first ones.
    uint32_t Emptied;
    Eight After; ///< The history.
  };
  static constexpr uint32_t MaxPoints = 4096, MaxMerged = 6144;
  static constexpr unsigned MergeBits = 13;
  /// Rows of triangles count the same over and over, in no order.
  static constexpr unsigned SumBits = 8;

  void body(const Counting &C, uint32_t Loop, uint64_t Weight);
  void enter(const Counting &C, uint32_t Loop, uint64_t Weight);
  void loop(const Counting &C, uint32_t Loop, uint64_t Weight);
  void varyingLoop(const Counting &C, uint32_t Loop, uint64_t Weight);
  void place(Node &N);
  void setIteration(const Node &L, uint64_t To) {
    if (L.Varies)
      Terms.setIteration(L.Level, To);
  }
  uint64_t reach(const Counting &C, const Period &A, const Period &B) const;
  void repeat(const Counting &C, const Period &A, const Period &B,
              uint64_t Times);
  void repeat(const Counting &C, Point Hist, const Eight &Step, uint64_t More,
              uint64_t Times);
  void put(const Counting &C, const Point &New);
  void advance(uint32_t Loop, uint64_t Iterations);
  void beginTallies();
  void emptyPoints(const Counting &C);
  void merge(const Counting &C, const Point &P);
  GRAUPEL_HOT void count(const Counting &C, Node &N, uint64_t Weight);

  Stream *S = nullptr;
  NestTerms &Terms;
  Node *Nodes;
  uint32_t Count = 0;
  uint32_t *Open; ///< The loops around the next item.
  uint32_t Depth = 0;
  Point *Points;
  uint32_t Used = 0;
  uint32_t Emptied = 0; ///< Number of times they were merged.
  uint64_t Made = 0;    ///< References, by themselves.
  unsigned Varying = 0; ///< Number of varying loops that are running.
  /// For the steady loops that are running.
  uint64_t Factors[Point::MostFactors];
  uint32_t FactorCount = 0;
  Tally *Merged;
  uint32_t MergedCount = 0;
  uint16_t *MergedAt; ///< By a hash: its number plus one.
  Tally *Sums;        ///< By a hash of the share and tuple.
  bool HasSums = false;
  bool ByTallies = false, Whole = false;
};

} // namespace graupel::stride

#endif
