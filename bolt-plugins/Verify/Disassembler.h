//===- Verify/Disassembler.h - One instruction after another ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_VERIFY_DISASSEMBLER_H
#define GRAUPEL_VERIFY_DISASSEMBLER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCInst.h"
#include <memory>
#include <string>

namespace llvm {
class MCInstrInfo;
class MCRegisterInfo;
} // namespace llvm

namespace graupel {

/// The effect of an instruction on the flow of control.
enum class FlowKind : uint8_t {
  Plain,
  Nop,
  Jump,         ///< Direct and unconditional.
  Branch,       ///< Conditional, with a condition code.
  OtherBranch,  ///< Conditional, but it cannot be inverted: loop, jrcxz.
  IndirectJump, ///< To a register's or a memory operand's content.
  Call,         ///< Direct.
  IndirectCall,
  Return,
  Trap, ///< Nothing is executed behind it: ud2, hlt.
};

/// One instruction at one place.
struct Instruction {
  llvm::MCInst Inst;
  uint64_t Address = 0;
  uint32_t Size = 0; ///< 0: these bytes are no instruction.
  FlowKind Kind = FlowKind::Plain;
  uint64_t Target = 0; ///< Target of a direct jump, branch or call.
  int MemoryOperand = -1;

  uint64_t end() const { return Address + Size; }
  bool isCall() const {
    return Kind == FlowKind::Call || Kind == FlowKind::IndirectCall;
  }
};

/// LLVM's disassembler for x86-64. Its target must have been initialized.
class Disassembler {
public:
  explicit Disassembler(uint16_t Machine);
  ~Disassembler();

  /// The instruction at the front of \p Bytes, which are at \p Address.
  void decode(llvm::StringRef Bytes, uint64_t Address, Instruction &I);

  /// The size of the instruction at the front of \p Bytes, which are at
  /// \p Address; 0 if it is none. \p Target becomes the address it branches to,
  /// if it is a direct branch or call.
  uint64_t next(llvm::StringRef Bytes, uint64_t Address, uint64_t &Target);

  /// The same for all encodings of an operation: immediates and displacements
  /// of one and of four bytes, both directions of a move.
  unsigned operation(const Instruction &I) const;
  llvm::StringRef name(const Instruction &I) const;
  llvm::StringRef registerName(unsigned Register) const;
  const llvm::MCInstrInfo &instructions() const;
  const llvm::MCRegisterInfo &registers() const;

  /// The difference of \p B from \p A: in what it does, or to what.
  std::string difference(const Instruction &A, const Instruction &B) const;

  /// Whether the memory operand of \p I is relative to the instruction.
  bool isRelative(const Instruction &I) const;
  /// The address that such an operand leads to.
  uint64_t relativeAddress(const Instruction &I) const;
  /// The register \p R, or none if it is an index that means none.
  unsigned indexRegister(unsigned R) const;

private:
  struct Parts;
  std::unique_ptr<Parts> P;

  std::string operandText(const Instruction &I, unsigned Number) const;
};

} // namespace graupel

#endif // GRAUPEL_VERIFY_DISASSEMBLER_H
