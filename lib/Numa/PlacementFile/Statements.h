//===- Numa/PlacementFile/Statements.h - Placement files ------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The language of placement files (docs/numa.md), in the spirit of dplace
// (Prestor 2001, 3.1). Plans, files by hand and the launcher speak it. Reading
// knows nothing of the machine; whether nodes exist is seen when statements are
// applied.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_STATEMENTS_H
#define GRAUPEL_NUMA_STATEMENTS_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace graupel::numa {

/// `node 3`, or `memory 1`, a domain that gets its node when it is placed.
struct Home {
  bool IsMemory = false;
  unsigned Number = 0;
};

/// Code or data of a module. People write a name; the launcher looks it up and
/// hands on addresses.
struct Place {
  std::string Name;   ///< "main.c:31", "make_grid"; empty once it is resolved.
  std::string Module; ///< Build-id in hexadecimal, or the file's name.
  /// From and to, relative to the module.
  std::vector<std::pair<uint64_t, uint64_t>> Ranges;
  bool resolved() const { return Name.empty(); }
};

struct PlacementRule {
  enum RuleKind {
    FirstTouch,
    On,
    RoundRobin,
    Interleave,
    Block,
    NextTouch,
    Replicate
  } Kind = FirstTouch;
  std::vector<Home> Homes; ///< None: all nodes.
  std::vector<unsigned> Weights;
  uint64_t Unit = 0;
  bool Mandatory = false;
};

struct Statement {
  enum StatementKind {
    Memories,
    Run,
    PlaceHeap,
    PlaceGlobal,
    PlaceData,
    PlaceDefault
  } Kind;
  unsigned Line = 0;
  std::string Text; ///< The original text, without comments.
  // Memories: number, size of each, radius, shape, devices.
  unsigned Count = 0, Radius = 0;
  uint64_t Bytes = 0;
  bool Cube = false, Mandatory = false;
  std::vector<std::string> Near;
  std::vector<unsigned> Nodes; ///< Physical ones, as many as Count, or none.
  // Run: which thread, where; whether on one processor.
  unsigned Thread = 0;
  Home Where;
  bool Pinned = false;
  // Place: what, and how; and the function from whose call on that holds, or
  // from the start.
  Place Target;
  PlacementRule Rule;
  std::optional<Place> When;
};

/// Reads statements, a line each. `Variable` gives the value of $NAME. Returns
/// an error as "line 3: what; what to do", or nothing.
std::optional<std::string>
readStatements(std::string_view Text,
               std::optional<std::string> (*Variable)(const std::string &),
               std::vector<Statement> &To);

/// A comment that begins so has the statement as it was before places were
/// resolved, for messages.
inline constexpr std::string_view OriginalMark = "#= ";

/// A resolved place, as it is read again: "@MODULE:1a0-1b4,200-208".
std::string textOf(const Place &P);

} // namespace graupel::numa

#endif
