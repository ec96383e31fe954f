//===- DsmReport/Command.cpp - Makes a report ----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "Writers.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace llvm;
using namespace graupel::dsm;

static int fail(const Twine &What) {
  errs() << "graupel dsm report: error: " << What << '\n';
  return 1;
}

static void write(const Report &R, const Accesses &A, const ReportOptions &O,
                  raw_ostream &OS) {
  if (O.Format == "hints")
    writeHints(R, A, OS);
  else if (O.Format == "json")
    writeJSON(R, OS);
  else if (O.Format == "html")
    writeHTML(R, OS);
  else
    writeText(R, OS);
}

int graupel::dsm::makeReport(const ReportOptions &O) {
  Expected<JobFiles> Job = JobFiles::read(O.Folder);
  if (!Job)
    return fail(toString(Job.takeError()));
  SourceLines Lines;
  Profile P(*Job, Lines);
  std::vector<std::string> Warnings = Job->Warnings;
  Warnings.insert(Warnings.end(), Lines.Warnings.begin(), Lines.Warnings.end());
  for (const std::string &W : Warnings)
    errs() << "graupel dsm report: warning: " << W << '\n';

  Accesses Log(*Job, Lines, P.Data);
  AdviceList Advices = advise(P, Log);
  Report R{P, Advices, Warnings, O.Top};
  if (O.File.empty()) {
    write(R, Log, O, outs());
    outs().flush();
    std::error_code EC = outs().error();
    outs().clear_error(); // Or LLVM ends the program in its own way.
    return EC ? fail("cannot write the report: " + EC.message() +
                     "; name a file with -o")
              : 0;
  }
  std::error_code EC;
  ToolOutputFile File(O.File, EC, sys::fs::OF_None);
  if (!EC) {
    write(R, Log, O, File.os());
    File.os().close();
    EC = File.os().error();
    File.os().clear_error();
  }
  if (EC)
    return fail("cannot write " + O.File + ": " + EC.message() +
                "; name another file with -o");
  File.keep();
  return 0;
}
