//===- Stride/Record/Record.h - A .gstride file -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what docs/stride-record-format.md describes. Nothing of a file is
// trusted.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_RECORD_RECORD_H
#define GRAUPEL_STRIDE_RECORD_RECORD_H

#include "graupel/stride_caches.h"
#include "graupel/stride_pages.h"
#include "llvm/Support/Error.h"
#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace graupel::stride {

/// Few bins have counts, and there is one of these for each lag of each site.
class BinCounts {
public:
  using Pair = std::pair<unsigned, uint64_t>;

  uint64_t operator[](unsigned Bin) const {
    auto Found = find(Bin);
    return Found != Some.end() && Found->first == Bin ? Found->second : 0;
  }
  void add(unsigned Bin, uint64_t Count) {
    auto Found = Some.begin() + (find(Bin) - Some.begin());
    if (Found != Some.end() && Found->first == Bin)
      Found->second += Count;
    else if (Count)
      Some.insert(Found, {Bin, Count});
  }
  void add(const BinCounts &Other) {
    for (auto [Bin, Count] : Other)
      add(Bin, Count);
  }
  /// Bins that have counts, the least first.
  std::vector<Pair>::const_iterator begin() const { return Some.begin(); }
  std::vector<Pair>::const_iterator end() const { return Some.end(); }

private:
  std::vector<Pair>::const_iterator find(unsigned Bin) const {
    return std::lower_bound(
        Some.begin(), Some.end(), Bin,
        [](const Pair &P, unsigned Value) { return P.first < Value; });
  }
  std::vector<Pair> Some;
};

struct Module {
  std::string Path, BuildId;
  uint64_t Base, Begin, End;
};

struct Site {
  SiteRecord Facts; ///< Its texts are those below.
  std::string Function, Within, File;
  uint32_t Module, Index; ///< Its place in the table of a module.
};

struct Loop {
  LoopRecord Facts; ///< FirstMember is of `Members` of the record.
  std::string Function, Within, File;
  uint32_t Module, Index;
};

struct DataObject {
  ObjectRecord Facts;
  std::string Name;
  uint64_t Blocks = 0, BlockBytes = 0;
  uint32_t Allocator = 0; ///< The same as in HeapCounts.
};

/// Counts of a share by lag: what variant filtered counts, and what only all
/// does.
struct LagCounts {
  BinCounts Filtered, OnlyAll;
};

struct ShareCounts {
  ShareRecord Facts;
  std::vector<uint64_t> NoPredecessor, NoPredecessorFiltered;
  std::vector<LagCounts> Lags;
  uint32_t Group = 0; ///< Group of sampled time; 0: none.
};

class Record {
public:
  /// Reads all but streams of single references. Errors do not name the file.
  llvm::Error read(const std::string &Path);
  /// Adds what another process of the same program recorded; sites and loops of
  /// one module are the same.
  llvm::Error append(const Record &From);

  RecordHeader Header;
  std::string Program, CommandLine, Selection;
  std::vector<Module> Modules;
  std::vector<Site> Sites;
  std::vector<Loop> Loops;
  std::vector<MemberRecord> Members;
  std::vector<DataObject> Objects;
  std::vector<ThreadRecord> Threads;
  std::vector<ShareCounts> Shares;
  std::vector<LoopCounts> LoopExecutions;
  std::vector<BulkRecord> Bulk;
  /// Data of simulated caches; no levels: there are none.
  CachesRecord Caches{};
  std::vector<CacheCounts> CacheShares;
  std::vector<ConflictCounts> CacheConflicts;
  std::vector<SharingCounts> CacheSharing;
  std::vector<PagesRecord> Pages;
  std::vector<HomesRecord> Homes;
  std::vector<OffsetRecord> Offsets;
  /// If there are some, counts are estimates.
  std::vector<BurstsRecord> Bursts;

private:
  struct Payload;

  llvm::Error readHeader(const std::string &Data);
  llvm::Error readChunks(const std::string &Data);
  bool readChunk(ChunkKind Kind, uint64_t At, const Payload &P);
  template <class T> bool readNames(const Payload &P, T &To);
  bool readSites(const Payload &P);
  bool readLoops(const Payload &P);
  bool readObject(const Payload &P);
  bool readCaches(CacheChunk Kind, const Payload &P);
  bool readShare(uint64_t At, const Payload &P);
  ShareCounts *shareOf(uint64_t At);
  static bool addBin(ShareCounts &S, unsigned Row, unsigned Bin,
                     uint64_t Count);
  static bool addTuples(ShareCounts &S, const Payload &P, uint64_t At,
                        unsigned Count);
  bool readTuples(const Payload &P);
  bool readBins(const Payload &P);
  bool readWide(const Payload &P);
  bool readRow(const Payload &P);
  bool hasValidNumbers() const;
  bool checkCaches() const;
  void appendCaches(const Record &From, const std::vector<uint32_t> &SiteOf,
                    uint32_t FirstObject, uint32_t FirstThread);

  std::map<uint64_t, size_t> ShareAt; ///< By the offset of its chunk.
  uint64_t TextLeft = 0;              ///< Bytes that names may still have.
};

} // namespace graupel::stride

#endif
