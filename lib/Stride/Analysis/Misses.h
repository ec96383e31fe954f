//===- Stride/Analysis/Misses.h - Misses of simulated caches ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums over a record's cache counters by data, by place, and by both.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_ANALYSIS_MISSES_H
#define GRAUPEL_STRIDE_ANALYSIS_MISSES_H

#include "Profile.h"
#include <array>

namespace graupel::stride {

/// Sums of CacheCounts.
struct MissCounts {
  std::array<LevelCounts, MaxCacheLevels> Levels{};
  uint64_t TlbMisses = 0, LinesLeft = 0, PartsUsed = 0, FirstUses = 0;
  std::array<uint64_t, ReuseBins> Reuse{};

  void add(const CacheCounts &);
  void add(const MissCounts &);
  bool any() const { return Levels[0].Misses != 0 || TlbMisses != 0; }
  /// Part of the bytes of lines in the first level that was referred to, 0 to
  /// 1; of lines that have left it.
  double utilization(const CachesRecord &C) const {
    const double Parts = partsOfLine(C.Levels[0].LineBytes);
    return LinesLeft ? double(PartsUsed) / (double(LinesLeft) * Parts) : 0;
  }
  /// Capacity and conflict misses of a level; if they are sampled, what is not
  /// compulsory is split as the sample is.
  uint64_t capacity(unsigned Level) const {
    return split(Level, Levels[Level].Capacity);
  }
  uint64_t conflict(unsigned Level) const {
    return split(Level, Levels[Level].Conflict);
  }
  /// To compare and to sort: a miss of a level is worth four of the one before.
  double weight(unsigned LevelCount) const;

private:
  uint64_t split(unsigned Level, uint64_t Part) const;
};

/// Conflict misses: lines of one object that another's drove out.
struct ConflictPair {
  uint32_t Level;
  uint32_t Victim, Evictor; ///< Indices in `Objects`; NoNumber: many others.
  uint64_t Misses;
};

/// A line that threads take from each other.
struct SharedLine {
  uint32_t Object, OtherObject; ///< The written object, and the other one.
  uint64_t Address; ///< 0: lines of all places that there was no room for.
  uint64_t Offset;
  bool OffsetIsKnown;
  uint32_t Writer, Other; ///< Sites.
  uint64_t Written, Used; ///< Parts of the line.
  uint64_t True, False;
};

class Misses {
public:
  Misses(const Record &R, const Objects &O);

  /// Whether caches were simulated.
  bool any() const { return LevelCount != 0; }
  unsigned LevelCount;
  MissCounts All;
  std::map<std::pair<uint32_t, bool>, MissCounts> Streams; ///< Object, store.
  /// Object and site.
  std::map<std::pair<uint32_t, uint32_t>, MissCounts> Sites;
  std::map<std::pair<Line, bool>, MissCounts> Lines;
  std::map<UseKey, MissCounts> Uses;
  /// Conflicts in one level, worst first.
  std::vector<ConflictPair> Conflicts;
  std::vector<SharedLine> Sharing;

  /// Null if there are none.
  const MissCounts *of(const Use &U) const;
  const MissCounts *of(const Line &Where, bool Store) const;

private:
  void addConflicts(const Record &R, const Objects &O);
  void addSharing(const Record &R, const Objects &O);
};

/// "1 reference", "2 references"
std::string counted(uint64_t Count, const char *One);
/// "64-127", "<16": lines.
std::string nameOfReuse(unsigned Bin, unsigned ReuseShift);
/// "0-7, 16-23": bytes of a line.
std::string nameOfParts(uint64_t Parts, uint32_t LineBytes);

} // namespace graupel::stride

#endif
