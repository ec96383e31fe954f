//===- Driver/CommandLine.h - Rejects mistaken options ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_COMMANDLINE_H
#define GRAUPEL_DRIVER_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace graupel {

/// Parses \p Arguments, the first of which is the program's name, for \p
/// Command. LLVM's parser takes the rest of an unknown option for that of a
/// shorter one (-hcoo for -h) and has errors in a form of its own; here each
/// error is one "-option: what; what to do".
llvm::Error parseOptions(llvm::ArrayRef<const char *> Arguments,
                         llvm::cl::SubCommand &Command,
                         llvm::StringRef Overview);

/// The part of \p Arguments that the note in the output records: the options
/// that determine the output, without the names of files, which differ between
/// users and folders.
std::vector<const char *>
recordedArguments(llvm::ArrayRef<const char *> Arguments);

} // namespace graupel

#endif // GRAUPEL_DRIVER_COMMANDLINE_H
