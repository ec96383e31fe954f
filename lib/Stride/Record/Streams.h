//===- Stride/Record/Streams.h - Histograms by object and kind --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_RECORD_STREAMS_H
#define GRAUPEL_STRIDE_RECORD_STREAMS_H

#include "Objects.h"

namespace graupel::stride {

enum class Variant { Filtered, All };

/// Histograms and what belongs to them, of any set of shares.
struct Histograms {
  uint64_t References = 0, Forward = 0, Backward = 0;
  std::vector<uint64_t> NoPredecessor;
  std::vector<BinCounts> Lags;
  /// The same of each group of bursts, if the record is sampled.
  std::vector<Histograms> Groups;
  static constexpr unsigned GroupCount = 8;

  void add(const ShareCounts &S, Variant V, unsigned MaxLag);
};

struct SiteShare {
  uint32_t Site;
  Histograms Counts;
};

/// One kind of references to one object, of all threads.
struct ObjectStream {
  uint32_t Object; ///< Index in `Objects`.
  bool Store;
  std::string Name;
  unsigned ElementBytes; ///< Element size of most references.
  Histograms Counts;
  std::vector<SiteShare> Sites; ///< By references, most first.
};

/// By references, most first.
std::vector<ObjectStream> makeStreams(const Record &R, const Objects &O,
                                      Variant V, unsigned MaxLag);

/// Contributions of the sites of a loop, by kind.
struct LoopShare {
  Histograms Loads, Stores;
};
std::map<uint32_t, LoopShare> makeLoops(const Record &R, Variant V,
                                        unsigned MaxLag);

/// "8", "256-511", ">=32768"
std::string nameOfBin(unsigned Bin);

} // namespace graupel::stride

#endif
