//===- Recover/RegisterFlow.cpp - Where a register holds a table ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterFlow.h"

using namespace graupel;

namespace {

/// The lattice: not reached yet, one address, unknown.
struct Value {
  enum { Unreached, Known, Unknown } Kind = Unreached;
  uint64_t Address = 0;

  /// Joins \p Other into this value. Returns true if that changed it.
  bool join(const Value &Other) {
    if (Other.Kind == Unreached || Kind == Unknown)
      return false;
    if (Kind == Unreached) {
      *this = Other;
      return true;
    }
    if (Other.Kind == Known && Other.Address == Address)
      return false;
    Kind = Unknown;
    return true;
  }
};

Value apply(const RegisterFlow::Node &Node, Value Before) {
  switch (Node.OnRegister) {
  case RegisterFlow::Effect::Keep:
    return Before;
  case RegisterFlow::Effect::Clobber:
    return {Value::Unknown, 0};
  case RegisterFlow::Effect::Load:
    return {Value::Known, Node.Address};
  }
  return {Value::Unknown, 0};
}

} // namespace

std::vector<std::optional<uint64_t>> RegisterFlow::solve() const {
  std::vector<Value> Before(Nodes.size());
  std::vector<uint32_t> Worklist;
  if (!Nodes.empty()) {
    Before[0].Kind = Value::Unknown;
    Worklist.push_back(0);
  }
  while (!Worklist.empty()) {
    const uint32_t Index = Worklist.back();
    Worklist.pop_back();
    const Value After = apply(Nodes[Index], Before[Index]);
    for (uint32_t Successor : Nodes[Index].Successors)
      if (Before[Successor].join(After))
        Worklist.push_back(Successor);
  }

  std::vector<std::optional<uint64_t>> Addresses(Nodes.size());
  for (size_t I = 0; I < Nodes.size(); ++I)
    if (Before[I].Kind == Value::Known)
      Addresses[I] = Before[I].Address;
  return Addresses;
}

std::vector<bool> RegisterFlow::mayHold(uint64_t Address) const {
  std::vector<bool> Holds(Nodes.size());
  std::vector<uint32_t> Worklist;
  auto passOn = [&](uint32_t Index) {
    for (uint32_t Successor : Nodes[Index].Successors)
      if (!Holds[Successor]) {
        Holds[Successor] = true;
        Worklist.push_back(Successor);
      }
  };
  for (uint32_t I = 0; I < Nodes.size(); ++I)
    if (Nodes[I].OnRegister == Effect::Load && Nodes[I].Address == Address)
      passOn(I);
  while (!Worklist.empty()) {
    const uint32_t Index = Worklist.back();
    Worklist.pop_back();
    if (Nodes[Index].OnRegister == Effect::Keep)
      passOn(Index);
  }
  return Holds;
}
