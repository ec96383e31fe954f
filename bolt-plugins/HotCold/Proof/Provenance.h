//===- HotCold/Proof/Provenance.h - Callers' values in a function -*- C++ -*-=//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_PROOF_PROVENANCE_H
#define GRAUPEL_HOTCOLD_PROOF_PROVENANCE_H

#include "CalleeFacts.h"
#include "KnownStack.h"

namespace graupel::symbolic {

/// Follows the caller's values in registers through one function.
class Provenance {
public:
  /// Starts at \p Entry, with the stack as a call leaves it.
  Provenance(const CalleeFacts &All, const llvm::bolt::BinaryBasicBlock &Entry);

  const CallEffects &effects() const { return Result; }
  /// Bytes between the return address and the stack pointer where \p Block
  /// begins, if that is known.
  std::optional<int64_t> depth(const llvm::bolt::BinaryBasicBlock &Block) const;

private:
  using BasicBlock = const llvm::bolt::BinaryBasicBlock;
  const CalleeFacts &All;
  llvm::bolt::BinaryContext &BC;
  const llvm::bolt::MCPlusBuilder &MIB;
  const MachineModel &Model;
  llvm::DenseMap<BasicBlock *, KnownStack> Into; ///< Also for other parts.
  /// Ordered by address, which is nearly the order of the edges.
  using Place = std::pair<uint64_t, unsigned>;
  std::map<Place, BasicBlock *> Pending;
  /// Blocks that end with a call, which perhaps never returns.
  std::map<Place, std::pair<BasicBlock *, KnownStack>> BehindCalls;
  /// Blocks that such a call would return to with another depth of the stack
  /// than the unwind table has there.
  std::map<Place, std::pair<BasicBlock *, KnownStack>> Doubtful;
  llvm::DenseSet<BasicBlock *> WithoutCall; ///< Reached by other edges.
  Alignments Bases;
  CallEffects Result;
  KnownStack Now;

  static Place placeOf(BasicBlock &Block);
  void flowTo(BasicBlock &Block, const KnownStack &With);
  void flowBehindCalls();
  bool isContradicted(BasicBlock &Block, const KnownStack &With) const;
  void flowBehindCall(BasicBlock &Block, const KnownStack &With,
                      bool IsDoubtful);
  void walk(BasicBlock &Block);
  void leaveBlock(BasicBlock &Block, const llvm::MCInst *Last, bool Ended);
  void jumpAnywhere(BasicBlock &From);
  void end();
  bool call(const llvm::MCInst &Inst, BasicBlock &Block);
  bool goOnInPart(const llvm::MCInst &Jump, BasicBlock &Block);
  void clobber(const CallEffects &Callee);
  void unwindTo(const llvm::MCInst &Call, BasicBlock &Block);

  void lose(uint16_t Origins) { Result.MayRead |= Origins & ~reg::CalleeSaved; }
  void read(RegisterSet Set);
  void write(const RegisterEffects &E);
  Origin *general(llvm::MCPhysReg Register);
  Origin &stackPointer() { return Now.General[4]; }
  StackAddress operandAt(const llvm::MCInst &Inst);
  void store(StackAddress At, int64_t Size, const Origin &Value);
  Origin load(StackAddress At, int64_t Size);
  void forget(StackAddress At, int64_t Size);
  void forgetBelow();
  void forgetStack();
  void moveStack(int64_t By);
  void setStackPointer(StackAddress To);
  void step(const llvm::MCInst &Inst);
  bool stackStep(const llvm::MCInst &Inst);
  bool copyStep(const llvm::MCInst &Inst);
  bool addStep(const llvm::MCInst &Inst);
};

} // namespace graupel::symbolic

#endif // GRAUPEL_HOTCOLD_PROOF_PROVENANCE_H
