//===- Statistics/TextWriter.cpp - The portrait as text -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sections.h"
#include "Writers.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace graupel;

namespace {

using Row = std::vector<std::string>;

std::vector<size_t> widths(const Section &S) {
  std::vector<size_t> Widths;
  for (const std::string &Column : S.Columns)
    Widths.push_back(Column.size());
  for (const Row &R : S.Rows)
    for (size_t I = 0; I < R.size(); ++I)
      Widths[I] = std::max(Widths[I], R[I].size());
  return Widths;
}

/// Names to the left, figures to the right.
void writeRow(const Row &R, const std::vector<size_t> &Widths,
              raw_ostream &OS) {
  std::string Line;
  raw_string_ostream L(Line);
  for (size_t I = 0; I < R.size(); ++I) {
    const std::string Space(Widths[I] - R[I].size(), ' ');
    L << (I == 0 ? "  " + R[I] + Space : "  " + Space + R[I]);
  }
  OS << StringRef(Line).rtrim() << '\n';
}

} // namespace

void graupel::writeText(const Portrait &P, raw_ostream &OS) {
  OS << "Statistics of " << P.Program;
  if (!P.Profile.empty())
    OS << " by " << P.Profile;
  OS << '\n';
  for (const Section &S : sectionsOf(P)) {
    OS << '\n' << S.Title << '\n';
    for (const std::string &Sentence : S.Sentences)
      OS << "  " << Sentence << '\n';
    const std::vector<size_t> Widths = widths(S);
    OS << '\n';
    writeRow(S.Columns, Widths, OS);
    for (const Row &R : S.Rows)
      writeRow(R, Widths, OS);
  }
}
