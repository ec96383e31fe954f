//===- HotCold/Machine/Execution.cpp - Symbolic execution -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instruction computes its opcode, applied to the values that it reads. The
// names of registers are no part of that. Few opcodes are understood any
// better: copies, additions of constants, and changes of the stack pointer.
//
// 1. execute() leaves out pseudo instructions, nops and code behind a call that
//    never returns. It passes the others on by kind: calls, exits, stack
//    instructions, the rest.
// 2. findAccess() computes the address of the memory operand, and its place on
//    the stack if it is known. describe() lists the opcode and the values that
//    are read; equal lists are one value.
// 3. executeCall(): the call's effects (CallEffects) decide which registers it
//    reads and which it changes. Memory becomes a new value; the stack below
//    the stack pointer is forgotten.
// 4. executeExit(): the value of a branch is made of the values that decide it,
//    that of a return of all values that the caller may read.
// 5. executeStack(): push, pop and LEAVE write or read the stack by place. They
//    and additions of constants move the stack pointer.
// 6. executeOther(): copies and loads from known places take over a value.
//    Others store to the frame or to all memory and set their outputs
//    (setOutputs).
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "Parts.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using namespace graupel::symbolic;
using Kind = StackEffect::Kind;

// Outputs of an instruction that are no operands of it.
constexpr uint64_t ImplicitOutput = 100, MemoryOutput = 200;

template <typename Action> static void forEach(RegisterSet Set, Action Do) {
  for (; Set; Set &= Set - 1)
    Do(static_cast<unsigned>(countr_zero(Set)));
}

/// A number for \p Expr, which mostly is a symbol and a constant.
static uint64_t number(const MCExpr *Expr) {
  if (const auto *Symbol = dyn_cast<MCSymbolRefExpr>(Expr))
    return reinterpret_cast<uint64_t>(&Symbol->getSymbol()) +
           Symbol->getSpecifier();
  if (const auto *Constant = dyn_cast<MCConstantExpr>(Expr))
    return Constant->getValue();
  if (const auto *Binary = dyn_cast<MCBinaryExpr>(Expr))
    return number(Binary->getLHS()) * 3 + number(Binary->getRHS()) +
           Binary->getOpcode();
  return reinterpret_cast<uint64_t>(Expr);
}

ValueNo Executor::operand(MCPhysReg Register, const Machine &M) {
  const RegisterSet Set = Context.Registers.setOf(Register);
  return Set ? M.Registers[countr_zero(Set)]
             : Values.get(ValueKind::Symbol, Register);
}

/// The value that instructions see if they read only \p Register.
ValueNo Executor::partOperand(MCPhysReg Register, const Machine &M) {
  return partOf(operand(Register, M), part(Register));
}

ValueNo Executor::partOf(ValueNo V, uint64_t Part) const {
  while (Part) {
    const ArrayRef<uint64_t> Words = Values.words(V);
    if (Values.is(V, ValueKind::Merged) && Words[0] == Part)
      return Words[1];
    // A copy of 32 bits has the same smaller parts.
    if (!Values.is(V, ValueKind::Output) || Words[1] != 0 ||
        !Values.is(Words[0], ValueKind::Instruction) ||
        Values.words(Words[0])[0] != MoveHalf)
      return V;
    V = Values.words(Words[0])[3];
  }
  return V;
}

/// The part of its 64-bit register that \p Register is; its number if one bit
/// stands for several registers.
uint64_t Executor::part(MCPhysReg Register) const {
  const RegisterSet Set = Context.Registers.setOf(Register);
  if (Set & reg::General)
    return BC.MRI->getSubRegIndex(Context.Registers.generalRegister(Set),
                                  Register);
  return Set & reg::Vectors ? 0 : Register;
}

