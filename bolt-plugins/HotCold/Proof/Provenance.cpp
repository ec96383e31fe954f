//===- HotCold/Proof/Provenance.cpp - Callers' values in a function -------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Forward through a function, each register and each slot of the stack has
//    an origin: the set of the caller's registers that it may have been copied
//    from, and which of them it surely still is.
// 2. An instruction that does anything but copy, save or restore reads all the
//    origins of its operands. So does whatever loses sight of a copy of a
//    register that callers need not get back.
// 3. At each end of the function, a register that is not surely itself may have
//    changed, and one that may come from itself may hold the old value.
// 4. Calls inside do what is known of their callees so far. Sets only grow from
//    one look at a function to the next.
//
// A function that ends in a way that is not understood reads and changes all.
//
// Assumed: behind the call that ends a block, a saved register is not read as a
// parameter; an access through a pointer or with an index does not reach a slot
// in which a saved register is; compiled code has one depth of the stack at one
// place, so that a call returns only to where that is so.
//
//===----------------------------------------------------------------------===//

#include "Provenance.h"
#include "HotCold/Machine/Parts.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using namespace graupel::symbolic;

constexpr unsigned StackPointer = 4, FramePointer = 5;
constexpr int64_t Word = KnownStack::Word;
constexpr int64_t Everything = int64_t(1) << 20;
constexpr StackAddress ReturnAddress{StackAddress::Exact, 0, 0};

Provenance::Provenance(const CalleeFacts &All, const BinaryBasicBlock &Entry)
    : All(All), BC(Entry.getFunction()->getBinaryContext()), MIB(*BC.MIB),
      Model(All.model()) {
  Into.reserve(Entry.getFunction()->size());
  flowTo(Entry, KnownStack::atEntry());
  while (!Pending.empty() || !BehindCalls.empty() || !Doubtful.empty()) {
    while (!Pending.empty()) {
      BasicBlock *Next = Pending.begin()->second;
      Pending.erase(Pending.begin());
      walk(*Next);
    }
    flowBehindCalls();
  }
  if (!Result.IsOrdinary)
    Result = unknownEffects();
}

std::optional<int64_t> Provenance::depth(const BinaryBasicBlock &Block) const {
  const auto At = Into.find(&Block);
  if (At == Into.end())
    return std::nullopt;
  const StackAddress A = At->second.General[StackPointer].Address;
  if (A.Kind != StackAddress::Exact || A.Base)
    return std::nullopt;
  return -A.Offset;
}

Provenance::Place Provenance::placeOf(BasicBlock &Block) {
  return {Block.getFunction()->getAddress(), Block.getIndex()};
}

void Provenance::flowTo(BasicBlock &Block, const KnownStack &With) {
  const auto [Old, IsNew] = Into.try_emplace(&Block, With);
  if (IsNew) {
    Pending.try_emplace(placeOf(Block), &Block);
    return;
  }
  const KnownStack::Joined Joined = Old->second.join(With, Bases);
  lose(Joined.Lost);
  if (Joined.Changed)
    Pending.try_emplace(placeOf(Block), &Block);
}

/// Edges that the unwind table contradicts come last.
void Provenance::flowBehindCalls() {
  if (BehindCalls.empty()) {
    for (const auto &[Place, Way] : std::exchange(Doubtful, {}))
      flowBehindCall(*Way.first, Way.second, /*IsDoubtful=*/true);
    return;
  }
  for (const auto &[Place, Ended] : std::exchange(BehindCalls, {}))
    for (BasicBlock *To : Ended.first->successors())
      if (isContradicted(*To, Ended.second))
        Doubtful.insert_or_assign(Place, std::pair(To, Ended.second));
      else
        flowBehindCall(*To, Ended.second, /*IsDoubtful=*/false);
}

