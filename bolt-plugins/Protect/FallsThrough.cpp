//===- Protect/FallsThrough.cpp - Control that runs past the end ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assembly may run from one function into the next, and so does what clang
// makes of undefined behavior. BOLT puts other code behind such a function,
// and forgets a condition if the branch is the function's last instruction.
//
// 1. When a function has been disassembled, look at its last instruction that
//    is no padding, be it nops or zeros. Control goes on behind it, does not, or that depends on
//    whether a call returns. Compilers end functions in calls that never do.
// 2. The next function expects the return address on top of the stack. If the
//    unwind record says that something else is there, control does not go on.
//    Compilers align the stack for a call, so that this is so for theirs, even
//    if __builtin_unreachable() is behind a call that returns. Behind another
//    instruction, what comes next may be another function's cold part: control
//    does not go on unless both records have the frame at the same place.
// 3. When all functions are known, judge the other calls. One may return unless
//    it is known that it never does.
// 4. Where behind the call is a trap, linkers' padding, nothing goes on.
//
//===----------------------------------------------------------------------===//

#include "Protected.h"
#include "Support/BoltInternals.h"
#include "Support/Returns.h"
#include "bolt/Core/Exceptions.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugFrame.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static DenseSet<const BinaryFunction *> FallThrough;
/// The calls that functions end in, by their offsets.
static MapVector<const BinaryFunction *, uint64_t> CallsAtEnd;
/// Functions of these whose stack is not that of a beginning there.
static DenseSet<const BinaryFunction *> HaveFrames;
/// The other instructions behind which control would go on.
static DenseMap<const BinaryFunction *, uint64_t> InstructionsAtEnd;

/// Padding between functions.
static constexpr uint64_t MostPadding = 64;

/// Control does not come behind \p Inst, or not as far as anyone can tell: the
/// last system call is one that does not return (exit, sigreturn).
static bool endsFlow(const BinaryContext &BC, const MCInst &Inst) {
  if (BC.MIB->isConditionalBranch(Inst))
    return false;
  if (BC.MIB->isReturn(Inst) || BC.MIB->isTailCall(Inst) ||
      BC.MIB->isUnconditionalBranch(Inst) || BC.MIB->isIndirectBranch(Inst))
    return true;
  return isTrap(BC, Inst) || BC.MII->getName(Inst.getOpcode()) == "SYSCALL";
}

/// How much of \p BF is before zeros at its end: mold pads sections of code with
/// them, and what has no size goes as far as that.
static uint64_t sizeWithoutZeros(const BinaryFunction &BF) {
  const ErrorOr<ArrayRef<uint8_t>> Code = BF.getData();
  uint64_t Size = Code ? Code->size() : 0;
  while (Size && !(*Code)[Size - 1])
    --Size;
  return Size;
}

// Step 1.
void graupel::noteEnd(const BinaryFunction &BF) {
  const BinaryContext &BC = BF.getBinaryContext();
  const uint64_t End = sizeWithoutZeros(BF);
  const auto &Instructions = BF.*member(internals::InstructionsTag());
  for (const auto &[Offset, Inst] : llvm::reverse(Instructions)) {
    if (BC.MIB->isNoop(Inst) || BC.MIB->isPseudo(Inst) || Offset >= End)
      continue; // Padding.
    if (endsFlow(BC, Inst))
      return;
    if (BC.MIB->isCall(Inst) && !BC.MIB->isConditionalBranch(Inst))
      CallsAtEnd[&BF] = Offset;
    else
      InstructionsAtEnd[&BF] = Offset;
    return;
  }
}

// Step 2.
using Frame = dwarf::UnwindLocation;

/// Where the caller's frame is at \p Address, as far as \p Record says.
static std::optional<Frame> frameAt(const dwarf::FDE &Record,
                                    uint64_t Address) {
  Expected<dwarf::UnwindTable> Rows = dwarf::createUnwindTable(&Record);
  if (!Rows) {
    consumeError(Rows.takeError());
    return std::nullopt;
  }
  std::optional<Frame> Found;
  for (const dwarf::UnwindRow &Row : *Rows)
    if (!Row.hasAddress() || Row.getAddress() <= Address)
      Found = Row.getCFAValue();
  return Found;
}

