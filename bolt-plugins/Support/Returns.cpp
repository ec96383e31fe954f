//===- Support/Returns.cpp - Whether calls return -------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. A function of another file returns or not by its name. One of this file
//    may have any name: its name counts only if it belongs to the compiler's
//    own functions, or to longjmp(), which jumps to where a register says.
// 2. Any other is read from its beginning to its end. It never returns if it
//    has no return and no jump to where a register says, what it jumps to never
//    returns, and at its end is a trap, a jump, or a call that never returns.
//    A return behind __builtin_eh_return(), which sets the stack pointer, goes
//    elsewhere, but may be a switch of stacks: for a proof it counts. So do
//    jumps to the middle of instructions, behind which anything may be.
//
// Functions that the compiler knows not to return have no return at all.
//
//===----------------------------------------------------------------------===//

#include "Returns.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetOperations.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// Jumps from function to function that are followed.
static constexpr unsigned MostJumps = 16;

// Step 1.
static bool neverReturns(StringRef Name) {
  Name = Name.ltrim('_').split('@').first.split('/').first;
  return StringSwitch<bool>(Name)
      .Cases({"exit", "Exit", "quick_exit", "abort", "libc_fatal"}, true)
      .Cases({"assert", "assert_fail", "assert_perror_fail"}, true)
      .Cases({"stack_chk_fail", "stack_chk_fail_local"}, true)
      .Cases({"chk_fail", "fortify_fail", "libc_start_main"}, true)
      .Cases({"pthread_exit", "thrd_exit"}, true)
      .Cases({"longjmp", "siglongjmp", "longjmp_chk"}, true)
      .Cases({"err", "errx", "verr", "verrx"}, true)
      .Cases({"cxa_throw", "cxa_rethrow", "Unwind_Resume"}, true)
      .Cases({"cxa_pure_virtual", "cxa_deleted_virtual"}, true)
      .Cases({"cxa_bad_cast", "cxa_bad_typeid"}, true)
      .Cases({"cxa_throw_bad_array_new_length", "cxa_call_unexpected"}, true)
      .Cases({"cxa_call_terminate", "clang_call_terminate"}, true)
      .Cases({"ZSt9terminatev", "ZSt10unexpectedv"}, true)
      .Default(Name.starts_with("ZSt") && Name.contains("__throw_"));
}

/// Compilers and C libraries alone have functions of that name.
static bool isOwnName(StringRef Name) {
  static constexpr StringLiteral Prefixes[] = {"__stack_chk_fail",
                                               "__libc_start_main",
                                               "__cxa_",
                                               "_Unwind_",
                                               "_ZSt",
                                               "__clang_call_terminate"};
  return Name.contains("longjmp") || any_of(Prefixes, [&](StringRef Prefix) {
           return Name.starts_with(Prefix);
         });
}

/// \p Inst makes something else than the end of the frame the stack.
static bool movesStack(const BinaryContext &BC, const MCInst &Inst) {
  const StringRef Name = BC.MII->getName(Inst.getOpcode());
  if (!Name.starts_with("MOV64rr") && !Name.starts_with("ADD64rr"))
    return false;
  const MCPhysReg From =
      Inst.getOperand(MCPlus::getNumPrimeOperands(Inst) - 1).getReg();
  return Inst.getOperand(0).getReg() == BC.MIB->getStackPointer() &&
         From != BC.MIB->getFramePointer();
}

bool graupel::isTrap(const BinaryContext &BC, const MCInst &Inst) {
  return StringSwitch<bool>(BC.MII->getName(Inst.getOpcode()))
      .Cases({"TRAP", "HLT", "INT3"}, true)
      .StartsWith("UD1", true)
      .Default(false);
}

namespace {

/// An instruction with its place.
struct Placed {
  MCInst Inst;
  uint64_t Address = 0, Size = 0;

  bool read(const BinaryContext &BC, ArrayRef<uint8_t> Code, uint64_t At) {
    Address = At;
    return BC.DisAsm->getInstruction(Inst, Size, Code, At, nulls());
  }

  /// The target of its call or jump; 0 if a register or memory says it.
  uint64_t target(const BinaryContext &BC) const {
    uint64_t Target = 0;
    return BC.MIA->evaluateBranch(Inst, Address, Size, Target) ? Target : 0;
  }
};

} // namespace

// Step 2.
bool ReturnFinder::hasEnd(const BinaryFunction &BF, unsigned Depth) {
  ErrorOr<ArrayRef<uint8_t>> Code = BF.getData();
  if (!Code || Code->empty())
    return true;
  bool MovedStack = false;
  Placed P, Last;
  DenseSet<uint64_t> Beginnings, Targets;
  for (uint64_t At = 0; At < Code->size(); At += P.Size) {
    if (!P.read(BC, Code->slice(At), BF.getAddress() + At))
      return true;
    const MCInstrDesc &Desc = BC.MII->get(P.Inst.getOpcode());
    if (Desc.isReturn() && !MovedStack)
      return true;
    Beginnings.insert(P.Address);
    MovedStack = Evidence == By::Habit && movesStack(BC, P.Inst);
    if (!BC.MIB->isNoop(P.Inst))
      Last = P;
    if (Desc.isReturn() || !Desc.isBranch() || Desc.isCall())
      continue;
    const uint64_t Target = P.target(BC);
    if (Target - BF.getAddress() < Code->size())
      Targets.insert(Target);
    else if (mayReturn(Target, Depth + 1))
      return true;
  }
  if (Evidence == By::Proof && !set_is_subset(Targets, Beginnings))
    return true;
  const MCInstrDesc &Desc = BC.MII->get(Last.Inst.getOpcode());
  return Desc.isCall() ? mayReturn(Last.target(BC), Depth + 1)
                       : !Desc.isBarrier() && !isTrap(BC, Last.Inst);
}

bool ReturnFinder::mayReturn(uint64_t Address, unsigned Depth) {
  if (auto It = MayReturn.find(Address); It != MayReturn.end())
    return It->second;
  const BinaryFunction *BF = BC.getBinaryFunctionAtAddress(Address);
  if (!BF)
    BF = BC.getBinaryFunctionContainingAddress(Address);
  if (!BF || !Address || Depth > MostJumps)
    return true;
  MayReturn[Address] = true; // While it is read.
  const auto tellsByName = [&](StringRef Name) {
    return neverReturns(Name) &&
           (BF->isPLTFunction() || (Evidence == By::Habit && isOwnName(Name)));
  };
  const bool May = !llvm::any_of(BF->getNames(), tellsByName) &&
                   (BF->isPLTFunction() || hasEnd(*BF, Depth));
  return MayReturn[Address] = May;
}

bool ReturnFinder::mayReturn(const BinaryFunction &Caller, uint64_t Offset) {
  ErrorOr<ArrayRef<uint8_t>> Code = Caller.getData();
  Placed P;
  return !Code || Offset >= Code->size() ||
         !P.read(BC, Code->slice(Offset), Caller.getAddress() + Offset) ||
         mayReturn(P.target(BC), 0);
}

bool ReturnFinder::mayReturn(const MCInst &Call) {
  const MCSymbol *Target = BC.MIB->getTargetSymbol(Call);
  const BinaryFunction *To = Target ? BC.getFunctionForSymbol(Target) : nullptr;
  return !To || mayReturn(To->getAddress(), 0);
}
