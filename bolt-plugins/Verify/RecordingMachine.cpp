//===- Verify/RecordingMachine.cpp - Executes recording code --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some instructions are known exactly. All others make their outputs unknown,
// and outside of the runtime may write to no memory but the stack's.
//
// 1. Tables gives each opcode its operation, by its name. The constructor lets
//    each register hold its initial value.
// 2. execute() carries out a known operation. address() computes where it reads
//    or writes; load() and store() keep the words of the stack. A store over
//    what is in use is an error.
// 3. moveFlags(), setByte() and addToOverflow() follow flags through AH and AL;
//    PUSHF and POPF carry them over the stack. Kept is the set of flags that
//    are unchanged.
// 4. count() accepts an increment of a counter and of nothing else.
// 5. executeOther() makes the registers and flags that an instruction changes
//    unknown. Outside of the runtime it may not load; it may never change the
//    stack pointer or a register that nothing saves.
// 6. callByConvention() and applyCall() apply what a called function changes.
//
//===----------------------------------------------------------------------===//

#include "RecordingMachine.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace graupel;

using Value = RecordedValue;

namespace {

enum Operation : uint8_t {
  Other,
  TakeAddress,
  Move,
  Load,
  Store,
  Push,
  PushMemory,
  Pop,
  PushFlags,
  PopFlags,
  FlagsToAH,
  AHToFlags,
  SetByte,
  AddByte,
  AddByteToAL,
  AddMemory,
  AddNumber,
  SubtractNumber,
  AndNumber,
  CompareMemory,
  Increment
};

Operation operationOf(StringRef Name) {
  return StringSwitch<Operation>(Name)
      .Case("LEA64r", TakeAddress)
      .Cases({"MOV64rr", "MOV64rr_REV"}, Move)
      .Case("MOV64rm", Load)
      .Case("MOV64mr", Store)
      .Cases({"PUSH64r", "PUSH64rmr"}, Push)
      .Case("PUSH64rmm", PushMemory)
      .Cases({"POP64r", "POP64rmr"}, Pop)
      .Case("PUSHF64", PushFlags)
      .Case("POPF64", PopFlags)
      .Case("LAHF", FlagsToAH)
      .Case("SAHF", AHToFlags)
      .Case("SETCCr", SetByte)
      .Case("ADD8ri", AddByte)
      .Case("ADD8i8", AddByteToAL)
      .Case("ADD64rm", AddMemory)
      .Cases({"ADD64ri8", "ADD64ri32"}, AddNumber)
      .Cases({"SUB64ri8", "SUB64ri32"}, SubtractNumber)
      .Cases({"AND64ri8", "AND64ri32"}, AndNumber)
      .Case("CMP64mi8", CompareMemory)
      .Case("INC64m", Increment)
      .Default(Other);
}

/// The ABI gives functions this much below the stack pointer.
constexpr int64_t RedZoneSize = 128;
/// The largest that one instruction writes.
constexpr int64_t LargestStore = 64;
constexpr int64_t WordSize = 8;
constexpr uint8_t Lahf = AllFlags & ~OF;

} // namespace

RecordingMachine::Tables::Tables(const ElfView &File, Disassembler &Decoder,
                                 const FlagTable &Flags,
                                 const RegisterTable &Registers,
                                 const RecordingMemory &Memory)
    : File(File), Decoder(Decoder), Flags(Flags), Registers(Registers),
      Memory(Memory) {
  const MCInstrInfo &All = Decoder.instructions();
  for (unsigned Code = 0; Code < All.getNumOpcodes(); ++Code)
    Operations.push_back(operationOf(All.getName(Code)));
}

RecordingMachine::RecordingMachine(const Tables &T) : T(&T) {
  for (unsigned R = 0; R < NumRegisters; ++R)
    Registers[R] = {Value::Initial, R};
  Registers[RSP] = {Value::Stack, 0};
}

uint32_t RecordingMachine::changedRegisters() const {
  uint32_t Changed = 0;
  for (unsigned R = 0; R < NumRegisters; ++R)
    if (R != RSP && Registers[R] != Value{Value::Initial, R})
      Changed |= 1 << R;
  return Changed;
}

void RecordingMachine::set(unsigned Register, const Value &V) {
  Registers[Register] = V;
  if (Register == RAX) {
    InAH = 0;
    OverflowInAL = false;
  }
}

Error RecordingMachine::setStackPointer(const Value &V) {
  StackIsKnown = V.K == Value::Stack;
  if (!StackIsKnown && V.K != Value::Below)
    return createStringError("its stack pointer is not known");
  StackAt = StackIsKnown ? V.N : 0;
  set(RSP, V);
  return Error::success();
}

