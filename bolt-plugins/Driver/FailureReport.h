//===- Driver/FailureReport.h - What BOLT's last words mean -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_FAILUREREPORT_H
#define GRAUPEL_DRIVER_FAILUREREPORT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace graupel {

/// Prints the error for a rewrite of \p Input that crashed with \p Signal after
/// it had printed \p Messages.
void reportCrash(llvm::StringRef Input, int Signal, llvm::StringRef Messages);

/// The same for one that ended by itself with a failure, unless \p Messages
/// already has our error.
void reportExit(llvm::StringRef Input, llvm::StringRef Messages);

/// The error that the output cannot be written, if \p Reason, which BOLT gives,
/// is that there is no room; empty otherwise.
std::string fullDisk(llvm::StringRef Reason);

/// Whether crashes are to be shown in full: -v, -stock-pipeline or
/// GRAUPEL_SHOW_CRASH.
bool showsCrashes();

} // namespace graupel

#endif // GRAUPEL_DRIVER_FAILUREREPORT_H
