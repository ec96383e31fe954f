//===- stride/Nest.h - Counting loops by their records ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one stream gets from an execution of a nest of loops (one loop is a
// nest, too). Streams do not depend on each other, so each is counted by
// itself:
//
//   1. If all that a loop makes advances by the same step, distances to what
//   the
//      loop itself has referred to before do not depend on the iteration. So
//      the first iterations are made, until the whole history is the loop's;
//      then one more, which counts for all others; then the history is moved by
//      what they would have moved it.
//   2. If steps differ, distances are affine in the iteration. What two
//      iterations count alike, bin by bin and sign by sign, all between count.
//
// Both go on inside of an iteration with its inner loops.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_NEST_H
#define GRAUPEL_STRIDE_NEST_H

#include "Histogram.h"

namespace graupel::stride {

/// References that count alike.
struct Tally {
  Share *Of;
  uint64_t Tuple;
  uint64_t Signs; ///< A byte a lag: whether it goes back.
  uint64_t Weight;

  bool isLike(const Tally &Other) const {
    return Of == Other.Of && Tuple == Other.Tuple && Signs == Other.Signs &&
           Weight == Other.Weight;
  }
};

/// One stream's references in an execution of a nest. Made once a thread.
class StreamNest {
public:
  StreamNest(uint32_t MaxNodes);

  void begin(Stream *Of);
  /// A loop or guard with what comes until its close(); not of 0 iterations.
  void open(uint64_t Iterations);
  void close();
  /// `Steps`: one for each loop and guard around it.
  void add(Share *Of, uint64_t Base, const int64_t *Steps);
  /// The whole nest, into the history and, if the stream is full and its lags
  /// fit into a tuple, as tallies; shares have counted the rest.
  void run(const Counting &C);

  /// What was counted by tallies. If it `isWhole()`, a nest that finds the same
  /// distances counts the same; and nothing is in a share yet.
  const Tally *tallies() const { return Tallies; }
  uint32_t tallyCount() const { return Used; }
  bool isWhole() const { return Whole; }
  /// Moves them to the shares, or to where equal ones wait for flush().
  void countTallies(const Counting &C);
  /// Nothing waits any more.
  void flush(const Counting &C);

private:
  struct Node {
    uint32_t End; ///< Behind what is in it.
    uint16_t Level;
    bool IsLoop, SameStep;
    // Of a loop.
    uint64_t Iterations;
    uint64_t References; ///< An iteration makes; not more than a lot.
    int64_t Step;        ///< If it is the same.
    // Of a reference.
    Share *Of;
    uint64_t Address; ///< In the iteration that is next.
    const int64_t *Steps;
  };
  static constexpr uint32_t MaxTallies = 1024;
  /// Rows of triangles count the same over and over, in no order.
  struct Sum {
    Share *Of;
    uint64_t Tuple, Weight;
  };
  static constexpr unsigned SumBits = 8;

  void body(const Counting &C, uint32_t Loop, uint64_t Weight);
  void loop(const Counting &C, uint32_t Loop, uint64_t Weight);
  void varyingLoop(const Counting &C, uint32_t Loop, uint64_t Weight);
  uint64_t jump(const Counting &C, uint32_t Loop, uint64_t Weight,
                uint32_t Begin, const Eight &Before, uint64_t Left);
  void advance(uint32_t Loop, uint64_t Iterations);
  GRAUPEL_HOT void count(const Counting &C, Node &N, uint64_t Weight);

  Stream *S = nullptr;
  Node *Nodes;
  uint32_t Count = 0;
  uint32_t *Open; ///< The loops around what is added.
  uint32_t Depth = 0;
  Tally *Tallies;
  uint32_t Used = 0;
  Sum *Sums; ///< By a hash of the share and tuple.
  bool HasSums = false;
  bool ByTallies = false, Whole = false;
  /// Tallies may not be counted yet; whether there was no room for one then.
  bool Trying = false, Failed = false;
  uint32_t Emptied = 0; ///< How often they were counted.
};

} // namespace graupel::stride

#endif
