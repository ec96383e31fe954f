//===- Driver/Summary.cpp - Success in five lines -------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Before the passes: what each function executed, from the counts of its
//    blocks. Where they are not known, how often it was called.
// 2. After them: which functions BOLT emitted as it understood them. A function
//    that was folded into another one counts as optimized.
// 3. The others that were executed are skipped, each with the reason that its
//    pass gave, or else what BOLT's flags say.
//
//===----------------------------------------------------------------------===//

#include "Summary.h"
#include "Options/BoltOptions.h"
#include "Options/RecommendedOptions.h"
#include "UnreadFunctions.h"
#include "bolt/Core/BinaryFunction.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

constexpr StringLiteral Us = "graupel-bolt: ";
constexpr size_t MostNamed = 3;

/// 0 if they were not counted. For a function that was not instrumented, the
/// calls alone are counted, by its callers, which become counts of entries:
/// nothing seems to follow them.
uint64_t executedInstructions(const BinaryFunction &BF) {
  uint64_t Sum = 0;
  bool Inside = false;
  if (BF.hasCFG())
    for (const BinaryBasicBlock &BB : BF) {
      Sum += BB.getKnownExecutionCount() * BB.getNumNonPseudos();
      const bool StaysThere =
          BF.isSimple() && (BB.succ_empty() || BB.isSuccessor(&BB));
      Inside |=
          BB.getKnownExecutionCount() && (!BB.isEntryPoint() || StaysThere);
    }
  return Inside ? Sum : 0;
}

/// An estimate of the instructions executed in \p BF, to sort by: the mean
/// instruction of x86-64 has four bytes.
uint64_t guess(const BinaryFunction &BF) {
  return BF.getKnownExecutionCount() * std::max<uint64_t>(BF.getSize() / 4, 1);
}

std::string percent(uint64_t Part, uint64_t Whole) {
  return formatv("{0:f1} %", 100.0 * double(Part) / double(Whole)).str();
}

std::string plural(uint64_t Number, StringRef Noun) {
  return (Twine(Number) + " " + Noun + (Number == 1 ? "" : "s")).str();
}

std::string sizeOf(uint64_t Bytes) {
  if (Bytes < 1000000)
    return formatv("{0:f1} kB", double(Bytes) / 1e3).str();
  return formatv("{0:f1} MB", double(Bytes) / 1e6).str();
}

/// \p Name for a shell.
std::string quoted(StringRef Name) {
  static constexpr StringLiteral Plain = "+,-./:=@_";
  if (all_of(Name, [](char C) { return isAlnum(C) || Plain.contains(C); }))
    return Name.str();
  std::string Quoted = "'";
  for (char C : Name)
    Quoted += C == '\'' ? "'\\''" : std::string(1, C);
  return Quoted + "'";
}

} // namespace

Summary &Summary::get() {
  static Summary TheSummary;
  return TheSummary;
}

void Summary::measure(BinaryContext &BC) {
  for (const BinaryFunction &BF : make_second_range(BC.getBinaryFunctions())) {
    if (BF.isPseudo() || BF.isPLTFunction())
      continue;
    const uint64_t Executed = executedInstructions(BF);
    Weights.push_back({BF.getAddress(), Executed, BF.getKnownExecutionCount(),
                       Executed ? Executed : guess(BF), BF.isSimple()});
  }
}

std::string Summary::reasonFor(const Weight &W,
                               const BinaryFunction &BF) const {
  const auto It = Reasons.find(W.Address);
  if (It != Reasons.end())
    return It->second;
  if (isNotChosen(BF))
    return leavesFunctionsOut() ? "the options leave it out"
                                : "the profile says too little of it";
  if (W.Understood)
    return "it does not allow one of the steps";
  std::string Why = whyUnread(BF);
  return Why.empty() ? "its control flow is not known" : Why;
}