/// True if the unwind table has another depth of the stack at \p Block.
bool Provenance::isContradicted(BasicBlock &Block,
                                const KnownStack &With) const {
  const StackAddress Top = With.General[StackPointer].Address;
  const std::optional<int64_t> Depth = All.tableDepth(Block);
  return Depth && Top.Kind == StackAddress::Exact && !Top.Base &&
         Top.Offset != -*Depth;
}

/// Not where another edge leads with another depth of the stack. An edge that
/// the unwind table contradicts gives way to any other.
void Provenance::flowBehindCall(BasicBlock &Block, const KnownStack &With,
                                bool IsDoubtful) {
  if (WithoutCall.contains(&Block) || (IsDoubtful && Into.contains(&Block))) {
    const StackAddress Here = With.General[StackPointer].Address,
                       There = Into[&Block].General[StackPointer].Address;
    if (Here.Kind == StackAddress::Exact && There.Kind == StackAddress::Exact &&
        Here != There)
      return;
  }
  flowTo(Block, With);
}

void Provenance::walk(BasicBlock &Block) {
  Now = Into.find(&Block)->second;
  const MCInst *Last = nullptr;
  bool Ended = false;
  for (const MCInst &Inst : Block) {
    if (All.model().Registers.isPseudo(Inst))
      continue;
    Last = &Inst;
    if (Model.Registers.isReturn(Inst)) {
      // Others take arguments off the stack.
      Result.IsOrdinary &= MCPlus::getNumPrimeOperands(Inst) == 0;
      end();
      Ended = true;
    } else if (All.model().Registers.isCall(Inst)) {
      if (!call(Inst, Block))
        return;
      Ended |= MIB.isTailCall(Inst);
    } else {
      step(Inst);
    }
  }
  leaveBlock(Block, Last, Ended);
}

void Provenance::leaveBlock(BasicBlock &Block, const MCInst *Last, bool Ended) {
  if (Block.succ_empty() && !Ended) {
    if (Last && MIB.isIndirectBranch(*Last))
      jumpAnywhere(Block);
    else if (!Last || (!MIB.isCall(*Last) && !MIB.isTrap(*Last) &&
                       BC.MII->getName(Last->getOpcode()) != "TRAP"))
      Result.IsOrdinary = false; // It runs past its end.
  }
  const bool BehindCall = Last && MIB.isCall(*Last) && !MIB.isTailCall(*Last);
  if (BehindCall) {
    BehindCalls.insert_or_assign(placeOf(Block), std::pair(&Block, Now));
    return;
  }
  for (BasicBlock *To : Block.successors()) {
    WithoutCall.insert(To);
    flowTo(*To, Now);
  }
}

/// A computed jump whose targets are not known. From a frame, it goes on in
/// this function, where nothing else leads to; else it may be a tail call.
void Provenance::jumpAnywhere(BasicBlock &From) {
  read(reg::All);
  Result.MayChange |= reg::CallerSaved;
  Result.MayHoldOld |= reg::All;
  Result.Returns = true;
  if (stackPointer().Address == ReturnAddress) {
    clobber(All.ofOthers());
    return end();
  }
  for (BasicBlock &To : *From.getFunction())
    if (!To.isEntryPoint() && !To.isLandingPad() && To.pred_empty())
      flowTo(To, Now);
}

void Provenance::end() {
  Result.Returns = true;
  Result.IsOrdinary &= stackPointer().Address == ReturnAddress;
  for (unsigned I = 0; I < KnownStack::NumGeneral; ++I) {
    if (I == StackPointer)
      continue;
    const Origin &O = Now.General[I];
    const RegisterSet Itself = reg::bit(I);
    if (O.CopyOf != int(I))
      Result.MayChange |= Itself;
    Result.MayHoldOld |= O.MayBe & Itself;
    Result.MayRead |= O.MayBe & ~Itself; // It passes them on.
  }
  // A saved register may be restored from an unknown place.
  Result.MayHoldOld |= Now.MayBeOld | reg::CalleeSaved;
  Result.MayChange |= ~Now.AreOld & ~reg::General;
}

