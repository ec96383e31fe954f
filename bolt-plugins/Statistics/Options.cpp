//===- Statistics/Options.cpp - What the user asked of -spike-stats -------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Driver/BoltOptions.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace graupel;

namespace {

cl::opt<StatisticsFormat> Format(
    "spike-stats", cl::ValueOptional, cl::init(StatisticsFormat::None),
    cl::desc("the program's portrait by its profile: size, trip counts, "
             "complexity of procedures, call overhead, and what the layout "
             "changed (default: none; without a value: text)"),
    cl::values(clEnumValN(StatisticsFormat::Text, "text", "tables"),
               clEnumValN(StatisticsFormat::Text, "", ""),
               clEnumValN(StatisticsFormat::JSON, "json",
                          "for programs; messages go to standard error"),
               clEnumValN(StatisticsFormat::HTML, "html",
                          "one page with charts and tables")),
    cl::cat(opts::BoltCategory));

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

StatisticsPlan makePlan() {
  StatisticsPlan Plan;
  if (whyImpossible())
    return Plan;
  Plan.Format = Format;
  Plan.File = File;
  if (Plan.File.empty())
    Plan.File = Plan.Format == StatisticsFormat::HTML
                    ? opts::OutputFilename + ".stats.html"
                    : "-";
  return Plan;
}

Error cannotWrite(const Twine &File, const Twine &Why) {
  return createStringError(File + ": cannot write the statistics: " + Why +
                           "; name a file with -spike-stats-file");
}

} // namespace

const StatisticsPlan &graupel::statisticsPlan() {
  static const StatisticsPlan Plan = makePlan();
  return Plan;
}

bool graupel::statisticsTakeStdout() {
  return statisticsPlan().Format == StatisticsFormat::JSON &&
         statisticsPlan().File == "-";
}

Error graupel::checkStatisticsPlan() {
  const StatisticsPlan &Plan = statisticsPlan();
  if (Format != StatisticsFormat::None)
    if (const char *Why = whyImpossible())
      WithColor::warning(errs(), "graupel-bolt")
          << "no statistics: " << Why << '\n';
  if (!Plan.any() || Plan.File == "-")
    return Error::success();
  if (File.empty() && sys::fs::exists(opts::OutputFilename) &&
      !sys::fs::is_regular_file(opts::OutputFilename))
    return cannotWrite(opts::OutputFilename,
                       "they have no file beside an output that is none");
  if (sys::fs::is_directory(Plan.File))
    return cannotWrite(Plan.File, "it is a directory");
  StringRef Folder = sys::path::parent_path(Plan.File);
  if (Folder.empty())
    Folder = ".";
  sys::fs::file_status Status;
  if (std::error_code EC = sys::fs::status(Folder, Status))
    return cannotWrite(Plan.File, EC.message());
  if (!sys::fs::is_directory(Status))
    return cannotWrite(Plan.File, "Not a directory");
  const bool Exists = sys::fs::exists(Plan.File);
  if (std::error_code EC = sys::fs::access(Exists ? Twine(Plan.File) : Folder,
                                           sys::fs::AccessMode::Write))
    return cannotWrite(Plan.File, EC.message());
  return Error::success();
}
