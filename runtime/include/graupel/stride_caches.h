//===- stride_caches.h - Simulated caches in records ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chunks 64 to 95 of .gstride files: what the simulation of caches counts. What
// the fields mean: docs/stride-record-format.md.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_CACHES_H
#define GRAUPEL_STRIDE_CACHES_H

#include "graupel/stride_record.h"

namespace graupel::stride {

inline constexpr unsigned MaxCacheLevels = 4;
inline constexpr unsigned ReuseBins = 28;
/// A line's bytes in one word: it has as many parts as bytes, but at most 64.
inline constexpr unsigned MostParts = 64;
constexpr unsigned partsOfLine(uint32_t LineBytes) {
  return LineBytes < MostParts ? LineBytes : MostParts;
}

enum class CacheChunk : uint32_t {
  Caches = 64,
  Counts = 65,
  Conflict = 66,
  Sharing = 67
};

enum class Replacement : uint32_t { LRU, Random };

struct CacheLevelRecord {
  char Name[8];   ///< Ends with a zero byte.
  uint64_t Bytes; ///< Sets · Ways · LineBytes.
  uint32_t Ways;  ///< One set: fully associative.
  uint32_t LineBytes;
  Replacement Policy;
  uint32_t Shared; ///< 1: one for all threads; else each has its own.
  /// Capacity and conflict are told apart for one of 2^SampleShift lines.
  uint32_t SampleShift;
  uint32_t Reserved;
};

/// Not live; before all other chunks of caches.
struct CachesRecord {
  uint32_t LevelCount;
  uint32_t ReuseShift; ///< Reuse is seen of one of 2^ReuseShift lines.
  uint32_t TlbEntries; ///< 0: no TLB.
  uint32_t TlbWays;
  uint64_t PageBytes;
  /// Use of lines is seen of one of 2^DetailShift lines of the first level.
  uint32_t DetailShift;
  uint32_t Reserved;
  CacheLevelRecord Levels[MaxCacheLevels]; ///< The first: nearest.
};

/// One of 2^Shift lines: those of which the first level's details are seen.
constexpr bool isSampledLine(uint64_t Block, unsigned Shift) {
  return Block * 0x9e3779b97f4a7c15 >> 32 << Shift >> 32 == 0;
}

/// References that missed; each in one of the classes, but for capacity and
/// conflict if these are sampled.
struct LevelCounts {
  uint64_t Misses, Compulsory, Capacity, Conflict;
};

/// Live: of one site, object and thread.
struct CacheCounts {
  uint32_t Site, Object, Thread, Reserved;
  LevelCounts Levels[MaxCacheLevels];
  uint64_t TlbMisses;
  /// Sampled lines that these references brought into the first level and that
  /// have left it, and how many of their parts were referred to meanwhile.
  uint64_t LinesLeft, PartsUsed;
  uint64_t FirstUses; ///< Of sampled lines.
  /// Of references to sampled lines: lines referred to since the last time.
  /// `[0]`: less than 2^ReuseShift; `[b]`: at least 2^(ReuseShift + b - 1).
  uint64_t Reuse[ReuseBins];
};
static_assert(sizeof(CacheCounts) == 16 + 32 * MaxCacheLevels + 32 +
                                         8 * ReuseBins);

/// Live: conflict misses of lines of object Victim, which lines of object
/// Evictor had driven out. NoNumber twice: of pairs that there was no room for.
struct ConflictCounts {
  uint32_t Level, Victim, Evictor, Reserved;
  uint64_t Misses;
};

/// Live: one thread's stores of Writer take a line from another thread, which
/// refers to it by Other.
struct SharingCounts {
  uint64_t Line;   ///< Its address; 0: of lines that there was no room for.
  uint64_t Offset; ///< Of the line in its object, if that is known.
  uint32_t Object, OtherObject; ///< Of what Writer and Other refer to.
  uint32_t Writer, Other;
  uint64_t OffsetIsKnown;
  uint64_t Written, Used; ///< Parts of the line: by Writer, by Other.
  /// Times the line was taken from a thread that uses, or does not use, what
  /// was written.
  uint64_t True, False;
};

} // namespace graupel::stride

#endif
