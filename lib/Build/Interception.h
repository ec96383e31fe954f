//===- Build/Interception.h - Before all linkers -------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_BUILD_INTERCEPTION_H
#define GRAUPEL_BUILD_INTERCEPTION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>

namespace graupel::build {

/// Whether a program of this name links for x86-64.
bool isLinkerName(llvm::StringRef Name);

/// Makes folders in \p State with our program under the names of linkers. The
/// variables with which compilers and makefiles find them.
llvm::Expected<std::map<std::string, std::string>>
intercept(const std::string &State);

} // namespace graupel::build

#endif // GRAUPEL_BUILD_INTERCEPTION_H