void Provenance::clobber(const CallEffects &Callee) {
  for (unsigned I = 0; I < KnownStack::NumGeneral; ++I) {
    if (!(Callee.MayChange & reg::bit(I)))
      continue;
    Origin &O = Now.General[I];
    O.CopyOf = -1;
    O.Address = {};
    if (!(Callee.MayHoldOld & reg::bit(I)))
      O.MayBe = 0;
  }
  Now.AreOld &= ~Callee.MayChange;
  Now.MayBeOld &= ~(Callee.MayChange & ~Callee.MayHoldOld);
}

/// False if control does not come back.
bool Provenance::call(const MCInst &Inst, BasicBlock &Block) {
  const bool IsTail = MIB.isTailCall(Inst);
  read(Model.Registers.effects(Inst).Reads & ~reg::RSP);
  if (IsTail && goOnInPart(Inst, Block))
    return true;
  const CallEffects Callee = All.ofCall(*Block.getFunction(), Inst);
  read(Callee.MayRead);
  for (const KnownStack::Slot &S : Now.Slots) // They may be parameters.
    lose(S.Content.MayBe);
  Result.IsOrdinary &= Callee.IsOrdinary;
  if (IsTail) {
    if (!Callee.Returns)
      return true;
    const KnownStack Before = Now; // For conditional tail calls.
    clobber(Callee);
    end();
    Now = Before;
    return true;
  }
  forgetBelow();
  unwindTo(Inst, Block);
  clobber(Callee);
  return Callee.Returns;
}

/// Compilers put cold code into a function of its own, with the frame that it
/// is entered with. True if \p Jump goes on in such a part.
bool Provenance::goOnInPart(const MCInst &Jump, BasicBlock &Block) {
  const BinaryFunction *To = partOfSame(*Block.getFunction(), Jump);
  if (!To)
    return false;
  if (!To->hasCFG() || To->empty()) {
    // It restores saved registers, and may read anything.
    read(reg::All);
    Result.MayChange |= reg::CallerSaved;
    Result.MayHoldOld |= reg::All;
    Result.Returns = true;
  } else if (BasicBlock *Entry = entryBlock(*To, *MIB.getTargetSymbol(Jump))) {
    flowTo(*Entry, Now);
  } else {
    Result.IsOrdinary = false;
  }
  return true;
}

/// Unwinding gives the saved registers back as \p Call finds them.
void Provenance::unwindTo(const MCInst &Call, BasicBlock &Block) {
  const auto Pad = MIB.getEHInfo(Call);
  if (!Pad || !Pad->first)
    return;
  KnownStack Thrown = Now;
  for (unsigned I = 0; I < KnownStack::NumGeneral; ++I)
    if (reg::CallerSaved & reg::bit(I))
      Thrown.General[I] = {};
  Thrown.AreOld = 0;
  for (BasicBlock *To : Block.landing_pads())
    if (To->getLabel() == Pad->first)
      flowTo(*To, Thrown);
}

void Provenance::read(RegisterSet Set) {
  for (unsigned I = 0; I < KnownStack::NumGeneral; ++I)
    if (Set & reg::bit(I))
      Result.MayRead |= Now.General[I].MayBe;
  Result.MayRead |= Set & Now.MayBeOld;
}

void Provenance::write(const RegisterEffects &E) {
  for (unsigned I = 0; I < KnownStack::NumGeneral; ++I)
    if (E.Writes & reg::bit(I))
      Now.General[I] = {};
  Now.AreOld &= ~E.Writes;
  Now.MayBeOld &= ~E.Kills;
}

Origin *Provenance::general(MCPhysReg Register) {
  const RegisterSet Set = Model.Registers.setOf(Register);
  return Set & reg::General ? &Now.General[countr_zero(Set)] : nullptr;
}

/// The address of the memory operand of \p Inst, if it is on the stack.
StackAddress Provenance::operandAt(const MCInst &Inst) {
  const auto Memory = MIB.evaluateX86MemoryOperand(Inst);
  if (!Memory || Memory->DispExpr || Memory->IndexRegNum || Memory->SegRegNum ||
      !Memory->BaseRegNum)
    return {};
  const Origin *Base = general(MCPhysReg(Memory->BaseRegNum));
  return Base ? Base->Address.plus(Memory->DispImm) : StackAddress();
}