Error RecordingMachine::moveStackPointer(const Value &V, int64_t By) {
  if (V.K == Value::Below)
    return Error::success();
  return setStackPointer({V.K, V.N + By});
}

Value RecordingMachine::load(int64_t At) const {
  if (auto It = Slots.find(At); It != Slots.end())
    return It->second;
  const auto Next = Slots.upper_bound(At - WordSize);
  const bool Mixed = Next != Slots.end() && Next->first < At + WordSize;
  return At >= 0 && !Mixed ? Value{Value::Slot, At} : Value();
}

Error RecordingMachine::store(int64_t At, const Value &V) {
  if (At > -WordSize && V != Value{Value::Slot, At})
    return createStringError("it overwrites the stack");
  RedZone |= At >= -RedZoneSize - (WordSize - 1);
  Slots.erase(Slots.upper_bound(At - WordSize),
              Slots.lower_bound(At + WordSize));
  Slots[At] = V;
  return Error::success();
}

Error RecordingMachine::push(const Value &V) {
  if (!StackIsKnown)
    return Error::success();
  if (Error E = setStackPointer({Value::Stack, StackAt - WordSize}))
    return E;
  return store(StackAt, V);
}

Expected<Value> RecordingMachine::pop() {
  if (!StackIsKnown)
    return createStringError("its stack pointer is not known");
  const Value V = load(StackAt);
  if (Error E = setStackPointer({Value::Stack, StackAt + WordSize}))
    return std::move(E);
  return V;
}

/// The address of the memory operand of \p I.
Value RecordingMachine::address(const Instruction &I) const {
  if (T->Decoder.isRelative(I))
    return {Value::Constant, int64_t(T->Decoder.relativeAddress(I))};
  const unsigned M = I.MemoryOperand;
  if (I.MemoryOperand < 0 || M + 4 >= I.Inst.getNumOperands() ||
      T->Decoder.indexRegister(I.Inst.getOperand(M + 2).getReg()) ||
      !I.Inst.getOperand(M + 3).isImm())
    return {};
  const std::optional<unsigned> Base =
      T->Registers.numberOf(I.Inst.getOperand(M).getReg());
  if (!Base)
    return {};
  const Value &V = Registers[*Base];
  const int64_t Displacement = I.Inst.getOperand(M + 3).getImm();
  switch (V.K) {
  case Value::Stack:
  case Value::Constant:
    return {V.K, V.N + Displacement};
  case Value::Below:
    return Displacement <= 0 ? V : Value();
  default:
    return {};
  }
}

/// The memory operand of \p I, if the registers in it are what they were.
std::optional<MemoryPlace>
RecordingMachine::placeOf(const Instruction &I) const {
  const int M = I.MemoryOperand;
  if (M < 0 || unsigned(M) + 4 >= I.Inst.getNumOperands() ||
      !I.Inst.getOperand(M + 3).isImm())
    return std::nullopt;
  MemoryPlace P;
  P.Segment = I.Inst.getOperand(M + 4).getReg();
  if (T->Decoder.isRelative(I)) {
    P.Displacement = T->Decoder.relativeAddress(I);
    return P;
  }
  P.Base = I.Inst.getOperand(M).getReg();
  P.Scale = I.Inst.getOperand(M + 1).getImm();
  P.Index = T->Decoder.indexRegister(I.Inst.getOperand(M + 2).getReg());
  P.Displacement = I.Inst.getOperand(M + 3).getImm();
  for (unsigned R : {P.Base, P.Index}) {
    if (!R)
      continue;
    const std::optional<unsigned> N = T->Registers.numberOf(R);
    if (!N)
      return std::nullopt;
    if (*N == RSP && R == P.Base && StackIsKnown)
      P.Displacement += StackAt;
    else if (Registers[*N] != Value{Value::Initial, *N})
      return std::nullopt;
  }
  return P;
}

/// The target of an indirect call or jump in the current state.
Value RecordingMachine::target(const Instruction &I) const {
  if (I.MemoryOperand >= 0) {
    const std::optional<MemoryPlace> P = placeOf(I);
    return P ? Value{Value::Loaded, 0, *P} : Value();
  }
  if (!I.Inst.getNumOperands() || !I.Inst.getOperand(0).isReg())
    return {};
  const std::optional<unsigned> N =
      T->Registers.numberOf(I.Inst.getOperand(0).getReg());
  return N ? Registers[*N] : Value();
}

/// A word that nothing changes.
Value RecordingMachine::content(uint64_t Address) const {
  const ElfView::Segment *S = T->File.segmentAt(Address);
  const StringRef Bytes = T->File.bytesAt(Address);
  if (!S || S->p_flags & ELF::PF_W || Bytes.size() < WordSize)
    return {};
  return {Value::Constant, int64_t(support::endian::read64le(Bytes.data()))};
}

