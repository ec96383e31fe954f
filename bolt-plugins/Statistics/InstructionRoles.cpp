//===- Statistics/InstructionRoles.cpp - Roles of instructions ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts executions of instructions by their roles.
//
// 1. countTransfers() counts the calls of a block. countEnd() tells how the
//    block ends, and takes the counts of a conditional branch from its edges.
// 2. FrameReader::count() gives each instruction of an executed block a role,
//    and adds up the roles, times the block's count.
// 3. markOpening() goes through an entry block to the first call. Stores of
//    callee-saved registers that still hold the caller's value are saves;
//    changes of the stack and frame pointers count, too.
// 4. markClosing() goes back through a block that returns, to the last call. It
//    finds restores and changes of the stack and frame pointers.
// 5. markShrinkWrapped() finds saves and restores in the remaining
//    instructions: pops of callee-saved registers, and pushes of registers that
//    are popped somewhere. In a block with one of these, changes of the stack
//    pointer count, too.
//
//===----------------------------------------------------------------------===//

#include "InstructionRoles.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

uint64_t known(uint64_t Count) {
  return Count == BinaryBasicBlock::COUNT_NO_PROFILE ? 0 : Count;
}

/// The instruction that ends \p Block and the ways it has.
void countEnd(BinaryBasicBlock &Block, TransferCounts &Sum) {
  MCPlusBuilder &MIB = *Block.getFunction()->getBinaryContext().MIB;
  const uint64_t Count = Block.getKnownExecutionCount();
  const MCInst *Last = Block.getLastNonPseudoInstr();
  if (!Last) { // An empty block is passed through.
    Sum.FallThroughs += Count;
    return;
  }
  if (MIB.isReturn(*Last)) {
    Sum.Returns += Count;
    return;
  }
  if (MIB.isIndirectBranch(*Last) || MIB.getJumpTable(*Last)) {
    (MIB.isTailCall(*Last) ? Sum.TailCalls : Sum.IndirectJumps) += Count;
    return;
  }
  if (MIB.isTailCall(*Last) && !MIB.getConditionalTailCall(*Last)) {
    Sum.TailCalls += Count;
    return;
  }
  const MCSymbol *Taken = nullptr, *NotTaken = nullptr;
  MCInst *Conditional = nullptr, *Jump = nullptr;
  if (!Block.analyzeBranch(Taken, NotTaken, Conditional, Jump))
    return;
  if (!Conditional) {
    if (Jump)
      Sum.Jumps += Count;
    else if (Block.succ_size())
      Sum.FallThroughs += Count;
    return;
  }
  uint64_t Stays = Count;
  if (Block.succ_size() == 2) {
    Sum.ConditionalTaken += known(Block.getTakenBranchInfo().Count);
    Stays = known(Block.getFallthroughBranchInfo().Count);
  } else if (MIB.getConditionalTailCall(*Conditional)) {
    const uint64_t Left = std::min(
        Count,
        MIB.getAnnotationWithDefault<uint64_t>(*Conditional, "CTCTakenCount"));
    Sum.ConditionalTaken += Left;
    Stays = Count - Left;
  }
  Sum.ConditionalNotTaken += Stays;
  (Jump ? Sum.Jumps : Sum.FallThroughs) += Stays;
}

} // namespace

TransferCounts graupel::countTransfers(BinaryBasicBlock &Block) {
  TransferCounts Sum;
  const MCPlusBuilder &MIB = *Block.getFunction()->getBinaryContext().MIB;
  const uint64_t Count = Block.getKnownExecutionCount();
  if (Count == 0)
    return Sum;
  for (const MCInst &Inst : Block)
    if (MIB.isCall(Inst) && !MIB.isTailCall(Inst))
      Sum.Calls += Count;
  countEnd(Block, Sum);
  return Sum;
}

