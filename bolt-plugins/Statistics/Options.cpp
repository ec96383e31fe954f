//===- Statistics/Options.cpp - Options of -spike-stats -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Options/BoltOptions.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace graupel;

namespace {

cl::opt<ReportFormat> Format(
    "spike-stats", cl::ValueOptional, cl::init(ReportFormat::None),
    cl::desc("the program's portrait by its profile: size, trip counts, "
             "complexity of procedures, call overhead, and what the layout "
             "changed (default: none; without a value: text)"),
    reportFormats(), cl::cat(opts::BoltCategory));

cl::opt<std::string> File(
    "spike-stats-file",
    cl::desc("write the portrait to <file> (default: standard output; html: "
             "the output's name and .stats.html)"),
    cl::value_desc("file"), cl::cat(opts::BoltCategory));

const char *whyImpossible() {
  if (boltFlag("stock-pipeline"))
    return "-stock-pipeline runs llvm-bolt's passes only";
  if (opts::Instrument)
    return "an instrumented program has no profile yet; ask for them when "
           "optimizing";
  return nullptr;
}

} // namespace

const Destination &graupel::statisticsPlan() {
  static const Destination Plan =
      whyImpossible() ? Destination()
                      : Destination::make(Format, File, opts::OutputFilename,
                                          ".stats.html");
  return Plan;
}

Error graupel::checkStatisticsPlan() {
  if (Format != ReportFormat::None)
    if (const char *Why = whyImpossible())
      WithColor::warning(errs(), "graupel-bolt")
          << "no statistics: " << Why << '\n';
  return statisticsPlan().check("statistics", "spike-stats-file");
}
