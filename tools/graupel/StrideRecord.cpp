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
#include "Environment/Process/Foreground.h"
#include "Stride/Report/Summary.h"
#include "StrideRecord/Names.h"
#include "StrideRecord/Selection.h"
#include "Support/Command.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace graupel;

namespace {

struct RecordOptions {
  std::string File;
  stride::Selection Selection;
  std::vector<std::string> Program;
};

/// Reads the options. Returns an error, or nothing.
std::string read(const Parsed &P, RecordOptions &O) {
  O.File = P.value("o");
  O.Program = P.Rest;
  if (O.File.ends_with('/'))
    return "-o has no value; give a file";
  for (const Parsed::Option &Given : P.Options)
    if (Given.Name != "o")
      if (std::string Wrong = O.Selection.add(Given.Name, Given.Value);
          !Wrong.empty())
        return Wrong;
  return O.Selection.check();
}

int fail(const std::string &Message, int Status = 1) {
  failCommand(description("stride record"), Message);
  return Status;
}

void tell(const std::string &Message) {
  fprintf(stderr, "graupel stride record: %s\n",
          output::shown(Message).c_str());
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

int graupel::strideRecordCommand(const CommandDescription &, const Parsed &P) {
  RecordOptions O;
  if (std::string Wrong = read(P, O); !Wrong.empty())
    return fail(Wrong);
  stride::RecordNames Names(O.File, O.Program[0]);
  if (std::string Wrong = Names.begin(); !Wrong.empty())
    return fail(Wrong);
  setEnvironment(O, Names.pattern());
  environment::ForegroundEnd Child = environment::runInForeground(O.Program);
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
