//===- Instrument/X86Code.cpp - Instructions that instrumentation inserts -===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Operation codes and registers are found by their names.
// 2. A counter is one increment. Where flags are in use, they are kept in RAX,
//    below the red zone.
// 3. The target of an indirect call is pushed for the runtime's stub, which
//    takes it off the stack again.
// 4. Each inserted instruction that moves the stack pointer is noted with the
//    depth behind it (DepthNotes), for unwind rules.
//
//===----------------------------------------------------------------------===//

#include "X86Code.h"
#include "llvm/MC/MCInstBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

/// So many bytes below the stack pointer may be in use (System V ABI, 3.2.2).
static constexpr int64_t RedZone = 128;

X86Code::X86Code(BinaryContext &BC) : BC(BC), Notes(BC) {
  for (unsigned I = 0; I < BC.MII->getNumOpcodes(); ++I)
    Opcodes[BC.MII->getName(I)] = I;
  for (unsigned I = 1; I < BC.MRI->getNumRegs(); ++I)
    Registers[BC.MRI->getName(I)] = I;
  EndBranch = opcode("ENDBR64");
  Syscall = opcode("SYSCALL");
  Increment = opcode("INC64m");
  LockedIncrement = opcode("LOCK_INC64m");
  InstructionPointer = reg("RIP");
  ThreadSegment = reg("GS");
}

unsigned X86Code::opcode(StringRef Name) const {
  auto At = Opcodes.find(Name);
  if (At == Opcodes.end())
    report_fatal_error("LLVM knows no instruction " + Name);
  return At->second;
}

MCPhysReg X86Code::reg(StringRef Name) const {
  auto At = Registers.find(Name);
  if (At == Registers.end())
    report_fatal_error("LLVM knows no register " + Name);
  return At->second;
}

const MCExpr *X86Code::address(Symbol Base, int64_t Offset) const {
  MCContext &Context = *BC.Ctx;
  return MCBinaryExpr::createAdd(MCSymbolRefExpr::create(Base, Context),
                                 MCConstantExpr::create(Offset, Context),
                                 Context);
}

/// The operands of \p Address, relative to the instruction.
void X86Code::addMemory(MCInst &Inst, const MCExpr *Address,
                        bool PerThread) const {
  Inst.addOperand(MCOperand::createReg(InstructionPointer));
  Inst.addOperand(MCOperand::createImm(1));
  Inst.addOperand(MCOperand::createReg(0));
  Inst.addOperand(MCOperand::createExpr(Address));
  Inst.addOperand(MCOperand::createReg(PerThread ? ThreadSegment : 0));
}

MCInst X86Code::moveStackPointer(int64_t By) const {
  return MCInstBuilder(opcode("LEA64r"))
      .addReg(reg("RSP"))
      .addReg(reg("RSP"))
      .addImm(1)
      .addReg(0)
      .addImm(By)
      .addReg(0);
}

MCInst X86Code::call(Symbol Target) const {
  return MCInstBuilder(opcode("CALL64pcrel32"))
      .addExpr(MCSymbolRefExpr::create(Target, *BC.Ctx));
}

X86Code::Instructions X86Code::increment(const MCExpr *Address, Counting Mode,
                                         bool FlagsFree) const {
  MCInst Count = MCInstBuilder(Mode.Atomic ? LockedIncrement : Increment);
  addMemory(Count, Address, Mode.PerThread);
  if (FlagsFree)
    return {Count};
  // A signal handler may come between and count here, too, so the increment
  // must be one instruction. The overflow flag is not part of what LAHF saves:
  // it is kept in AL, and 127 more is an overflow again.
  const MCPhysReg RAX = reg("RAX");
  const MCPhysReg AL = reg("AL");
  constexpr unsigned IfOverflow = 0;
  const auto Lock = BC.scopeLock();
  return withDepths(
      {moveStackPointer(-RedZone), MCInstBuilder(opcode("PUSH64r")).addReg(RAX),
       MCInstBuilder(opcode("LAHF")),
       MCInstBuilder(opcode("SETCCr")).addReg(AL).addImm(IfOverflow), Count,
       MCInstBuilder(opcode("ADD8ri")).addReg(AL).addReg(AL).addImm(127),
       MCInstBuilder(opcode("SAHF")),
       MCInstBuilder(opcode("POP64r")).addReg(RAX), moveStackPointer(RedZone)});
}

