//===- Store/FileIdentity.h - Whether a file has changed ------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_STORE_FILEIDENTITY_H
#define GRAUPEL_ENVIRONMENT_STORE_FILEIDENTITY_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <sys/stat.h>

namespace graupel::environment {

/// Attributes that show a change of a file without reading it. Times are in
/// nanoseconds.
struct FileIdentity {
  int64_t Device = 0, Inode = 0, Size = -1, ModifyTime = 0, ChangeTime = 0;

  static FileIdentity of(const struct stat &Status);
  /// Follows symbolic links. Errors name the file.
  static llvm::Expected<FileIdentity> of(const std::string &Path);
  bool operator==(const FileIdentity &) const = default;
};

struct HashedFile {
  std::string Content;   ///< SHA-256, 64 hexadecimal digits.
  FileIdentity Identity; ///< When it was read.
  /// The file changed so recently that another change may show the same times,
  /// or while it was read: equal identities say nothing.
  bool IsFresh = false;

  /// The identity that shows a later change; equal to no other if a change
  /// could go unnoticed.
  FileIdentity lasting() const { return IsFresh ? FileIdentity() : Identity; }
};

/// Reads the whole file.
llvm::Expected<HashedFile> hashFile(const std::string &Path);

std::string sha256(llvm::StringRef Bytes);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_STORE_FILEIDENTITY_H
