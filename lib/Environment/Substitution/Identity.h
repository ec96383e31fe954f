//===- Identity.h - Whether a file is the same ---------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_SUBSTITUTION_IDENTITY_H
#define GRAUPEL_ENVIRONMENT_SUBSTITUTION_IDENTITY_H

#include <cstdint>
#include <optional>
#include <string>
#include <sys/stat.h>

namespace graupel::substitution {

/// Attributes that show that a file has changed. No program can set
/// the time of the last change, so equal identities mean equal contents.
struct FileIdentity {
  uint64_t Device = 0, Inode = 0, Size = 0;
  int64_t Modified = 0, Changed = 0; ///< Nanoseconds since 1970.

  bool operator==(const FileIdentity &) const = default;
};

FileIdentity identityOf(const struct stat &);
/// Identity of the file at a path; nothing, and errno, if there is none.
std::optional<FileIdentity> identityOf(const std::string &Path);

} // namespace graupel::substitution

#endif
