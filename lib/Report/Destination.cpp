//===- Report/Destination.cpp - Form and place of a report ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Destination.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace graupel;

cl::ValuesClass graupel::reportFormats() {
  return cl::values(clEnumValN(ReportFormat::Text, "text", "tables"),
                    clEnumValN(ReportFormat::Text, "", ""),
                    clEnumValN(ReportFormat::JSON, "json",
                               "for programs; messages go to standard error"),
                    clEnumValN(ReportFormat::HTML, "html",
                               "one page with charts and tables"));
}

Destination Destination::make(ReportFormat Format, StringRef File,
                              StringRef Output, StringRef Suffix) {
  if (!File.empty())
    return {Format, File.str(), ""};
  if (Format == ReportFormat::HTML)
    return {Format, (Output + Suffix).str(), Output.str()};
  return {Format, "-", ""};
}

Error Destination::check(StringRef Document, StringRef FileOption) const {
  auto cannotWrite = [&](const Twine &File, const Twine &Why) {
    return createStringError(File + ": cannot write the " + Document + ": " +
                             Why + "; name a file with -" + FileOption);
  };
  if (!any() || File == "-")
    return Error::success();
  if (!Beside.empty() && sys::fs::exists(Beside) &&
      !sys::fs::is_regular_file(Beside))
    return cannotWrite(Beside,
                       "they have no file beside an output that is none");
  if (sys::fs::is_directory(File))
    return cannotWrite(File, "it is a directory");
  StringRef Folder = sys::path::parent_path(File);
  if (Folder.empty())
    Folder = ".";
  sys::fs::file_status Status;
  if (std::error_code EC = sys::fs::status(Folder, Status))
    return cannotWrite(File, EC.message());
  if (!sys::fs::is_directory(Status))
    return cannotWrite(File, "Not a directory");
  const bool Exists = sys::fs::exists(File);
  if (std::error_code EC = sys::fs::access(Exists ? Twine(File) : Folder,
                                           sys::fs::AccessMode::Write))
    return cannotWrite(File, EC.message());
  return Error::success();
}
