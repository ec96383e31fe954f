//===- Verify/CallSurvey.cpp - The calls of changed functions -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Find functions by their names in both files, with their parts, and copies
//    by the jumps that originals begin with.
// 2. Collect what becomes of a throw from each call of a known callee in the
//    input's function (survey). Each call of it in the output's function must do
//    as one of these.
// 3. Branches and calls of the output's function lead to code (checkTargets).
//
//===----------------------------------------------------------------------===//

#include "CallSurvey.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace graupel;

CallSurvey::CallSurvey(const CodeComparison::Files &F)
    : F(F), Decoder(F.Output.header().e_machine) {
  for (const SymbolMap::Pair &P : F.Symbols.pairs())
    Origins[P.Output].push_back(P.Input);
  for (const SymbolMap::Range &R : F.Symbols.inputs())
    Before[wholeName(R.Name)].push_back(&R);
  for (const SymbolMap::Range &R : F.Symbols.outputs())
    Now[wholeName(R.Name)].push_back(&R);
  for (const SymbolMap::Range &R : F.Symbols.inputs())
    if (const SymbolMap::Range *Copy = copyOf(R)) {
      Copies[&R] = Copy;
      IsCopy.insert(Copy);
      Origins[Copy->Begin].push_back(R.Begin);
    }
}

/// The code that the function \p R of the input jumps to now, if that is new.
const SymbolMap::Range *CallSurvey::copyOf(const SymbolMap::Range &R) {
  constexpr StringLiteral Endbr = "\xf3\x0f\x1e\xfa";
  const StringRef Was = F.Input.bytesAt(R.Begin),
                  Is = F.Output.bytesAt(R.Begin);
  const size_t At = Is.starts_with(Endbr) ? Endbr.size() : 0;
  Instruction I;
  Decoder.decode(Is.drop_front(At), R.Begin + At, I);
  if (I.Kind != FlowKind::Jump || F.Input.sectionAt(I.Target) ||
      Was.substr(At, I.Size) == Is.substr(At, I.Size))
    return nullptr;
  return F.Symbols.outputAt(I.Target);
}

/// The code of the output that the function \p Whole is now: what has its name,
/// but for originals that jump to a copy, and copies with what they jump to that
/// is new and no copy of another function.
SmallVector<const SymbolMap::Range *> CallSurvey::rangesNow(StringRef Whole) {
  SmallVector<const SymbolMap::Range *> Ranges;
  auto add = [&](const SymbolMap::Range *R) {
    if (!is_contained(Ranges, R))
      Ranges.push_back(R);
  };
  DenseSet<uint64_t> Originals;
  for (const SymbolMap::Range *R : Before[Whole])
    if (const SymbolMap::Range *Copy = Copies.lookup(R)) {
      Originals.insert(R->Begin);
      add(Copy);
    }
  for (size_t I = 0; I < Ranges.size(); ++I)
    find(F.Output, *Ranges[I], [&](const Instruction &Jump) {
      const SymbolMap::Range *To = F.Symbols.outputAt(Jump.Target);
      if (Jump.Kind != FlowKind::Call && To && !IsCopy.contains(To) &&
          !F.Input.sectionAt(Jump.Target))
        add(To);
      return false;
    });
  for (const SymbolMap::Range *R : Now[Whole])
    if (!Originals.contains(R->Begin))
      add(R);
  return Ranges;
}

