//===- Dsm/Job/Objects.h - Shared memory by its names -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocations are told apart by line, by the calls that led there, by size and
// by order:
//
//   1. Those of one line and one path of calls are a group.
//   2. Each allocation of a small group is an object.
//   3. In a large one those of equal size are, if there are few sizes; else all
//      of it is: a tree is one thing to its reader, whatever its nodes are.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_JOB_OBJECTS_H
#define GRAUPEL_DSM_JOB_OBJECTS_H

#include "NodeFile.h"
#include <map>

namespace graupel::dsm {

struct Object {
  std::string Name; ///< "grid.c:41 g->e"
  SourceLine Site;
  uint64_t Bytes = 0, Allocations = 0;
  uint64_t Block = 0; ///< 0: several sizes.
  int Home = 0;       ///< The first allocation's; see dsm.h.
  bool SeveralHomes = false;
  bool Known = true; ///< There is an allocation.
};

/// "node 3", "round robin", ...
std::string homeName(const Object &);
class Objects {
public:
  /// More allocations of a group than this are not an object each, and more
  /// sizes are not told apart.
  static constexpr unsigned MaxOfLine = 8;

  Objects(const JobFiles &, SourceLines &);

  const std::vector<Object> &all() const { return List; }
  const Object &operator[](unsigned I) const { return List[I]; }

  struct Position {
    unsigned Object;
    /// From the start of the object; allocations follow each other by address.
    uint64_t Offset;
    /// The allocation's address, and the place in it.
    uint64_t Allocation = 0, Within = 0;
  };
  /// The position of a block, page or chunk.
  Position find(uint64_t Address, uint64_t Bytes) const;

private:
  struct Piece {
    uint64_t Address, End;
    unsigned Object;
    uint64_t Offset;
  };
  void add(const NodeFile::Allocation &, unsigned Object);
  void number();

  std::vector<Object> List;
  std::map<uint64_t, Piece> Pieces; ///< By address.
  unsigned Private, Several, Unknown;
};

} // namespace graupel::dsm

#endif