void Provenance::forget(StackAddress At, int64_t Size) {
  erase_if(Now.Slots, [&](const KnownStack::Slot &S) {
    if (!Bases.overlap(At, Size, S.At, Word))
      return false;
    lose(S.Content.MayBe);
    return true;
  });
}

void Provenance::store(StackAddress At, int64_t Size, const Origin &Value) {
  if (!Size)
    Size = Everything;
  if (At.Kind != StackAddress::None)
    forget(At, Size);
  if (At.Kind != StackAddress::Exact || Size != Word) {
    Result.MayRead |= Value.MayBe; // Wherever it goes.
    return;
  }
  if (Bases.overlap(At, Size, ReturnAddress, Word))
    Result.IsOrdinary = false;
  if (Value != Origin()) // Nothing is known about others.
    Now.set(At, Value);
}

/// Copies of a whole word go on being copies.
Origin Provenance::load(StackAddress At, int64_t Size) {
  if (At.Kind == StackAddress::None)
    return {};
  if (!Size)
    Size = Everything;
  // A function that reads its return address may return there a second time.
  if (At.Kind == StackAddress::Exact &&
      Bases.overlap(At, Size, ReturnAddress, Word))
    Result.MayChange |= reg::CallerSaved;
  if (const Origin *Found = Size == Word ? Now.find(At) : nullptr)
    return *Found;
  for (const KnownStack::Slot &S : Now.Slots)
    if (Bases.overlap(At, Size, S.At, Word))
      Result.MayRead |= S.Content.MayBe;
  return {};
}

void Provenance::forgetStack() {
  for (const KnownStack::Slot &S : Now.Slots)
    lose(S.Content.MayBe);
  Now.Slots.clear();
}

/// Anyone may overwrite the content below the stack pointer.
void Provenance::forgetBelow() {
  const StackAddress Top = stackPointer().Address;
  if (Top.Kind == StackAddress::Exact)
    forget({StackAddress::Exact, Top.Base, Top.Offset - Everything},
           Everything);
}

void Provenance::setStackPointer(StackAddress To) {
  // It is not known which slots it passes.
  if (To.Kind == StackAddress::None)
    forgetStack();
  stackPointer() = {0, -1, To};
}

void Provenance::moveStack(int64_t By) {
  StackAddress To = stackPointer().Address.plus(By);
  if (To.Kind == StackAddress::AtMost && Bases.extent(To, 0).second > 0)
    To = {};
  if (To.Kind == StackAddress::None && By < 0)
    return;
  setStackPointer(To);
}

void Provenance::step(const MCInst &Inst) {
  if (stackStep(Inst) || copyStep(Inst) || addStep(Inst))
    return;
  const RegisterEffects E = Model.Registers.effects(Inst);
  if (MIB.isBranch(Inst)) {
    read(E.Reads);
    return write(E);
  }
  const MCInstrDesc &Info = BC.MII->get(Inst.getOpcode());
  const StringRef Name =
      E.Writes & reg::RSP ? BC.MII->getName(Inst.getOpcode()) : "";
  const StackAddress Top = stackPointer().Address;
  if (Info.mayLoad())
    load(operandAt(Inst), All.sizes().of(Inst));
  if (Info.mayStore())
    store(operandAt(Inst), All.sizes().of(Inst), {});
  read(E.Reads & ~reg::RSP);
  write(E);
  if (!(E.Writes & reg::RSP))
    return;
  stackPointer() = {0, -1, Top};
  // Room for arrays, or another alignment.
  if (Top.Kind != StackAddress::None &&
      (Name.starts_with("SUB64") || Name.starts_with("AND64"))) {
    forgetBelow();
    return setStackPointer(Bases.join(Top, Top.plus(-1)));
  }
  setStackPointer({});
}