Error RecordingMachine::assign(unsigned Register, Value V) {
  if (Register == RSP)
    return setStackPointer(V);
  set(Register, V);
  return Error::success();
}

Error RecordingMachine::execute(const Instruction &I, bool IsRuntime) {
  const MCInst &Inst = I.Inst;
  auto general = [&](unsigned Operand) {
    return T->Registers.numberOf(Inst.getOperand(Operand).getReg());
  };
  switch (const auto Operation = T->Operations[Inst.getOpcode()]) {
  case TakeAddress:
    return assign(*general(0), address(I));
  case Move:
    return assign(*general(0), Registers[*general(1)]);
  case Load: {
    const Value At = address(I);
    if (At.K == Value::Stack && general(0) != RSP)
      return assign(*general(0), load(At.N));
    return executeOther(I, IsRuntime);
  }
  case Store: {
    const Value At = address(I);
    if (At.K == Value::Stack && Inst.getOperand(5).isReg())
      return store(At.N, Registers[*general(5)]);
    return executeOther(I, IsRuntime);
  }
  case Push:
    return push(general(0) == RSP ? Value() : Registers[*general(0)]);
  case PushMemory: {
    const std::optional<MemoryPlace> P = placeOf(I);
    if (!P && !IsRuntime)
      return createStringError("it reads memory of its own choice");
    return push(P ? Value{Value::Loaded, 0, *P} : Value());
  }
  case Pop: {
    Expected<Value> V = pop();
    if (!V)
      return V.takeError();
    return assign(*general(0), *V);
  }
  case PushFlags:
    return push({Value::Flags, Kept});
  case PopFlags: {
    Expected<Value> V = pop();
    if (!V)
      return V.takeError();
    Kept = V->K == Value::Flags ? V->N : 0;
    Equal.reset();
    return Error::success();
  }
  case FlagsToAH:
  case AHToFlags:
    moveFlags(Operation == FlagsToAH);
    return Error::success();
  case SetByte:
    return setByte(I) ? Error::success() : executeOther(I, IsRuntime);
  case AddByte:
  case AddByteToAL:
    return addToOverflow(I) ? Error::success() : executeOther(I, IsRuntime);
  case AddMemory:
  case AddNumber:
  case SubtractNumber:
  case AndNumber:
    return add(I);
  case CompareMemory:
    compareWithZero(I);
    return Error::success();
  case Increment:
    return IsRuntime ? executeOther(I, IsRuntime) : count(I);
  default:
    return executeOther(I, IsRuntime);
  }
}

/// LAHF and SAHF, which leave out the overflow flag.
void RecordingMachine::moveFlags(bool ToAH) {
  if (!ToAH) {
    Kept = (Kept & OF) | InAH;
    Equal.reset();
    return;
  }
  const bool Overflow = OverflowInAL;
  set(RAX, {});
  InAH = Kept & Lahf;
  OverflowInAL = Overflow;
}

/// SETO %al, which keeps what LAHF leaves out.
bool RecordingMachine::setByte(const Instruction &I) {
  if (T->Decoder.registerName(I.Inst.getOperand(0).getReg()) != "AL")
    return false;
  const uint8_t AH = InAH;
  set(RAX, {});
  InAH = AH;
  OverflowInAL = I.Inst.getOperand(1).getImm() == 0 && Kept & OF;
  return true;
}

/// AL is 0 or 1, as the overflow flag was: 127 more is an overflow again.
bool RecordingMachine::addToOverflow(const Instruction &I) {
  const unsigned Last = I.Inst.getNumOperands() - 1;
  const bool IsAL = Last == 0 || T->Decoder.registerName(
                                     I.Inst.getOperand(0).getReg()) == "AL";
  if (!IsAL || !OverflowInAL || !I.Inst.getOperand(Last).isImm() ||
      I.Inst.getOperand(Last).getImm() != 127)
    return false;
  const uint8_t AH = InAH;
  set(RAX, {});
  InAH = AH;
  Kept = OF;
  Equal.reset();
  return true;
}

