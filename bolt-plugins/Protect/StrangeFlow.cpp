//===- Protect/StrangeFlow.cpp - Control flow that BOLT does not see ------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call is expected to come back to the place behind it, and a jump to another
// function to leave this one. There is code that does not do so:
//
//   - "jmp __x86_indirect_thunk_rax" jumps to where %rax says, which may be in
//     the same function if that has labels whose addresses are known;
//   - "call 1f; 1: pop %rax" reads its own address, and code for a retpoline in
//     place changes the return address;
//   - __morestack (-fsplit-stack) returns to the place behind the "ret" that
//     follows its call. If it has no name, it is known as a function that uses
//     the limit of the stack, which the TCB has at 0x70;
//   - code that only a trap leads to is there for a handler, which may take the
//     next bytes for its arguments (BUG() macros), and counts them;
//   - xbegin is a branch without a condition that BOLT could invert. It puts no
//     jump behind it if the code that follows moves elsewhere.
//
// The segment prefix of XLAT and of masked stores is lost when they are written
// anew. And some code is known by its bytes: unwinders find the frame of a signal by
// "mov $15, %eax; syscall".
//
// 1. isThunkJump() recognizes a thunk by its name, or by a call inside itself
//    with which its code begins.
// 2. FlowScan::run() goes through the instructions of all blocks. The first
//    reason that it finds is the result.
// 3. Code behind a trap is a reason if control reaches the trap and nothing
//    else leads to the code. Nops and further traps are none.
// 4. look() finds the others: calls inside the function, split stacks, thunks,
//    branches other than Jcc, and the system call that ends a signal.
//
//===----------------------------------------------------------------------===//

#include "Protected.h"
#include "Support/Returns.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstrInfo.h"
#include <sys/syscall.h>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static StringRef nameOfTarget(const BinaryContext &BC, const MCInst &Inst) {
  const MCSymbol *Target = BC.MIB->getTargetSymbol(Inst);
  return Target ? Target->getName() : StringRef();
}

constexpr uint8_t FSPrefix = 0x64, GSPrefix = 0x65;

/// Whether \p Code has an instruction with a register and %fs:0x70.
static bool usesStackLimit(ArrayRef<uint8_t> Code) {
  constexpr uint8_t Wide = 0x48;
  constexpr uint8_t Limit[] = {0x25, 0x70, 0, 0, 0}; // No base, no index.
  constexpr size_t Size = 4 + sizeof(Limit);
  for (size_t I = 0; I + Size <= Code.size(); ++I)
    if (Code[I] == FSPrefix && (Code[I + 1] & 0xfb) == Wide &&
        (Code[I + 3] & 0xc7) == 4 &&
        equal(Code.slice(I + 4, sizeof(Limit)), ArrayRef(Limit)))
      return true;
  return false;
}

/// A thunk calls what is behind the call, and returns to where it was asked to.
static bool beginsInInternalCall(ArrayRef<uint8_t> Code) {
  constexpr uint8_t EndBranch[] = {0xf3, 0x0f, 0x1e, 0xfa}, Call = 0xe8;
  if (Code.take_front(sizeof(EndBranch)).equals(EndBranch))
    Code = Code.drop_front(sizeof(EndBranch));
  return Code.size() > 5 && Code[0] == Call && Code[1] < Code.size() - 5 &&
         !Code[2] && !Code[3] && !Code[4];
}

static ArrayRef<uint8_t> codeOfTarget(const BinaryContext &BC,
                                      const MCInst &Inst) {
  const MCSymbol *Target = BC.MIB->getTargetSymbol(Inst);
  const BinaryFunction *Callee =
      Target ? BC.getFunctionForSymbol(Target) : nullptr;
  ErrorOr<ArrayRef<uint8_t>> Code =
      Callee ? Callee->getData() : ArrayRef<uint8_t>();
  return Code ? *Code : ArrayRef<uint8_t>();
}

bool graupel::isThunkJump(const BinaryContext &BC, const MCInst &Inst) {
  if (!BC.MIB->isTailCall(Inst))
    return false;
  const StringRef Name = nameOfTarget(BC, Inst);
  return Name.contains("indirect_thunk") || Name.contains("retpoline") ||
         beginsInInternalCall(codeOfTarget(BC, Inst));
}

namespace {

class FlowScan {
public:
  FlowScan(const BinaryFunction &BF, bool KnowsItself)
      : BF(BF), BC(BF.getBinaryContext()), KnowsItself(KnowsItself) {}

