//===- Process/Words.h - Words of a command line -------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_PROCESS_WORDS_H
#define GRAUPEL_ENVIRONMENT_PROCESS_WORDS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace graupel::environment {

/// Words of a command line, with quotes and backslashes as in a shell, and
/// nothing else of one. An error if a quote is not closed.
llvm::Expected<std::vector<std::string>> splitWords(llvm::StringRef Line);

} // namespace graupel::environment

#endif
