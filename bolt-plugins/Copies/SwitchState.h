//===- Copies/SwitchState.h - What is known of registers --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The abstract states of SwitchProof, and how they are joined and bounded. No
// instruction is looked at here.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_COPIES_SWITCHSTATE_H
#define GRAUPEL_COPIES_SWITCHSTATE_H

#include <array>
#include <cstdint>
#include <optional>

namespace graupel {

/// A jump table and what the code says of its size.
struct SwitchTable {
  uint64_t Address;
  uint64_t NumEntries;
  unsigned EntrySize; ///< 4: distances from the table. 8: addresses.
  bool operator==(const SwitchTable &) const = default;
};

/// Widths of a register: 8, 16, 32 and 64 bits.
constexpr unsigned NumWidths = 4;
constexpr unsigned Whole = 3;
constexpr uint64_t maskOf(unsigned Width) {
  return Width == Whole ? UINT64_MAX : (uint64_t(1) << (8 << Width)) - 1;
}

/// What is known of a general register.
struct RegisterValue {
  enum class Kind : uint8_t { Any, Address, Entry, Target };

  Kind Is = Kind::Any;
  SwitchTable Table = {};
  /// Two registers with the same number other than 0 hold the same bits.
  std::array<uint64_t, NumWidths> Id = {};
  std::array<uint64_t, NumWidths> Max = {maskOf(0), maskOf(1), maskOf(2),
                                         maskOf(3)};

  bool operator==(const RegisterValue &) const = default;

  /// What is known of low bits holds for more if the others are 0.
  void normalize();
  /// What a register holds to which \p Width bits of this were written, and
  /// whose other bits are 0.
  RegisterValue extended(unsigned Width) const;
  /// The target if this and \p Other are an entry and the address of its table.
  std::optional<SwitchTable> plus(const RegisterValue &Other) const;
};

/// An operand in memory, by what names it.
struct MemoryPlace {
  unsigned Base = 0, Index = 0, Segment = 0;
  int64_t Scale = 0, Displacement = 0;
  bool operator==(const MemoryPlace &) const = default;
};

/// A comparison of something with a constant, as the flags have it.
struct Comparison {
  bool IsValid = false, IsMemory = false;
  unsigned Width = 0;
  uint64_t Id = 0;       ///< Of a register's value.
  unsigned Register = 0; ///< Where it was.
  MemoryPlace Where = {};
  uint64_t Constant = 0;
  bool operator==(const Comparison &) const = default;
};

/// What memory was compared with.
struct MemoryBound {
  bool IsValid = false;
  MemoryPlace Where = {};
  unsigned Width = 0;
  uint64_t Max = 0;
  bool operator==(const MemoryBound &) const = default;
};

/// What holds before an instruction.
struct SwitchState {
  static constexpr unsigned NumRegisters = 16;

  std::array<RegisterValue, NumRegisters> Registers;
  Comparison Flags;
  MemoryBound Memory;
  bool operator==(const SwitchState &) const = default;

  /// What holds if this or \p Other does.
  SwitchState mergedWith(const SwitchState &Other) const;
  /// What was compared is at most \p Max.
  void bound(uint64_t Max);
  /// Gives the bits of \p Register that have no number \p Id, which is defined
  /// now: whoever still has it holds a value of an earlier time.
  void number(uint64_t Id, unsigned Register);
};

} // namespace graupel

#endif // GRAUPEL_COPIES_SWITCHSTATE_H
