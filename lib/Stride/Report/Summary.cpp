//===- Stride/Report/Summary.cpp ------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Summary.h"
#include "Report.h"

namespace graupel::stride {

static std::string mostReferred(const Report &Rep) {
  const std::vector<ObjectStream> Streams = Rep.streams();
  const size_t Shown = std::min<size_t>(Streams.size(), 3);
  std::string Text = counted(Streams.size(), "stream");
  for (size_t N = 0; N < Shown; ++N)
    Text += (N ? ", " : ": ") +
            counted(Streams[N].Counts.References,
                    Streams[N].Store ? "store" : "load") +
            (Streams[N].Store ? " to " : " of ") + Streams[N].Name;
  return Text + (Shown < Streams.size() ? ", ..." : "");
}

static std::string worstIssue(const Report &Rep) {
  if (Rep.Issues.empty())
    return "no issues";
  const Issue &I = Rep.Issues[0];
  const Use &U = Rep.P->Uses[I.Use];
  return counted(Rep.Issues.size(), "issue") +
         ", the worst: " + nameOfIssue(I.Kind) + ": " +
         (*Rep.O)[U.Object].Name + " at " + U.Where.shortName();
}

Summary summarize(const std::vector<std::string> &Files) {
  Report Rep;
  if (llvm::Error E = Rep.read(Files, 0))
    return {toString(std::move(E)), {}};
  if (!Rep.P->All.References)
    return {"", {whyNothing(Rep)}};
  return {"",
          {counted(Rep.P->All.References, "reference") + ": " +
               describe(Rep.P->All),
           mostReferred(Rep), worstIssue(Rep)}};
}

} // namespace graupel::stride
