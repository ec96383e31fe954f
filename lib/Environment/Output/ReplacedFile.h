//===- Output/ReplacedFile.h - Files that users name ---------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every file whose name comes from a user is written here. The name may be
// wrong, or lead to something else than it says: through a symbolic link, a
// second mount, a hard link, a file system that ignores case. So a file is
// judged by what it is on the disk, and what is judged is what is replaced:
//
//   1. The folder is opened. From then on it is a descriptor, not a path.
//   2. The new content is written beside the target, under a name of its own.
//   3. The existing file is judged through a descriptor that follows no link.
//   4. The new file takes the place of what was judged. The kernel exchanges
//      both names in one step. If what comes out is not what was judged, they
//      are exchanged back.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_OUTPUT_REPLACEDFILE_H
#define GRAUPEL_ENVIRONMENT_OUTPUT_REPLACEDFILE_H

#include "Environment/Substitution/Descriptor.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>

namespace graupel::output {

using substitution::Descriptor;

/// An error and its remedy, or nothing.
using ErrorText = std::optional<std::string>;

/// A file or a folder on the disk, however it is called.
struct FileOnDisk {
  uint64_t Device = 0, Inode = 0;

  static FileOnDisk of(const struct stat &Status) {
    return {uint64_t(Status.st_dev), uint64_t(Status.st_ino)};
  }
  auto operator<=>(const FileOnDisk &) const = default;
};

/// A file that is to be replaced, open for reading.
struct Target {
  int File;
  struct stat Status;
};

/// Why a target must stay, or nothing.
using Judge = std::function<ErrorText(const Target &)>;

/// A judge for what is neither an image nor an archive: programs, libraries,
/// object files and scripts stay.
ErrorText keepPrograms(const Target &);

/// Owner, group and access control list of a file.
struct Rights {
  static Rights of(int File, const struct stat &Status);
  /// Sets them as far as this process may.
  void give(int File) const;
  void giveList(int File) const;

  uid_t User = 0;
  gid_t Group = 0;
  std::string List; ///< Access control list in the kernel's format, or empty.
};

/// A new content for one name in one folder.
class ReplacedFile {
public:
  /// \p Name has no slash. \p Shown is the whole path, for messages.
  ReplacedFile(Descriptor Folder, std::string Name, std::string Shown);
  ReplacedFile(ReplacedFile &&) = default;
  ~ReplacedFile();

  /// The new content, and the mode of its file. Owner, group and access control
  /// list are those of the file that was judged, where that may be.
  ErrorText write(std::string_view Bytes, mode_t Mode);
  /// The same, with the mode of \p Like, and its owner where that may be.
  ErrorText copy(int From, const struct stat &Like);
  /// Whether the name may lead to the new content. Nothing has changed.
  ErrorText judge(const Judge &);
  /// The name leads to the new content. judge() was content.
  ErrorText keep();

  /// The mode of the file that was judged, or that of new files.
  mode_t usualMode() const;

  int folder() const { return Folder.number(); }
  const std::string &name() const { return Name; }

private:
  ErrorText create();
  ErrorText finish(mode_t Mode);
  ErrorText exchange();
  ErrorText describe(const char *Failure, int Error) const;

  Descriptor Folder, File;
  std::string Name, Shown, Beside;
  std::optional<FileOnDisk> Judged; ///< Nothing: there was no file.
  mode_t JudgedMode = 0;
  Rights JudgedRights;
};

/// Replaces a text file, or writes to what is there and is no file: a terminal,
/// a pipe. Complete, or nothing has changed. Programs are never replaced.
ErrorText writeText(const std::string &Path, std::string_view Text);
/// The same question before any work is done.
ErrorText mayWriteText(const std::string &Path);

/// A folder that gets a tree of files. Folders below it are entered without
/// following links and without leaving its mount.
class ExportFolder {
public:
  /// Makes it if it is missing. The root folder is refused, by any name.
  ErrorText open(const std::string &Path);
  /// A file below it, whose folders are made. \p Path begins with a slash.
  ErrorText file(const std::string &Path, std::optional<ReplacedFile> &To);

private:
  Descriptor Folder;
  std::string Shown;
};

} // namespace graupel::output

#endif // GRAUPEL_ENVIRONMENT_OUTPUT_REPLACEDFILE_H
