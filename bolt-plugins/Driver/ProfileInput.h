//===- Driver/ProfileInput.h - Profiles of all kinds ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_PROFILEINPUT_H
#define GRAUPEL_DRIVER_PROFILEINPUT_H

#include "llvm/Support/Error.h"
#include <string>

namespace graupel {

/// Checks that \p Path is a profile BOLT can read and prepares BOLT's options
/// for its kind: fdata, YAML, or perf.data with or without branch records
/// (the latter with a warning about its quality on stderr).
///
/// Errors name the file and say what to do.
llvm::Error prepareProfile(const std::string &Path);

} // namespace graupel

#endif // GRAUPEL_DRIVER_PROFILEINPUT_H
