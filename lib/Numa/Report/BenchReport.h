//===- Numa/Report/BenchReport.h - Measurements in three forms --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_REPORT_BENCHREPORT_H
#define GRAUPEL_NUMA_REPORT_BENCHREPORT_H

#include "Numa/Bench/Session.h"
#include "llvm/Support/raw_ostream.h"

namespace graupel::numa {

/// The data to write.
struct BenchReport {
  const bench::Machine &M;
  const bench::Meter &Meter;
  const bench::Plan &Plan;
  const bench::Session &Session;
  std::vector<bench::FilledTable> Tables;
  std::vector<std::string> Notes;
};

/// Notes on this run for readers of the figures.
void addNotes(const bench::Machine &M, const bench::Meter &TheMeter,
              const bench::Session &S, std::vector<std::string> &Notes);

void writeBenchText(const BenchReport &, bool Runs, llvm::raw_ostream &);
void writeBenchJSON(const BenchReport &, llvm::raw_ostream &);
void writeBenchPage(const BenchReport &, llvm::raw_ostream &);

/// Three or four digits, as many as a figure is worth: "0.834", "1,234".
std::string figureText(double Value);
/// The source of the figures, in a sentence or two.
std::string benchSource(const BenchReport &);

} // namespace graupel::numa

#endif