X86Code::Instructions X86Code::recordTarget(const MCInst &Call, Symbol Base,
                                            int64_t SiteOffset, Symbol Stub,
                                            bool FlagsFree) const {
  // By the ABI, nothing below the stack pointer is in use at a call. A jump may
  // be no call: computed gotos of functions without a frame, code that goes
  // back to where a signal came. R11 holds nothing at either, but assembly
  // knows its callees, and keeps values in it across their calls.
  const bool IsJump = BC.MIB->isBranch(Call) || BC.MIB->isTailCall(Call);
  const int64_t Kept = IsJump ? RedZone : 0;
  const MCPhysReg R11 = reg("R11");
  const MCPhysReg RSP = reg("RSP");
  const int Memory = BC.MIB->getMemoryOperandNo(Call);
  MCInst Push;
  if (Memory >= 0) {
    Push = MCInstBuilder(opcode("PUSH64rmm"));
    for (int I = Memory; I < Memory + 5; ++I)
      Push.addOperand(Call.getOperand(I));
    const MCOperand &Displacement = Call.getOperand(Memory + 3);
    if (Call.getOperand(Memory).getReg() == RSP) {
      if (!Displacement.isImm() || Displacement.getImm() < 0)
        return {};
      Push.getOperand(3).setImm(Displacement.getImm() + (FlagsFree ? 8 : 16) +
                                Kept);
    }
  } else {
    if (!Call.getOperand(0).isReg() || Call.getOperand(0).getReg() == RSP)
      return {};
    Push = MCInstBuilder(opcode("PUSH64r")).addReg(Call.getOperand(0).getReg());
  }
  MCInst Site = MCInstBuilder(opcode("LEA64r")).addReg(R11);
  addMemory(Site, address(Base, SiteOffset));
  Instructions Code = {MCInstBuilder(opcode("PUSH64r")).addReg(R11), Push, Site,
                       call(Stub), MCInstBuilder(opcode("POP64r")).addReg(R11)};
  if (!FlagsFree) {
    Code.insert(Code.begin(), MCInstBuilder(opcode("PUSHF64")));
    Code.push_back(MCInstBuilder(opcode("POPF64")));
  }
  if (Kept) {
    Code.insert(Code.begin(), moveStackPointer(-Kept));
    Code.push_back(moveStackPointer(Kept));
  }
  return withDepths(std::move(Code), /*TakesTarget=*/true);
}

X86Code::Instructions X86Code::callFromAnywhere(Symbol Stub) const {
  return withDepths(
      {moveStackPointer(-RedZone), call(Stub), moveStackPointer(RedZone)});
}

/// The bytes by which \p Inst, which is inserted, makes the stack grow.
std::optional<int64_t> X86Code::growth(const MCInst &Inst) const {
  const StringRef Name = BC.MII->getName(Inst.getOpcode());
  if (Name.starts_with("PUSH"))
    return 8;
  if (Name.starts_with("POP"))
    return -8;
  if (Name == "LEA64r" && Inst.getOperand(0).getReg() == reg("RSP"))
    return -Inst.getOperand(4).getImm();
  return std::nullopt;
}

/// Notes at each instruction of \p Code how far the stack has grown. A call
/// takes the target, which was pushed, from it if \p TakesTarget.
X86Code::Instructions X86Code::withDepths(Instructions Code,
                                          bool TakesTarget) const {
  int64_t Depth = 0;
  for (MCInst &Inst : Code) {
    std::optional<int64_t> By = growth(Inst);
    if (!By && TakesTarget && BC.MIB->isCall(Inst))
      By = -8;
    if (!By)
      continue;
    Depth += *By;
    Notes.set(Inst, Depth);
  }
  assert(!Depth && "inserted code moves the stack pointer");
  return Code;
}

DepthNotes::DepthNotes(const BinaryContext &BC)
    : MIB(*BC.MIB), Index(MIB.getOrCreateAnnotationIndex("RecordingDepth")) {}

void DepthNotes::set(MCInst &Inst, int64_t Depth) const {
  MIB.addAnnotation(Inst, Index, Depth);
}

std::optional<int64_t> DepthNotes::depthBehind(const MCInst &Inst) const {
  if (const auto Depth = MIB.tryGetAnnotationAs<int64_t>(Inst, Index))
    return *Depth;
  return std::nullopt;
}

bool X86Code::isEndBranch(const MCInst &Inst) const {
  return Inst.getOpcode() == EndBranch;
}

bool X86Code::isSyscall(const MCInst &Inst) const {
  return Inst.getOpcode() == Syscall;
}

bool X86Code::usesGS(const MCInst &Inst) const {
  auto isGS = [&](const MCOperand &Op) {
    return Op.isReg() && Op.getReg() == ThreadSegment;
  };
  // Selectors, too, and reading where GS leads.
  const StringRef Name = BC.MII->getName(Inst.getOpcode());
  return llvm::any_of(Inst, isGS) || Name.contains("GSBASE") ||
         Name.starts_with("POPGS") || Name.starts_with("LGS") ||
         Name.starts_with("LKGS") || Name == "SWAPGS";
}

std::optional<int64_t> X86Code::constantInto(const MCInst &Inst,
                                             StringRef Register) const {
  if (Inst.getOpcode() != opcode("MOV32ri") &&
      Inst.getOpcode() != opcode("MOV64ri32") &&
      Inst.getOpcode() != opcode("MOV8ri"))
    return std::nullopt;
  if (!BC.MRI->isSuperOrSubRegisterEq(Inst.getOperand(0).getReg(),
                                      reg(Register)) ||
      !Inst.getOperand(1).isImm())
    return std::nullopt;
  return Inst.getOperand(1).getImm();
}

bool X86Code::writes(const MCInst &Inst, StringRef Register) const {
  BitVector Written(BC.MRI->getNumRegs());
  BC.MIB->getClobberedRegs(Inst, Written);
  return Written.test(reg(Register));
}
