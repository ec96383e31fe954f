//===- HotCold/Machine/RegisterSet.h - Registers as bits --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dataflow over BOLT's bit vectors, which have a bit for every name that a
// register or a part of one has, makes whole-program analyses slow. Here a
// register with all its parts is one bit of a word.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_MACHINE_REGISTERSET_H
#define GRAUPEL_HOTCOLD_MACHINE_REGISTERSET_H

#include "Support/FlagEffects.h"
#include "bolt/Core/BinaryContext.h"
#include <cstdint>

namespace graupel {

/// A set of x86-64 registers. Bits 0 to 15 are the general ones in the order of
/// their encoding (RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8 to R15).
using RegisterSet = uint64_t;

namespace reg {
constexpr RegisterSet bit(unsigned I) { return RegisterSet(1) << I; }
constexpr RegisterSet RAX = bit(0), RCX = bit(1), RDX = bit(2), RBX = bit(3),
                      RSP = bit(4), RBP = bit(5), RSI = bit(6), RDI = bit(7),
                      R8 = bit(8), R9 = bit(9), R10 = bit(10), R11 = bit(11),
                      R12 = bit(12), R13 = bit(13), R14 = bit(14),
                      R15 = bit(15);
constexpr RegisterSet General = 0xffff;
constexpr RegisterSet Carry = bit(16);
/// The other arithmetic flags, as one.
constexpr RegisterSet OtherFlags = bit(28);
constexpr RegisterSet Flags = Carry | OtherFlags;
/// The x87 and MMX registers with their control and status words.
constexpr RegisterSet Float = bit(17);
/// The control word of the vector unit.
constexpr RegisterSet MXCSR = bit(18);
constexpr RegisterSet Masks = RegisterSet(0xff) << 19;
/// Segment registers and everything else that is not told apart.
constexpr RegisterSet Others = bit(27);
constexpr RegisterSet Vectors = RegisterSet(0xffffffff) << 32;

/// Registers that a call preserves, by the System V ABI for x86-64.
constexpr RegisterSet CalleeSaved = RBX | RBP | R12 | R13 | R14 | R15;
constexpr RegisterSet CallerSaved =
    (General & ~CalleeSaved & ~RSP) | Flags | Float | Masks | Vectors;
/// Registers that a call may read: parameters, the number of vector parameters
/// and the static chain.
constexpr RegisterSet Parameters = RDI | RSI | RDX | RCX | R8 | R9 | RAX | R10 |
                                   RegisterSet(0xff) << 32 | RSP | MXCSR |
                                   Others;
/// Registers that may hold a result; some languages return up to four vectors.
constexpr RegisterSet Results =
    RAX | RDX | Float | RegisterSet(0xf) << 32 | MXCSR | Others;
/// The register in which LLVM returns a third word, in languages that do so.
constexpr RegisterSet ThirdResult = RCX;
constexpr RegisterSet All = ~RegisterSet(0);
} // namespace reg

/// The effects of one instruction, without those of callees.
struct RegisterEffects {
  RegisterSet Reads = 0;
  /// Any part of the register may change.
  RegisterSet Writes = 0;
  /// Nothing of the old value is left.
  RegisterSet Kills = 0;
};

/// The effects of instructions on registers. Thread-safe after construction.
class RegisterModel {
public:
  explicit RegisterModel(const llvm::bolt::BinaryContext &BC);

  RegisterSet setOf(llvm::MCPhysReg Register) const { return Bits[Register]; }
  /// The 64-bit general register that is the one bit of \p Set.
  llvm::MCPhysReg generalRegister(RegisterSet Set) const;
  RegisterEffects effects(const llvm::MCInst &Inst) const;
  /// Whether RSP is among the registers that \p Inst writes.
  bool movesStack(const llvm::MCInst &Inst) const;
  /// Like MCPlusBuilder's, but inline and by one table: dataflow solvers call
  /// this most often.
  bool isPseudo(const llvm::MCInst &Inst) const {
    return Opcodes[Inst.getOpcode()].IsPseudo;
  }
  /// Tail calls are calls.
  bool isCall(const llvm::MCInst &Inst) const {
    const OpcodeEffects &Opcode = Opcodes[Inst.getOpcode()];
    return Opcode.IsCall || (Opcode.IsBranch && isNotedAsTailCall(Inst));
  }
  /// Like MCPlusBuilder's, which searches all instructions' operands twice.
  bool isTailCall(const llvm::MCInst &Inst) const {
    const OpcodeEffects &Opcode = Opcodes[Inst.getOpcode()];
    return (Opcode.IsCall || Opcode.IsBranch) && isNotedAsTailCall(Inst);
  }
  bool isReturn(const llvm::MCInst &Inst) const {
    return Opcodes[Inst.getOpcode()].IsReturn;
  }
  /// True if the result of \p Inst does not depend on the two registers that it
  /// reads if these hold the same.
  bool cancelsEquals(const llvm::MCInst &Inst) const {
    return Opcodes[Inst.getOpcode()].MakesConstant == WithItself;
  }
  /// True if \p Inst exchanges a register with itself: valgrind and others take
  /// that for a request, and read and write registers that only they know.
  bool isRequest(const llvm::MCInst &Inst) const {
    return Opcodes[Inst.getOpcode()].IsExchange &&
           Inst.getOperand(0).getReg() == Inst.getOperand(1).getReg();
  }
  /// True if software outside this program answers \p Inst, and may read and
  /// change any general register: a hypervisor, an enclave, a device.
  bool isAnsweredElsewhere(const llvm::MCInst &Inst) const {
    return Opcodes[Inst.getOpcode()].IsAnsweredElsewhere;
  }
  /// Lets \p Op, which names a part of a general register, name the same part
  /// of the one that is the one bit of \p New.
  void replaceRegister(llvm::MCOperand &Op, RegisterSet New) const;
  /// True if \p Inst names the second byte of a register, which excludes others
  /// from the same instruction.
  bool namesHighByte(const llvm::MCInst &Inst) const;
  void print(llvm::raw_ostream &OS, RegisterSet Set) const;

private:
  const llvm::bolt::BinaryContext &BC;
  std::vector<RegisterSet> Bits;
  /// The same, but empty if a write of the register keeps a part of it.
  std::vector<RegisterSet> WholeBits;
  std::vector<uint8_t> Widths; ///< Widths of general registers, in bytes.
  enum Idiom : uint8_t { None, WithItself, AllOnes };
  struct OpcodeEffects {
    RegisterEffects Implicit; ///< Effects on registers without an operand.
    uint8_t NumDefs = 0;
    Idiom MakesConstant = None; ///< It may.
    bool CountsInRCX = false;   ///< A string instruction.
    bool FlagsByOperand = false;
    bool IsPseudo = false, IsCall = false, IsBranch = false, IsReturn = false;
    bool IsExchange = false; ///< Exchanges two registers.
    bool IsAnsweredElsewhere = false, KeepsDestination = false;
  };
  std::vector<OpcodeEffects> Opcodes;
  FlagEffects Flags;
  llvm::MCPhysReg General[16] = {};

  static void addFlags(RegisterEffects &To, FlagEffects::Sets Flags);
  bool isNotedAsTailCall(const llvm::MCInst &Inst) const;
  OpcodeEffects describe(unsigned Opcode, llvm::MCPhysReg DirectionFlag) const;

  /// True if the result does not depend on the register that is named.
  bool isIdiom(const llvm::MCInst &Inst) const;
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_MACHINE_REGISTERSET_H
