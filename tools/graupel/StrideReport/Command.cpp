//===- StrideReport/Command.cpp ------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include <cstdio>

namespace graupel::stride {

int makeReport(const ReportOptions &Given) {
  ReportOptions O = Given;
  Record R;
  auto Refuse = [&](const std::string &Wrong) {
    fprintf(stderr, "graupel stride report: error: %s: %s\n", O.File.c_str(),
            Wrong.c_str());
    return 1;
  };
  if (std::string Wrong = R.read(O.File); !Wrong.empty())
    return Refuse(Wrong);
  if (O.MaxLag > R.Header.MaxLag)
    return Refuse("has " + std::to_string(R.Header.MaxLag) +
                  " histograms a stream; record it again with "
                  "GRAUPEL_STRIDE=maxel=" +
                  std::to_string(O.MaxLag));
  if (!O.MaxLag)
    O.MaxLag = R.Header.MaxLag;
  std::string Text = O.JSON ? toJSON(R, O) : toText(R, O);
  if (fwrite(Text.data(), 1, Text.size(), stdout) != Text.size() ||
      fflush(stdout) != 0)
    return Refuse("the report cannot be written to standard output");
  return 0;
}

} // namespace graupel::stride
