//===- Manager/Reports.h - Reports of graupel-bolt ------------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. graupel-bolt runs once more: with the image, the counts and the options
//    that the version was made by, and with -spike-stats and -hco-report, or
//    with -hco-explain for one function.
// 2. Its output is kept in `reports/` of the state folder, by the version's
//    name in the store (and the hash of the function's name), until `graupel
//    gc` has removed that version. It comes there whole: a job may be
//    cancelled at any point. The page asks for it when the job has ended.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_MANAGER_REPORTS_H
#define GRAUPEL_TOOLS_MANAGER_REPORTS_H

#include "Actions.h"

namespace graupel::ui {

llvm::Error doReport(environment::Environment &, const Wanted &, Monitor &,
                     Outcome &);
llvm::Error doExplain(environment::Environment &, const Wanted &, Monitor &,
                      Outcome &);

/// `statistics`, `hot_cold` (as docs/statistics.md and docs/hot-cold.md have
/// them) and `messages`; nothing in it if no report was made of the version.
llvm::Expected<llvm::json::Value> readReport(environment::Environment &E,
                                             const environment::Image &I,
                                             llvm::StringRef Version);

/// `text`; nothing in it if the function was not explained.
llvm::Expected<llvm::json::Value> readExplanation(environment::Environment &E,
                                                  const environment::Image &I,
                                                  llvm::StringRef Version,
                                                  llvm::StringRef Function);

} // namespace graupel::ui

#endif
