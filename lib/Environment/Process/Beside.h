//===- Process/Beside.h - Programs beside this one --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_PROCESS_BESIDE_H
#define GRAUPEL_ENVIRONMENT_PROCESS_BESIDE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace graupel::environment {

/// The path of program \p Name in the folder that this program's file is in;
/// empty if there is none that can be executed.
std::string findProgramBeside(llvm::StringRef Name);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_PROCESS_BESIDE_H