bool Provenance::stackStep(const MCInst &Inst) {
  if (MIB.isLeave(Inst)) {
    setStackPointer(Now.General[FramePointer].Address);
    const Origin Old = load(stackPointer().Address, Word);
    moveStack(Word);
    Now.General[FramePointer] = Old;
    return true;
  }
  const StackEffect E = Model.Stack.effect(Inst);
  switch (E.Operation) {
  case StackEffect::Kind::Push: {
    Origin Value;
    if (E.Register) {
      Value = Now.General[countr_zero(E.Register)];
    } else {
      if (BC.MII->get(Inst.getOpcode()).mayLoad())
        load(operandAt(Inst), Word);
      read(Model.Registers.effects(Inst).Reads & ~reg::RSP);
    }
    moveStack(-Word);
    store(stackPointer().Address, Word, Value);
    return true;
  }
  case StackEffect::Kind::Pop: {
    const Origin Value = load(stackPointer().Address, Word);
    moveStack(Word);
    Now.General[countr_zero(E.Register)] = Value;
    return true;
  }
  case StackEffect::Kind::Adjust: {
    moveStack(-E.Growth);
    RegisterEffects R = Model.Registers.effects(Inst);
    R.Writes &= ~reg::RSP;
    write(R);
    return true;
  }
  default:
    return false;
  }
}

bool Provenance::copyStep(const MCInst &Inst) {
  const StackModel &Stack = Model.Stack;
  const unsigned Opcode = Inst.getOpcode();
  auto operand = [&](unsigned I) {
    return general(MCPhysReg(Inst.getOperand(I).getReg()));
  };
  auto set = [&](const Origin &Value) {
    if (operand(0) == &stackPointer())
      setStackPointer(Value.Address);
    else
      *operand(0) = Value;
  };
  if (Opcode == Stack.store()) {
    const StackAddress At = operandAt(Inst);
    if (At.Kind == StackAddress::None)
      return false;
    store(At, Word, *operand(MCPlus::getNumPrimeOperands(Inst) - 1));
    return true;
  }
  if (Opcode == Stack.move()) {
    set(*operand(1));
    return true;
  }
  if (Opcode != Stack.loadAddress() && Opcode != Stack.load())
    return false;
  const StackAddress At = operandAt(Inst);
  if (At.Kind == StackAddress::None)
    return false;
  set(Opcode == Stack.load() ? load(At, Word) : Origin{0, -1, At});
  return true;
}

/// A constant added to an address, or an alignment of the stack pointer.
bool Provenance::addStep(const MCInst &Inst) {
  const int Form = All.form(Inst.getOpcode());
  if (!Form || !Inst.getOperand(2).isImm())
    return false;
  Origin *To = general(MCPhysReg(Inst.getOperand(0).getReg()));
  if (!To || To->Address.Kind != StackAddress::Exact)
    return false;
  const int64_t Number = Inst.getOperand(2).getImm();
  RegisterEffects E = Model.Registers.effects(Inst);
  E.Writes &= ~reg::General;
  if (Form != 2) {
    *To = {0, -1, To->Address.plus(Form * Number)};
    write(E);
    return true;
  }
  if (To != &stackPointer() || To->Address.Base || Number >= 0 ||
      !isPowerOf2_64(-Number))
    return false;
  const uint32_t Base = Bases.add(Inst, To->Address.Offset, -Number);
  if (!Base)
    return false;
  forgetBelow();
  // Slots of another iteration of a loop are gone.
  erase_if(Now.Slots,
           [&](const KnownStack::Slot &S) { return S.At.Base == Base; });
  for (Origin &O : Now.General)
    if (O.Address.Base == Base)
      O.Address = {};
  for (KnownStack::Slot &S : Now.Slots)
    if (S.Content.Address.Base == Base)
      S.Content.Address = {};
  write(E);
  stackPointer() = {0, -1, {StackAddress::Exact, Base, 0}};
  return true;
}