FrameReader::FrameReader(const BinaryContext &BC)
    : BC(BC), CalleeSaved(BC.MRI->getNumRegs()),
      StackPointer(BC.MIB->getStackPointer()),
      FramePointer(BC.MIB->getFramePointer()), FillerRegister(0) {
  BC.MIB->getCalleeSavedRegs(CalleeSaved);
  // Compilers push RAX, whatever it holds, to make the stack 8 bytes larger.
  for (unsigned R = 1; R < BC.MRI->getNumRegs(); ++R)
    if (StringRef(BC.MRI->getName(R)) == "RAX")
      FillerRegister = R;
}

bool FrameReader::isCalleeSaved(MCPhysReg Register) const {
  return Register && CalleeSaved.test(Register) &&
         BC.MIB->getRegSize(Register) == 8;
}

std::optional<FrameReader::StackAccess>
FrameReader::stackAccess(const MCInst &Inst) const {
  const MCPlusBuilder &MIB = *BC.MIB;
  const bool Push = MIB.isPush(Inst), Pop = MIB.isPop(Inst);
  if (Push || Pop) {
    if (Inst.getNumOperands() == 0 || !Inst.getOperand(0).isReg() ||
        MCPlus::getNumPrimeOperands(Inst) != 1)
      return std::nullopt;
    return StackAccess{Push ? Access::Push : Access::Pop,
                       static_cast<MCPhysReg>(Inst.getOperand(0).getReg())};
  }
  bool IsLoad, IsStore, IsStoreFromReg, IsSimple, IsIndexed;
  MCPhysReg Register = 0;
  int32_t Immediate;
  uint16_t Base;
  int64_t Offset;
  uint8_t Size;
  if (!MIB.isStackAccess(Inst, IsLoad, IsStore, IsStoreFromReg, Register,
                         Immediate, Base, Offset, Size, IsSimple, IsIndexed) ||
      !IsSimple || IsIndexed || Size != 8 || (IsStore && !IsStoreFromReg))
    return std::nullopt;
  return StackAccess{IsLoad ? Access::Load : Access::Store, Register};
}

bool FrameReader::copies(const MCInst &Inst, MCPhysReg From,
                         MCPhysReg To) const {
  MCPhysReg F, T;
  return BC.MIB->isRegToRegMove(Inst, F, T) && F == From && T == To;
}

bool FrameReader::writesStackPointer(const MCInst &Inst) const {
  const MCPlusBuilder &MIB = *BC.MIB;
  return !MIB.isPush(Inst) && !MIB.isPop(Inst) && !MIB.isCall(Inst) &&
         !MIB.isReturn(Inst) && MIB.hasDefOfPhysReg(Inst, StackPointer);
}

void FrameReader::markOpening(const Block &B, Roles R) const {
  // An overwritten register holds a value of this procedure, no longer one of
  // its caller's.
  BitVector Overwritten(BC.MRI->getNumRegs());
  for (const auto &[Inst, Mark] : llvm::zip_equal(B, R)) {
    if (BC.MIB->isPseudo(Inst))
      continue;
    if (BC.MIB->isCall(Inst))
      return;
    const std::optional<StackAccess> Stack = stackAccess(Inst);
    if (Stack &&
        (Stack->Kind == Access::Push || Stack->Kind == Access::Store)) {
      const MCPhysReg Saved = Stack->Register;
      if (isCalleeSaved(Saved) && !Overwritten.test(Saved)) {
        Mark = Role::Save;
        Overwritten.set(Saved);
      } else if (Stack->Kind == Access::Push && Saved == FillerRegister) {
        Mark = Role::StackAdjustment;
      }
      continue;
    }
    if (copies(Inst, StackPointer, FramePointer))
      Mark = Role::FramePointer;
    else if (writesStackPointer(Inst))
      Mark = Role::StackAdjustment;
    BC.MIB->getClobberedRegs(Inst, Overwritten);
  }
}

