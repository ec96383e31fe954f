//===- DsmReport.cpp - graupel dsm report --------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dsm/Report/Writers.h"
#include "Environment/Output/ReplacedFile.h"
#include "Environment/Output/Shown.h"
#include "Support/Command.h"

using namespace llvm;
using namespace graupel;
using namespace graupel::dsm;

namespace {

struct ReportOptions {
  std::string Folder;
  std::string Format = "text"; ///< Or json, html, hints.
  std::string File;            ///< Empty: standard output.
  unsigned Top = 30;
};

} // namespace

static int fail(const Twine &Message) {
  errs() << "graupel dsm report: error: " << output::shownLines(Message.str())
         << '\n';
  return 1;
}

static std::string textOf(const Report &R, const Accesses &A,
                          const ReportOptions &O) {
  std::string Text;
  raw_string_ostream OS(Text);
  if (O.Format == "hints")
    writeHints(R, A, OS);
  else if (O.Format == "json")
    writeJSON(R, OS);
  else if (O.Format == "html")
    writeHTML(R, OS);
  else
    writeText(R, OS);
  // Names come from files of others.
  const bool HasLines = O.Format == "text" || O.Format == "hints";
  return HasLines ? output::shownLines(Text) : Text;
}

/// Reads what the nodes left, writes the report, says on standard error what is
/// missing, and returns the exit status: 1 if nothing could be shown.
static int makeReport(const ReportOptions &O) {
  Expected<JobFiles> Job = JobFiles::read(O.Folder);
  if (!Job)
    return fail(toString(Job.takeError()));
  SourceLines Lines;
  Profile P(*Job, Lines);
  std::vector<std::string> Warnings = Job->Warnings;
  Warnings.insert(Warnings.end(), Lines.Warnings.begin(), Lines.Warnings.end());
  for (const std::string &W : Warnings)
    errs() << "graupel dsm report: warning: " << output::shown(W) << '\n';

  Accesses Log(*Job, Lines, P.Data);
  AdviceList Advices = advise(P, Log);
  Report R{P, Advices, Warnings, O.Top};
  const std::string Text = textOf(R, Log, O);
  if (O.File.empty()) {
    outs() << Text;
    outs().flush();
    std::error_code EC = outs().error();
    outs().clear_error(); // Or LLVM ends the program in its own way.
    return EC ? fail("cannot write the report: " + EC.message() +
                     "; name a file with -o")
              : 0;
  }
  const output::ErrorText W = output::writeText(O.File, Text);
  return W ? fail(*W) : 0;
}

int graupel::dsmReportCommand(const CommandDescription &, const Parsed &P) {
  ReportOptions O;
  O.Folder = P.Words[0];
  O.File = P.value("o");
  if (P.has("format"))
    O.Format = P.value("format");
  O.Top = unsigned(P.number("top", O.Top));
  return makeReport(O);
}
