//===- Stride/Report/Report.cpp -------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Report/Table.h"

using llvm::createStringError;
using llvm::Error;

namespace graupel::stride {

/// Reads one file and adds it to those before.
static Error readInto(Record &R, const std::string &File, bool IsFirst,
                      unsigned Lags) {
  Record Next;
  if (Error E = Next.read(File))
    return E;
  if (Lags > Next.Header.MaxLag)
    return createStringError("has " + std::to_string(Next.Header.MaxLag) +
                             " histograms a stream; record it again with "
                             "GRAUPEL_STRIDE=maxel=" +
                             std::to_string(Lags));
  if (!IsFirst)
    return R.append(Next);
  R = std::move(Next);
  return Error::success();
}

Error Report::read(const std::vector<std::string> &Files, unsigned Lags) {
  for (const std::string &File : Files)
    if (Error E = readInto(R, File, &File == &Files[0], Lags))
      return createStringError(File + ": " + toString(std::move(E)));
  MaxLag = Lags ? Lags : R.Header.MaxLag;
  O = std::make_unique<Objects>(R);
  P = std::make_unique<Profile>(R, *O);
  M = std::make_unique<Misses>(R, *O);
  Issues = advise(R, *O, *P, *M);
  return Error::success();
}

std::string labelOfBin(unsigned Bin, unsigned ElementBytes) {
  std::string Name = nameOfBin(Bin);
  if (Bin && Bin < ExactBins && Bin % ElementBytes == 0)
    Name += " (" + counted(Bin / ElementBytes, "element") + ")";
  return Name;
}

std::string describe(const Code &C) {
  std::string Text = C.MostLanes > 1
                         ? "vectors of " + std::to_string(C.MostLanes) + " x " +
                               counted(C.ElementBytes, "byte")
                         : counted(C.MostBytes, "byte");
  if (C.Gathered)
    Text += ", gathered";
  if (C.Masked)
    Text += ", masked";
  if (C.Atomic)
    Text += ", atomic";
  if (C.NonTemporal)
    Text += ", non-temporal";
  if (C.Volatile)
    Text += ", volatile";
  return Text;
}

std::string costOf(const Issue &I) {
  if (!I.Measured.empty())
    return I.Measured;
  if (I.Kind == IssueKind::Reload || I.Kind == IssueKind::VectorGather)
    return "";
  return "about " + counted(static_cast<uint64_t>(I.Lines), "line");
}

std::string whyNothing(const Report &Rep) {
  return std::string("no references were recorded: ") +
         (Rep.R.Header.State == RecordState::Running
              ? "the process is running, or ended without notice and what "
                "waited in buffers is lost"
              : "nothing was selected, or nothing of it ran");
}

std::string describe(const Pattern &P) {
  std::string Text;
  auto Add = [&](const char *Name, uint64_t Part) {
    if (100 * P.share(Part) >= 0.05)
      Text += (Text.empty() ? "" : ", ") + std::string(Name) + " " +
              percentText(100 * P.share(Part));
  };
  Add("unit", P.Unit);
  Add("same", P.Same);
  Add("constant", P.Constant);
  Add("irregular", P.Irregular);
  Add("first", P.First);
  return Text;
}

} // namespace graupel::stride
