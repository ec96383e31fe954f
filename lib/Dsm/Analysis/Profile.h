//===- Dsm/Analysis/Profile.h - The misses of a job, sorted -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_ANALYSIS_PROFILE_H
#define GRAUPEL_DSM_ANALYSIS_PROFILE_H

#include "Dsm/Job/Objects.h"

namespace graupel::dsm {

/// Misses and time lost.
struct Loss {
  uint64_t Count = 0, Nanoseconds = 0;
  void add(uint64_t Count, uint64_t Nanoseconds) {
    this->Count += Count;
    this->Nanoseconds += Nanoseconds;
  }
};

/// One line of the program, object and cause.
struct MissRow {
  const SourceLine *Line;
  unsigned Object;
  bool Store;
  Cause Why;
  Loss Lost;
  /// Half of the misses, and 99 of 100, took no longer; of all misses of the
  /// line for this cause, whatever object they were of.
  uint64_t Median, Percentile99;
};

/// Part of an object, as wide as a column of its map.
struct HeatCell {
  uint64_t Loads = 0, Stores = 0, Lost = 0;
};

struct ObjectUse {
  Loss ByCause[Causes];
  Loss Misses; ///< Those that needed the protocol.
  uint64_t Sequential = 0;
  std::array<uint64_t, 7> ApartAt{};
  /// Cell [node][column]; a column is BytesOfColumn long.
  std::vector<std::vector<HeatCell>> Heat;
  uint64_t BytesOfColumn = 0;
};

struct NodeUse {
  int Node;
  std::string Host;
  double Seconds;
  int Threads;
  Loss Misses, Other; ///< Other: entries of the runtime without a miss.
  uint64_t Messages = 0, Bytes = 0;
  double share() const {
    return Seconds > 0
               ? 100e-9 * double(Misses.Nanoseconds + Other.Nanoseconds) /
                     (Seconds * Threads)
               : 0;
  }
};

struct MessageUse {
  uint64_t Count = 0, Bytes = 0;
  void add(const MessageUse &M) {
    Count += M.Count;
    Bytes += M.Bytes;
  }
};

/// Everything that the writers show.
struct Profile {
  static constexpr unsigned MaxColumns = 64;

  Profile(const JobFiles &, SourceLines &);

  int NodesOfJob;
  Objects Data;
  std::vector<MissRow> Rows;    ///< By time lost, most first.
  std::vector<ObjectUse> Uses;  ///< As Data.all().
  std::vector<unsigned> ByTime; ///< Objects with misses, most time first.
  std::vector<NodeUse> Nodes;
  Loss Misses, Other; ///< Sums of all nodes.
  /// By type, sender and receiver.
  std::map<std::string, std::map<std::pair<int, int>, MessageUse>> Messages;
  std::vector<Bucket> Polls; ///< All nodes together, sorted.

private:
  void addMisses(const NodeFile &, SourceLines &);
  void addBlocks(const NodeFile &);
  void addNode(const NodeFile &);
  void prepareHeat(const JobFiles &);
  HeatCell &cell(int Node, Objects::Position, unsigned Column);
  unsigned columnOf(Objects::Position) const;
  void findTimes(const JobFiles &, SourceLines &);
  void sort();

  using RowKey = std::tuple<const SourceLine *, unsigned, bool, Cause>;
  std::map<RowKey, size_t> RowIndex;
};

/// The value below which the share of \p Buckets, sorted, lies.
uint64_t quantile(const std::vector<Bucket> &Buckets, double Share);

} // namespace graupel::dsm

#endif
