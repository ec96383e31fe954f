//===- Copies/SwitchState.cpp - What is known of registers ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SwitchState.h"
#include <algorithm>

using namespace graupel;

void RegisterValue::normalize() {
  for (unsigned W = 1; W < NumWidths; ++W)
    if (Max[W] <= maskOf(W - 1))
      Max[W] = std::min(Max[W], Max[W - 1]);
  for (unsigned W = NumWidths - 1; W > 0; --W)
    Max[W - 1] = std::min(Max[W - 1], Max[W]);
}

RegisterValue RegisterValue::extended(unsigned Width) const {
  RegisterValue V;
  for (unsigned W = 0; W < NumWidths; ++W) {
    V.Max[W] = W <= Width ? Max[W] : maskOf(Width);
    // Above, the value is the same if the other one is 0 there, too.
    V.Id[W] = W <= Width || Max[W] <= maskOf(Width) ? Id[W] : 0;
  }
  V.normalize();
  if (Max[Whole] <= maskOf(Width) || Width == Whole) {
    V.Is = Is;
    V.Table = Table;
  }
  return V;
}

std::optional<SwitchTable>
RegisterValue::plus(const RegisterValue &Other) const {
  if (Table.Address != Other.Table.Address)
    return std::nullopt;
  if (Is == Kind::Entry && Other.Is == Kind::Address)
    return Table;
  if (Other.Is == Kind::Entry && Is == Kind::Address)
    return Other.Table;
  return std::nullopt;
}

SwitchState SwitchState::mergedWith(const SwitchState &Other) const {
  SwitchState M;
  for (unsigned R = 0; R < NumRegisters; ++R) {
    const RegisterValue &X = Registers[R], &Y = Other.Registers[R];
    RegisterValue &V = M.Registers[R];
    if (X.Is == Y.Is && X.Table == Y.Table) {
      V.Is = X.Is;
      V.Table = X.Table;
    }
    for (unsigned W = 0; W < NumWidths; ++W) {
      V.Id[W] = X.Id[W] == Y.Id[W] ? X.Id[W] : 0;
      V.Max[W] = std::max(X.Max[W], Y.Max[W]);
    }
  }
  if (Flags == Other.Flags)
    M.Flags = Flags;
  if (Memory == Other.Memory)
    M.Memory = Memory;
  return M;
}

void SwitchState::bound(uint64_t Max) {
  if (Flags.IsMemory) {
    Memory = {true, Flags.Where, Flags.Width, Max};
    return;
  }
  for (unsigned R = 0; R < NumRegisters; ++R) {
    RegisterValue &V = Registers[R];
    if (Flags.Id ? V.Id[Flags.Width] != Flags.Id : R != Flags.Register)
      continue;
    V.Max[Flags.Width] = std::min(V.Max[Flags.Width], Max);
    V.normalize();
  }
}

void SwitchState::number(uint64_t Id, unsigned Register) {
  for (RegisterValue &Other : Registers)
    for (uint64_t &Number : Other.Id)
      if (Number == Id)
        Number = 0;
  if (Flags.Id == Id)
    Flags = {};
  for (uint64_t &Number : Registers[Register].Id)
    if (!Number)
      Number = Id;
}
