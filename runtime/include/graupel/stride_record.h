//===- stride_record.h - Records of memory accesses -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layout of .gstride files: what libgraupel-stride.so writes and `graupel
// stride` reads. What the fields mean: docs/stride-record-format.md.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_RECORD_H
#define GRAUPEL_STRIDE_RECORD_H

#include <bit>
#include <cstddef>
#include <cstdint>

namespace graupel::stride {

static_assert(std::endian::native == std::endian::little);

inline constexpr char RecordMagic[8] = {'G', 'S', 'T', 'R',
                                        'I', 'D', 'E', '\n'};
inline constexpr uint32_t RecordVersion = 2;
inline constexpr uint64_t HeaderBytes = 4096;
inline constexpr uint64_t ChunkAlignment = 64;
/// A site, loop or object that there is not.
inline constexpr uint32_t NoNumber = ~uint32_t(0);

/// Bytes of a chunk's payload, from the payload's start.
struct Text {
  uint32_t Offset, Length;
};

//===--- Histograms (Balle, Steely 1997)   -----------------------===//

inline constexpr unsigned Bins = 137;
inline constexpr unsigned ExactBins = 128;

/// The bin of a distance in bytes.
constexpr unsigned binOf(uint64_t Distance) {
  if (Distance < ExactBins)
    return static_cast<unsigned>(Distance);
  unsigned Log = static_cast<unsigned>(std::bit_width(Distance)) - 1;
  return ExactBins + (Log - 7 < 8 ? Log - 7 : 8);
}
/// The least distance of a bin.
constexpr uint64_t firstOf(unsigned Bin) {
  return Bin < ExactBins ? Bin : uint64_t(128) << (Bin - ExactBins);
}
static_assert(binOf(127) == 127 && binOf(128) == 128 && binOf(255) == 128 &&
              binOf(32767) == 135 && binOf(32768) == 136 &&
              binOf(~uint64_t(0)) == Bins - 1 && firstOf(136) == 32768);

//===--- The file ---------------------------------------------------------===//

enum class RecordState : uint64_t { Running = 0, Ended = 1, Replaced = 2 };

struct RecordHeader {
  char Magic[8];
  uint32_t Version;
  uint32_t MaxLag;    ///< MAXEL.
  uint64_t Threshold; ///< Of variant filtered, bytes.
  uint32_t PassEqual; ///< 1: a distance of Threshold goes on, too.
  uint32_t Process;   ///< Its id.
  uint32_t Parent;
  uint32_t Forked;       ///< 1: the child of a fork in a recorded program.
  uint64_t StartSeconds; ///< Since 1970.
  uint64_t StartNanoseconds;
  Text Program;     ///< From the header's start; a path.
  Text CommandLine; ///< The same; arguments, a zero byte after each.
  Text Selection;   ///< The same; GRAUPEL_STRIDE.
  char Strings[2048];
  uint64_t Checksum; ///< Of all above.
  // Live:
  uint64_t Used;
  RecordState State;
  uint64_t EndNanoseconds; ///< Running time; 0 if State is Running.
};
static_assert(sizeof(RecordHeader) <= HeaderBytes);

enum class ChunkKind : uint32_t {
  Module = 1,
  Sites = 2,
  Loops = 3,
  Object = 4,
  Thread = 5,
  Share = 6,
  Row = 7,
  LoopCounts = 8,
  Bulk = 9,
  Stream = 10,
  HeapCounts = 11,
  Bursts = 12,
  Tuples = 13,
  Bins = 14,
  Wide = 15,
  FirstOfCaches = 64,
  LastOfCaches = 95,
  // 96: stride_pages.h.
  Offset = 97
};

inline constexpr uint32_t ChunkCommitted = 0x4b4e4843;

struct ChunkHeader {
  ChunkKind Kind;
  uint32_t Live; ///< 1: counters that change; no checksum.
  uint64_t Bytes;
  uint64_t Checksum;
  uint32_t Reserved;
  uint32_t Committed; ///< ChunkCommitted.
};
static_assert(sizeof(ChunkHeader) == 32);

constexpr uint64_t nextChunk(uint64_t Offset, uint64_t Bytes) {
  return (Offset + sizeof(ChunkHeader) + Bytes + ChunkAlignment - 1) &
         ~(ChunkAlignment - 1);
}

/// FNV-1a.
inline uint64_t checksum(const void *Data, size_t Bytes) {
  uint64_t Sum = 0xcbf29ce484222325;
  for (size_t I = 0; I < Bytes; ++I)
    Sum = (Sum ^ static_cast<const unsigned char *>(Data)[I]) * 0x100000001b3;
  return Sum;
}

//===--- What does not change ---------------------------------------------===//

struct ModuleRecord {
  uint64_t Base; ///< Added to the file's addresses.
  uint64_t Begin, End;
  Text Path, BuildId; ///< The id's bytes.
};

struct TableRecord {
  uint32_t Module;
  uint32_t First, Count;
  uint32_t Members; ///< Of loops: how many MemberRecords follow.
};

enum class SiteKind : uint8_t { Load, Store, BulkLoad, BulkStore };

enum SiteFlags : uint8_t {
  SiteMasked = 1,   ///< Active lanes, side by side.
  SiteGathered = 2, ///< Active lanes, each with an address.
  SiteAtomic = 4,
  SiteVolatile = 8,
  SiteNonTemporal = 16 ///< Past the caches.
};

enum class ElementType : uint8_t { Integer, Float, Pointer, Other };

struct SiteRecord {
  Text Function, Within, File;
  uint32_t Line, Column; ///< 0: unknown.
  uint32_t Bytes;
  uint32_t Loop; ///< NoNumber: in none.
  uint16_t Lanes, ElementBytes;
  SiteKind Kind;
  ElementType Type;
  uint8_t Flags;
  uint8_t Reserved;
};

struct LoopRecord {
  Text Function, Within, File;
  uint32_t Line, Column;
  uint32_t Parent;                   ///< The loop around it, or NoNumber.
  uint32_t Depth;                    ///< 1: outermost.
  uint32_t FirstMember, MemberCount; ///< In the chunk's MemberRecords.
  uint32_t Others;
  uint32_t Reserved;
};

struct MemberRecord {
  uint32_t Site;
  uint32_t Order;
  int64_t Step; ///< Bytes an iteration, if StepIsConstant.
  uint64_t StepIsConstant;
};

enum class ObjectKind : uint32_t { Global, Heap, Stack, ThreadLocal, Pages };

struct ObjectRecord {
  ObjectKind Kind;
  uint32_t Module; ///< Of a global or of the allocating code, or NoNumber.
  uint64_t Address, Bytes;
  uint64_t Offset; ///< Of heap: the return address in Module's file.
  Text Name;
};

struct ThreadRecord {
  uint64_t System; ///< gettid.
};

//===--- Counters ---------------------------------------------------------===//

/// References with the same bins at all lags. In the lower bytes of a tuple a
/// bin a lag; in the highest one how many lags variant filtered counts, and
/// maybe TupleForward or TupleBackward.
struct TupleCount {
  uint64_t Tuple, Count; ///< No count: the place is free.
};
/// There are no tuples of more lags.
inline constexpr unsigned TupleLags = 7;
inline constexpr unsigned TupleMetaShift = 8 * TupleLags;
inline constexpr unsigned TupleForward = 16, TupleBackward = 32;

/// Places in a share itself, and in a Tuples chunk.
inline constexpr unsigned ShareTuples = 6, MoreTuples = 29;

struct ShareRecord {
  uint32_t Site, Object, Thread;
  uint32_t WarmUp; ///< In bursts: references that came before the histograms'.
  uint64_t References;
  uint64_t Forward, Backward; ///< Distances at lag 1 that are not 0.
  // NoPredecessor[MaxLag], NoPredecessorFiltered[MaxLag],
  // TupleCount[ShareTuples].
};
constexpr uint64_t tuplesOfShare(uint64_t MaxLag) {
  return sizeof(ShareRecord) + 16 * MaxLag;
}
constexpr uint64_t bytesOfShare(uint64_t MaxLag) {
  return tuplesOfShare(MaxLag) + ShareTuples * sizeof(TupleCount);
}

// Each belongs to a share: the offset of its chunk in the file. All count.

struct TuplesRecord {
  uint64_t Share;
  TupleCount List[MoreTuples];
};

inline constexpr unsigned MoreBins = 39;
struct BinsRecord {
  uint64_t Share;
  uint64_t Count[MoreBins]; ///< 0: the place is free.
  /// The bin, and 256 times the row: 2(lag - 1), and 1 if only variant all
  /// counts it.
  uint32_t Key[MoreBins];
};

/// All bins. Rows as above, but there is none of what only all counts at lag 1.
struct WideRecord {
  uint64_t Share;
  // uint16_t[2 * MaxLag - 1][Bins]
};
constexpr unsigned wideRow(unsigned Row) { return Row ? Row - 1 : 0; }
constexpr uint64_t bytesOfWide(uint64_t MaxLag) {
  return sizeof(WideRecord) + (2 * MaxLag - 1) * Bins * sizeof(uint16_t);
}

struct DenseRow {
  uint64_t Share;
  uint32_t Lag;     ///< From 1.
  uint32_t OnlyAll; ///< 1: what only variant all counts.
  uint64_t Count[Bins];
};

/// Where a share's first reference was, from the start of the block of a heap
/// or of the global. Shares of other objects, and of small blocks, have none.
struct OffsetRecord {
  uint32_t Site, Object, Thread, Reserved;
  uint64_t Offset, Bytes; ///< Bytes of the block.
};

struct LoopCounts {
  uint32_t Loop, Thread;
  uint64_t Executions, Iterations;
  uint64_t LeastIterations, MostIterations;
};

struct BulkRecord {
  uint32_t Site, Object, Thread, Reserved;
  uint64_t Calls, Bytes;
};

/// A part of a thread's time that was sampled.
struct BurstsRecord {
  uint32_t Thread, Group;
  uint64_t Burst, Every; ///< References.
  uint64_t Bursts;       ///< That have begun.
  uint64_t InBursts, References;
};

struct HeapCounts {
  uint32_t Object, Reserved;
  uint64_t Blocks, Bytes;
};

//===--- Every reference --------------------------------------------------===//

struct StreamRecord {
  uint32_t Thread, Count;
  uint64_t Order;
};

struct Reference {
  uint64_t Address;
  uint32_t Site, Object;
};
static_assert(sizeof(Reference) == 16);

} // namespace graupel::stride

#endif
