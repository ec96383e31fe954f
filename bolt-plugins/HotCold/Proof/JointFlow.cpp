//===- HotCold/Proof/JointFlow.cpp - Both executions ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes the original and the hot version together, in rounds.
//
// 1. sortBlocks() arranges the blocks in reverse postorder.
// 2. solve() executes each block in both machines, from the state that join()
//    makes. Where paths join, only those from earlier blocks count.
// 3. join(): a place that holds one value on each of these paths keeps it.
//    Places that are equal on each of them, and are not told apart yet, get one
//    new value.
// 4. refine() looks at the edges back to a block after the round. Places that
//    turn out to differ are told apart from the next round on; parts of the
//    stack and of registers may become places.
// 5. Each round tells more places apart, so that it ends; after MaxRounds it is
//    given up.
// 6. incoming() returns the values that one joined value is made of.
//
//===----------------------------------------------------------------------===//

#include "JointFlow.h"
#include "bolt/Core/BinaryBasicBlock.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using namespace graupel::symbolic;

constexpr unsigned MaxRounds = 200;

JointFlow::JointFlow(const HotCode &Hot, Executor &Execute, ValueTable &Values)
    : Hot(Hot), Execute(Execute), Values(Values),
      Rank(Hot.blocks().size(), ~0u), Predecessors(Hot.blocks().size()),
      In(Hot.blocks().size()), Out(Hot.blocks().size()),
      Joins(Hot.blocks().size()) {
  for (unsigned I = 0; I < Hot.blocks().size(); ++I)
    for (const HotCode::Way &W : Hot.blocks()[I].Ways)
      if (!W.ToStub)
        Predecessors[W.To].push_back(I);
  sortBlocks();
}

void JointFlow::sortBlocks() {
  std::vector<bool> Seen(Hot.blocks().size());
  std::vector<std::pair<unsigned, unsigned>> Stack{{0, 0}};
  Seen[0] = true;
  while (!Stack.empty()) {
    auto &[Block, Next] = Stack.back();
    const auto &Ways = Hot.blocks()[Block].Ways;
    if (Next == Ways.size()) {
      Order.push_back(Block);
      Stack.pop_back();
      continue;
    }
    const HotCode::Way &W = Ways[Next++];
    if (!W.ToStub && !Seen[W.To]) {
      Seen[W.To] = true;
      Stack.push_back({W.To, 0});
    }
  }
  std::reverse(Order.begin(), Order.end());
  for (unsigned I = 0; I < Order.size(); ++I)
    Rank[Order[I]] = I;
  for (unsigned I = 0; I < Predecessors.size(); ++I)
    erase_if(Predecessors[I], [&](unsigned P) { return Rank[P] == ~0u; });
}

ValueNo JointFlow::read(const Machines &M, const Place &P) {
  switch (P.In) {
  case Where::OriginalRegister:
  case Where::HotRegister: {
    const ValueNo V =
        (P.In == Where::HotRegister ? M.Hot : M.Original).Registers[P.At & 63];
    if (!P.Size)
      return V;
    if (P.At < 64)
      return Execute.partOf(V, P.Size);
    return Values.is(V, ValueKind::Merged) &&
                   Values.words(V)[0] == static_cast<uint64_t>(P.Size)
               ? Values.words(V)[2]
               : V;
  }
  case Where::OriginalMemory:
    return M.Original.Memory;
  case Where::HotMemory:
    return M.Hot.Memory;
  case Where::OriginalStack:
    return Execute.read(M.Original, P.At, P.Size);
  case Where::HotStack:
    return Execute.read(M.Hot, P.At, P.Size);
  }
  return 0;
}

