//===- Verify/InputFlow.cpp - Later reads of the input --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Searches the paths of the input for a reader, by the steps of InputFlow.h and
// with their numbers. findReader() takes one look after the other, and follow()
// goes along a path until an instruction reads or overwrites all that is
// wanted.
//
// 1. add() and finish() make a sorted list of the instructions. nodeAt() finds
//    one there, or disassembles it.
// 2. goOn() decides where control goes behind an instruction. One edge is
//    followed; the other becomes a look of its own.
// 3. addReturns() adds the places behind all calls of a function, and of those
//    that jump into it. readGraph() collects these calls once.
// 4. goOn() and addTakenFunctions() add the labels and functions that an
//    indirect jump or call may go to. addReturns() adds the places behind all
//    indirect calls if an address in the function is taken.
// 5. isElsewhere() tells code of other files and stubs of the PLT, where the
//    ABI is believed.
//
//===----------------------------------------------------------------------===//

#include "InputFlow.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace graupel;

using Set = InputFlow::Set;

static constexpr Set AllRegisters = (1 << NumRegisters) - 1;
/// The rules of the System V ABI for functions whose code is not known.
static constexpr Set Arguments = 1 << RDI | 1 << RSI | 1 << RDX | 1 << RCX |
                                 1 << R8 | 1 << R9 | 1 << RAX | 1 << R10,
                     Results = 1 << RAX | 1 << RDX,
                     Preserved = 1 << RBX | 1 << RBP | 1 << R12 | 1 << R13 |
                                 1 << R14 | 1 << R15 | 1 << RSP;

InputFlow::InputFlow(const ElfView &Input, const SymbolMap &Symbols,
                     const AppliedRelocations &Places, Disassembler &Decoder,
                     const FlagTable &Flags, const RegisterTable &Registers)
    : Input(Input), Symbols(Symbols), Places(Places), Decoder(Decoder),
      Flags(Flags), Registers(Registers) {}

/// The target of \p I by an entry of the global offset table that nothing but
/// the loader writes: it is relative to the image, or what the linker wrote,
/// where images are not moved. Otherwise 0.
uint64_t InputFlow::fixedTarget(const Instruction &I) const {
  if (I.MemoryOperand < 0 || !Decoder.isRelative(I))
    return 0;
  const uint64_t Slot = Decoder.relativeAddress(I);
  const ElfView::Section *S = Input.sectionAt(Slot);
  if (!S || Input.name(*S) != ".got")
    return 0;
  if (Input.header().e_type != ELF::ET_EXEC || Places.symbolOf(Slot))
    return Places.relative().lookup(Slot);
  const uint64_t Target = Places.pointerAt(Slot).value_or(0);
  return Input.isCode(Target) ? Target : 0;
}

InputFlow::Node InputFlow::makeNode(Instruction I) const {
  if (I.Kind == FlowKind::IndirectCall || I.Kind == FlowKind::IndirectJump)
    if (uint64_t Target = fixedTarget(I)) {
      I.Kind = I.isCall() ? FlowKind::Call : FlowKind::Jump;
      I.Target = Target;
    }
  const FlagUse Use = Flags.of(I.Inst);
  const int32_t Distance = I.Target ? I.Target - I.end() : 0;
  return {I.Address, Distance,  uint8_t(I.Size),
          I.Kind,    Use.Reads, Use.Overwrites};
}

void InputFlow::add(const Instruction &I, bool GoesOn) {
  Nodes.push_back(makeNode(I));
  if (GoesOn)
    return;
  Node &N = Nodes.back();
  // A call that does not return is a jump to the callee.
  if (N.Kind == FlowKind::Call)
    N.Kind = FlowKind::Jump;
  else if (N.Kind == FlowKind::Plain)
    N.Kind = FlowKind::Trap;
}

void InputFlow::finish() {
  llvm::sort(Nodes, [](const Node &A, const Node &B) {
    return std::tie(A.Address, A.Kind) < std::tie(B.Address, B.Kind);
  });
  Nodes.erase(
      llvm::unique(Nodes, [](const Node &A,
                             const Node &B) { return A.Address == B.Address; }),
      Nodes.end());
  FlagsDone.resize(Nodes.size());
  ReturnsDone.resize(Symbols.inputs().size() + 1);
  llvm::sort(Taken);
  Taken.erase(llvm::unique(Taken), Taken.end());
  for (uint64_t Place : Taken)
    if (Symbols.isEntry(Place))
      TakenFunctions.push_back(Place);
    else if (const SymbolMap::Range *R = Symbols.inputAt(Place))
      Labels[wholeName(R->Name)].push_back(Place);
}

