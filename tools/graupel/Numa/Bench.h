//===- Numa/Bench.h - graupel numa bench ---------------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_NUMA_BENCH_H
#define GRAUPEL_TOOLS_NUMA_BENCH_H

#include "Numa/Bench/Session.h"
#include "llvm/Support/raw_ostream.h"

namespace graupel::numa {

struct BenchOptions {
  std::vector<std::string> Only; ///< Names of experiments; none: all.
  bench::Choice Where;
  std::optional<unsigned> Home; ///< The system's number; none: the first.
  double Seconds = 120;
  bool JSON = false; ///< On standard output, and no files.
  bool Published = false;
  bool Runs = false;                ///< The text has a line for each case, too.
  std::string Files = "numa-bench"; ///< Without .json and .html.
};

/// Measures and writes. Returns an error with a remedy, or nothing.
std::optional<std::string> runBench(const BenchOptions &O);
/// The data to write.
struct BenchReport {
  const bench::Machine &M;
  const bench::Meter &Meter;
  const bench::Plan &Plan;
  const bench::Session &Session;
  std::vector<bench::FilledTable> Tables;
  std::vector<std::string> Notes;
};

void writeBenchText(const BenchReport &, bool Runs, llvm::raw_ostream &);
void writeBenchJSON(const BenchReport &, llvm::raw_ostream &);
void writeBenchPage(const BenchReport &, llvm::raw_ostream &);

/// Three or four digits, as many as a figure is worth: "0.834", "1,234".
std::string figureText(double Value);
/// The source of the figures, in a sentence or two.
std::string benchSource(const BenchReport &);

} // namespace graupel::numa

#endif
