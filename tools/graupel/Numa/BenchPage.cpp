//===- Numa/BenchPage.cpp - Measurements as a page ------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bench.h"
#include "Report/Charts.h"
#include "Report/Page.h"

namespace graupel::numa {

using namespace bench;

void writeBenchPage(const BenchReport &R, llvm::raw_ostream &OS) {
  Page To("Memory of this machine", benchSource(R), OS);
  for (const FilledTable &From : R.Tables) {
    Table T;
    T.Title = From.Name + ", " + From.Unit;
    T.Columns = From.Columns;
    To.add(T, [](llvm::raw_ostream &) {});
  }
}

} // namespace graupel::numa
