//===- Verify/CodeFrames.cpp - Unwinding from both files' code ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each pair of instructions that CodeComparison.cpp comes to:
//
// 1. The unwind state is the same, and means the same. In functions that were
//    changed it may differ, which is known at the end (checkRows).
// 2. A throw from a call does the same: it continues in the caller, ends the
//    program, or is caught by the same types; then the landing pads are a pair.
//
//===----------------------------------------------------------------------===//

#include "CodeComparison.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace graupel;

Error CodeComparison::compareFrames() {
  for (Side *S : {&In, &Out})
    if (!S->Frame || S->At < S->Frame->Record.Begin ||
        S->At >= S->Frame->Record.End) {
      Expected<const UnwindTables::Frame *> Frame = S->Unwind.at(S->At);
      if (!Frame)
        return Frame.takeError();
      S->Frame = *Frame;
    }
  if (!In.Frame)
    return Error::success();
  if (!Out.Frame)
    return mismatch("it has no unwind record");
  const unsigned Before = UnwindTables::rowAt(*In.Frame, In.At).State,
                 Now = UnwindTables::rowAt(*Out.Frame, Out.At).State;
  if (Before == Now && (In.At == Out.At || !F.States[Before].dependsOnCode()))
    return Error::success();
  const FrameState Was = F.States[Before].at(In.At),
                   Is = F.States[Now].at(Out.At);
  if (Was != Is)
    WrongRows.try_emplace(Owner ? Owner->Begin : In.At,
                          "the unwind state at " + place(Out.At, true) +
                              " is " + Is.text() + ", the input's at " +
                              place(In.At, false) + " is " + Was.text());
  else if (Was.dependsOnCode())
    WrongRows.try_emplace(Owner ? Owner->Begin : In.At,
                          "the unwind rules at " + place(Out.At, true) +
                              " depend on where the code is, and it has moved");
  return Error::success();
}

/// The name of the function that \p R or the part \p R belongs to.
static StringRef functionOf(const SymbolMap::Range *R) {
  return R ? wholeName(R->Name) : "";
}

Error CodeComparison::checkRows() {
  StringSet<> Changed;
  for (uint64_t Begin : Different)
    Changed.insert(functionOf(F.Symbols.inputAt(Begin)));
  for (const auto &[Begin, Problem] : WrongRows)
    if (!Different.contains(Begin) &&
        !Changed.contains(functionOf(F.Symbols.inputAt(Begin))))
      return bad(Problem);
  return Error::success();
}

static StringRef textOf(HandlerAt::Kind K) {
  switch (K) {
  case HandlerAt::Continues:
    return "continues in the caller";
  case HandlerAt::Terminates:
    return "ends the program";
  case HandlerAt::Lands:
    return "has a landing pad";
  }
  return "";
}

/// The routine itself, in static programs, may have moved.
bool CodeComparison::isSamePersonality() {
  const uint64_t Before = In.Frame->Record.Common.Personality,
                 Now = Out.Frame->Record.Common.Personality;
  return Before == Now || (F.Input.isCode(Before) && isSameCode(Before, Now));
}

/// Tables of another language are left where they are, and what has none must
/// not seem to have one: its personality routine would read whatever is there.
bool CodeComparison::isSameForeignTable() const {
  const uint64_t Before =
      In.Frame && In.Frame->IsForeign ? In.Frame->Record.LSDA : 0;
  const uint64_t Now =
      Out.Frame && Out.Frame->IsForeign ? Out.Frame->Record.LSDA : 0;
  return Before == Now;
}

Error CodeComparison::compareHandlers() {
  if (!isSameForeignTable())
    return bad("the exception table of the code at " + place(Out.At, true) +
               " is not that of the input's at " + place(In.At, false));
  const HandlerAt Before = UnwindTables::handlerAt(In.Frame, In.Now.end()),
                  Now = UnwindTables::handlerAt(Out.Frame, Out.Now.end());
  const std::string Call = "a throw from the call at " + place(Out.At, true);
  if (Before.Outcome != Now.Outcome)
    return bad(Call + " " + textOf(Now.Outcome) + ", in the input, at " +
               hex(In.At) + ", it " + textOf(Before.Outcome));
  const bool HasReader = Before.Outcome != HandlerAt::Continues ||
                         (In.Frame && In.Frame->IsForeign);
  if (HasReader && !isSamePersonality())
    return bad("the code at " + place(Out.At, true) +
               " has another personality routine than the input's");
  if (Before.Outcome != HandlerAt::Lands)
    return Error::success();
  if (*Before.Handlers != *Now.Handlers)
    return bad(Call + " is caught by other types than in the input, at " +
               hex(In.At));
  if (UnwindTables::rowAt(*In.Frame, In.At).ArgumentsSize !=
      UnwindTables::rowAt(*Out.Frame, Out.At).ArgumentsSize)
    return bad(Call + " removes arguments of another size than in the input");
  push(Before.LandingPad, Now.LandingPad);
  return Error::success();
}