/// Calls \p Do with each call of a known callee in \p R.
Error CallSurvey::survey(
    const ElfView &File, UnwindTables &Unwind, const SymbolMap::Range &R,
    function_ref<Error(uint64_t, uint64_t, const Cover &)> Do) {
  Instruction I;
  StringRef Bytes = File.bytesAt(R.Begin).take_front(R.End - R.Begin);
  for (uint64_t At = 0; At < Bytes.size(); At += I.Size) {
    Decoder.decode(Bytes.drop_front(At), R.Begin + At, I);
    if (!I.Size)
      break;
    if (I.Kind != FlowKind::Call)
      continue;
    Expected<const UnwindTables::Frame *> Frame = Unwind.at(I.Address);
    if (!Frame)
      return Frame.takeError();
    const HandlerAt H = UnwindTables::handlerAt(*Frame, I.end());
    if (Error E =
            Do(I.Target, I.Address,
               {H.Outcome, H.Handlers ? *H.Handlers : std::vector<uint64_t>()}))
      return E;
  }
  return Error::success();
}

/// The first branch or call in \p R of \p File for which \p Is holds.
std::optional<Instruction>
CallSurvey::find(const ElfView &File, const SymbolMap::Range &R,
                 function_ref<bool(const Instruction &)> Is) {
  Instruction I;
  StringRef Bytes = File.bytesAt(R.Begin).take_front(R.End - R.Begin);
  for (uint64_t At = 0; At < Bytes.size(); At += I.Size) {
    Decoder.decode(Bytes.drop_front(At), R.Begin + At, I);
    if (!I.Size)
      break;
    const bool HasTarget =
        I.Kind == FlowKind::Call || I.Kind == FlowKind::Jump ||
        I.Kind == FlowKind::Branch || I.Kind == FlowKind::OtherBranch;
    if (HasTarget && Is(I))
      return I;
  }
  return std::nullopt;
}

/// Branches and calls lead to code, unless the input has some that lead to the
/// same nothing: a weak function that is not there has the address 0.
Error CallSurvey::checkTargets(const SymbolMap::Range &R) {
  std::optional<Instruction> I =
      find(F.Output, R, [&](const Instruction &Other) {
        return !F.Output.isCode(Other.Target);
      });
  if (!I || any_of(F.Symbols.inputs(), [&](const SymbolMap::Range &Before) {
        return find(F.Input, Before,
                    [&](const Instruction &Other) {
                      return Other.Target == I->Target;
                    })
            .has_value();
      }))
    return Error::success();
  return badFile(R.Name + " leads to " + hex(I->Target) + ", from " +
                     hex(I->Address) + ", where there is no code",
                 "this is a defect of graupel-bolt, report it with the input");
}

Error CallSurvey::check(uint64_t Begin) {
  const SymbolMap::Range *Home = F.Symbols.inputAt(Begin);
  if (!Home)
    return Error::success();
  // The compiler's cold part of a function is `f.cold`, and ours of the
  // function is `f.cold.0`: by its name that could be a part of either.
  const StringRef Whole = wholeName(Home->Name);
  Covers Known;
  for (const SymbolMap::Range *R : Before[Whole])
    if (Error E = survey(F.Input, F.UnwindBefore, *R,
                         [&](uint64_t Callee, uint64_t, const Cover &C) {
                           Known[Callee].insert(C);
                           return Error::success();
                         }))
      return E;
  auto look = [&](uint64_t Callee, uint64_t At, const Cover &C) -> Error {
    std::vector<uint64_t> Names = {Callee}; // A stub stays where it is.
    if (auto It = Origins.find(Callee); It != Origins.end())
      Names = It->second;
    ++Calls;
    bool IsKnown = false;
    for (uint64_t Name : Names)
      if (auto It = Known.find(Name); It != Known.end()) {
        IsKnown = true;
        if (It->second.contains(C))
          return Error::success();
      }
    return IsKnown ? badFile("a throw from the call at " + hex(At) + " of " +
                                 Home->Name + " is not handled as in the input",
                             "this is a defect of graupel-bolt, report it "
                             "with the input")
                   : Error::success();
  };
  for (const SymbolMap::Range *R : rangesNow(Whole)) {
    if (Error E = survey(F.Output, F.UnwindNow, *R, look))
      return E;
    if (Error E = checkTargets(*R))
      return E;
  }
  return Error::success();
}
