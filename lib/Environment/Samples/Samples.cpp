//===- Samples/Samples.cpp - Sums of samples ------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Samples.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace llvm;
using namespace graupel::environment;

/// The fields of a line; "\ " is a blank in a name.
static SmallVector<StringRef, 8> fields(StringRef Line) {
  SmallVector<StringRef, 8> Result;
  size_t Begin = 0;
  for (size_t At = 0; At <= Line.size(); ++At) {
    if (At < Line.size() && Line[At] == '\\')
      ++At;
    else if (At == Line.size() || Line[At] == ' ') {
      if (At > Begin)
        Result.push_back(Line.slice(Begin, At));
      Begin = At + 1;
    }
  }
  return Result;
}

static uint64_t saturatingSum(uint64_t A, uint64_t B) {
  return A > std::numeric_limits<uint64_t>::max() - B
             ? std::numeric_limits<uint64_t>::max()
             : A + B;
}

Samples::Samples(StringRef Fdata) {
  SmallVector<StringRef> Lines;
  Fdata.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines) {
    if (Line.starts_with("no_lbr")) {
      Header = Line.str();
      continue;
    }
    // A place (kind, name, offset) or two, then the figures.
    const auto Fields = fields(Line);
    const bool IsBranch = Fields.size() == 8;
    if (!IsBranch && Fields.size() != 4)
      continue;
    const size_t Figures = IsBranch ? 6 : 3;
    Row Found = {};
    if (Fields.back().getAsInteger(10, Found[1]) ||
        (IsBranch && Fields[Figures].getAsInteger(10, Found[0])))
      continue;
    const char *End = Fields[Figures - 1].end();
    Row &Sum = Counts[std::string(Line.begin(), End)];
    for (size_t I = 0; I < Sum.size(); ++I)
      Sum[I] = saturatingSum(Sum[I], Found[I]);
  }
}

void Samples::add(const Samples &Other) {
  if (empty())
    Header = Other.Header;
  for (const auto &[Place, Count] : Other.Counts) {
    Row &Sum = Counts[Place];
    for (size_t I = 0; I < Sum.size(); ++I)
      Sum[I] = saturatingSum(Sum[I], Count[I]);
  }
}

void Samples::scale(double Weight) {
  if (Weight == 1)
    return;
  for (auto &[Place, Count] : Counts) {
    Count[0] = uint64_t(std::round(double(Count[0]) * Weight));
    Count[1] = uint64_t(std::max(1.0, std::round(double(Count[1]) * Weight)));
  }
}

double Samples::total() const {
  double Total = 0;
  for (const auto &[Place, Count] : Counts)
    Total += double(Count[1]);
  return Total;
}

size_t Samples::functions() const {
  std::set<std::string> Names;
  for (const auto &[Place, Count] : Counts)
    for (const auto Fields = fields(Place); size_t At : {1, 4})
      if (At < Fields.size() && Fields[At - 1] == "1")
        Names.insert(Fields[At].str());
  return Names.size();
}

std::string Samples::fdata() const {
  std::string Text = hasBranches() ? "" : Header + "\n";
  for (const auto &[Place, Count] : Counts)
    Text += Place + " " +
            (hasBranches() ? std::to_string(Count[0]) + " " : std::string()) +
            std::to_string(Count[1]) + "\n";
  return Text;
}
