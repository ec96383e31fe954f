//===- Output/GivenFile.h - Files that others name ------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names come from users and from files of others: records, debug information.
// The file may be a pipe that waits for ever, or a device without an end.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_OUTPUT_GIVENFILE_H
#define GRAUPEL_ENVIRONMENT_OUTPUT_GIVENFILE_H

#include "Environment/Substitution/Descriptor.h"
#include <cstdint>
#include <optional>
#include <string>

namespace graupel::output {

/// Why it is no file that can be read, or nothing; without its name. Waits for
/// nobody.
std::optional<std::string> openGiven(const std::string &Path,
                                     substitution::Descriptor &To);
/// The same for all that is in it.
std::optional<std::string> readGiven(const std::string &Path, uint64_t Most,
                                     std::string &To);

} // namespace graupel::output

#endif // GRAUPEL_ENVIRONMENT_OUTPUT_GIVENFILE_H
