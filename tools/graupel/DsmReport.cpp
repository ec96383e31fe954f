//===- DsmReport.cpp - graupel dsm report: its options -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DsmReport/Command.h"
#include "Support/Command.h"
#include <charconv>
#include <cstdio>
#include <optional>

using namespace graupel;

static const char Help[] =
    R"(usage: graupel dsm report FOLDER [OPTIONS]

Shows where the nodes of a job waited for data, and why: misses by source line,
data and cause, messages, poll intervals, and what might help. FOLDER is what
`graupel dsm run --report=FOLDER` has filled.

options:
  --format=text|json|html|hints
                           what it is written as (default: text); html is one page
                           that needs no network; hints are what the advice says
                           of allocations, for -mllvm -fgdsm-hints=FILE
  -o FILE                  where to (default: standard output)
  --top=N                  how many lines and objects, 1 to 100000 (default: 30)
  --help                   this text
)";

/// What is wrong, if anything is.
static std::optional<std::string> read(const Arguments &A,
                                       dsm::ReportOptions &O) {
  auto Value = [](const std::string &Arg, const std::string &Name,
                  std::string &To) {
    if (Arg.compare(0, Name.size(), Name) != 0)
      return false;
    To = Arg.substr(Name.size());
    return true;
  };
  std::string Text;
  for (size_t I = 0; I < A.size(); ++I) {
    if (Value(A[I], "--format=", O.Format)) {
      if (O.Format != "text" && O.Format != "json" && O.Format != "html" &&
          O.Format != "hints")
        return "the format is `" + O.Format +
               "`; say text, json, html or hints";
    } else if (A[I] == "-o") {
      if (++I == A.size())
        return "-o has no value; give a file";
      O.File = A[I];
    } else if (Value(A[I], "--top=", Text)) {
      auto [End, Error] =
          std::from_chars(Text.data(), Text.data() + Text.size(), O.Top);
      if (Error != std::errc() || End != Text.data() + Text.size() ||
          O.Top < 1 || O.Top > 100000)
        return "--top is `" + Text + "`; give a number from 1 to 100000";
    } else if (A[I].size() > 1 && A[I][0] == '-') {
      return "there is no option `" + A[I] +
             "`; `graupel dsm report --help` lists them";
    } else if (!O.Folder.empty()) {
      return "there are two folders, `" + O.Folder + "` and `" + A[I] +
             "`; name one";
    } else {
      O.Folder = A[I];
    }
  }
  if (O.Folder.empty())
    return "the folder is missing; it is the one of `graupel dsm run "
           "--report=FOLDER`";
  return std::nullopt;
}

int graupel::dsmReportCommand(const Arguments &A) {
  for (const std::string &Arg : A)
    if (Arg == "--help" || Arg == "-h") {
      fputs(Help, stdout);
      return 0;
    }
  dsm::ReportOptions Options;
  if (auto Wrong = read(A, Options)) {
    fprintf(stderr, "graupel dsm report: error: %s\n", Wrong->c_str());
    return 1;
  }
  return dsm::makeReport(Options);
}
