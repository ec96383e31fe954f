//===- StrideReport.cpp - graupel stride report: its options -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "StrideReport/Command.h"
#include <charconv>
#include <cstdio>
#include <optional>

using namespace graupel;

static const char Help[] =
    R"(usage: graupel stride report FILE [OPTIONS]

Shows the strides of the loads and stores that a program has executed, by data
object. FILE is what a program compiled with graupel-stride.cfg has written:
$GRAUPEL_STRIDE_OUT, or PROGRAM.PID.gstride.

options:
  --json                   as JSON
  --variant=filtered|all   filtered (default): a reference goes on to the next
                           histogram only if its stride is above the threshold;
                           all: each reference is in all histograms
  --maxel=N                histograms a stream, at most as many as recorded
                           (default: all of them)
  --help                   this text

What is chosen when the program runs, in GRAUPEL_STRIDE: maxel=N (default 5),
threshold=BYTES (128), pass-equal, function=NAME, file=NAME, line=FILE:FROM-TO,
object=NAME.
)";

/// What is wrong, if anything is.
static std::optional<std::string> read(const Arguments &A,
                                       stride::ReportOptions &O) {
  for (const std::string &Arg : A) {
    if (Arg == "--json") {
      O.JSON = true;
    } else if (Arg == "--variant=all") {
      O.Which = stride::Variant::All;
    } else if (Arg == "--variant=filtered") {
      O.Which = stride::Variant::Filtered;
    } else if (Arg.starts_with("--variant=")) {
      return "the variant is `" + Arg.substr(10) + "`; say all or filtered";
    } else if (Arg.starts_with("--maxel=")) {
      const char *Text = Arg.c_str() + 8, *End = Arg.c_str() + Arg.size();
      auto [Rest, Error] = std::from_chars(Text, End, O.MaxLag);
      if (Error != std::errc() || Rest != End || O.MaxLag < 1)
        return "--maxel is `" + Arg.substr(8) + "`; give a number, at least 1";
    } else if (Arg.size() > 1 && Arg[0] == '-') {
      return "there is no option `" + Arg +
             "`; `graupel stride report --help` lists them";
    } else if (!O.File.empty()) {
      return "there are two files, `" + O.File + "` and `" + Arg +
             "`; name one";
    } else {
      O.File = Arg;
    }
  }
  if (O.File.empty())
    return "the file is missing; name what the program wrote, "
           "PROGRAM.PID.gstride";
  return std::nullopt;
}

int graupel::strideReportCommand(const Arguments &A) {
  for (const std::string &Arg : A)
    if (Arg == "--help" || Arg == "-h") {
      fputs(Help, stdout);
      return 0;
    }
  stride::ReportOptions Options;
  if (auto Wrong = read(A, Options)) {
    fprintf(stderr, "graupel stride report: error: %s\n", Wrong->c_str());
    return 1;
  }
  return stride::makeReport(Options);
}
