//===- Recover/RegisterFlow.cpp - Where a register holds a table ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts with no edge behind switches. One that is reached with a known table
// has the edges of that table; with another value it has those of all tables
// that are loaded into its register. Values only ever get less known, so edges
// are only ever added. An execution that no edge covers would have to leave the
// graph first at a switch whose register holds what it cannot hold on the paths
// before it. (As constants are propagated along edges that can be taken:
// Wegman, Zadeck 1991.)
//
//===----------------------------------------------------------------------===//

#include "RegisterFlow.h"
#include "llvm/ADT/STLExtras.h"

using namespace graupel;
using Solution = RegisterFlow::Solution;

/// Returns true if that changed it.
bool Solution::Value::join(const Value &Other) {
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

Solution RegisterFlow::solve() const { return Solution(*this); }

Solution::Solution(const RegisterFlow &Flow)
    : Flow(Flow), Before(Flow.Nodes.size() * Flow.NumRegisters) {
  if (Flow.Nodes.empty())
    return;
  std::multimap<uint32_t, uint32_t> JumpsOfLoads;
  for (uint32_t I = 0; I < Flow.Nodes.size(); ++I)
    if (Flow.Nodes[I].Through)
      JumpsOfLoads.emplace(Flow.Nodes[I].Through->Load, I);
  for (uint32_t R = 0; R < Flow.NumRegisters; ++R)
    at(0, R).Kind = Value::Unknown;
  std::vector<uint32_t> Worklist{0};
  while (!Worklist.empty()) {
    const uint32_t Node = Worklist.back();
    Worklist.pop_back();
    const std::vector<Value> After = behind(Node);
    for (uint32_t Successor : successors(Node)) {
      if (!reach(Successor, After))
        continue;
      Worklist.push_back(Successor);
      const auto [Begin, End] = JumpsOfLoads.equal_range(Successor);
      for (auto It = Begin; It != End; ++It)
        Worklist.push_back(It->second);
    }
  }
}

bool Solution::reach(uint32_t Node, llvm::ArrayRef<Value> After) {
  bool Changed = false;
  for (uint32_t R = 0; R < Flow.NumRegisters; ++R)
    Changed |= at(Node, R).join(After[R]);
  return Changed;
}

std::vector<Solution::Value> Solution::behind(uint32_t Node) const {
  const auto Begin = Before.begin() + Node * Flow.NumRegisters;
  std::vector<Value> Values(Begin, Begin + Flow.NumRegisters);
  for (const Write &W : Flow.Nodes[Node].Writes)
    Values[W.Register] =
        W.Address ? Value{Value::Known, *W.Address} : Value{Value::Unknown, 0};
  return Values;
}

std::vector<uint32_t> Solution::successors(uint32_t Node) const {
  const RegisterFlow::Node &N = Flow.Nodes[Node];
  std::vector<uint32_t> Result(N.Successors.begin(), N.Successors.end());
  if (!N.Through)
    return Result;
  const auto [Load, Register] = *N.Through;
  auto addTable = [&](uint64_t Address) {
    if (auto It = Flow.Targets.find(Address); It != Flow.Targets.end())
      Result.insert(Result.end(), It->second.begin(), It->second.end());
  };
  const Value &Base = at(Load, Register);
  if (Base.Kind == Value::Known)
    addTable(Base.Address);
  else if (Base.Kind == Value::Unknown)
    for (const RegisterFlow::Node &Other : Flow.Nodes)
      for (const Write &W : Other.Writes)
        if (W.Register == Register && W.Address)
          addTable(*W.Address);
  return Result;
}

std::optional<uint64_t> Solution::before(uint32_t Node,
                                         uint32_t Register) const {
  const Value &V = at(Node, Register);
  return V.Kind == Value::Known ? std::optional(V.Address) : std::nullopt;
}

std::vector<bool> Solution::mayHold(uint32_t Register, uint64_t Address) const {
  std::vector<bool> Holds(Flow.Nodes.size());
  std::vector<uint32_t> Worklist;
  auto passOn = [&](uint32_t Node) {
    for (uint32_t Successor : successors(Node))
      if (!Holds[Successor]) {
        Holds[Successor] = true;
        Worklist.push_back(Successor);
      }
  };
  auto writeTo = [&](uint32_t Node) {
    return llvm::find_if(Flow.Nodes[Node].Writes, [&](const Write &W) {
      return W.Register == Register;
    });
  };
  for (uint32_t I = 0; I < Flow.Nodes.size(); ++I)
    if (const Write *W = writeTo(I);
        W != Flow.Nodes[I].Writes.end() && W->Address == Address)
      passOn(I);
  while (!Worklist.empty()) {
    const uint32_t Node = Worklist.back();
    Worklist.pop_back();
    if (writeTo(Node) == Flow.Nodes[Node].Writes.end())
      passOn(Node);
  }
  return Holds;
}