void Summary::collect(const BinaryContext &BC) {
  const bool IsProfiled =
      any_of(Weights, [](const Weight &W) { return W.Estimate != 0; });
  for (const Weight &W : Weights) {
    ++Functions;
    Instructions += W.Instructions;
    const BinaryFunction *BF = BC.getBinaryFunctionAtAddress(W.Address);
    if (!BF || BF->isFolded() || (BF->isSimple() && !BF->isIgnored())) {
      ++Optimized;
      OptimizedInstructions += W.Instructions;
    } else if (W.Estimate || !IsProfiled || !isNotChosen(*BF) ||
               Reasons.contains(W.Address)) {
      Uncounted += W.Estimate && !W.Instructions;
      Left.push_back({shortName(*BF), reasonFor(W, *BF), W.Instructions,
                      W.Calls, W.Estimate});
    }
  }
  stable_sort(Left, [](const Skipped &A, const Skipped &B) {
    return A.Estimate > B.Estimate;
  });
  FunctionsMoved = BC.HasRelocations;
  StaleFunctions = BC.NumStaleProfileFuncs;
  ProfiledFunctions = BC.NumProfiledFuncs;
  if (const InstrumentedImage *Image = instrumentedImage())
    Instrumented = {Image->NumFunctions, Image->NumLeftOut};
}

void Summary::print(raw_ostream &OS, const Files &Names) const {
  printDone(OS, Names.HasProfile);
  printSkipped(OS);
  OS << Us << "wrote " << Names.Output;
  uint64_t Old = 0, New = 0;
  if (sys::fs::is_regular_file(Names.Output) &&
      !sys::fs::file_size(Names.Input, Old) &&
      !sys::fs::file_size(Names.Output, New))
    OS << ": " << sizeOf(New) << " (input: " << sizeOf(Old) << ')';
  OS << '\n';
  printNext(OS, Names);
}

void Summary::printDone(raw_ostream &OS, bool HasProfile) const {
  OS << Us;
  if (Instrumented) {
    OS << "instrumented " << plural(Instrumented->Functions, "function")
       << '\n';
    if (Instrumented->LeftOut)
      OS << Us
         << "not instrumented: " << plural(Instrumented->LeftOut, "function")
         << " that cannot be counted safely: -v=1 says why\n";
    return;
  }
  OS << "optimized " << Optimized << " of " << plural(Functions, "function");
  if (Instructions) {
    OS << ", with " << percent(OptimizedInstructions, Instructions)
       << " of the counted instructions";
    if (Uncounted)
      OS << ", which lack those of " << plural(Uncounted, "skipped function");
  } else if (!HasProfile)
    OS << ", without a profile";
  OS << '\n';
}

std::string Summary::describe(const Skipped &S) const {
  std::string Text = S.Name + " (";
  if (S.Instructions)
    Text += percent(S.Instructions, Instructions) + ": ";
  else if (S.Calls)
    Text += "called " + plural(S.Calls, "time") + ": ";
  return Text + S.Why + ")";
}

void Summary::printSkipped(raw_ostream &OS) const {
  if (Left.empty() || Instrumented)
    return;
  const size_t Executed =
      count_if(Left, [](const Skipped &S) { return S.Estimate != 0; });
  OS << Us << "skipped " << plural(Left.size(), "function");
  if (Executed && Executed < Left.size())
    OS << ", " << Executed << " of which ran";
  if (opts::Verbosity > 0) {
    OS << ":\n";
    for (const Skipped &S : Left)
      OS << Us << "  " << describe(S) << '\n';
    return;
  }
  const size_t Named = std::min(Executed, MostNamed);
  if (Named)
    OS << (Named == Left.size() ? ": " : ", the hottest: ");
  ListSeparator Comma;
  for (const Skipped &S : ArrayRef(Left).take_front(Named))
    OS << Comma << describe(S);
  if (Named && Named < Left.size())
    OS << "; and " << Left.size() - Named << " more";
  if (Named < Left.size())
    OS << ": -v=1";
  OS << '\n';
}

void Summary::printNext(raw_ostream &OS, const Files &Names) const {
  const std::string Input = quoted(Names.Input), Output = quoted(Names.Output);
  if (Instrumented) {
    OS << Us << Names.Output << " counts into " << Names.Profile << '\n'
       << Us << "next: run " << Output << " on typical work, then graupel-bolt "
       << Input << " -o FASTER -data=" << quoted(Names.Profile) << '\n';
    return;
  }
  if (!FunctionsMoved) {
    OS << Us << "next: functions kept their places, because " << WhyInPlace
       << '\n';
    return;
  }
  if (!Names.HasProfile) {
    OS << Us << "next: a profile makes it faster: graupel-bolt " << Input
       << " -o INSTRUMENTED -instrument\n";
    return;
  }
  // One in twenty is what inlining and the like may cost.
  if (StaleFunctions * 20 > ProfiledFunctions + StaleFunctions)
    OS << Us << "next: the counts of " << plural(StaleFunctions, "function")
       << " do not fit this file; record the profile again with this build\n";
}
