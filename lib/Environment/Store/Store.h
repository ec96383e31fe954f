//===- Store/Store.h - Files by what is in them --------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_STORE_STORE_H
#define GRAUPEL_ENVIRONMENT_STORE_STORE_H

#include "Environment/Substitution/Descriptor.h"
#include "FileIdentity.h"
#include <functional>
#include <vector>

namespace graupel::environment {

/// Files by the SHA-256 of what is in them. Names are 64 hexadecimal digits.
class Store {
public:
  explicit Store(std::string Folder) : Folder(std::move(Folder)) {}

  /// A name for a new file, which nobody else has. As long as this store is
  /// open, lockOutMakers() of others does nothing.
  llvm::Expected<std::string> temporary();
  /// Takes the file \p Temporary, which must be on the same file system, into
  /// the store and returns its name. It is on the disk then. The same users may
  /// read and execute it as \p Original, if this user can bring that about.
  llvm::Expected<std::string> take(const std::string &Temporary,
                                   const struct stat &Original);
  /// Does that for a file of the store. Processes and mounts that have it open
  /// keep the file as it is.
  llvm::Error giveRights(llvm::StringRef Name, const struct stat &Original);
  /// Gives a file that is there the time of its original, in nanoseconds since
  /// 1970: make and its like compare the times of what they see.
  llvm::Error giveTime(llvm::StringRef Name, int64_t Modified);

  /// Names come from the database, and are parts of paths.
  static bool isName(llvm::StringRef Name);
  /// If \p Name is none, of a file that is never there.
  std::string path(llvm::StringRef Name) const;
  /// Looks whether a file is what its name says; it is read unless it is \p
  /// Last. One that is not is moved to bad/, and is an error, as one that is
  /// missing; the error says how to get it again.
  llvm::Expected<HashedFile> verify(llvm::StringRef Name,
                                    const FileIdentity &Last);

  struct Entry {
    std::string Name, Path;
    int64_t Size, Changed; ///< Bytes; seconds since 1970.
  };
  /// All files, and what was left of those that were being made (no Name).
  std::vector<Entry> list() const;
  /// As long as the result is open nobody begins to make a file. Nothing if
  /// somebody is making one, or has made one and may be about to name it.
  substitution::Descriptor lockOutMakers() const;
  /// Removes what was left of files that were being made when their makers were
  /// killed. Makers are locked out. Returns what was removed.
  std::vector<Entry> removeAbandoned() const;

private:
  llvm::Error announce(const std::string &Making);

  std::string Folder;
  /// The folder of files that are being made. Its lock is shared by all makers,
  /// and is released when they end in any way.
  substitution::Descriptor Making;
};

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_STORE_STORE_H
