//===- Stride/Report/FgdsmWriter.cpp --------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hints for -fgdsm-hints (docs/dsm.md): how much of an allocation is walked at
// a time, and how often loops within loops usually run.
//
//===----------------------------------------------------------------------===//

#include "Environment/Output/Shown.h"
#include "Report.h"
#include "Report/Table.h"
#include <bit>
#include <cmath>

namespace graupel::stride {

namespace {

/// The largest block that dsm.h allows, and that of allocations without a hint.
constexpr uint64_t MostBlock = 4096, UsualBlock = 128, SmallBlock = 64;
/// Numbers of iterations that differ less from what is assumed change nothing.
constexpr double Guess = 16, Factor = 2;
/// The least part of references that counts as most of them.
constexpr double Most = 0.75;
constexpr uint64_t FewReferences = 1000, FewExecutions = 8;

/// Bytes from one jump to the next.
double runBytes(const Pattern &P) {
  return P.Bytes / double(std::max<uint64_t>(P.Far + P.First, 1));
}

/// 0: as usual.
uint64_t blockFor(const Pattern &P) {
  if (P.References < FewReferences)
    return 0;
  if (P.share(P.Irregular) > Most)
    return SmallBlock;
  const double Run = runBytes(P);
  if (P.share(P.Unit + P.Same) < Most || Run < 2 * UsualBlock)
    return 0;
  return std::min(MostBlock, std::bit_floor(static_cast<uint64_t>(Run)));
}

/// A place that can stand in a hint: nothing in it ends the line.
bool isWord(const std::string &Place) {
  return !Place.empty() && output::shown(Place) == Place;
}

void writeAllocations(const Report &Rep, llvm::raw_ostream &OS) {
  std::map<uint32_t, Pattern> Patterns;
  for (const Use &U : Rep.P->Uses)
    Patterns[U.Object].add(U.P);
  for (const auto &[Object, P] : Patterns) {
    const NamedObject &Data = (*Rep.O)[Object];
    const uint64_t Block = blockFor(P);
    if (Data.Kind != ObjectKind::Heap || !isWord(Data.Allocation) || !Block)
      continue;
    OS << "# " << output::shown(Data.Name) << ": "
       << counted(P.References, "reference") << ": " << describe(P) << "; "
       << grouped(static_cast<uint64_t>(runBytes(P)))
       << " bytes from jump to jump\nalloc " << Data.Allocation
       << " block=" << Block << '\n';
  }
}

void writeLoops(const Report &Rep, llvm::raw_ostream &OS) {
  struct Sum {
    uint64_t Executions = 0, Iterations = 0;
  };
  // Copies of a loop begin at one line.
  std::map<std::string, Sum> Sums;
  for (const auto &[Number, L] : Rep.P->Loops) {
    const Loop &Where = Rep.R.Loops[Number];
    if (Where.Facts.Depth < 2 || !Where.Facts.Line || Where.File.empty())
      continue;
    Sum &S = Sums[Line{Where.File, Where.Facts.Line}.shortName()];
    S.Executions += L.Executions;
    S.Iterations += L.Iterations;
  }
  for (const auto &[Where, S] : Sums) {
    if (S.Executions < FewExecutions || !isWord(Where))
      continue;
    const double Trips = double(S.Iterations) / double(S.Executions);
    if (Trips > Guess / Factor && Trips < Guess * Factor)
      continue;
    OS << "# " << counted(S.Executions, "execution") << ", "
       << counted(S.Iterations, "iteration") << "\nloop " << Where
       << " trips=" << std::max<int64_t>(1, std::llround(Trips)) << '\n';
  }
}

} // namespace

void writeFgdsm(const Report &Rep, llvm::raw_ostream &OS) {
  OS << "graupel-fgdsm-hints 1\n# From a record of "
     << output::shown(Rep.R.Program) << '\n';
  writeAllocations(Rep, OS);
  writeLoops(Rep, OS);
}

} // namespace graupel::stride