  std::optional<ProtectReason> run() {
    for (const BinaryBasicBlock &Block : BF) {
      bool FollowsTrap = isReachedByTrapAlone(Block);
      for (const MCInst &Inst : Block) {
        if (BC.MIB->isPseudo(Inst) || BC.MIB->isCFI(Inst))
          continue;
        if (FollowsTrap && BC.MIB->isNoop(Inst))
          continue; // Mostly padding before the next block.
        const bool IsTrap = isTrap(BC, Inst);
        if (FollowsTrap && !IsTrap)
          return ProtectReason::ResumedTrap;
        FollowsTrap = BF.isSimple() && IsTrap && isReached(Block);
        if (std::optional<ProtectReason> Reason = look(Inst))
          return Reason;
        Previous = &Inst;
      }
    }
    return std::nullopt;
  }

private:
  const BinaryFunction &BF;
  const BinaryContext &BC;
  const bool KnowsItself;
  const MCInst *Previous = nullptr;
  DenseSet<const BinaryBasicBlock *> Reached; ///< Filled at the first trap.

  std::optional<ProtectReason> look(const MCInst &Inst) {
    if (BC.MIB->isCall(Inst)) {
      if (callsInside(Inst))
        return ProtectReason::InternalCall;
      if (nameOfTarget(BC, Inst).starts_with("__morestack"))
        return ProtectReason::ReturnsElsewhere;
      if ((KnowsItself || BF.isMultiEntry() || BF.hasUnknownControlFlow()) &&
          isThunkJump(BC, Inst))
        return ProtectReason::LabelDifferences;
    }
    if (BC.MIB->isConditionalBranch(Inst) &&
        !BC.MII->getName(Inst.getOpcode()).starts_with("JCC"))
      return ProtectReason::OtherBranch;
    if (losesPrefix(Inst))
      return ProtectReason::SegmentLost;
    if (Previous && BC.MIB->isReturn(Inst) && BC.MIB->isCall(*Previous) &&
        usesStackLimit(codeOfTarget(BC, *Previous)))
      return ProtectReason::ReturnsElsewhere;
    if (Previous && BC.MII->getName(Inst.getOpcode()) == "SYSCALL" &&
        isSignalReturn(*Previous))
      return ProtectReason::SignalReturn;
    return std::nullopt;
  }

  /// LLVM has no place for the segment of an address that registers imply.
  bool losesPrefix(const MCInst &Inst) const {
    const StringRef Name = BC.MII->getName(Inst.getOpcode());
    if (Name != "XLAT" && !Name.contains("MASKMOVDQU") &&
        !Name.starts_with("MMX_MASKMOVQ"))
      return false;
    const ErrorOr<ArrayRef<uint8_t>> Code = BF.getData();
    return !Code || is_contained(*Code, FSPrefix) ||
           is_contained(*Code, GSPrefix);
  }

  /// Where the flow is not known, anything else may lead there, too.
  bool isReachedByTrapAlone(const BinaryBasicBlock &Block) {
    if (!BF.isSimple() || Block.pred_size() != 1 || Block.isEntryPoint() ||
        Block.isLandingPad())
      return false;
    BinaryBasicBlock &Before =
        **const_cast<BinaryBasicBlock &>(Block).pred_begin();
    const MCInst *Last = Before.getLastNonPseudoInstr();
    return Last && isTrap(BC, *Last) && isReached(Before);
  }

  /// Linkers put traps between jumps of tables, where control never comes, and
  /// compilers at the ends of functions.
  bool isReached(const BinaryBasicBlock &Block) {
    if (Reached.empty()) {
      std::vector<const BinaryBasicBlock *> Worklist;
      for (const BinaryBasicBlock &Entry : BF)
        if (&Entry == &BF.front() || Entry.isEntryPoint() ||
            Entry.isLandingPad())
          Worklist.push_back(&Entry);
      while (!Worklist.empty()) {
        const BinaryBasicBlock *Now = Worklist.back();
        Worklist.pop_back();
        if (Reached.insert(Now).second)
          llvm::append_range(Worklist, Now->successors());
      }
    }
    return Reached.contains(&Block);
  }

  bool callsInside(const MCInst &Inst) const {
    const MCSymbol *Target = BC.MIB->getTargetSymbol(Inst);
    if (!Target || BC.MIB->isTailCall(Inst))
      return false;
    const BinaryBasicBlock *Block = BF.getBasicBlockForLabel(Target);
    return Block && Block != &BF.front();
  }

  bool isSignalReturn(const MCInst &Inst) const {
    const StringRef Name = BC.MII->getName(Inst.getOpcode());
    return (Name == "MOV32ri" || Name == "MOV64ri32" || Name == "MOV64ri") &&
           Inst.getOperand(1).isImm() &&
           Inst.getOperand(1).getImm() == SYS_rt_sigreturn;
  }
};

} // namespace

std::optional<ProtectReason> graupel::reasonInFlow(const BinaryFunction &BF,
                                                   bool KnowsItself) {
  return FlowScan(BF, KnowsItself).run();
}
