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
//    is no padding, be it nops or zeros. Control goes on behind it, does not, or
//    that depends on whether a call returns. Compilers end functions in calls
//    that never do. Among system calls, only exit and sigreturn do not return.
// 2. Unwind records say of some calls that they do not return: the next function
//    expects the return address on top of the stack, and something else is
//    there. Compilers align the stack for a call, so that this is so for theirs,
//    even if __builtin_unreachable() is behind a call that returns. In assembly
//    the next record may begin with that very frame; then control goes on.
//    Compilers also end cold parts in nothing, and what comes next is another
//    function's: control does not go on unless both have the same frame. Ends of
//    other functions are not judged by records, which are often wrong in
//    assembly that falls through (libgcc's __morestack_non_split).
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

/// Control does not come behind \p Inst, which is no system call.
static bool endsFlow(const BinaryContext &BC, const MCInst &Inst) {
  if (BC.MIB->isConditionalBranch(Inst))
    return false;
  return BC.MIB->isReturn(Inst) || BC.MIB->isTailCall(Inst) ||
         BC.MIB->isUnconditionalBranch(Inst) ||
         BC.MIB->isIndirectBranch(Inst) || isTrap(BC, Inst);
}

static bool isSystemCall(const BinaryContext &BC, const MCInst &Inst) {
  return BC.MII->getName(Inst.getOpcode()) == "SYSCALL";
}

/// Whether \p Inst is "mov $number, %eax" with the number of a system call that
/// does not return.
static bool choosesLastCall(const BinaryContext &BC, const MCInst &Inst) {
  constexpr int64_t SigReturn = 15, Exit = 60, ExitGroup = 231;
  if (!BC.MII->getName(Inst.getOpcode()).starts_with("MOV") ||
      MCPlus::getNumPrimeOperands(Inst) != 2 || !Inst.getOperand(0).isReg() ||
      !Inst.getOperand(1).isImm())
    return false;
  const StringRef Register = BC.MRI->getName(Inst.getOperand(0).getReg());
  return (Register == "EAX" || Register == "RAX") &&
         is_contained({SigReturn, Exit, ExitGroup},
                      Inst.getOperand(1).getImm());
}

/// The size of \p BF without zeros at its end: mold pads sections of code with
/// them, and functions without a size reach as far as that.
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
  for (auto It = Instructions.rbegin(); It != Instructions.rend(); ++It) {
    const auto &[Offset, Inst] = *It;
    if (BC.MIB->isNoop(Inst) || BC.MIB->isPseudo(Inst) || Offset >= End)
      continue; // Padding.
    if (endsFlow(BC, Inst))
      return;
    // Its arguments are set right before it.
    constexpr int Near = 8;
    if (isSystemCall(BC, Inst) &&
        any_of(make_range(It, std::distance(It, Instructions.rend()) > Near
                                  ? std::next(It, Near)
                                  : Instructions.rend()),
               [&](const auto &Before) {
                 return choosesLastCall(BC, Before.second);
               }))
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

/// The caller's frame at \p Address, as far as \p Record says.
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

/// Whether \p Address is between functions, as far as one can see: padding or a
/// trap is there, or nothing.
static bool isGap(const BinaryContext &BC, uint64_t Address) {
  const ErrorOr<const BinarySection &> Home = BC.getSectionForAddress(Address);
  if (!Home || !Home->isText())
    return true;
  const uint8_t Byte = Home->getContents()[Address - Home->getAddress()];
  return is_contained({0x00, 0x90, 0x66, 0x0f, 0xcc, 0xf4}, Byte);
}

/// Whether control may go on behind the call at the end of a function, where the
/// frame is \p Here. \p Next may describe what is behind \p End.
static bool mayGoOnBehindCall(const BinaryContext &BC, const Frame &Here,
                              uint64_t End, const dwarf::FDE *Next) {
  if (isAsAtEntry(Here))
    return true;
  // Code that follows without a record and a name is more of the function.
  const uint64_t Begin = Next ? Next->getInitialLocation() : End;
  const BinaryFunction *Behind = BC.getBinaryFunctionAtAddress(Begin);
  if (!Behind)
    return !Next && !isGap(BC, End);
  return Next && !Behind->isFragment() && frameAt(*Next, Begin) == Here;
}

/// The same behind another instruction at the end of a cold part.
static bool mayGoOnBehindPart(const Frame &Here, const dwarf::FDE *Next) {
  if (!Next)
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
  if (!IsCall && !BF.isFragment())
    return;
  const uint64_t Address =
      BF.getAddress() + (IsCall ? Call->second : Other->second);
  const auto &Records = Reader.getFDEs();
  const auto Next = Records.upper_bound(Address);
  if (Next == Records.begin())
    return;
  const dwarf::FDE &Record = *std::prev(Next)->second;
  if (Address - Record.getInitialLocation() >= Record.getAddressRange())
    return;
  const uint64_t End = Record.getInitialLocation() + Record.getAddressRange();
  const dwarf::FDE *Behind =
      Next != Records.end() && Next->first - End <= MostPadding ? Next->second
                                                                : nullptr;
  const std::optional<Frame> Here = frameAt(Record, Address);
  if (Here &&
      !(IsCall ? mayGoOnBehindCall(BF.getBinaryContext(), *Here, End, Behind)
               : mayGoOnBehindPart(*Here, Behind)))
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
