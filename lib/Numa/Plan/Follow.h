//===- Numa/Plan/Follow.h - The current use of pages ---------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a program that runs: a sample of its traffic becomes the input of
// `chooseMoves`. A use of a page is worth less with each later use of it, and
// nothing once its users are others. Where most of the traffic is by others
// than before, another phase has begun: then nothing that was known holds, but
//
//   1. a phase that comes again is known by its first uses, and
//   2. pages between two that have gone the same way have gone it, too, if that
//      is how pages go in this phase.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_PLAN_FOLLOW_H
#define GRAUPEL_NUMA_PLAN_FOLLOW_H

#include "Moves.h"
#include "Recurrence.h"
#include <unordered_map>

namespace graupel::numa {

class Follower {
public:
  explicit Follower(unsigned Nodes) : Nodes(Nodes) {}

  /// In the piece of time that endSlice ends. `Node`: index of the user's.
  void use(uint64_t Address, uint32_t Object, unsigned Node, double Loads,
           double Stores);
  void endSlice();

  /// The input of chooseMoves. Home and CanBeCopied are the caller's.
  std::vector<RecentPage> &pages() { return Pages; }
  uint64_t addressOf(size_t Page) const { return Known[Page].Address; }
  uint32_t objectOf(size_t Page) const { return Known[Page].Object; }
  /// The number of a page that was used.
  size_t numberOf(uint64_t Address) const { return Numbers.at(Address); }
  /// Pages of which something new is known since the last time.
  std::vector<size_t> takeNews();
  /// The page has gone to a node, or refuses to.
  void moved(size_t Page, unsigned To, bool Done);

  struct Counts {
    unsigned Phases = 1, Again = 0; ///< Again: phases that were known.
    uint64_t Guessed = 0;           ///< Pages between others.
  };
  const Counts &counts() const { return Count; }

private:
  struct Evidence {
    uint64_t Address;
    uint32_t Object;
    /// Slices behind what is known, with what they are worth now.
    double Seen = 0;
    /// The last ones in a row that one node made alone; what it did; how likely
    /// that was each time, by what was known before.
    int RunOf = -1;
    unsigned Run = 0;
    double RunLoads = 0, RunStores = 0, Chance = 1;
    /// The owner in the phase before.
    int Before = -1;
    bool IsGuess = false, IsNews = false;
    /// Slices since it has moved in which its home owned it, or another node.
    double AtHome = 0, Away = 0;
  };
  struct Piece {
    size_t Page;
    unsigned Node;
    double Loads, Stores;
  };
  /// The uses of one page in one slice.
  struct Observation {
    size_t Page;
    std::vector<Piece> By;
    double Bytes = 0;
    int Owner = -1;
    bool IsCompared = false, IsOther = false;
  };

  size_t numberOf(uint64_t Address, uint32_t Object);
  std::vector<Observation> takeSlice();
  void compare(Observation &O);
  bool othersBegin() const;
  double chanceOf(size_t Page, unsigned Node) const;
  void addToRun(const Observation &O);
  void learn(const Observation &O);
  void beginPhase();
  void recognize();
  bool isUsed(size_t Page) const;
  bool goTogether(size_t A, size_t B) const;
  void sortPages();
  void guessBetween();
  void guessGap(size_t From, size_t To);
  void guessEdge(size_t From, size_t To);
  void guess(size_t Page, size_t Like);
  void forget(size_t Page);
  void note(size_t Page);

  const unsigned Nodes;
  std::vector<RecentPage> Pages;
  std::vector<Evidence> Known; ///< The same numbers.
  std::unordered_map<uint64_t, size_t> Numbers;
  std::vector<Piece> Now;
  std::vector<size_t> News;
  std::vector<size_t> InOrder; ///< By object and address.

  /// The last slices, as many as tell whether owners have changed.
  struct Recent {
    std::vector<Observation> All;
    unsigned Compared = 0, Others = 0;
    double Bytes = 0, OtherBytes = 0;
    double Expected = 0; ///< Expected number that are others' by chance.
  } Last;
  Recurrence Phases;
  bool IsKnown = true; ///< The phase is known, or can no longer be found.
  Counts Count;
};

} // namespace graupel::numa

#endif