void JointFlow::set(Machines &M, const Place &P, ValueNo V) {
  switch (P.In) {
  case Where::OriginalRegister:
  case Where::HotRegister: {
    ValueNo &R =
        (P.In == Where::HotRegister ? M.Hot : M.Original).Registers[P.At & 63];
    // The part comes before the rest.
    R = P.At < 64 ? V
                  : Values.get(ValueKind::Merged,
                               {static_cast<uint64_t>(P.Size), R, V});
    break;
  }
  case Where::OriginalMemory:
    M.Original.Memory = V;
    break;
  case Where::HotMemory:
    M.Hot.Memory = V;
    break;
  case Where::OriginalStack:
    M.Original.Cells.push_back({P.At, P.Size, V});
    break;
  case Where::HotStack:
    M.Hot.Cells.push_back({P.At, P.Size, V});
    break;
  }
}

/// Calls \p Do with each place, in a fixed order.
template <typename Action>
void JointFlow::forEachPlace(const Join &J, Action Do) {
  for (Where Side : {Where::OriginalRegister, Where::HotRegister})
    for (int64_t I = 0; I < 64; ++I) {
      const auto Part = J.Parts.find({Side, I, 0});
      if (Part == J.Parts.end()) {
        Do(Place{Side, I, 0});
        continue;
      }
      Do(Place{Side, I, Part->second});
      Do(Place{Side, I + 64, Part->second});
    }
  Do(Place{Where::OriginalMemory, 0, 0});
  Do(Place{Where::HotMemory, 0, 0});
  for (const Place &P : J.Stack)
    Do(P);
}

/// Adds the known cells of the stack in \p M, or only those that differ in
/// \p UnlessIn, to the places of \p J. Places that overlap become bytes.
bool JointFlow::addStack(Join &J, const Machines &M, const Machines *UnlessIn) {
  std::vector<Place> All = J.Stack;
  auto add = [&](Where Side, const Machine &Source) {
    for (const Machine::Cell &C : Source.Cells) {
      const Place P{Side, C.At, C.Size};
      if (!UnlessIn || read(*UnlessIn, P) != C.Content)
        All.push_back(P);
    }
  };
  add(Where::OriginalStack, M.Original);
  add(Where::HotStack, M.Hot);
  llvm::sort(All);
  All.erase(std::unique(All.begin(), All.end()), All.end());
  std::vector<Place> New;
  for (size_t I = 0; I < All.size();) {
    int64_t End = All[I].At + All[I].Size;
    size_t Next = I + 1;
    for (; Next < All.size() && All[Next].In == All[I].In && All[Next].At < End;
         ++Next)
      End = std::max(End, All[Next].At + All[Next].Size);
    if (Next == I + 1)
      New.push_back(All[I]);
    else
      for (int64_t B = All[I].At; B < End; ++B)
        New.push_back({All[I].In, B, 1});
    I = Next;
  }
  const bool Changed = New != J.Stack;
  J.Stack = std::move(New);
  return Changed;
}

/// A register of which only a part was assigned to on some path is two places:
/// the rest may be anything, and differ.
bool JointFlow::addParts(Join &J, const Machines &M) {
  bool Changed = false;
  for (Where Side : {Where::OriginalRegister, Where::HotRegister})
    for (int64_t I = 0; I < 16; ++I) {
      const ValueNo V =
          (Side == Where::HotRegister ? M.Hot : M.Original).Registers[I];
      if (Values.is(V, ValueKind::Merged))
        Changed |=
            J.Parts.try_emplace(Place{Side, I, 0}, Values.words(V)[0]).second;
    }
  return Changed;
}