Executor::Access Executor::findAccess(const MCInst &Inst, const Machine &M) {
  Access A;
  const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
  const auto Operands = Info.operands();
  const auto First = find_if(Operands, [](const MCOperandInfo &Op) {
    return Op.OperandType == MCOI::OPERAND_MEMORY;
  });
  // LEA's operand is no memory to the target.
  if (Inst.getOpcode() == Context.Stack.loadAddress())
    A.FirstOperand = 1;
  else if (Operands.end() - First >= 5 &&
           all_of(ArrayRef(First, 5), [](const MCOperandInfo &Op) {
             return Op.OperandType == MCOI::OPERAND_MEMORY;
           }))
    A.FirstOperand = First - Operands.begin();
  else
    return A;
  auto at = [&](unsigned I) { return Inst.getOperand(A.FirstOperand + I); };
  const bool Plain = !at(2).getReg() && !at(4).getReg() && at(3).isImm();
  const ValueNo Base = operand(at(0).getReg(), M);
  A.Address =
      Plain ? Values.sum(Base, at(3).getImm())
            : Values.get(ValueKind::Address,
                         {Base, static_cast<uint64_t>(at(1).getImm()),
                          operand(at(2).getReg(), M),
                          at(3).isImm() ? static_cast<uint64_t>(at(3).getImm())
                                        : number(at(3).getExpr()),
                          at(4).getReg().id()});
  A.At = Values.stackOffset(A.Address);
  A.Size = A.At ? Sizes.of(Inst) : 0;
  if (!A.Size)
    A.At.reset();
  return A;
}

/// The opcode of \p Inst and the values that it reads.
std::vector<uint64_t> Executor::describe(const MCInst &Inst, const Machine &M,
                                         const Access &A) {
  const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
  const RegisterEffects E = Context.Registers.effects(Inst);
  // XOR of a register with itself reads nothing, nor does that of two that hold
  // the same.
  const bool Cancels = Context.Registers.cancelsEquals(Inst) &&
                       partOperand(Inst.getOperand(1).getReg(), M) ==
                           partOperand(Inst.getOperand(2).getReg(), M);
  std::vector<uint64_t> Words{Inst.getOpcode(), Inst.getFlags()};
  for (unsigned I = Info.getNumDefs(); I < MCPlus::getNumPrimeOperands(Inst);
       ++I) {
    const MCOperand &Op = Inst.getOperand(I);
    if (I >= A.FirstOperand && I < A.FirstOperand + 5) {
      if (I == A.FirstOperand)
        Words.push_back(A.Address);
      continue;
    }
    Words.push_back(Op.isReg() ? 0 : Op.isImm() ? 1 : 2);
    if (Op.isReg()) {
      const RegisterSet Set = Context.Registers.setOf(Op.getReg());
      Words.push_back(Cancels || Set & ~E.Reads ? 0
                                                : partOperand(Op.getReg(), M));
      Words.push_back(Op.getReg() ? part(Op.getReg()) : 0);
    } else if (Op.isImm()) {
      Words.push_back(Op.getImm());
    } else if (Op.isExpr()) {
      Words.push_back(number(Op.getExpr()));
    }
  }
  for (MCPhysReg R : Info.implicit_uses())
    if (!(Context.Registers.setOf(R) & reg::Flags))
      Words.push_back(partOperand(R, M));
  forEach(E.Reads & reg::Flags,
          [&](unsigned I) { Words.push_back(M.Registers[I]); });
  // String instructions count in RCX when they have a prefix.
  if (Inst.getFlags() && any_of(Info.implicit_uses(), [&](MCPhysReg R) {
        return StringRef(BC.MRI->getName(R)) == "DF";
      }))
    Words.push_back(M.Registers[1]);
  if (Info.mayLoad() && A.At)
    Words.push_back(read(M, *A.At, A.Size));
  else if (Info.mayLoad() || Info.hasUnmodeledSideEffects())
    Words.push_back(M.Memory);
  return Words;
}

