//===- Launch/Changes.h - Originals that are written to -------- -*- C++
//-*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel uncovers an original that is replaced by another file (`mv new
// p`). One that is written to in place (`cp new p`), from outside, stays
// covered by a version of what it was. So somebody has to look:
//
//   1. Before an original is covered, its file is watched (inotify).
//   2. When it is written to, its version is taken from its place.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_LAUNCH_CHANGES_H
#define GRAUPEL_ENVIRONMENT_LAUNCH_CHANGES_H

#include "Environment/Substitution/Descriptor.h"
#include "Environment/Substitution/Substitution.h"
#include <functional>
#include <map>
#include <string>

namespace graupel::environment {

class Changes {
public:
  Changes();
  /// Before \p Path is covered.
  void watch(const std::string &Path);
  /// To be waited for; -1 if the kernel has none to give.
  int file() const { return Events.number(); }
  /// Takes versions from the places of what has changed. \p Tell is called with
  /// each original.
  void handle(substitution::Substitution &Places,
              const std::function<void(const std::string &)> &Tell);

private:
  substitution::Descriptor Events;
  std::map<int, std::string> Watched;
};

/// Does that for this process, which becomes a command, in a process of its own
/// until the command ends. That is no child of this one.
void watchInBackground(Changes &, substitution::Substitution &Places);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_LAUNCH_CHANGES_H
