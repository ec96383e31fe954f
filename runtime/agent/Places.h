//===- agent/Places.h - Libraries opened from elsewhere ------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If `graupel run` may not mount, the linker opens versions of libraries from
// the store, but reports the same names: it opens the path that la_objsearch
// returns, and names the library by the path that it has searched for.
//
// 1. A library that is searched for by its name is its version.
// 2. One that is opened by a path is the original: the linker would give it
//    the name that la_objsearch returns. If its version is loaded already, it
//    is the version: the linker recognizes the file.
// 3. Until it is closed, it stays original or version, by whatever name it is
//    opened.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_AGENT_PLACES_H
#define GRAUPEL_AGENT_PLACES_H

#include "graupel/places.h"
#include <stddef.h>

namespace graupel {

/// The first fields of struct link_map in <link.h>.
struct LinkMap {
  uint64_t Address;
  const char *Name;
};

class Places {
public:
  /// Maps the file; without one, or with a damaged one, there are no places.
  void begin(const char *Path);
  bool any() const { return Count != 0; }

  /// The version of the program that the kernel has started, or null.
  const char *program() const;
  /// The file to open instead of \p Path, or null. \p IsAsked: \p Path is the
  /// name that a program or library (\p Loader) asked for, not yet searched.
  const char *search(const char *Path, bool IsAsked, const LinkMap *Loader);
  void opened(const LinkMap *Library);
  void closed(const LinkMap *Library);

private:
  struct State {
    bool IsVersion, IsOriginal, IsLoaded;
  };

  size_t find(const char *Path) const;
  const char *versionOf(size_t Place) const;

  const GraupelPlaces *File = nullptr;
  const GraupelPlace *All = nullptr;
  State *States = nullptr;
  size_t Count = 0;
};

} // namespace graupel

#endif // GRAUPEL_AGENT_PLACES_H
