//===- Verify/FunctionEnds.cpp - Whether control runs past an end ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps 3 and 4 of CodeComparison: whether the input goes on behind the last
// instruction of a function. Then the output must do so, too. Compilers end
// functions in what never comes to an end, which the output need not keep, but
// assembly runs on into the next function.
//
// 1. Behind an ordinary instruction control goes on. Only of the parts that
//    compilers split off records tell that it does not, and of functions that
//    may be such parts because they have no name.
// 2. Behind a system call it goes on unless its number, which is set right
//    before, is that of one which does not return.
// 3. Behind a call it goes on if the callee is in this file and has a return,
//    and the record of what follows begins with the same frame. Most other
//    calls at ends are of what does not return.
// 4. __morestack returns to behind the return that is behind its call.
//
// Ends that Protect/FallsThrough does not see must not be seen here: they would
// be errors of any output.
//
//===----------------------------------------------------------------------===//

#include "CodeComparison.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace graupel;

/// Calls \p See with each instruction of [\p Begin, \p End), from the beginning
/// on, until it returns false. False if some bytes are none.
bool CodeComparison::walk(uint64_t Begin, uint64_t End,
                          function_ref<bool(const Instruction &)> See) {
  Side Look{F.Input, F.UnwindBefore, {}, Begin, nullptr, {}, 0};
  for (; Look.At < End; Look.At = Look.Now.end()) {
    if (!decode(Look))
      return false;
    if (!See(Look.Now))
      break;
  }
  return true;
}

/// Whether \p I ends a function with a name, and another one follows at once.
bool CodeComparison::isBeforeEntry(const Instruction &I) const {
  const SymbolMap::Range *Home = F.Symbols.inputAt(I.Address);
  return Home && I.end() == Home->End && F.Symbols.isEntry(I.end()) &&
         F.Input.find(".symtab") && !isPartName(Home->Name) &&
         !Home->Name.starts_with("function ");
}

/// Control goes on behind \p I.
void CodeComparison::noteRunsOn(const Instruction &I) {
  RunsInto = isBeforeEntry(I) ? I.end() : 0;
}

/// No optimization may change that, so that it is an error where others are
/// not.
Error CodeComparison::runsElsewhere() const {
  return bad(place(In.At, false) +
             " is run into past the end of the function before it, but not in "
             "the output, where " +
             place(Out.At, true) + " follows");
}

// Step 1.
Expected<bool> CodeComparison::leavesFrame(const Instruction &I) {
  const UnwindTables::Frame *Frame = In.Frame;
  if (!Frame || I.end() != Frame->Record.End || isBeforeEntry(I))
    return false;
  Expected<bool> Same = hasSameFrameBehind(I);
  if (!Same)
    return Same.takeError();
  return F.UnwindBefore.hasRecord(I.end()) && !*Same;
}

/// Whether a record begins behind \p I, with the frame of \p I.
Expected<bool> CodeComparison::hasSameFrameBehind(const Instruction &I) {
  Expected<const UnwindTables::Frame *> Next = F.UnwindBefore.at(I.end());
  if (!Next)
    return Next.takeError();
  auto frameOf = [&](const UnwindTables::Frame &Unwind, uint64_t At) {
    return F.States[UnwindTables::rowAt(Unwind, At).State].CFA;
  };
  return *Next && (*Next)->Record.Begin == I.end() &&
         frameOf(*In.Frame, I.Address) == frameOf(**Next, I.end());
}

// Step 2.
bool CodeComparison::isLastSystemCall(const Instruction &I) {
  const SymbolMap::Range *Home = F.Symbols.inputAt(I.Address);
  if (Decoder.name(I) != "SYSCALL" || !isEndOfFunction(I))
    return false;
  constexpr uint32_t SigReturn = 15, Exit = 60, ExitGroup = 231;
  constexpr unsigned Near = 8;
  unsigned Since = Near; // Instructions since the number.
  const bool IsCode = walk(Home->Begin, I.Address, [&](const Instruction &At) {
    StringRef Bytes = F.Input.bytesAt(At.Address).take_front(At.Size);
    ++Since;
    if ((Bytes.consume_front("\xb8") || Bytes.consume_front("\x48\xc7\xc0")) &&
        Bytes.size() == 4 &&
        is_contained({SigReturn, Exit, ExitGroup},
                     support::endian::read32le(Bytes.data())))
      Since = 0;
    return true;
  });
  return !IsCode || Since < Near;
}

/// Whether the function at \p Address of the input surely has a return.
bool CodeComparison::hasReturn(uint64_t Address) {
  const SymbolMap::Range *To = F.Symbols.inputAt(Address);
  if (!To || To->Begin != Address || isPLT(Address))
    return false;
  // A return behind a write to the stack pointer leads elsewhere.
  static constexpr StringLiteral Others[] = {
      "__stack_chk_fail", "__libc_start_main", "__cxa_", "_Unwind_", "_ZSt",
      "__clang_"};
  if (To->Name.contains("longjmp") || any_of(Others, [&](StringRef Name) {
        return To->Name.starts_with(Name);
      }))
    return false;
  bool Found = false, SetsStack = false;
  const bool IsCode = walk(To->Begin, To->End, [&](const Instruction &I) {
    Found = I.Kind == FlowKind::Return && !SetsStack;
    const unsigned Stack =
        I.Inst.getNumOperands() && I.Inst.getOperand(0).isReg()
            ? I.Inst.getOperand(0).getReg().id()
            : 0;
    SetsStack = Stack && Decoder.registerName(Stack) == "RSP";
    return !Found;
  });
  return IsCode && Found;
}

// Steps 3 and 4.
Expected<bool> CodeComparison::goesOnBehind(const Instruction &Call,
                                            uint64_t Now) {
  const SymbolMap::Range *To =
      Call.Kind == FlowKind::Call ? F.Symbols.inputAt(Call.Target) : nullptr;
  if (To &&
      (To->Name == "__morestack" || To->Name == "__morestack_non_split") &&
      F.Input.bytesAt(Call.end()).starts_with("\xc3"))
    push(Call.end() + 1, Now + 1);
  RunsInto = 0;
  if (!isEndOfFunction(Call) && !isEndOfRecord(Call))
    return true;
  const StringRef Behind = F.Input.bytesAt(Call.end());
  if (Call.Kind != FlowKind::Call || !isBeforeEntry(Call) ||
      Behind.starts_with("\xcc") || Behind.starts_with("\xf4") ||
      !hasReturn(Call.Target))
    return false;
  Expected<bool> GoesOn = In.Frame ? hasSameFrameBehind(Call) : true;
  if (GoesOn && *GoesOn)
    noteRunsOn(Call);
  return GoesOn;
}
