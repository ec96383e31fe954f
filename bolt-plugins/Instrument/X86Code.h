//===- Instrument/X86Code.h - Instructions to insert ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_INSTRUMENT_X86CODE_H
#define GRAUPEL_INSTRUMENT_X86CODE_H

#include "bolt/Core/BinaryContext.h"
#include "llvm/ADT/StringMap.h"

namespace graupel {

/// The notes of X86Code at instructions that move the stack pointer.
class DepthNotes {
public:
  explicit DepthNotes(const llvm::bolt::BinaryContext &BC);

  void set(llvm::MCInst &Inst, int64_t Depth) const;
  /// By how many bytes the stack pointer is lower behind \p Inst than before
  /// the inserted code, if \p Inst has moved it.
  std::optional<int64_t> depthBehind(const llvm::MCInst &Inst) const;

private:
  llvm::bolt::MCPlusBuilder &MIB;
  const unsigned Index;
};

/// Builds x86-64 instructions. LLVM's packages do not have the header that
/// names the opcodes, so they are looked up once, by their names.
class X86Code {
public:
  using Instructions = llvm::bolt::InstructionListType;
  using Symbol = const llvm::MCSymbol *;

  explicit X86Code(llvm::bolt::BinaryContext &BC);

  /// The mode of incrementing counters.
  struct Counting {
    bool Atomic;    ///< With a locked increment.
    bool PerThread; ///< At an address relative to GS.
  };

  /// Adds 1 to the counter at \p Address. Without \p FlagsFree the flags keep
  /// their values, at the cost of some stores beyond the red zone. May be
  /// called by several threads at once.
  Instructions increment(const llvm::MCExpr *Address, Counting Mode,
                         bool FlagsFree) const;

  /// The address \p Base + \p Offset. This and what follows changes what all
  /// functions share: hold BC.scopeLock() if there are several threads.
  const llvm::MCExpr *address(Symbol Base, int64_t Offset) const;

  /// Code that goes before the indirect call \p Call: hands its target and the
  /// address of its site to \p Stub. Empty if that is not possible. Without
  /// \p FlagsFree the flags keep their values.
  Instructions recordTarget(const llvm::MCInst &Call, Symbol Base,
                            int64_t SiteOffset, Symbol Stub,
                            bool FlagsFree) const;

  /// Calls \p Stub, which preserves everything, from any place in a function.
  Instructions callFromAnywhere(Symbol Stub) const;

  /// True if \p Inst is endbr64, which must stay in front.
  bool isEndBranch(const llvm::MCInst &Inst) const;
  bool isSyscall(const llvm::MCInst &Inst) const;
  /// Reads or writes memory by GS, or GS itself.
  bool usesGS(const llvm::MCInst &Inst) const;
  /// The number that \p Inst moves into the register called \p Register or into
  /// its lower part; the rest is taken for zero, as it is in hand-written code.
  std::optional<int64_t> constantInto(const llvm::MCInst &Inst,
                                      llvm::StringRef Register) const;
  /// True if \p Inst writes any part of the register called \p Register.
  bool writes(const llvm::MCInst &Inst, llvm::StringRef Register) const;

private:
  llvm::bolt::BinaryContext &BC;
  const DepthNotes Notes;
  llvm::StringMap<unsigned> Opcodes;
  llvm::StringMap<llvm::MCPhysReg> Registers;

  unsigned EndBranch, Syscall, Increment, LockedIncrement;
  llvm::MCPhysReg InstructionPointer, ThreadSegment;

  unsigned opcode(llvm::StringRef Name) const;
  llvm::MCPhysReg reg(llvm::StringRef Name) const;
  void addMemory(llvm::MCInst &Inst, const llvm::MCExpr *Address,
                 bool PerThread = false) const;
  llvm::MCInst moveStackPointer(int64_t By) const;
  llvm::MCInst call(Symbol Target) const;
  std::optional<int64_t> growth(const llvm::MCInst &Inst) const;
  Instructions withDepths(Instructions Code, bool TakesTarget = false) const;
};

} // namespace graupel

#endif // GRAUPEL_INSTRUMENT_X86CODE_H
