//===- profile/ProfileFile.h - The file that is counted into ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_PROFILEFILE_H
#define GRAUPEL_PROFILE_PROFILEFILE_H

#include "Runtime.h"

namespace graupel {

/// Decides on the path of the profile, without suffixes.
int choosePath(const Image &I);

/// The profile, open and locked against other users that take slots; open no
/// longer than this object lives, since programs close and count descriptors.
class ProfileFile {
public:
  ProfileFile() = default;
  ~ProfileFile() { close(); }
  ProfileFile(const ProfileFile &) = delete;
  ProfileFile &operator=(const ProfileFile &) = delete;

  /// Makes the file if there is none. Returns 0 or a negated errno or Refusal;
  /// the runtime's Path then says which file it is about.
  int open(const Image &I, bool MayTalk);
  void close();

  int descriptor() const { return FD; }
  uint64_t size() const { return Size; }
  uint64_t inode() const { return Inode; }
  /// Makes the file larger, by room on the disk: a full one is an error now
  /// instead of a signal later.
  int grow(uint64_t NewSize);
  /// The same for a part of the file, which may have holes.
  int reserve(uint64_t Offset, uint64_t Length);

private:
  int openLocked(const char *Path);
  int start(const Image &I, const char *Path);
  int writeHead(const Image &I);
  bool isUnfinished(const Image &I) const;
  bool belongsTo(const Image &I) const;
  int allocate(uint64_t Offset, uint64_t Length);

  int FD = -1;
  bool Made = false;
  uint64_t Size = 0;
  uint64_t Inode = 0;
};

} // namespace graupel

#endif // GRAUPEL_PROFILE_PROFILEFILE_H