void Executor::setOutputs(const MCInst &Inst, Machine &M, ValueNo Key) {
  const RegisterEffects E = Context.Registers.effects(Inst);
  const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
  std::vector<std::pair<unsigned, ValueNo>> New;
  RegisterSet Left = E.Writes;
  auto set = [&](unsigned Index, uint64_t Which, uint64_t Part) {
    Left &= ~reg::bit(Index);
    std::vector<uint64_t> Words{Key, Which, Part};
    ValueNo Old = M.Registers[Index];
    const bool Merges = !(E.Kills & reg::bit(Index));
    if (Merges && !(Part && reg::General & reg::bit(Index)))
      Words.push_back(Old);
    const ValueNo V = Values.get(ValueKind::Output, Words);
    if (!Merges || Words.size() > 3) {
      New.push_back({Index, V});
      return;
    }
    if (Values.is(Old, ValueKind::Merged) && Values.words(Old)[0] == Part)
      Old = Values.words(Old)[2];
    New.push_back({Index, Values.get(ValueKind::Merged, {Part, V, Old})});
  };
  for (unsigned I = 0; I < Info.getNumDefs(); ++I) {
    const MCPhysReg R = Inst.getOperand(I).getReg();
    if (R && Context.Registers.setOf(R))
      set(countr_zero(Context.Registers.setOf(R)), I, part(R));
  }
  for (MCPhysReg R : Info.implicit_defs())
    if (const RegisterSet Set = Context.Registers.setOf(R) & ~reg::Flags;
        Set & Left)
      set(countr_zero(Set), ImplicitOutput + countr_zero(Set), part(R));
  forEach(Left, [&](unsigned I) { set(I, ImplicitOutput + I, 0); });
  for (const auto &[Index, V] : New)
    M.Registers[Index] = V;
}

/// Copies and additions of constants, whose results have simpler names.
bool Executor::setKnownResult(const MCInst &Inst, Machine &M, const Access &A) {
  const unsigned Opcode = Inst.getOpcode();
  const StackModel &Stack = Context.Stack;
  auto result = [&]() -> ValueNo & {
    return M.Registers[countr_zero(
        Context.Registers.setOf(Inst.getOperand(0).getReg()))];
  };
  if (Opcode == Stack.move())
    result() = operand(Inst.getOperand(1).getReg(), M);
  else if (Opcode == Stack.loadAddress())
    result() = A.Address;
  else if (Opcode == Stack.load() && A.At)
    result() = read(M, *A.At, A.Size);
  else
    return false;
  return true;
}

void Executor::executeOther(const MCInst &Inst, Machine &M, bool Strict) {
  const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
  const Access A = findAccess(Inst, M);
  if (setKnownResult(Inst, M, A))
    return;
  const ValueNo Key = Values.get(ValueKind::Instruction, describe(Inst, M, A));
  ValueNo Content = Values.get(ValueKind::Output, {Key, MemoryOutput, 0});
  if (Inst.getOpcode() == Context.Stack.store())
    Content = operand(Inst.getOperand(A.FirstOperand + 5).getReg(), M);
  if (Info.mayStore() && A.At)
    storeToFrame(Inst, M, *A.At, A.Size, Content, Strict);
  else if (Info.mayStore())
    storeAnywhere(Inst, M, Key);
  else if (Info.hasUnmodeledSideEffects() || Info.isTerminator())
    setMemory(Inst, M, Key); // Never the same value again.
  setOutputs(Inst, M, Key);
}

bool Executor::executeStack(const MCInst &Inst, Machine &M, bool Strict) {
  const StackEffect E = Context.Stack.effect(Inst);
  const std::optional<int64_t> RSP = Values.stackOffset(rsp(M));
  if (BC.MIB->isLeave(Inst)) {
    const ValueNo Old = M.Registers[RBPIndex];
    const std::optional<int64_t> At = Values.stackOffset(Old);
    M.Registers[RSPIndex] = Values.sum(Old, 8);
    M.Registers[RBPIndex] =
        At ? read(M, *At, 8)
           : Values.get(ValueKind::Output, {M.Memory, Old, MemoryOutput});
    return true;
  }
  if (E.Operation == Kind::None || E.Operation == Kind::Unknown ||
      (!RSP && E.Operation != Kind::Adjust))
    return false;
  if (E.Operation == Kind::Push) {
    ValueNo Content =
        E.Register
            ? M.Registers[countr_zero(E.Register)]
            : Values.get(ValueKind::Output,
                         {Values.get(ValueKind::Instruction,
                                     describe(Inst, M, findAccess(Inst, M))),
                          MemoryOutput, 0});
    // Compilers align the stack so; the content does not matter unless it is
    // read.
    if (E.Register == reg::RAX)
      Content = Values.get(ValueKind::Padding, Content);
    M.Registers[RSPIndex] = Values.stackAddress(*RSP - 8);
    storeToFrame(Inst, M, *RSP - 8, 8, Content, Strict);
  } else if (E.Operation == Kind::Pop) {
    M.Registers[countr_zero(E.Register)] = read(M, *RSP, 8);
    M.Registers[RSPIndex] = Values.stackAddress(*RSP + 8);
  } else {
    const ValueNo New = Values.sum(rsp(M), -E.Growth);
    setOutputs(Inst, M,
               Values.get(ValueKind::Instruction, describe(Inst, M, {})));
    M.Registers[RSPIndex] = New;
  }
  return true;
}

