//===- Driver/ProfileInput.h - Profiles of all kinds ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_PROFILEINPUT_H
#define GRAUPEL_DRIVER_PROFILEINPUT_H

#include "ProfileMatch/MatchingReader.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Error.h"
#include <string>

namespace graupel {

/// A profile in a form that can be used.
struct PreparedProfile {
  /// A file that BOLT reads: the profile, or a conversion.
  std::string ForBolt;
  /// Or one that has to be matched.
  std::optional<OtherProfile> Other;
};

/// Looks at the profile \p Path for \p Input before BOLT reads it and sets the
/// options it needs. Errors name the file and what to do.
llvm::Expected<PreparedProfile>
prepareProfile(const std::string &Path,
               const llvm::object::ELFObjectFileBase &Input);

/// Whether counters of a program made from the input itself are the profile.
bool isCountedByInput();

} // namespace graupel

#endif // GRAUPEL_DRIVER_PROFILEINPUT_H
