//===- HotCold/Machine/Values.h - Symbolic values ---------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_MACHINE_VALUES_H
#define GRAUPEL_HOTCOLD_MACHINE_VALUES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace graupel::symbolic {

/// The number of a value: two that have the same number are the same whenever
/// the code runs.
using ValueNo = uint32_t;

enum class ValueKind : uint8_t {
  EntryRegister, ///< bit: a register when the function is entered.
  EntryMemory,   ///< All memory at the entry.
  StackAddress,  ///< offset: from the return address.
  Sum,           ///< base, constant
  Address,       ///< base, scale, index, displacement, segment
  Instruction,   ///< opcode and the values that it reads
  Output,        ///< instruction, which one, the old value if a part stays
  Merged,        ///< part of a register, its new value, the rest
  Stored,        ///< memory, the change of it
  StackContent,  ///< memory, offset, size
  Byte,          ///< value, which byte of it, its size
  Bytes,         ///< values, one for each byte
  Cells,         ///< all that is known of the stack
  Phi,           ///< block, class: where edges join
  Padding,       ///< value: RAX, pushed, mostly only to make room
  Garbage,       ///< number: equal to no other value
  Symbol,        ///< anything that has a number
};

/// Gives equal expressions equal numbers.
class ValueTable {
public:
  ValueNo get(ValueKind Kind, llvm::ArrayRef<uint64_t> Words);
  ValueNo entry(unsigned Register) {
    return get(ValueKind::EntryRegister, Register);
  }
  ValueNo stackAddress(int64_t Offset) {
    return get(ValueKind::StackAddress, static_cast<uint64_t>(Offset));
  }
  /// \p Base plus a constant.
  ValueNo sum(ValueNo Base, int64_t Constant);
  ValueNo garbage() { return get(ValueKind::Garbage, NumGarbage++); }

  bool has(uint64_t V) const { return V < Nodes.size(); }
  ValueKind kind(ValueNo V) const { return Nodes[V].Kind; }
  llvm::ArrayRef<uint64_t> words(ValueNo V) const {
    return llvm::ArrayRef(Pool).slice(Nodes[V].First, Nodes[V].Count);
  }
  bool is(ValueNo V, ValueKind Kind) const { return Nodes[V].Kind == Kind; }
  /// Bytes from the return address to where \p V points, if it does.
  std::optional<int64_t> stackOffset(ValueNo V) const;

private:
  struct Node {
    ValueKind Kind;
    uint32_t Count;
    size_t First;
    ValueNo Next; ///< With the same hash.
  };
  std::vector<Node> Nodes;
  std::vector<uint64_t> Pool;
  llvm::DenseMap<uint64_t, ValueNo> FirstOfHash;
  uint64_t NumGarbage = 0;
};

} // namespace graupel::symbolic

#endif // GRAUPEL_HOTCOLD_MACHINE_VALUES_H