/// ADD, SUB and AND of a general register.
Error RecordingMachine::add(const Instruction &I) {
  const unsigned Last = I.Inst.getNumOperands() - 1;
  const unsigned R = *T->Registers.numberOf(I.Inst.getOperand(0).getReg());
  const Operation Op = Operation(T->Operations[I.Inst.getOpcode()]);
  Value V = Registers[R], By;
  if (Op == AddMemory) {
    if (const Value At = address(I); At.K == Value::Constant)
      By = content(At.N);
  } else if (I.Inst.getOperand(Last).isImm()) {
    By = {Value::Constant, I.Inst.getOperand(Last).getImm()};
  }
  const bool IsAddress = V.K == Value::Stack || V.K == Value::Constant;
  if (Op == AndNumber)
    V = {V.K == Value::Stack && By.N < 0 ? Value::Below : Value::Unknown};
  else if (By.K != Value::Constant || !IsAddress)
    V = {};
  else
    V.N += Op == SubtractNumber ? -By.N : By.N;
  Kept = 0;
  Equal.reset();
  return assign(R, V);
}

void RecordingMachine::compareWithZero(const Instruction &I) {
  Kept = 0;
  Equal.reset();
  const MCOperand &Number = I.Inst.getOperand(I.Inst.getNumOperands() - 1);
  if (const Value At = address(I); At.K == Value::Constant && Number.isImm())
    if (const Value V = content(At.N); V.K == Value::Constant)
      Equal = V.N == Number.getImm();
}

/// An increment outside of the runtime: of a counter.
Error RecordingMachine::count(const Instruction &I) {
  const Value At = address(I);
  const unsigned Segment = I.Inst.getOperand(I.MemoryOperand + 4).getReg();
  const StringRef Name = T->Decoder.registerName(Segment);
  if (At.K != Value::Constant || !T->Memory.isCounter(At.N))
    return createStringError("it counts where no counter is");
  if (Segment && Name != "GS")
    return createStringError("it counts by " + Name);
  Counted = true;
  Kept &= ~T->Flags.of(I.Inst).Changes;
  Equal.reset();
  return Error::success();
}

Error RecordingMachine::writeMemory(const Instruction &I, bool IsRuntime) {
  const Value At = address(I);
  if (At.K == Value::Below)
    return Error::success();
  if (At.K != Value::Stack)
    return IsRuntime ? Error::success()
                     : createStringError("it writes to memory of the program");
  if (At.N > -LargestStore)
    return createStringError("it overwrites the stack");
  RedZone |= At.N > -RedZoneSize - LargestStore;
  Slots.erase(Slots.upper_bound(At.N - WordSize),
              Slots.lower_bound(At.N + LargestStore));
  return Error::success();
}

Error RecordingMachine::executeOther(const Instruction &I, bool IsRuntime) {
  const MCInstrDesc &Desc = T->Decoder.instructions().get(I.Inst.getOpcode());
  if (!IsRuntime && (Desc.mayLoad() || Desc.hasUnmodeledSideEffects()))
    return createStringError("it has an instruction that does not record, " +
                             T->Decoder.name(I));
  if (Desc.mayStore())
    if (Error E = writeMemory(I, IsRuntime))
      return E;
  const RegisterUse Use = T->Registers.of(I.Inst);
  if (Use.Changes & 1 << RSP)
    return createStringError("its stack pointer is not known");
  for (unsigned R = 0; R < NumRegisters; ++R)
    if (Use.Changes & 1 << R)
      set(R, {});
  const FlagUse Flags = T->Flags.of(I.Inst);
  if (Flags.Changes)
    Equal.reset();
  Kept &= ~Flags.Changes;
  // Nothing of vectors and the x87 is saved.
  for (unsigned Operand = 0; Operand < Desc.getNumDefs(); ++Operand)
    if (Operand < I.Inst.getNumOperands() &&
        I.Inst.getOperand(Operand).isReg() &&
        I.Inst.getOperand(Operand).getReg() &&
        !T->Registers.numberOf(I.Inst.getOperand(Operand).getReg()))
      return createStringError(
          "it changes " +
          T->Decoder.registerName(I.Inst.getOperand(Operand).getReg()));
  return Error::success();
}

void RecordingMachine::callByConvention() {
  for (unsigned R : {RAX, RCX, RDX, RSI, RDI, R8, R9, R10, R11})
    set(R, {});
  Kept = 0;
  Equal.reset();
  if (StackIsKnown)
    Slots.erase(Slots.begin(), Slots.lower_bound(StackAt));
}

Error RecordingMachine::applyCall(uint32_t ChangedRegisters,
                                  uint8_t ChangedFlags, int64_t Pops) {
  if (Error E = push(Value()))
    return E;
  Slots.erase(Slots.begin(), Slots.upper_bound(StackAt));
  RedZone |= StackAt > -RedZoneSize;
  for (unsigned R = 0; R < NumRegisters; ++R)
    if (ChangedRegisters & 1 << R)
      set(R, {});
  Kept &= ~ChangedFlags;
  Equal.reset();
  Counted = true;
  return moveStackPointer(Registers[RSP], Pops);
}