std::optional<Event> Executor::executeCall(const MCInst &Inst, Machine &M) {
  const CallEffects Callee = Others.EffectsOf(Inst);
  std::vector<uint64_t> Words = describe(Inst, M, findAccess(Inst, M));
  RegisterSet Reads = Callee.MayRead | reg::RSP;
  // Registers that the callee preserves reach this function's callers.
  if (MIB.isTailCall(Inst))
    Reads |= reg::CalleeSaved |
             (Callee.Returns ? Others.Results & Callee.MayHoldOld : 0);
  forEach(Reads, [&](unsigned I) { Words.push_back(M.Registers[I]); });
  Words.push_back(M.Memory);
  // Another part of the procedure goes on with the frame, and restores what is
  // saved in it.
  const bool IsPart = entersPart(Context.BC, Inst);
  Words.push_back(IsPart ? frameCells(M) : visibleCells(M));
  const ValueNo Key = Values.get(ValueKind::Instruction, Words);
  if (MIB.isTailCall(Inst))
    return Event{&Inst, Key};
  storeAnywhere(Inst, M, Key);
  // A register that may have changed or not depends on its old value, too.
  forEach(Callee.MayChange & ~reg::RSP, [&](unsigned I) {
    std::vector<uint64_t> Result{Key, ImplicitOutput + I, 0};
    if (Callee.MayHoldOld & reg::bit(I))
      Result.push_back(M.Registers[I]);
    M.Registers[I] = Values.get(ValueKind::Output, Result);
  });
  if (const std::optional<int64_t> RSP = Values.stackOffset(rsp(M)))
    erase_if(M.Cells, [&](const Machine::Cell &C) { return C.At < *RSP; });
  M.Runs = Callee.Returns;
  Pending.reset();
  return Event{&Inst, Key};
}

/// Branches and returns. A direct branch's target is not part of its value.
Event Executor::executeExit(const MCInst &Inst, const Machine &M) {
  std::vector<uint64_t> Words;
  if (MIB.isReturn(Inst)) {
    Words = {Inst.getOpcode(), M.Memory};
    forEach(Others.Results | reg::CalleeSaved | reg::RSP,
            [&](unsigned I) { Words.push_back(M.Registers[I]); });
    if (const std::optional<int64_t> RSP = Values.stackOffset(rsp(M)))
      Words.push_back(read(M, *RSP, 8));
  } else if (MIB.isIndirectBranch(Inst)) {
    Words = describe(Inst, M, findAccess(Inst, M));
  } else {
    Words.push_back(Inst.getOpcode());
    for (const MCOperand &Op : MCPlus::primeOperands(Inst))
      if (Op.isImm())
        Words.push_back(Op.getImm());
    forEach(Context.Registers.effects(Inst).Reads,
            [&](unsigned I) { Words.push_back(M.Registers[I]); });
  }
  return {&Inst, Values.get(ValueKind::Instruction, Words)};
}

std::optional<Event> Executor::execute(const MCInst &Inst, Machine &M,
                                       bool Strict) {
  if (MIB.isPseudo(Inst) || MIB.isNoop(Inst) || !M.Runs)
    return std::nullopt;
  Pending.reset();
  const ValueNo OldRSP = rsp(M);
  if (MIB.isCall(Inst))
    return executeCall(Inst, M);
  if (MIB.isReturn(Inst) || MIB.isBranch(Inst))
    return executeExit(Inst, M);
  if (!executeStack(Inst, M, Strict))
    executeOther(Inst, M, Strict);
  if (Strict)
    spoilBelowRedZone(M, OldRSP);
  return Pending;
}
