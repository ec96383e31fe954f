//===- Substitution.h - Images for their originals ------------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A command is run in its usual way and finds other files under the paths of
// some images. Nobody else does, and nothing on the disk changes.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_SUBSTITUTION_SUBSTITUTION_H
#define GRAUPEL_ENVIRONMENT_SUBSTITUTION_SUBSTITUTION_H

#include "Identity.h"
#include "Names.h"
#include "Namespace.h"
#include "Originals.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace graupel::substitution {

struct Replacement {
  /// Absolute, without symbolic links.
  std::string Original;
  /// Its identity when `Image` was known to be made from it. Inside of another
  /// `graupel run`, that of the version which is in its place.
  FileIdentity OriginalIdentity;
  /// A file of this user or of root. Programs see its own attributes, so its
  /// mode should be that of the original.
  std::string Image;
  /// Its identity when its content was known to be right.
  FileIdentity ImageIdentity;
};

/// An image that its original keeps the place of.
struct LeftAlone {
  std::string Original;
  std::string Why; ///< The reason and a remedy: follows "PATH: ".
};

/// The calling process is the one that is to become the command. Not for
/// several threads.
class Substitution {
public:
  /// The error and its remedy, as a sentence.
  using ErrorText = std::optional<std::string>;

  /// Before anything else. The process goes on in a mount namespace.
  ErrorText begin();
  /// Puts an image in its original's place, wherever that has a name. Either
  /// all of it is right at the time of the call, or the original stays.
  std::optional<LeftAlone> place(const Replacement &);
  /// The original is seen again, under all its names.
  void remove(const std::string &Original);
  /// From begin() on, before anything is placed: there is a place without
  /// images. False, and errno, if the kernel does not let us.
  bool keepOriginals() { return Uncovered.make(Mounts.isUserNamespace()); }
  /// Namespaces that a process has to join to see originals; none if it cannot.
  std::vector<int> originalsFor(pid_t Process) const;
  /// Whether the process sees originals.
  bool seesOriginals(pid_t Process) const { return Uncovered.has(Process); }
  /// After everything else.
  void finish() { Mounts.dropRights(); }

private:
  PrivateMounts Mounts;
  std::optional<MountTable> Table;
  std::map<std::string, std::vector<std::string>> Covered; ///< Names.
  Originals Uncovered;
};

/// From now on a file size limit (ulimit -f) makes writes fail, and does not
/// end this process. The command that it becomes is not affected.
void surviveFileSizeLimit();

/// From now on this process is told how its children end. Its parent may ignore
/// SIGCHLD, and then it would not be told. The command that it becomes gets the
/// parent's setting again.
void hearOfChildren();

/// Becomes the command, found as a shell finds it. If it cannot, returns what a
/// shell would: 127 if there is no such command, otherwise 126; errno says why.
int become(const std::vector<std::string> &Command);

/// Why become() could not begin, as an errno, or 0.
int whyNotStarted(const std::string &Program);

} // namespace graupel::substitution

#endif
