//===- Recover/RegisterFlow.h - Where a register holds a table --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forward dataflow analysis over the instructions of one function and the
// value of one register: at which instructions does it hold the same address,
// on whatever path they were reached?
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_RECOVER_REGISTERFLOW_H
#define GRAUPEL_RECOVER_REGISTERFLOW_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace graupel {

/// The instructions of a function, numbered in address order; 0 is the entry.
struct RegisterFlow {
  enum class Effect : uint8_t {
    Keep,    ///< Does not write the register.
    Clobber, ///< Leaves something unknown in it.
    Load,    ///< Leaves Node::Address in it.
  };
  struct Node {
    Effect OnRegister = Effect::Keep;
    uint64_t Address = 0;
    llvm::SmallVector<uint32_t, 2> Successors;
  };
  std::vector<Node> Nodes;

  /// For each node the one address the register holds before it on all paths
  /// from the entry, where the register is unknown; nullopt if there are
  /// several or unknown ones, or if no path leads to the node.
  std::vector<std::optional<uint64_t>> solve() const;

  /// For each node whether the register may hold \p Address before it on some
  /// path.
  std::vector<bool> mayHold(uint64_t Address) const;
};

} // namespace graupel

#endif // GRAUPEL_RECOVER_REGISTERFLOW_H
