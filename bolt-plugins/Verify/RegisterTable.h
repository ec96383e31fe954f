//===- Verify/RegisterTable.h - General registers as sets -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_VERIFY_REGISTERTABLE_H
#define GRAUPEL_VERIFY_REGISTERTABLE_H

#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include <optional>
#include <string>
#include <vector>

namespace graupel {

/// The 16 general registers of x86-64 by their numbers in instructions.
enum GeneralRegister : unsigned {
  RAX,
  RCX,
  RDX,
  RBX,
  RSP,
  RBP,
  RSI,
  RDI,
  R8,
  R9,
  R10,
  R11,
  R12,
  R13,
  R14,
  R15,
  NumRegisters
};

/// The effect of one instruction on them, as sets of bits.
struct RegisterUse {
  uint32_t Reads = 0;
  uint32_t Overwrites = 0; ///< As a whole.
  uint32_t Changes = 0;
};

class RegisterTable {
public:
  RegisterTable(const llvm::MCInstrInfo &Instructions,
                const llvm::MCRegisterInfo &Registers);

  RegisterUse of(const llvm::MCInst &Inst) const;
  /// The general register that \p R is, or is a part of.
  std::optional<unsigned> numberOf(unsigned R) const {
    return R < Places.size() && Places[R].Number < NumRegisters
               ? std::optional<unsigned>(Places[R].Number)
               : std::nullopt;
  }
  /// Whether \p R is all of a general register.
  bool isWhole(unsigned R) const { return Places[R].Bits == 64; }

private:
  struct Place {
    uint8_t Number = NumRegisters;
    uint8_t Bits = 0;
  };
  const llvm::MCInstrInfo &Instructions;
  std::vector<Place> Places; ///< By LLVM's number.

  void addWritten(unsigned R, RegisterUse &Use) const;
  bool isZeroing(const llvm::MCInst &Inst) const;
};

/// "RAX, R11".
std::string registerNames(uint32_t Registers);

} // namespace graupel

#endif // GRAUPEL_VERIFY_REGISTERTABLE_H
