//===- HotCold/Machine/Machine.cpp - State of an execution ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers and memory of a symbolic execution. The effects of instructions are
// in Execution.cpp.
//
// 1. The constructor finds out whether the frame escapes: whether an
//    instruction uses the stack pointer for more than plain accesses
//    (findEscapes).
// 2. entry() makes the state at the entry, with a value of its own for each
//    register.
// 3. read() returns the content of a cell, or puts it together of bytes. Where
//    no cell is, the place holds its content before the function stored
//    anything.
// 4. write() replaces a part of the stack. Cells that overlap it are split into
//    bytes (splitAt).
// 5. storeToFrame() writes a cell and, if it is seen from outside, makes memory
//    a new value. storeAnywhere() also forgets the cells that pointers may lead
//    to.
// 6. visibleCells() and frameCells() list what a callee or another part of the
//    procedure may find. spoilBelowRedZone() forgets what a signal handler may
//    overwrite.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using namespace graupel::symbolic;

constexpr int64_t RedZone = 128;

Executor::Executor(const MachineModel &Context, const BinaryFunction &BF,
                   Surroundings Others, ValueTable &Values, AccessSizes &Sizes)
    : Context(Context), Others(std::move(Others)), BC(Context.BC), MIB(*BC.MIB),
      Values(Values), Sizes(Sizes), MoveHalf(Sizes.moveHalf()),
      Escapes(findEscapes(BF)) {}

bool Executor::findEscapes(const BinaryFunction &BF) {
  for (const BinaryBasicBlock &Block : BF)
    for (const MCInst &Inst : Block) {
      if (MIB.isPseudo(Inst) || MIB.isCall(Inst) || MIB.isReturn(Inst))
        continue;
      const StackEffect E = Context.Stack.effect(Inst);
      if (E.Operation == StackEffect::Kind::Unknown)
        return true;
      if (E.Operation == StackEffect::Kind::None &&
          Context.Registers.effects(Inst).Reads & reg::RSP &&
          !(isPlainStackAccess(Context, Inst) && Sizes.of(Inst)))
        return true;
    }
  return false;
}

Machine Executor::entry() {
  Machine M;
  for (unsigned I = 0; I < M.Registers.size(); ++I)
    M.Registers[I] = I == RSPIndex ? Values.stackAddress(0) : Values.entry(I);
  M.Memory = Values.get(ValueKind::EntryMemory, {});
  return M;
}

bool Executor::isPrivate(ValueNo Content) const {
  return Values.is(Content, ValueKind::EntryRegister) &&
         reg::CalleeSaved & reg::bit(Values.words(Content)[0]);
}

/// Other values of RAX may be arguments.
bool Executor::isRoom(ValueNo Content) const {
  return Values.is(Content, ValueKind::Padding) &&
         Values.words(Content)[0] == Values.entry(0);
}

bool Executor::isVisible(int64_t At, ValueNo Content) const {
  return (Escapes || At >= 0) && !isPrivate(Content) && !isRoom(Content);
}

ValueNo Executor::untouched(const Machine &M, int64_t At, int64_t Size) {
  const ValueNo From = (Escapes && At < 0) || At >= 8
                           ? M.Memory
                           : Values.get(ValueKind::EntryMemory, {});
  return Values.get(ValueKind::StackContent, {From, static_cast<uint64_t>(At),
                                              static_cast<uint64_t>(Size)});
}

static auto firstEndingBehind(const Machine &M, int64_t At) {
  return llvm::lower_bound(M.Cells, At, [](const Machine::Cell &C, int64_t At) {
    return C.end() <= At;
  });
}

ValueNo Executor::byteOf(const Machine::Cell &C, int64_t Index) {
  return Values.is(C.Content, ValueKind::Padding)
             ? C.Content
             : Values.get(ValueKind::Byte,
                          {C.Content, static_cast<uint64_t>(Index),
                           static_cast<uint64_t>(C.Size)});
}

