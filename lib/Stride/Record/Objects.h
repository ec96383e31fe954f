//===- Stride/Record/Objects.h - Names of the program's data ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_RECORD_OBJECTS_H
#define GRAUPEL_STRIDE_RECORD_OBJECTS_H

#include "Record.h"

namespace graupel::stride {

/// Data under one name: of all blocks of a place and of all processes.
struct NamedObject {
  std::string Name;   ///< No other has it.
  std::string Symbol; ///< The program's name; empty for a heap.
  /// For a heap: "grid.c:41", the allocation in the program's own source; empty
  /// if that is not known.
  std::string Allocation;
  ObjectKind Kind;
  uint64_t Bytes = 0;   ///< 0: unknown. For a heap, of all blocks.
  uint64_t Blocks = 0;  ///< For a heap.
  uint64_t Address = 0; ///< For a global, in its module.
};

class Objects {
public:
  /// Looks lines of allocations up in the modules, if these are still there.
  explicit Objects(const Record &R);

  /// By the number that a record has.
  uint32_t numberOf(uint32_t Recorded) const { return Numbers[Recorded]; }
  const NamedObject &operator[](uint32_t Number) const { return List[Number]; }
  uint32_t size() const { return static_cast<uint32_t>(List.size()); }

  /// Why allocations have no lines.
  std::vector<std::string> Warnings;

private:
  std::vector<uint32_t> Numbers;
  std::vector<NamedObject> List;
};

/// "space::grid" of `_ZN5space4gridE` or `_QMspaceEgrid`.
std::string readableSymbol(const std::string &Symbol);

} // namespace graupel::stride

#endif
