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
#include <optional>
#include <string_view>

using namespace graupel;

/// The format of the report that an option selects, if it does.
static std::optional<stride::Form> formOf(std::string_view Command,
                                          std::string_view Option) {
  using stride::Form;
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

static int run(const CommandDescription &C, const Parsed &P, stride::Form As) {
  stride::ReportOptions O;
  O.Command = C.word();
  O.As = As;
  O.Files = P.Words;
  O.Output = P.value("o");
  O.MaxLag = unsigned(P.number("maxel", 0));
  if (P.value("variant") == "all")
    O.Which = stride::Variant::All;
  const bool IsExport = O.Command == std::string_view("export");
  for (const Parsed::Option &Given : P.Options)
    if (auto Wanted = formOf(O.Command, Given.Name)) {
      if (IsExport && O.As != As && O.As != *Wanted)
        return failCommand(C, "there are two formats; say one");
      O.As = *Wanted;
    }
  if (As == stride::Form::Diff && O.Files.size() != 2)
    return failCommand(C, "there are " + std::to_string(O.Files.size()) +
                              " files; name two, before and after");
  if (IsExport && O.As == As)
    return failCommand(C, "the format is missing; say --callgrind, --fgdsm, "
                          "--numa or --split");
  return stride::makeReport(O);
}

int graupel::strideReportCommand(const CommandDescription &C, const Parsed &P) {
  return run(C, P, stride::Form::Text);
}

int graupel::strideAnnotateCommand(const CommandDescription &C,
                                   const Parsed &P) {
  return run(C, P, stride::Form::Annotated);
}

int graupel::strideDiffCommand(const CommandDescription &C, const Parsed &P) {
  return run(C, P, stride::Form::Diff);
}

int graupel::strideExportCommand(const CommandDescription &C, const Parsed &P) {
  return run(C, P, stride::Form::Text);
}