ValueNo Executor::read(const Machine &M, int64_t At, int64_t Size) {
  auto C = firstEndingBehind(M, At);
  if (C == M.Cells.end() || C->At >= At + Size)
    return untouched(M, At, Size);
  if (C->At == At && C->Size == Size)
    return C->Content;
  std::vector<uint64_t> Parts;
  for (int64_t I = At; I < At + Size; ++I) {
    while (C != M.Cells.end() && C->end() <= I)
      ++C;
    if (C == M.Cells.end() || C->At > I)
      Parts.push_back(untouched(M, I, 1));
    else if (C->Size == 1)
      Parts.push_back(C->Content);
    else
      Parts.push_back(byteOf(*C, I - C->At));
  }
  if (Size == 1)
    return Parts[0];
  // All bytes of a value together are that value.
  const ValueNo First = Parts[0];
  if (Values.is(First, ValueKind::Byte)) {
    const ValueNo Whole = Values.words(First)[0];
    if (Values.words(First)[2] == static_cast<uint64_t>(Size) &&
        all_of(seq<size_t>(0, Parts.size()), [&](size_t I) {
          return Parts[I] ==
                 Values.get(ValueKind::Byte,
                            {Whole, I, static_cast<uint64_t>(Size)});
        }))
      return Whole;
  }
  return Values.get(ValueKind::Bytes, Parts);
}

void Executor::splitAt(Machine &M, int64_t At) {
  const size_t I = firstEndingBehind(M, At) - M.Cells.begin();
  if (I == M.Cells.size() || M.Cells[I].At >= At)
    return;
  const Machine::Cell Old = M.Cells[I];
  std::vector<Machine::Cell> Bytes;
  for (int64_t B = 0; B < Old.Size; ++B)
    Bytes.push_back({Old.At + B, 1, byteOf(Old, B)});
  M.Cells.erase(M.Cells.begin() + I);
  M.Cells.insert(M.Cells.begin() + I, Bytes.begin(), Bytes.end());
}

void Executor::write(Machine &M, int64_t At, int64_t Size, ValueNo Content) {
  splitAt(M, At);
  splitAt(M, At + Size);
  const size_t I = firstEndingBehind(M, At) - M.Cells.begin();
  size_t End = I;
  while (End < M.Cells.size() && M.Cells[End].At < At + Size)
    ++End;
  M.Cells.erase(M.Cells.begin() + I, M.Cells.begin() + End);
  M.Cells.insert(M.Cells.begin() + I, {At, Size, Content});
}

void Executor::storeToFrame(const MCInst &Inst, Machine &M, int64_t At,
                            int64_t Size, ValueNo Content, bool Strict) {
  if (const auto RSP = Values.stackOffset(rsp(M)); Strict && RSP)
    BelowRedZone |= At < *RSP - RedZone;
  write(M, At, Size, Content);
  if (isVisible(At, Content))
    setMemory(
        Inst, M,
        Values.get(ValueKind::Cells, {static_cast<uint64_t>(At),
                                      static_cast<uint64_t>(Size), Content}));
}

void Executor::setMemory(const MCInst &Inst, Machine &M, ValueNo Stored) {
  M.Memory = Values.get(ValueKind::Stored, {M.Memory, Stored});
  Pending = Event{&Inst, M.Memory};
}

/// A store that may have gone wherever pointers lead.
void Executor::storeAnywhere(const MCInst &Inst, Machine &M, ValueNo Stored) {
  setMemory(Inst, M, Stored);
  erase_if(M.Cells, [&](const Machine::Cell &C) {
    return C.At >= 8 || (C.At < 0 && isVisible(C.At, C.Content));
  });
}

/// The cells of a frame that does not escape that a callee may find on the
/// stack: its parameters, wherever they end.
ValueNo Executor::visibleCells(const Machine &M) {
  const std::optional<int64_t> RSP = Values.stackOffset(rsp(M));
  std::vector<uint64_t> Words;
  for (const Machine::Cell &C : M.Cells)
    if (C.At < 0 && (!RSP || C.At >= *RSP) && !isPrivate(C.Content) &&
        !isRoom(C.Content)) {
      Words.push_back(C.At);
      Words.push_back(C.Content);
    }
  return Values.get(ValueKind::Cells, Words);
}

ValueNo Executor::frameCells(const Machine &M) {
  const std::optional<int64_t> RSP = Values.stackOffset(rsp(M));
  std::vector<uint64_t> Words;
  for (const Machine::Cell &C : M.Cells)
    if (C.At < 0 && (!RSP || C.At >= *RSP - RedZone)) {
      Words.push_back(C.At);
      Words.push_back(C.Size);
      Words.push_back(C.Content);
    }
  return Values.get(ValueKind::Cells, Words);
}

/// A signal handler may run at any time.
void Executor::spoilBelowRedZone(Machine &M, ValueNo OldRSP) {
  const std::optional<int64_t> Old = Values.stackOffset(OldRSP),
                               New = Values.stackOffset(rsp(M));
  if (!Old || !New || *New <= *Old)
    return;
  for (Machine::Cell &C : M.Cells)
    if (C.At < *New - RedZone)
      C.Content = Values.garbage();
}
