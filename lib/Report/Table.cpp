//===- Report/Table.cpp - Tables for people -------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Table.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace graupel;

std::string graupel::grouped(uint64_t Number) {
  std::string Digits = utostr(Number);
  for (size_t I = Digits.size(); I > 3; I -= 3)
    Digits.insert(I - 3, ",");
  return Digits;
}

std::string graupel::percentText(double Percent) {
  return formatv("{0:F1} %", Percent).str();
}

std::string graupel::changeText(uint64_t Before, uint64_t After) {
  if (!Before)
    return "";
  double Change = percent(After, Before) - 100;
  if (std::abs(Change) < 0.05) // Not "-0.0".
    Change = 0;
  return formatv("{0}{1:F1} %", Change > 0 ? "+" : "", Change).str();
}

std::string graupel::openLabel(const ShareBin &Bin) {
  return Bin.Bound ? "< " + utostr(Bin.Bound) : "more";
}

std::string graupel::closedLabel(const ShareBin &Bin, uint64_t LastBound) {
  if (!Bin.Bound)
    return "> " + utostr(LastBound);
  if (Bin.Bound <= 2)
    return utostr(Bin.Bound);
  return utostr(Bin.Bound / 2 + 1) + "-" + utostr(Bin.Bound);
}

namespace {

using Row = std::vector<std::string>;

std::vector<size_t> widths(const Table &T) {
  std::vector<size_t> Widths;
  for (const std::string &Column : T.Columns)
    Widths.push_back(Column.size());
  for (const Row &R : T.Rows)
    for (size_t I = 0; I < R.size(); ++I)
      Widths[I] = std::max(Widths[I], R[I].size());
  return Widths;
}

void writeRow(const Row &R, const Table &T, const std::vector<size_t> &Widths,
              raw_ostream &OS) {
  std::string Line;
  raw_string_ostream L(Line);
  for (size_t I = 0; I < R.size(); ++I) {
    const std::string Space(Widths[I] - R[I].size(), ' ');
    const bool Left = I == 0 || (T.LastIsText && I + 1 == R.size());
    L << "  " << (Left ? R[I] + Space : Space + R[I]);
  }
  OS << StringRef(Line).rtrim() << '\n';
}

} // namespace

void graupel::writeTable(const Table &T, raw_ostream &OS) {
  OS << T.Title << '\n';
  for (const std::string &Sentence : T.Sentences)
    OS << "  " << Sentence << '\n';
  const std::vector<size_t> Widths = widths(T);
  OS << '\n';
  writeRow(T.Columns, T, Widths, OS);
  for (const Row &R : T.Rows)
    writeRow(R, T, Widths, OS);
}

void graupel::writeWrapped(StringRef Text, size_t Indent, size_t Width,
                           raw_ostream &OS) {
  size_t Column = 0;
  while (!Text.empty()) {
    auto [Word, Rest] = Text.split(' ');
    if (Column && Column + 1 + Word.size() > Width) {
      OS << '\n';
      Column = 0;
    }
    const size_t Blanks = Column ? 1 : Indent;
    OS.indent(Blanks) << Word;
    Column += Blanks + Word.size();
    Text = Rest;
  }
  OS << '\n';
}
