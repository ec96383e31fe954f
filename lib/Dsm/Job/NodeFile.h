//===- Dsm/Job/NodeFile.h - A node's file for the report --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FOLDER/node-K.json in memory; docs/dsm-report-format.md says what it means.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_JOB_NODEFILE_H
#define GRAUPEL_DSM_JOB_NODEFILE_H

#include "SourceLines/SourceLines.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace graupel::dsm {

enum class Cause {
  Cold,
  TrueSharing,
  FalseSharing,
  Unchanged,
  NotCompared,
  Upgrade,
  FalseMatch,
  AlreadyValid,
};
constexpr unsigned Causes = 8;
llvm::StringRef causeName(Cause);
/// Whether it needed the protocol.
inline bool isMiss(Cause C) { return C < Cause::FalseMatch; }

/// Times from Least to below End, in nanoseconds.
struct Bucket {
  uint64_t Least, End, Count;
};

struct NodeFile {
  struct Allocation {
    uint64_t Address, Bytes, Block;
    int Home;
    unsigned Place;
    std::vector<unsigned> Callers; ///< Places of the calls around it.
  };
  /// A miss in its order; the nodes' logs have the same pages.
  struct Event {
    uint64_t Time;
    uint32_t Epoch;
    unsigned Place;
    uint64_t Address, Bytes; ///< The access, within its block.
    int Home;
    bool Store, Alone;
  };
  struct Miss {
    unsigned Place;
    bool Store;
    Cause Why;
    uint64_t Address, Bytes, Count, Nanoseconds;
    int Home;
  };
  struct Times {
    unsigned Place;
    bool Store;
    Cause Why;
    std::vector<Bucket> Buckets;
  };
  struct Block {
    uint64_t Address, Bytes, Lost, Sequential;
    std::array<uint64_t, 7> ApartAt;
  };
  struct Messages {
    std::string Type;
    int To;
    uint64_t Count, Bytes;
  };

  int Node = 0, Nodes = 0, Threads = 0;
  std::string Host, Error;
  double Seconds = 0;
  std::vector<CodeModule> Modules;
  std::vector<CodePlace> Places;
  std::vector<Allocation> Allocations;
  std::vector<Miss> Misses;
  std::vector<Times> TimesOfMisses;
  std::vector<Block> Blocks;
  std::vector<Bucket> Polls;
  std::vector<Event> Events;
  uint32_t FirstParallel = 0;
  unsigned Halvings = 0;
  std::vector<Messages> Sent;
  uint64_t MissesLeftOut = 0, BlocksLeftOut = 0, AllocationsLeftOut = 0,
           PlacesLeftOut = 0;

  /// The line of a place, by its number.
  const SourceLine &line(unsigned Place, SourceLines &Lines) const {
    return Lines.find(Modules, Places[Place]);
  }

  /// Fails with what is wrong in \p Text, which is the file \p Name.
  static llvm::Expected<NodeFile> parse(llvm::StringRef Text,
                                        llvm::StringRef Name);
};

/// All files of a folder, by node.
struct JobFiles {
  std::vector<NodeFile> Nodes;
  /// Reasons why the report is not whole.
  std::vector<std::string> Warnings;

  /// Fails if there is nothing to be shown.
  static llvm::Expected<JobFiles> read(llvm::StringRef Folder);
};

} // namespace graupel::dsm

#endif
