//===- StrideReport.cpp - graupel stride: its reports ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The commands `graupel stride report`, `annotate`, `diff` and `export`:
//
// 1. run() starts from the form that the command has by default, and takes the
//    options over: one of them may select another form. diff needs two files,
//    and export one format.
// 2. makeReport() reads the files of each report (Stride/Report/Report.h), and
//    passes its warnings on.
// 3. textOf() lets a writer of lib/Stride/Report make the text, without what a
//    terminal would obey, and makeReport() writes it.
//
//===----------------------------------------------------------------------===//

#include "Environment/Output/ReplacedFile.h"
#include "Environment/Output/Shown.h"
#include "Stride/Report/Report.h"
#include "Support/Command.h"
#include <optional>
#include <string_view>

using namespace graupel;
using namespace graupel::stride;

namespace {

enum class Form {
  Text,
  JSON,
  HTML,
  Annotated,
  Callgrind,
  Numa,
  Fgdsm,
  Split,
  Diff,
  DiffJSON
};

struct ReportOptions {
  const char *Command = "report"; ///< For messages.
  Form As = Form::Text;
  std::vector<std::string> Files; ///< Diff: before and after.
  std::string Output;             ///< Empty: standard output.
  Variant Which = Variant::Filtered;
  unsigned MaxLag = 0; ///< 0: as recorded.
};

} // namespace

static int fail(const ReportOptions &O, const llvm::Twine &Message) {
  llvm::errs() << "graupel stride " << O.Command
               << ": error: " << output::shown(Message.str()) << '\n';
  return 1;
}

static void write(const ReportOptions &O, std::vector<Report> &Reports,
                  llvm::raw_ostream &OS) {
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
  llvm::raw_string_ostream OS(Text);
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

/// Writes it, and what is wrong to standard error; returns the exit status.
static int makeReport(const ReportOptions &O) {
  const bool Two = O.As == Form::Diff || O.As == Form::DiffJSON;
  std::vector<Report> Reports(Two ? 2 : 1);
  for (size_t N = 0; N < Reports.size(); ++N) {
    std::vector<std::string> Files = O.Files;
    if (Two)
      Files = {O.Files[N]};
    Reports[N].Which = O.Which;
    if (llvm::Error E = Reports[N].read(Files, O.MaxLag))
      return fail(O, llvm::toString(std::move(E)));
    for (const std::string &W : Reports[N].O->Warnings)
      llvm::errs() << "graupel stride " << O.Command
                   << ": warning: " << output::shown(W) << '\n';
  }
  if (O.As == Form::Numa && Reports[0].R.Pages.empty())
    return fail(O, O.Files[0] + ": has no counts by page; record it with "
                                "`graupel stride record --pages`");
  const std::string Text = textOf(O, Reports);
  if (O.Output.empty()) {
    llvm::outs() << Text;
    llvm::outs().flush();
    if (!llvm::outs().has_error())
      return 0;
    llvm::outs().clear_error();
    return fail(O, "the report cannot be written to standard output");
  }
  const output::ErrorText W = output::writeText(O.Output, Text);
  return W ? fail(O, *W) : 0;
}

/// The format of the report that an option selects, if it does.
static std::optional<Form> formOf(std::string_view Command,
                                  std::string_view Option) {
  struct NamedForm {
    std::string_view Name;
    Form As;
  };
  for (const NamedForm &F : {NamedForm{"text", Form::Text},
                             {"json", Form::JSON},
                             {"html", Form::HTML},
                             {"callgrind", Form::Callgrind},
                             {"fgdsm", Form::Fgdsm},
                             {"split", Form::Split},
                             {"numa", Form::Numa}})
    if (Option == F.Name)
      return Command == "diff" ? Form::DiffJSON : F.As;
  return std::nullopt;
}

static int run(const CommandDescription &C, const Parsed &P, Form As) {
  ReportOptions O;
  O.Command = C.word();
  O.As = As;
  O.Files = P.Words;
  O.Output = P.value("o");
  O.MaxLag = unsigned(P.number("maxel", 0));
  if (P.value("variant") == "all")
    O.Which = Variant::All;
  const bool IsExport = O.Command == std::string_view("export");
  for (const Parsed::Option &Given : P.Options)
    if (auto Wanted = formOf(O.Command, Given.Name)) {
      if (IsExport && O.As != As && O.As != *Wanted)
        return failCommand(C, "there are two formats; say one");
      O.As = *Wanted;
    }
  if (As == Form::Diff && O.Files.size() != 2)
    return failCommand(C, "there are " + std::to_string(O.Files.size()) +
                              " files; name two, before and after");
  if (IsExport && O.As == As)
    return failCommand(C, "the format is missing; say --callgrind, --fgdsm, "
                          "--numa or --split");
  return makeReport(O);
}

int graupel::strideReportCommand(const CommandDescription &C, const Parsed &P) {
  return run(C, P, Form::Text);
}

int graupel::strideAnnotateCommand(const CommandDescription &C,
                                   const Parsed &P) {
  return run(C, P, Form::Annotated);
}

int graupel::strideDiffCommand(const CommandDescription &C, const Parsed &P) {
  return run(C, P, Form::Diff);
}

int graupel::strideExportCommand(const CommandDescription &C, const Parsed &P) {
  return run(C, P, Form::Text);
}
