//===- StrideRecord.cpp - graupel stride record ---------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command `graupel stride record`:
//
// 1. Read the options; those on what is recorded become a Selection.
// 2. RecordNames::begin() checks where records will be. setEnvironment() appends
//    the selection to GRAUPEL_STRIDE and sets GRAUPEL_STRIDE_OUT.
// 3. Run the program to its end.
// 4. RecordNames::finish() finds the records of the program and its children.
//    report() says in short what is in them, and it is an error if there is
//    none.
// 5. Return the program's status, or 1 if that is 0 and there is no record.
//
//===----------------------------------------------------------------------===//

#include "Environment/Output/Shown.h"
#include "StrideRecord/Child.h"
#include "StrideRecord/Names.h"
#include "StrideRecord/Selection.h"
#include "StrideReport/Summary.h"
#include "Support/Command.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace graupel;

static const char Help[] =
    R"(usage: graupel stride record [OPTIONS] [--] PROGRAM [ARGUMENTS]

Runs a program that was compiled with graupel-stride.cfg, and says where the
record of its loads and stores is. The exit status is the program's; 128 + the
signal that ended it; 127 if there is no such program, 126 if it cannot be run;
1 if it has left no record.

options:
  -o FILE                  the record (default: PROGRAM.PID.gstride here).
                           Processes that the program starts have files of their
                           own, with their number in the name
  --maxel=N                histograms a stream (default: 5)
  --threshold=BYTES        of variant filtered (default: 128)
  --pass-equal             a distance that is the threshold goes on, too
  --sample                 for long runs: bursts of references instead of all
  --burst=N, --every=M     the same, N references of M on average
  --cache[=LEVELS]         simulates caches: this machine's, or L1:32K:8:64/LL:8M:16:64
                           and so on (name:bytes:ways:line); docs/stride.md
  --pages                  counts bytes by page and thread, for export --numa
  --help                   this text

what is recorded; several of one sort: any of them, of several sorts: all:
  --function=NAME          a function, as the linker names it
  --file=NAME              a source file, or the end of its path
  --line=FILE:FROM-TO      lines of one
  --object=NAME            data: a global, FUNCTION:VARIABLE, [stack], ...

GRAUPEL_STRIDE says the same without this command; what it says already holds,
too.
)";

namespace {

struct RecordOptions {
  std::string File;
  stride::Selection Selection;
  std::vector<std::string> Program;
};

/// What is wrong, or nothing.
std::string read(const Arguments &A, RecordOptions &O) {
  size_t At = 0;
  while (At < A.size() && A[At][0] == '-') {
    const std::string &Arg = A[At++];
    if (Arg == "--")
      break;
    if (Arg == "-o") {
      if (At == A.size() || A[At].empty() || A[At].back() == '/')
        return "-o has no value; give a file";
      O.File = A[At++];
    } else if (std::string Wrong = O.Selection.add(Arg); !Wrong.empty()) {
      return Wrong;
    }
  }
  O.Program.assign(A.begin() + long(At), A.end());
  if (O.Program.empty())
    return "the program is missing; it comes after the options";
  return O.Selection.check();
}

int fail(const std::string &What, int Status = 1) {
  fprintf(stderr, "graupel stride record: error: %s\n",
          output::shown(What).c_str());
  return Status;
}

void tell(const std::string &What) {
  fprintf(stderr, "graupel stride record: %s\n", output::shown(What).c_str());
}

/// Text that goes away again, for who waits at a terminal.
class Progress {
public:
  explicit Progress(const char *Text) : Shown(isatty(STDERR_FILENO)) {
    if (Shown)
      fprintf(stderr, "graupel stride record: %s", Text);
  }
  ~Progress() {
    if (Shown)
      fputs("\r\033[K", stderr);
  }

private:
  bool Shown;
};

void setEnvironment(const RecordOptions &O, const std::string &Pattern) {
  const char *Before = getenv("GRAUPEL_STRIDE");
  std::string Selection = Before ? Before : "";
  if (!Selection.empty() && !O.Selection.text().empty())
    Selection += ",";
  Selection += O.Selection.text();
  if (!Selection.empty())
    setenv("GRAUPEL_STRIDE", Selection.c_str(), 1);
  setenv("GRAUPEL_STRIDE_OUT", Pattern.c_str(), 1);
}

stride::Summary summarizeWithProgress(const std::vector<std::string> &Files) {
  Progress P("reading the record ...");
  return stride::summarize(Files);
}

/// Says what there is. Whether there is anything.
bool report(const std::vector<std::string> &Files, const std::string &Program) {
  if (Files.empty()) {
    fail(Program + " has left no record: neither it nor what it started was "
                   "compiled to make one, or GRAUPEL_STRIDE is off; compile "
                   "with clang-22 --config=graupel-stride.cfg");
    return false;
  }
  stride::Summary S = summarizeWithProgress(Files);
  if (!S.Wrong.empty()) {
    fail(S.Wrong);
    return false;
  }
  for (const std::string &Line : S.Lines)
    tell(Line);
  std::string Names;
  for (const std::string &File : Files)
    Names += " " + File;
  if (Files.size() > 1)
    tell(std::to_string(Files.size()) +
         " processes, a record each; the first is " + Files[0]);
  tell("see: graupel stride report" + Names);
  return true;
}

} // namespace

int graupel::strideRecordCommand(const Arguments &A) {
  for (const std::string &Arg : A) {
    if (Arg == "--help" || Arg == "-h") {
      fputs(Help, stdout);
      return 0;
    }
    if (Arg[0] != '-' || Arg == "--")
      break;
  }
  RecordOptions O;
  if (std::string Wrong = read(A, O); !Wrong.empty())
    return fail(Wrong);
  stride::RecordNames Names(O.File, O.Program[0]);
  if (std::string Wrong = Names.begin(); !Wrong.empty())
    return fail(Wrong);
  setEnvironment(O, Names.pattern());
  stride::ChildResult Child = stride::runChild(O.Program);
  if (Child.Error)
    return fail("cannot run " + O.Program[0] + ": " + strerror(Child.Error) +
                    (Child.Status == 127
                         ? "; name a program in PATH, or its path"
                         : "; name a program that can be run"),
                Child.Status);
  if (Child.Signal)
    tell(O.Program[0] + " was ended by a signal: " + strsignal(Child.Signal));
  if (!report(Names.finish(Child.Process), O.Program[0]) && !Child.Status)
    return 1;
  return Child.Status;
}
