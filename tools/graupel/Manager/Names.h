//===- Manager/Names.h - Names on the page -------------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// JSON has Unicode alone, and names of files are any bytes. The page gets a
// name for each that it can send back.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_MANAGER_NAMES_H
#define GRAUPEL_TOOLS_MANAGER_NAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace graupel::ui {

/// The name itself. If it is not UTF-8, or could be taken for what this
/// returns: with \xNN for bytes that are not ASCII, and for backslashes.
std::string toPage(llvm::StringRef Name);
/// The name of which toPage() made this.
std::string fromPage(llvm::StringRef Name);

} // namespace graupel::ui

#endif
