//===- DsmReport.cpp - graupel dsm report: its options -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DsmReport/Command.h"
#include "Support/Command.h"

using namespace graupel;

int graupel::dsmReportCommand(const CommandDescription &, const Parsed &P) {
  dsm::ReportOptions O;
  O.Folder = P.Words[0];
  O.File = P.value("o");
  if (P.has("format"))
    O.Format = P.value("format");
  O.Top = unsigned(P.number("top", O.Top));
  return dsm::makeReport(O);
}
