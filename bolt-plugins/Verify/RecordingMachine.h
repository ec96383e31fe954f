//===- Verify/RecordingMachine.h - Executes recording code ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes instructions with symbols for values, as far as it takes to see what
// is restored: registers, stack slots and flags hold what they held at the
// beginning, an address in the stack, a constant, or something unknown.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_VERIFY_RECORDINGMACHINE_H
#define GRAUPEL_VERIFY_RECORDINGMACHINE_H

#include "Disassembler.h"
#include "Elf/ElfView.h"
#include "FlagTable.h"
#include "RegisterTable.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>

namespace graupel {

/// The memory operand of an instruction, as it is before recording code.
struct MemoryPlace {
  unsigned Base = 0, Index = 0, Segment = 0; ///< LLVM's registers.
  int64_t Scale = 0, Displacement = 0;       ///< An address, if it is relative.
  bool operator==(const MemoryPlace &) const = default;
};

struct RecordedValue {
  enum Kind : uint8_t {
    Unknown,
    Initial,  ///< The value of register N at the beginning.
    Slot,     ///< The value on the stack at N.
    Stack,    ///< An address: the stack pointer at the beginning, plus N.
    Below,    ///< An address in the stack, below all that is in use.
    Constant, ///< N.
    Loaded,   ///< The value in the memory at Place.
    Flags     ///< As pushed; those of N are what they were.
  } K = Unknown;
  int64_t N = 0;
  MemoryPlace Place = {};
  bool operator==(const RecordedValue &) const = default;
};

/// Memory that belongs to the recording, not to the program.
struct RecordingMemory {
  uint64_t CodeBegin = 0, CodeEnd = 0;
  uint64_t DataBegin = 0, DataEnd = 0;
  uint64_t CountersBegin = 0, CountersEnd = 0;

  bool isCode(uint64_t A) const { return A >= CodeBegin && A < CodeEnd; }
  bool isData(uint64_t A) const { return A >= DataBegin && A < DataEnd; }
  bool isCounter(uint64_t A) const {
    return A >= CountersBegin && A + 8 <= CountersEnd && A % 8 == 0;
  }
};

class RecordingMachine {
public:
  using Value = RecordedValue;
  /// The parts of the file that all executions read.
  struct Tables {
    const ElfView &File;
    Disassembler &Decoder;
    const FlagTable &Flags;
    const RegisterTable &Registers;
    const RecordingMemory &Memory;
    std::vector<uint8_t> Operations; ///< By opcode.

    Tables(const ElfView &File, Disassembler &Decoder, const FlagTable &Flags,
           const RegisterTable &Registers, const RecordingMemory &Memory);
  };

  explicit RecordingMachine(const Tables &T);

  /// Executes what is no transfer of control. \p IsRuntime: as part of the
  /// runtime, which writes to its own memory. Says what it cannot judge.
  llvm::Error execute(const Instruction &I, bool IsRuntime);
  llvm::Error push(const Value &V);
  llvm::Expected<Value> pop();

  /// A function of the runtime's that keeps to the ABI.
  void callByConvention();
  /// Code that takes \p Pops bytes from the stack.
  llvm::Error applyCall(uint32_t ChangedRegisters, uint8_t ChangedFlags,
                        int64_t Pops);

  const Value &get(unsigned Register) const { return Registers[Register]; }
  Value top() const { return load(StackAt); }
  int64_t stackPointer() const { return StackAt; }
  uint32_t changedRegisters() const;
  uint8_t changedFlags() const { return AllFlags & ~Kept; }
  bool changesRedZone() const { return RedZone; }
  /// Whether the last comparison found equality, if that is known.
  std::optional<bool> isEqual() const { return Equal; }
  bool hasCounted() const { return Counted; }
  Value target(const Instruction &I) const;

private:
  const Tables *T;
  Value Registers[NumRegisters];
  std::map<int64_t, Value> Slots; ///< Slots of eight bytes that were written.
  int64_t StackAt = 0;
  bool StackIsKnown = true, RedZone = false, Counted = false;
  uint8_t Kept = AllFlags;   ///< Flags that are what they were.
  uint8_t InAH = 0;          ///< Flags whose old values are in AH.
  bool OverflowInAL = false; ///< AL is what OF was.
  std::optional<bool> Equal;

  Value address(const Instruction &I) const;
  Value load(int64_t At) const;
  llvm::Error store(int64_t At, const Value &V);
  void set(unsigned Register, const Value &V);
  llvm::Error setStackPointer(const Value &V);
  llvm::Error moveStackPointer(const Value &V, int64_t By);
  llvm::Error executeOther(const Instruction &I, bool IsRuntime);
  llvm::Error writeMemory(const Instruction &I, bool IsRuntime);
  llvm::Error count(const Instruction &I);
  llvm::Error add(const Instruction &I);
  void compareWithZero(const Instruction &I);
  llvm::Error assign(unsigned Register, Value V);
  void moveFlags(bool ToAH);
  bool setByte(const Instruction &I);
  bool addToOverflow(const Instruction &I);
  std::optional<MemoryPlace> placeOf(const Instruction &I) const;
  Value content(uint64_t Address) const;
};

} // namespace graupel

#endif // GRAUPEL_VERIFY_RECORDINGMACHINE_H
