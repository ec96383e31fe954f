//===- JSON/Parse.h - JSON of others -------------------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_JSON_PARSE_H
#define GRAUPEL_JSON_PARSE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace graupel {

/// The value that \p Text says. Brackets in each other are refused where they
/// are too many: LLVM's parser calls itself for each, until the stack ends.
llvm::Expected<llvm::json::Value> parseJSON(llvm::StringRef Text);

} // namespace graupel

#endif // GRAUPEL_JSON_PARSE_H