/// The number of the function around \p Place; one for all that is in none.
unsigned InputFlow::functionOf(uint64_t Place) const {
  const SymbolMap::Range *R = Symbols.inputAt(Place);
  return R ? R - Symbols.inputs().data() : Symbols.inputs().size();
}

bool InputFlow::hasLabels(uint64_t Place) const {
  const SymbolMap::Range *R = Symbols.inputAt(Place);
  return !R || Labels.contains(wholeName(R->Name));
}

/// Whether \p Place is in the code of another file, as far as we see.
bool InputFlow::isElsewhere(uint64_t Place) const {
  const ElfView::Section *S = Input.sectionAt(Place);
  return !Input.isCode(Place) || (S && Input.name(*S).starts_with(".plt"));
}

/// The end of a function where no other one begins.
bool InputFlow::isNotExecuted(uint64_t Place) const {
  const SymbolMap::Range *R = Symbols.inputAt(Place - 1);
  return R && R->End == Place && !Symbols.inputAt(Place);
}

/// Step 1.
std::optional<InputFlow::Node> InputFlow::nodeAt(uint64_t Place,
                                                 size_t &Index) {
  if (Index >= Nodes.size() || Nodes[Index].Address != Place)
    Index = llvm::partition_point(
                Nodes, [&](const Node &N) { return N.Address < Place; }) -
            Nodes.begin();
  if (Index < Nodes.size() && Nodes[Index].Address == Place)
    return Nodes[Index];
  Index = Nodes.size();
  Instruction I;
  Decoder.decode(Input.bytesAt(Place), Place, I);
  if (!I.Size)
    return std::nullopt;
  return makeNode(I);
}

/// Marks that \p Wanted is looked for at \p N.
bool InputFlow::isDone(const Node &N, size_t Index, Set Wanted) {
  if (Index < Nodes.size() && !(Wanted & AllRegisters)) {
    const uint8_t Now = Wanted >> NumRegisters;
    if ((FlagsDone[Index] & Now) == Now)
      return true;
    FlagsDone[Index] |= Now;
    return false;
  }
  Set &Done = FurtherDone[N.Address];
  if ((Done & Wanted) == Wanted)
    return true;
  Done |= Wanted;
  return false;
}

RegisterUse InputFlow::registersOf(const Node &N) {
  Instruction I;
  Decoder.decode(Input.bytesAt(N.Address), N.Address, I);
  return Registers.of(I.Inst);
}

/// The callers of every function.
void InputFlow::readGraph() {
  HasGraph = true;
  Graph.resize(Symbols.inputs().size() + 1);
  for (const Node &N : Nodes) {
    if (N.Kind == FlowKind::IndirectCall)
      BehindIndirectCalls.push_back(N.end());
    if (N.Kind == FlowKind::Call && !isElsewhere(N.target()))
      Graph[functionOf(N.target())].Returns.push_back(N.end());
    if (N.Kind != FlowKind::Jump && N.Kind != FlowKind::Branch &&
        N.Kind != FlowKind::OtherBranch && N.Kind != FlowKind::Plain)
      continue;
    const uint64_t Next = N.Kind == FlowKind::Plain ? N.end() : N.target();
    const SymbolMap::Range *Home = Symbols.inputAt(N.Address);
    if (Home && Next >= Home->Begin && Next < Home->End)
      continue;
    const unsigned From = functionOf(N.Address), To = functionOf(Next);
    if (From != To && !isElsewhere(Next) &&
        !is_contained(Graph[To].Jumps, From))
      Graph[To].Jumps.push_back(From);
  }
}

