//===- Originals.h - Where nothing is covered ----------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that copies a covered original would copy the image. It must see
// the original, while programs beside it go on to start the image. So it moves
// to a second mount namespace:
//
//   1. Before anything is covered, a child process makes a copy of the mount
//      namespace. Descriptors of it are kept; the child ends.
//   2. A program that is about to begin, and has not opened a file yet, is
//      given the descriptors, and joins.
//
// A user who needs a user namespace to have mounts cannot join a mount
// namespace that belongs to it: the command has no capabilities. The copy
// belongs to a user namespace inside of it. All processes of its owner may join
// that one.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_SUBSTITUTION_ORIGINALS_H
#define GRAUPEL_ENVIRONMENT_SUBSTITUTION_ORIGINALS_H

#include "Descriptor.h"
#include "Names.h"
#include <optional>
#include <set>
#include <string>
#include <sys/types.h>
#include <vector>

namespace graupel::substitution {

class Originals {
public:
  /// Before anything is covered. \p OwnUsers: in a user namespace, see above.
  /// False, and errno, if the kernel does not let us.
  bool make(bool OwnUsers);

  /// Whether the process has joined.
  bool has(pid_t Process) const;

  /// The mount namespace, then the user namespace if there is one. Nothing if
  /// the process would see other files there than now, except for \p Covered.
  std::vector<int> filesFor(pid_t Process,
                            const std::set<std::string> &Covered) const;

private:
  bool isSameFolder(pid_t Process) const;
  bool isSameAt(const std::string &Path) const;

  Descriptor Mounts, Users, Root;
  std::optional<MountTable> Before; ///< Anything was covered.
};

} // namespace graupel::substitution

#endif
