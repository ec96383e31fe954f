//===- Recover/RegisterFlow.h - Where a register holds a table --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forward dataflow analysis over the instructions of one function and the
// values of a few registers: at which instructions does a register hold the
// same address, on whatever path they were reached? Where a switch leads to
// depends on that, too, so both are found together.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_RECOVER_REGISTERFLOW_H
#define GRAUPEL_RECOVER_REGISTERFLOW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace graupel {

/// The instructions of a function, numbered in address order; 0 is the entry.
struct RegisterFlow {
  struct Write {
    uint32_t Register;
    std::optional<uint64_t> Address; ///< Else it leaves something unknown.
  };
  /// A jump to where the table leads that a register holds before another
  /// instruction, which nothing but a straight line connects with the jump.
  struct Switch {
    uint32_t Load;
    uint32_t Register;
  };
  struct Node {
    llvm::SmallVector<Write, 1> Writes;
    llvm::SmallVector<uint32_t, 2> Successors;
    std::optional<Switch> Through = std::nullopt;
  };
  uint32_t NumRegisters = 1;
  std::vector<Node> Nodes;
  std::map<uint64_t, std::vector<uint32_t>> Targets; ///< By table.

  class Solution;
  Solution solve() const;
};

/// The solution that holds if all switches that can be reached have a known
/// table. A switch without one may lead to where nobody looked.
class RegisterFlow::Solution {
public:
  /// The one address that \p Register holds before \p Node on all paths from
  /// the entry, where registers are unknown; nullopt if there are several or
  /// unknown ones, or if no path leads to the node.
  std::optional<uint64_t> before(uint32_t Node, uint32_t Register) const;

  /// For each node whether \p Register may hold \p Address before it on some
  /// path.
  std::vector<bool> mayHold(uint32_t Register, uint64_t Address) const;

private:
  friend struct RegisterFlow;
  struct Value {
    enum { Unreached, Known, Unknown } Kind = Unreached;
    uint64_t Address = 0;
    bool join(const Value &Other);
  };

  explicit Solution(const RegisterFlow &Flow);
  Value &at(uint32_t Node, uint32_t Register) {
    return Before[Node * Flow.NumRegisters + Register];
  }
  const Value &at(uint32_t Node, uint32_t Register) const {
    return Before[Node * Flow.NumRegisters + Register];
  }
  /// Joins \p After into what is before \p Node. True if that changed it.
  bool reach(uint32_t Node, llvm::ArrayRef<Value> After);
  std::vector<Value> behind(uint32_t Node) const;
  std::vector<uint32_t> successors(uint32_t Node) const;

  const RegisterFlow &Flow;
  std::vector<Value> Before; ///< By node, then register.
};

} // namespace graupel

#endif // GRAUPEL_RECOVER_REGISTERFLOW_H
