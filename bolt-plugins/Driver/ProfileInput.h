//===- Driver/ProfileInput.h - Profiles of all kinds ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_PROFILEINPUT_H
#define GRAUPEL_DRIVER_PROFILEINPUT_H

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Error.h"
#include <string>

namespace graupel {

/// Looks at the profile \p Path for \p Input before BOLT reads it, sets the
/// options it needs, and returns the name of a file that BOLT can read: \p Path
/// or a converted profile. Errors name the file and what to do.
llvm::Expected<std::string>
prepareProfile(const std::string &Path,
               const llvm::object::ELFObjectFileBase &Input);

} // namespace graupel

#endif // GRAUPEL_DRIVER_PROFILEINPUT_H