Machines JointFlow::join(unsigned Block) {
  std::vector<const Machines *> From;
  for (unsigned P : Predecessors[Block])
    if (isForward(P, Block) && Out[P].Hot.Runs)
      From.push_back(&Out[P]);
  if (From.empty())
    return Out[Predecessors[Block].front()];
  if (Predecessors[Block].size() == 1)
    return *From.front();
  Join &J = Joins[Block];
  for (const Machines *M : From) {
    addStack(J, *M, nullptr);
    addParts(J, *M);
  }
  Machines Result;
  DenseMap<ValueNo, ValueNo> Group;
  std::vector<uint64_t> Words;
  forEachPlace(J, [&](const Place &P) {
    const auto Class = J.Class.find(P);
    Words.assign(1, Class == J.Class.end() ? 0 : Class->second);
    for (const Machines *M : From)
      Words.push_back(read(*M, P));
    if (!Words[0] && all_equal(drop_begin(Words))) {
      set(Result, P, Words[1]);
      return;
    }
    const ValueNo Name =
        Values.get(ValueKind::Phi, {Block, static_cast<uint64_t>(P.In),
                                    static_cast<uint64_t>(P.At),
                                    static_cast<uint64_t>(P.Size)});
    // The first place of a group names it.
    set(Result, P,
        Group.try_emplace(Values.get(ValueKind::Cells, Words), Name)
            .first->second);
  });
  return Result;
}

/// Compares the edges back to \p Block with the assumptions about them. Returns
/// true if another round is needed.
bool JointFlow::refine(unsigned Block) {
  std::vector<const Machines *> Back;
  for (unsigned P : Predecessors[Block])
    if (!isForward(P, Block) && Out[P].Hot.Runs)
      Back.push_back(&Out[P]);
  if (Back.empty() || !isReached(Block))
    return false;
  Join &J = Joins[Block];
  bool Changed = false;
  for (const Machines *M : Back) {
    Changed |= addStack(J, *M, &In[Block]);
    Changed |= addParts(J, *M);
  }
  if (Changed)
    return true;
  auto isJoined = [&](ValueNo V) {
    return Values.is(V, ValueKind::Phi) && Values.words(V)[0] == Block;
  };
  std::map<std::vector<uint64_t>, std::vector<Place>> Groups;
  DenseMap<ValueNo, unsigned> Parts;
  forEachPlace(J, [&](const Place &P) {
    const ValueNo Assumed = read(In[Block], P);
    std::vector<uint64_t> Words{Assumed};
    for (const Machines *M : Back)
      Words.push_back(read(*M, P));
    if (!isJoined(Assumed) &&
        all_of(Words, [&](uint64_t W) { return W == Assumed; }))
      return;
    std::vector<Place> &Group = Groups[Words];
    if (Group.empty())
      ++Parts[Assumed];
    Group.push_back(P);
  });
  for (const auto &[Words, Group] : Groups) {
    if (isJoined(Words[0]) && Parts[Words[0]] == 1)
      continue;
    ++J.NumClasses;
    for (const Place &P : Group)
      J.Class[P] = J.NumClasses;
    Changed = true;
  }
  return Changed;
}

std::vector<ValueNo> JointFlow::incoming(unsigned Block, ValueNo V) {
  const ArrayRef<uint64_t> Words = Values.words(V);
  const Place Named{static_cast<Where>(Words[1]),
                    static_cast<int64_t>(Words[2]),
                    static_cast<int64_t>(Words[3])};
  std::vector<ValueNo> Result;
  for (unsigned P : Predecessors[Block])
    if (Out[P].Hot.Runs)
      Result.push_back(read(Out[P], Named));
  return Result;
}

void JointFlow::execute(unsigned Block) {
  Out[Block] = In[Block];
  const HotCode::Block &B = Hot.blocks()[Block];
  for (const MCInst &Inst : *B.Original)
    Execute.execute(Inst, Out[Block].Original, /*Strict=*/false);
  for (const MCInst &Inst : B.Code)
    Execute.execute(Inst, Out[Block].Hot, /*Strict=*/true);
}

bool JointFlow::solve() {
  In[0] = {Execute.entry(), Execute.entry()};
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    for (unsigned Block : Order) {
      if (Block)
        In[Block] = join(Block);
      execute(Block);
    }
    bool Changed = false;
    for (unsigned Block : Order)
      Changed |= refine(Block);
    if (!Changed)
      return true;
  }
  return false;
}
