//===- Driver/FailureReport.h - Explains BOLT's last words ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_FAILUREREPORT_H
#define GRAUPEL_DRIVER_FAILUREREPORT_H

#include "llvm/ADT/StringRef.h"

namespace graupel {

/// Prints the error for a rewrite of \p Input that crashed with \p Signal after
/// it had printed \p Messages.
void reportCrash(llvm::StringRef Input, int Signal, llvm::StringRef Messages);

/// The same for one that ended by itself with a failure, unless \p Messages
/// already has our error.
void reportExit(llvm::StringRef Input, llvm::StringRef Messages);

/// Without the line of BOLT's that reportExit() says in our words.
std::string withoutReportedError(llvm::StringRef Messages);

/// Whether crashes are to be shown in full: -v, -stock-pipeline or
/// GRAUPEL_SHOW_CRASH.
bool showsCrashes();

} // namespace graupel

#endif // GRAUPEL_DRIVER_FAILUREREPORT_H