/// The frame that a function begins with.
static bool isAsAtEntry(const Frame &F) {
  constexpr unsigned StackPointer = 7, AddressSize = 8;
  return F.getLocation() == Frame::RegPlusOffset &&
         F.getRegister() == StackPointer && F.getOffset() == AddressSize;
}

/// Whether control may go on with the frame \p Here from \p End to what is behind,
/// which \p Next may describe.
static bool mayGoOn(const Frame &Here, uint64_t End, const dwarf::FDE *Next) {
  if (!Next || Next->getInitialLocation() - End > MostPadding)
    return isAsAtEntry(Here);
  const std::optional<Frame> There = frameAt(*Next, Next->getInitialLocation());
  return !There || Here == *There;
}

void graupel::noteFrameAtEnd(const BinaryFunction &BF,
                             const CFIReaderWriter &Reader) {
  const auto *Call = CallsAtEnd.find(&BF);
  const auto Other = InstructionsAtEnd.find(&BF);
  if (Call == CallsAtEnd.end() && Other == InstructionsAtEnd.end())
    return;
  const bool IsCall = Call != CallsAtEnd.end();
  const uint64_t Address =
      BF.getAddress() + (IsCall ? Call->second : Other->second);
  const auto &Records = Reader.getFDEs();
  const auto Next = Records.upper_bound(Address);
  if (Next == Records.begin())
    return;
  const dwarf::FDE &Record = *std::prev(Next)->second;
  if (Address - Record.getInitialLocation() >= Record.getAddressRange())
    return;
  // Behind a call, only what a function begins with counts.
  const dwarf::FDE *Behind =
      IsCall || Next == Records.end() ? nullptr : Next->second;
  const uint64_t End = Record.getInitialLocation() + Record.getAddressRange();
  if (const std::optional<Frame> Here = frameAt(Record, Address);
      Here && !mayGoOn(*Here, End, Behind))
    HaveFrames.insert(&BF);
}

// Step 4.
static bool isTrapBehind(const BinaryFunction &BF) {
  const BinarySection *Section = BF.getOriginSection();
  const uint64_t End = BF.getAddress() + BF.getSize();
  if (!Section || !Section->containsRange(End, 1))
    return true; // Nothing is there.
  const uint8_t Byte = Section->getContents()[End - Section->getAddress()];
  return Byte == 0xcc /*int3*/ || Byte == 0xf4 /*hlt*/;
}

// Step 3.
void graupel::judgeEnds(BinaryContext &BC) {
  ReturnFinder Finder(BC, ReturnFinder::By::Habit);
  for (const auto &[BF, Offset] : CallsAtEnd)
    if (!HaveFrames.contains(BF) && Finder.mayReturn(*BF, Offset) &&
        !isTrapBehind(*BF))
      FallThrough.insert(BF);
  for (const BinaryFunction *BF : make_first_range(InstructionsAtEnd))
    if (!HaveFrames.contains(BF))
      FallThrough.insert(BF);
  CallsAtEnd.clear();
  InstructionsAtEnd.clear();
}

bool graupel::fallsThrough(const BinaryFunction &BF) {
  return FallThrough.contains(&BF);
}

BinaryFunction *graupel::functionRunInto(BinaryFunction &BF) {
  const BinaryContext &BC = BF.getBinaryContext();
  const auto &Functions = BC.getBinaryFunctions();
  const uint64_t End = BF.getAddress() + BF.getSize();
  auto Next = Functions.upper_bound(BF.getAddress());
  return Next != Functions.end() && Next->first - End <= MostPadding
             ? functionWith(const_cast<BinaryContext &>(BC), Next->first)
             : nullptr;
}