/// Step 3.
void InputFlow::addReturns(unsigned Function, Set Wanted) {
  if (!HasGraph)
    readGraph();
  SmallVector<unsigned> Functions = {Function};
  while (!Functions.empty()) {
    const unsigned F = Functions.pop_back_val();
    if ((ReturnsDone[F] & Wanted) == Wanted)
      continue;
    ReturnsDone[F] |= Wanted;
    for (uint64_t Place : Graph[F].Returns)
      Work.push_back({Place, Wanted});
    llvm::append_range(Functions, Graph[F].Jumps);
    // Step 4. The beginning need not be what is taken.
    const bool IsKnown = F < Symbols.inputs().size();
    const SymbolMap::Range *R = IsKnown ? &Symbols.inputs()[F] : nullptr;
    const auto First = R ? llvm::lower_bound(Taken, R->Begin) : Taken.begin();
    if ((R && (First == Taken.end() || *First >= R->End)) ||
        (IndirectDone & Wanted) == Wanted)
      continue;
    IndirectDone |= Wanted;
    for (uint64_t Place : BehindIndirectCalls)
      Work.push_back({Place, Wanted});
  }
}

void InputFlow::addTakenFunctions(Set Wanted) {
  if ((TakenDone & Wanted) == Wanted)
    return;
  TakenDone |= Wanted;
  for (uint64_t Place : TakenFunctions)
    Work.push_back({Place, Wanted});
}

std::optional<uint64_t> InputFlow::findReader(uint64_t Place, Set Wanted) {
  Work.push_back({Place, Wanted});
  while (!Work.empty()) {
    const Look L = Work.back();
    Work.pop_back();
    if (std::optional<uint64_t> Reader = follow(L))
      return Reader;
  }
  return std::nullopt;
}

std::optional<uint64_t> InputFlow::follow(Look L) {
  size_t Index = Nodes.size();
  while (L.Wanted) {
    if (isElsewhere(L.At)) // Step 5.
      return L.Wanted & (Arguments | Preserved) ? std::optional(L.At)
                                                : std::nullopt;
    const std::optional<Node> N = nodeAt(L.At, Index);
    if (Index == Nodes.size() && isNotExecuted(L.At))
      return std::nullopt;
    if (!N)
      return L.At;
    if (isDone(*N, Index, L.Wanted))
      return std::nullopt;
    Set Reads = setOf(N->Reads, 0), Overwrites = setOf(N->Overwrites, 0);
    if (L.Wanted & AllRegisters) {
      const RegisterUse Use = registersOf(*N);
      Reads |= Use.Reads;
      Overwrites |= Use.Overwrites;
    }
    if (L.Wanted & Reads)
      return L.At;
    L.Wanted &= ~Overwrites;
    if (L.Wanted && !goOn(*N, L))
      return L.Wanted ? std::optional(L.At) : std::nullopt;
    ++Index;
  }
  return std::nullopt;
}

/// Follows control behind \p N: \p L becomes the next look, others are added.
/// False if there is none, with nothing wanted, or with what is read there by
/// all that is known.
bool InputFlow::goOn(const Node &N, Look &L) {
  const Set Now = L.Wanted;
  auto end = [&](Set Read) {
    L.Wanted = Now & Read;
    return false;
  };
  switch (N.Kind) {
  case FlowKind::Plain:
  case FlowKind::Nop:
    L.At = N.end();
    return true;
  case FlowKind::Jump:
    L.At = N.target();
    return true;
  case FlowKind::Branch:
  case FlowKind::OtherBranch:
    Work.push_back({N.target(), Now});
    L.At = N.end();
    return true;
  case FlowKind::Call:
    if (!isElsewhere(N.target())) {
      L.At = N.target(); // And behind the call when it returns.
      return true;
    }
    if (Now & Arguments)
      return end(Arguments);
    L.Wanted &= Preserved;
    L.At = N.end();
    return true;
  case FlowKind::IndirectCall:
    if (Now & Arguments)
      return end(Arguments);
    addTakenFunctions(Now);
    // It is not known which one is called: all but the flags may survive.
    L.Wanted &= AllRegisters;
    L.At = N.end();
    return true;
  case FlowKind::IndirectJump: {
    const SymbolMap::Range *R = Symbols.inputAt(N.Address);
    const auto Own = R ? Labels.find(wholeName(R->Name)) : Labels.end();
    if (Own != Labels.end())
      for (uint64_t Label : Own->second)
        Work.push_back({Label, Now});
    else if (Now & (Arguments | Preserved))
      return end(Arguments | Preserved);
    addTakenFunctions(Now);
    return end(0);
  }
  case FlowKind::Return:
    if (Now & (Results | Preserved))
      return end(Results | Preserved);
    addReturns(functionOf(N.Address), Now);
    return end(0);
  case FlowKind::Trap:
    return end(0);
  }
  return end(Now);
}
