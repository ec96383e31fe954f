//===- Statistics/InstructionRoles.h - Roles of instructions ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads BOLT's instructions: which belong to the calling convention rather than
// to the work, and which change where control goes.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STATISTICS_INSTRUCTIONROLES_H
#define GRAUPEL_STATISTICS_INSTRUCTIONROLES_H

#include "Portrait.h"
#include "bolt/Core/BinaryFunction.h"

namespace graupel {

/// Executions of \p Block's transfers. Branches must agree with the layout.
TransferCounts countTransfers(llvm::bolt::BinaryBasicBlock &Block);

/// Finds prologue and epilogue instructions on x86-64.
class FrameReader {
public:
  explicit FrameReader(const llvm::bolt::BinaryContext &BC);

  /// Executions of the prologue and epilogue instructions of \p BF.
  FrameCounts count(const llvm::bolt::BinaryFunction &BF) const;

private:
  using Block = llvm::bolt::BinaryBasicBlock;

  const llvm::bolt::BinaryContext &BC;
  llvm::BitVector CalleeSaved;
  llvm::MCPhysReg StackPointer, FramePointer, FillerRegister;

  enum class Access { Push, Pop, Store, Load };
  struct StackAccess {
    Access Kind;
    llvm::MCPhysReg Register;
  };
  std::optional<StackAccess> stackAccess(const llvm::MCInst &Inst) const;
  bool isCalleeSaved(llvm::MCPhysReg Register) const;
  bool copies(const llvm::MCInst &Inst, llvm::MCPhysReg From,
              llvm::MCPhysReg To) const;
  bool writesStackPointer(const llvm::MCInst &Inst) const;

  enum class Role {
    None,
    Save,
    Restore,
    StackAdjustment,
    FramePointer,
    ShrinkWrapped
  };
  /// One for each instruction of a block.
  using Roles = llvm::MutableArrayRef<Role>;

  llvm::BitVector poppedRegisters(const llvm::bolt::BinaryFunction &BF) const;
  void markOpening(const Block &B, Roles R) const;
  void markClosing(const Block &B, Roles R) const;
  void markShrinkWrapped(const Block &B, const llvm::BitVector &Popped,
                         Roles R) const;
};

} // namespace graupel

#endif // GRAUPEL_STATISTICS_INSTRUCTIONROLES_H
