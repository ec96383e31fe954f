//===- StrideReport/Command.cpp -------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "Report.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace llvm;

namespace graupel::stride {

static int fail(const ReportOptions &O, const Twine &What) {
  errs() << "graupel stride " << O.Command << ": error: " << What << '\n';
  return 1;
}

static void write(const ReportOptions &O, std::vector<Report> &Reports,
                  raw_ostream &OS) {
  switch (O.As) {
  case Form::Text:
    return writeText(Reports[0], OS);
  case Form::JSON:
    return writeJSON(Reports[0], OS);
  case Form::HTML:
    return writeHTML(Reports[0], OS);
  case Form::Annotated:
    return writeAnnotated(Reports[0], OS);
  case Form::Callgrind:
    return writeCallgrind(Reports[0], OS);
  case Form::Numa:
    return writeNuma(Reports[0], OS);
  case Form::Fgdsm:
    return writeFgdsm(Reports[0], OS);
  case Form::Split:
    return writeSplit(Reports[0], OS);
  case Form::Diff:
    return writeDiff(Reports[0], Reports[1], OS);
  case Form::DiffJSON:
    return writeDiffJSON(Reports[0], Reports[1], OS);
  }
}

int makeReport(const ReportOptions &O) {
  const bool Two = O.As == Form::Diff || O.As == Form::DiffJSON;
  std::vector<Report> Reports(Two ? 2 : 1);
  for (size_t N = 0; N < Reports.size(); ++N) {
    std::vector<std::string> Files = O.Files;
    if (Two)
      Files = {O.Files[N]};
    Reports[N].Which = O.Which;
    if (std::string Wrong = Reports[N].read(Files, O.MaxLag); !Wrong.empty())
      return fail(O, Wrong);
    for (const std::string &W : Reports[N].O->Warnings)
      errs() << "graupel stride " << O.Command << ": warning: " << W << '\n';
  }
  if (O.As == Form::Numa && Reports[0].R.Pages.empty())
    return fail(O, O.Files[0] + ": has no counts by page; record it with "
                                "`graupel stride record --pages`");
  if (O.Output.empty()) {
    write(O, Reports, outs());
    outs().flush();
    if (!outs().has_error())
      return 0;
    outs().clear_error();
    return fail(O, "the report cannot be written to standard output");
  }
  std::error_code EC;
  ToolOutputFile File(O.Output, EC, sys::fs::OF_None);
  if (!EC) {
    write(O, Reports, File.os());
    File.os().close();
    EC = File.os().error();
    File.os().clear_error();
  }
  if (EC)
    return fail(O, "cannot write " + O.Output + ": " + EC.message() +
                       "; name another file with -o");
  File.keep();
  return 0;
}

} // namespace graupel::stride