void FrameReader::markClosing(const Block &B, Roles R) const {
  // Backwards: a register that is used afterwards was not restored for the
  // caller.
  BitVector Used(BC.MRI->getNumRegs());
  for (const auto &[Inst, Mark] :
       llvm::zip_equal(llvm::reverse(B), llvm::reverse(R))) {
    if (BC.MIB->isPseudo(Inst) || BC.MIB->isReturn(Inst) ||
        BC.MIB->isTailCall(Inst))
      continue;
    if (BC.MIB->isCall(Inst))
      return;
    const std::optional<StackAccess> Stack = stackAccess(Inst);
    if (BC.MIB->isLeave(Inst) || copies(Inst, FramePointer, StackPointer)) {
      Mark = Role::FramePointer;
    } else if (Stack && Stack->Kind == Access::Pop) {
      Mark = isCalleeSaved(Stack->Register) ? Role::Restore
                                            : Role::StackAdjustment;
    } else if (Stack && Stack->Kind == Access::Load &&
               isCalleeSaved(Stack->Register) && !Used.test(Stack->Register)) {
      Mark = Role::Restore;
      Used.set(Stack->Register);
    } else if (writesStackPointer(Inst)) {
      Mark = Role::StackAdjustment;
    } else {
      BC.MIB->getTouchedRegs(Inst, Used);
    }
  }
}

// A procedure that saves its registers only on the way that needs them does so
// in a block between entry and return. There a push may also pass an argument,
// so only what is beyond doubt counts: pops of callee-saved registers, and
// pushes of registers that are popped somewhere.
void FrameReader::markShrinkWrapped(const Block &B, const BitVector &Popped,
                                    Roles R) const {
  bool Called = false, Any = false;
  BitVector Overwritten(BC.MRI->getNumRegs());
  for (const auto &[Inst, Mark] : llvm::zip_equal(B, R)) {
    Called |= BC.MIB->isCall(Inst);
    const std::optional<StackAccess> Stack = stackAccess(Inst);
    if (Mark != Role::None || !Stack || !isCalleeSaved(Stack->Register)) {
      BC.MIB->getClobberedRegs(Inst, Overwritten);
      continue;
    }
    const bool Saves = Stack->Kind == Access::Push && !Called &&
                       Popped.test(Stack->Register) &&
                       !Overwritten.test(Stack->Register);
    if (Saves || Stack->Kind == Access::Pop)
      Mark = Role::ShrinkWrapped;
    Any |= Mark == Role::ShrinkWrapped;
    Overwritten.set(Stack->Register);
  }
  if (!Any)
    return;
  for (const auto &[Inst, Mark] : llvm::zip_equal(B, R))
    if (Mark == Role::None && writesStackPointer(Inst))
      Mark = Role::ShrinkWrapped;
}

BitVector FrameReader::poppedRegisters(const BinaryFunction &BF) const {
  BitVector Popped(BC.MRI->getNumRegs());
  for (const BinaryBasicBlock &B : BF)
    for (const MCInst &Inst : B)
      if (auto Stack = stackAccess(Inst); Stack && Stack->Kind == Access::Pop)
        Popped.set(Stack->Register);
  return Popped;
}

FrameCounts FrameReader::count(const BinaryFunction &BF) const {
  const BitVector Popped = poppedRegisters(BF);
  FrameCounts Sum;
  SmallVector<Role> Marks;
  for (const BinaryBasicBlock &B : BF) {
    const uint64_t Count = B.getKnownExecutionCount();
    const MCInst *Last = B.getLastNonPseudoInstr();
    if (!Count || !Last)
      continue;
    Marks.assign(B.size(), Role::None);
    if (B.isEntryPoint())
      markOpening(B, Marks);
    if (BC.MIB->isReturn(*Last) ||
        (BC.MIB->isTailCall(*Last) && !BC.MIB->getConditionalTailCall(*Last)))
      markClosing(B, Marks);
    markShrinkWrapped(B, Popped, Marks);
    Sum.Saves += Count * llvm::count(Marks, Role::Save);
    Sum.Restores += Count * llvm::count(Marks, Role::Restore);
    Sum.StackAdjustments += Count * llvm::count(Marks, Role::StackAdjustment);
    Sum.FramePointer += Count * llvm::count(Marks, Role::FramePointer);
    Sum.ShrinkWrapped += Count * llvm::count(Marks, Role::ShrinkWrapped);
  }
  return Sum;
}
