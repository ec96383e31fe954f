//===- StrideReport.cpp - graupel stride: options of reports -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options of `graupel stride report`, `annotate`, `diff` and `export`:
//
// 1. run() prints the help, or starts from the form that the command has by
//    default.
// 2. read() sorts the arguments: -o, a format of export, --json of diff, or an
//    option of report (readReportOption). All other words are files.
// 3. read() checks the whole: diff needs two files, any other command one or
//    more, and export one format.
// 4. makeReport() does the rest (StrideReport/Command.h).
//
//===----------------------------------------------------------------------===//

#include "StrideReport/Command.h"
#include "Support/Command.h"
#include <charconv>
#include <cstdio>
#include <optional>

using namespace graupel;

static const char ReportHelp[] =
    R"(usage: graupel stride report FILE... [OPTIONS]

Shows the strides of the loads and stores that a program has executed: issues,
worst first, then each data object. FILE is what a program compiled with
graupel-stride.cfg has written: $GRAUPEL_STRIDE_OUT, or PROGRAM.PID.gstride. The
files of several processes of one program are added up.

options:
  --text                   for a terminal (default)
  --json                   for programs; the schema is in docs/stride.md
  --html                   as a page that needs no network
  -o FILE                  where to (default: standard output)
  --variant=filtered|all   filtered (default): a reference goes on to the next
                           histogram only if its stride is above the threshold;
                           all: each reference is in all histograms
  --maxel=N                histograms a stream, at most as many as recorded
                           (default: all of them)
  --help                   this text

How to read histograms:
  Do the strides match what the source says? If not, what did the compiler do?
  Stride 0 is a redundant load or store. Only the first histogram is filled:
  contiguous, or nearly so. Later ones are filled: interleaved streams or rows of
  a matrix; the first that is small again tells how many. >=32768 in several: a
  matrix is walked across its rows. k elements: unrolled and interleaved, or a
  structure of k fields. Look at arrays one by one; a small data set of the same
  structure will do. They show order and distance, not cost.

What is chosen when the program runs, in GRAUPEL_STRIDE: maxel=N (default 5),
threshold=BYTES (128), pass-equal, function=NAME, file=NAME, line=FILE:FROM-TO,
object=NAME.
)";

static const char AnnotateHelp[] =
    R"(usage: graupel stride annotate FILE... [-o FILE]

Shows source lines with their loads and stores, and which percentage of them
goes to the neighbour (unit), to the same address again (same), by another
constant stride (const), or anywhere (irreg).
)";

static const char DiffHelp[] =
    R"(usage: graupel stride diff BEFORE AFTER [--json] [-o FILE]

Shows what changed between two runs of differently compiled or changed code, by
data object and by line.
)";

static const char ExportHelp[] =
    R"(usage: graupel stride export FORMAT FILE... [-o FILE]

Writes what is in records for other tools.

formats:
  --callgrind              references by line and function, for KCachegrind and
                           callgrind_annotate
  --fgdsm                  hints for clang's -mllvm -fgdsm-hints=FILE: blocks of
                           allocations, iterations of loops (docs/dsm.md)
  --numa                   which threads refer to which pages of which data, as
                           JSON (docs/stride.md); of a record made with --pages
  --split                  members of structures that are used together, and how
                           to split, as JSON (docs/stride.md)
)";

/// What is wrong, if anything is.
static std::optional<std::string> readReportOption(const std::string &Arg,
                                                   stride::ReportOptions &O) {
  if (Arg == "--json") {
    O.As = stride::Form::JSON;
  } else if (Arg == "--text") {
    O.As = stride::Form::Text;
  } else if (Arg == "--html") {
    O.As = stride::Form::HTML;
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
  } else {
    return "";
  }
  return std::nullopt;
}

static std::optional<stride::Form> exportForm(const std::string &Arg) {
  if (Arg == "--callgrind")
    return stride::Form::Callgrind;
  if (Arg == "--fgdsm")
    return stride::Form::Fgdsm;
  if (Arg == "--split")
    return stride::Form::Split;
  if (Arg == "--numa")
    return stride::Form::Numa;
  return std::nullopt;
}

/// What is wrong, if anything is.
static std::optional<std::string> read(const Arguments &A,
                                       stride::ReportOptions &O) {
  const std::string Command = O.Command;
  for (size_t N = 0; N < A.size(); ++N) {
    const std::string &Arg = A[N];
    if (Arg == "-o") {
      if (++N == A.size())
        return "-o has no value; give a file";
      O.Output = A[N];
    } else if (auto As = exportForm(Arg); As && Command == "export") {
      if (O.As != stride::Form::Text && O.As != *As)
        return "there are two formats; say one";
      O.As = *As;
    } else if (Arg == "--json" && Command == "diff") {
      O.As = stride::Form::DiffJSON;
    } else if (Arg.size() > 1 && Arg[0] == '-') {
      std::optional<std::string> Wrong = "";
      if (Command == "report")
        Wrong = readReportOption(Arg, O);
      if (Wrong && Wrong->empty())
        Wrong = "there is no option `" + Arg + "`; `graupel stride " + Command +
                " --help` lists them";
      if (Wrong)
        return Wrong;
    } else {
      O.Files.push_back(Arg);
    }
  }
  if (Command == "diff" && O.Files.size() != 2)
    return "there are " + std::to_string(O.Files.size()) +
           " files; name two, before and after";
  if (O.Files.empty())
    return "the file is missing; name what the program wrote, "
           "PROGRAM.PID.gstride";
  if (Command == "export" && O.As == stride::Form::Text)
    return "the format is missing; say --callgrind, --fgdsm, --numa or "
           "--split";
  return std::nullopt;
}

static int run(const Arguments &A, const char *Command, stride::Form As,
               const char *Help) {
  for (const std::string &Arg : A)
    if (Arg == "--help" || Arg == "-h") {
      fputs(Help, stdout);
      return 0;
    }
  stride::ReportOptions Options;
  Options.Command = Command;
  Options.As = As;
  if (auto Wrong = read(A, Options)) {
    fprintf(stderr, "graupel stride %s: error: %s\n", Command, Wrong->c_str());
    return 1;
  }
  return stride::makeReport(Options);
}

int graupel::strideReportCommand(const Arguments &A) {
  return run(A, "report", stride::Form::Text, ReportHelp);
}

int graupel::strideAnnotateCommand(const Arguments &A) {
  return run(A, "annotate", stride::Form::Annotated, AnnotateHelp);
}

int graupel::strideDiffCommand(const Arguments &A) {
  return run(A, "diff", stride::Form::Diff, DiffHelp);
}

int graupel::strideExportCommand(const Arguments &A) {
  return run(A, "export", stride::Form::Text, ExportHelp);
}
