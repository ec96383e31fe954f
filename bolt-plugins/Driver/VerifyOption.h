//===- Driver/VerifyOption.h - -verify --------------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_VERIFYOPTION_H
#define GRAUPEL_DRIVER_VERIFYOPTION_H

#include "llvm/Support/Error.h"
#include <string>

namespace graupel {

/// Verifies the file \p Output that was made from \p Input; returns the line
/// that says what was looked at.
llvm::Expected<std::string> verifyFiles(const std::string &Input,
                                        const std::string &Output);

} // namespace graupel

#endif // GRAUPEL_DRIVER_VERIFYOPTION_H
