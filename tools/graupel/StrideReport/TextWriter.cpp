//===- StrideReport/TextWriter.cpp ---------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include <cinttypes>
#include <cstdarg>
#include <cstdio>

namespace graupel::stride {

__attribute__((format(printf, 2, 3))) static void
print(std::string &To, const char *Format, ...) {
  char Line[512];
  va_list Arguments;
  va_start(Arguments, Format);
  vsnprintf(Line, sizeof(Line), Format, Arguments);
  va_end(Arguments);
  To += Line;
}

static double percent(uint64_t Part, uint64_t Whole) {
  return Whole ? 100.0 * static_cast<double>(Part) / static_cast<double>(Whole)
               : 0;
}

/// "8 (1 element)"
static std::string label(unsigned Bin, unsigned ElementBytes) {
  std::string Name = nameOfBin(Bin);
  if (Bin && Bin < ExactBins && Bin % ElementBytes == 0)
    Name += " (" + std::to_string(Bin / ElementBytes) +
            (Bin == ElementBytes ? " element)" : " elements)");
  return Name;
}

static void printStream(std::string &To, const Record &R, const ObjectStream &S,
                        unsigned MaxLag) {
  uint64_t All = S.Counts.References;
  To += "\n" + S.Name + ": ";
  print(To, "%" PRIu64 " %s, elements of %u bytes\n", All,
        S.Store ? "stores" : "loads", S.ElementBytes);
  for (unsigned Lag = 0; Lag < MaxLag; ++Lag)
    for (unsigned Bin = 0; Bin < Bins; ++Bin)
      if (uint64_t Count = S.Counts.Lags[Lag][Bin])
        print(To, "  %u back  %-20s %6.2f %%  %" PRIu64 "\n", Lag + 1,
              label(Bin, S.ElementBytes).c_str(), percent(Count, All), Count);
  for (const SiteShare &Each : S.Sites) {
    const Site &Where = R.Sites[Each.Site];
    To += "  at " + (Where.File.empty() ? "?" : Where.File);
    print(To, ":%u %u bytes", Where.Facts.Line, Where.Facts.Bytes);
    To += " in " + Where.Function;
    print(To, " %6.2f %%\n", percent(Each.Counts.References, All));
  }
}

std::string toText(const Record &R, const ReportOptions &O) {
  std::string To = R.Program + ": ";
  print(To, "variant %s, threshold %" PRIu64 " bytes\n",
        O.Which == Variant::All ? "all" : "filtered", R.Header.Threshold);
  if (R.Header.State == RecordState::Running)
    To += "The process was running, or ended without notice.\n";
  To += "Percentages are of all references of the stream.\n";
  for (const ObjectStream &S : makeStreams(R, O.Which, O.MaxLag))
    printStream(To, R, S, O.MaxLag);
  return To;
}

} // namespace graupel::stride
