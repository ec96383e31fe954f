//===- HotCold/RegisterFacts.cpp - Known contents of registers ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. One instruction changes the facts about registers (step).
// 2. From the first hot block on, facts are propagated along the edges between
//    blocks; where edges join, equal facts are kept (findRegisterFacts).
//
//===----------------------------------------------------------------------===//

#include "RegisterFacts.h"
#include "Assumptions.h"
#include "bolt/Core/MCPlusBuilder.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

const RegisterFacts::Fact &RegisterFacts::of(RegisterSet Register) const {
  return Facts[Log2_64(Register)];
}

std::optional<int64_t> RegisterFacts::fromStackPointer(int64_t Address) const {
  if (!Depth)
    return std::nullopt;
  return Address + *Depth;
}

std::optional<int64_t> RegisterFacts::addressIn(const RegisterModel &Registers,
                                                MCPhysReg Register) const {
  const RegisterSet Set = Registers.setOf(Register);
  if (Set == reg::RSP)
    return Depth ? std::optional(-*Depth) : std::nullopt;
  return Set & reg::General ? of(Set).StackAddress : std::nullopt;
}

/// The fact about the result of \p Inst if it is a copy or computes an address.
RegisterFacts::Fact RegisterFacts::made(const HotColdContext &Context,
                                        const MCInst &Inst) const {
  const RegisterModel &Registers = Context.Registers;
  const unsigned Opcode = Inst.getOpcode();
  if (Opcode == Context.Stack.loadAddress()) {
    const auto Memory = Context.BC.MIB->evaluateX86MemoryOperand(Inst);
    if (!Memory || Memory->DispExpr || Memory->IndexRegNum ||
        !Memory->BaseRegNum)
      return {};
    const auto Base = addressIn(Registers, Memory->BaseRegNum);
    return Base ? Fact{0, 0, *Base + Memory->DispImm} : Fact();
  }
  const bool IsWhole = Opcode == Context.Stack.move();
  if (!IsWhole && Opcode != Context.Stack.move32())
    return {};
  const RegisterSet To = Registers.setOf(Inst.getOperand(0).getReg());
  const MCPhysReg Source = Inst.getOperand(1).getReg();
  RegisterSet From = Registers.setOf(Source);
  // APX has sixteen more.
  if (!(To & reg::General) || !(From & reg::General))
    return {};
  Fact Result;
  if (IsWhole)
    Result.StackAddress = addressIn(Registers, Source);
  if (From == reg::RSP)
    return Result;
  unsigned Bytes = IsWhole ? 8 : 4;
  if (const Fact &Known = of(From); Known.CopyOf && Known.Bytes >= Bytes)
    From = Known.CopyOf;
  if (From != To) {
    Result.CopyOf = From;
    Result.Bytes = Bytes;
  }
  return Result;
}

void RegisterFacts::forget(RegisterSet Written) {
  for (unsigned I = 0; I < Facts.size(); ++I)
    if (Written & reg::bit(I))
      Facts[I] = {};
    else if (Written & Facts[I].CopyOf && !isBroken(Assumption::Copies))
      Facts[I].CopyOf = Facts[I].Bytes = 0;
}

void RegisterFacts::step(const HotColdContext &Context, const MCInst &Inst) {
  if (Context.Registers.isPseudo(Inst))
    return;
  const StackEffect OnStack = Context.Stack.effect(Inst);
  const RegisterSet Written = Context.writtenBy(Inst);
  const Fact Made = made(Context, Inst);
  forget(Written);
  if (OnStack.Operation == StackEffect::Kind::Unknown)
    Depth.reset();
  else if (Depth)
    *Depth += OnStack.Growth;
  if (Made != Fact() && OnStack.Operation == StackEffect::Kind::None &&
      Written & reg::General)
    Facts[Log2_64(Written & reg::General)] = Made;
}

void RegisterFacts::forgetHalves() {
  for (Fact &F : Facts)
    if (F.Bytes == 4)
      F.CopyOf = F.Bytes = 0;
}

bool RegisterFacts::meet(const RegisterFacts &Other) {
  bool Changed = false;
  for (unsigned I = 0; I < Facts.size(); ++I) {
    Fact &Mine = Facts[I];
    const Fact &Its = Other.Facts[I];
    const Fact Before = Mine;
    if (Mine.CopyOf != Its.CopyOf || Mine.Bytes != Its.Bytes)
      Mine.CopyOf = Mine.Bytes = 0;
    if (Mine.StackAddress != Its.StackAddress)
      Mine.StackAddress.reset();
    Changed |= Mine != Before;
  }
  if (Depth && Depth != Other.Depth) {
    Depth.reset();
    Changed = true;
  }
  return Changed;
}

void RegisterFacts::print(raw_ostream &OS,
                          const RegisterModel &Registers) const {
  for (unsigned I = 0; I < Facts.size(); ++I) {
    const Fact &F = Facts[I];
    if (F == Fact())
      continue;
    OS << ' ';
    Registers.print(OS, reg::bit(I));
    if (F.CopyOf) {
      OS << '=';
      Registers.print(OS, F.CopyOf);
      OS << (F.Bytes == 8 ? "" : "(32)");
    }
    if (F.StackAddress)
      OS << "=stack" << format("%+d", int(*F.StackAddress));
  }
}

std::vector<std::optional<RegisterFacts>>
graupel::findRegisterFacts(const HotVersion &Hot) {
  const std::vector<HotVersion::Block> &Blocks = Hot.blocks();
  std::vector<std::optional<RegisterFacts>> Into(Blocks.size());
  Into[0].emplace(Blocks[0].Depth);
  std::vector<unsigned> Predecessors(Blocks.size());
  for (const HotVersion::Block &B : Blocks)
    for (const HotVersion::Way &W : B.Ways)
      if (!W.ToStub)
        ++Predecessors[W.To];
  std::vector<unsigned> Worklist{0};
  while (!Worklist.empty()) {
    const unsigned Index = Worklist.back();
    Worklist.pop_back();
    RegisterFacts Facts = *Into[Index];
    for (const MCInst &Inst : Blocks[Index].Code)
      Facts.step(Hot.context(), Inst);
    // The verifier finds equal values again where edges join, but not halves.
    RegisterFacts AtJoin = Facts;
    AtJoin.forgetHalves();
    for (const HotVersion::Way &W : Blocks[Index].Ways) {
      if (W.ToStub)
        continue;
      const RegisterFacts &Coming = Predecessors[W.To] > 1 ? AtJoin : Facts;
      const bool IsNew = !Into[W.To];
      if (IsNew)
        Into[W.To] = Coming;
      if (Into[W.To]->meet(Coming) || IsNew)
        Worklist.push_back(W.To);
    }
  }
  return Into;
}
