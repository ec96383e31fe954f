//===- StrideReport/Command.cpp -------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "Environment/Output/ReplacedFile.h"
#include "Environment/Output/Shown.h"
#include "Report.h"

using namespace llvm;

namespace graupel::stride {

static int fail(const ReportOptions &O, const Twine &Message) {
  errs() << "graupel stride " << O.Command
         << ": error: " << output::shown(Message.str()) << '\n';
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

/// The same, without what a terminal would obey.
static std::string textOf(const ReportOptions &O,
                          std::vector<Report> &Reports) {
  std::string Text;
  raw_string_ostream OS(Text);
  write(O, Reports, OS);
  switch (O.As) {
  case Form::Text:
  case Form::Annotated:
  case Form::Callgrind:
  case Form::Fgdsm:
  case Form::Diff:
    return output::shownLines(Text); // Names come from files of others.
  default:
    return Text; // These forms have their own way for all characters.
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
    if (Error E = Reports[N].read(Files, O.MaxLag))
      return fail(O, toString(std::move(E)));
    for (const std::string &W : Reports[N].O->Warnings)
      errs() << "graupel stride " << O.Command
             << ": warning: " << output::shown(W) << '\n';
  }
  if (O.As == Form::Numa && Reports[0].R.Pages.empty())
    return fail(O, O.Files[0] + ": has no counts by page; record it with "
                                "`graupel stride record --pages`");
  const std::string Text = textOf(O, Reports);
  if (O.Output.empty()) {
    outs() << Text;
    outs().flush();
    if (!outs().has_error())
      return 0;
    outs().clear_error();
    return fail(O, "the report cannot be written to standard output");
  }
  const output::ErrorText W = output::writeText(O.Output, Text);
  return W ? fail(O, *W) : 0;
}

} // namespace graupel::stride
