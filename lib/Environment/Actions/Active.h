//===- Actions/Active.h - Which file runs in which place ------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_ACTIONS_ACTIVE_H
#define GRAUPEL_ENVIRONMENT_ACTIONS_ACTIVE_H

#include "Environment/Environment.h"

namespace graupel::environment {

struct Substitution {
  std::string Original; ///< Absolute, without symbolic links.
  /// When it was compared. In a `graupel run` inside of another that of the
  /// version that is in its place.
  FileIdentity OriginalIdentity;
  /// Absolute. Its mode is the original's.
  std::string StoreFile;
  FileIdentity StoreIdentity; ///< When it was checked.
  std::string Content;        ///< The original's, as profiles name it.
  Kind Version;
};

/// An image that runs as it is though a version of it was wanted.
struct LeftAlone {
  std::string Path;
  std::string Why; ///< A sentence without a full stop, with what to do.
  bool IsNews;     ///< Worth a warning: it has changed, or a file was damaged.
};

struct ActiveImages {
  std::vector<Substitution> Images; ///< By path.
  std::vector<LeftAlone> Originals;
};

/// The files that now run in place of originals. Without \p Wanted each
/// application runs in its own mode (instrumented wins for one of several),
/// with it all run in that mode. The choice for one image goes before both, but
/// nothing is left out or optimized where all is to be counted. Every original
/// has been compared with its state when the version was made, and every file
/// of the store with its name. Some images may have no instrumented version:
/// nothing is made here.
llvm::Expected<ActiveImages> activeImages(Environment &E,
                                          std::optional<Mode> Wanted = {});

/// An error if this process sees a version in the place of an image of \p A, as
/// in `graupel shell`.
llvm::Error requireOriginals(Environment &E, const Application &A);

/// The files without relocations that belong to an application.
enum class Shipped {
  None,
  Libraries, ///< A process of its program loads them.
  Programs   ///< Its program starts them, and they are parts of it.
};

/// A file that a process has loaded, or is about to: enters it into
/// \p Application (0: none), and makes its instrumented version, unless there
/// is one. Nothing if it has to be left alone; then the database knows why.
llvm::Expected<std::optional<Substitution>>
instrumentSeenImage(Environment &E, const std::string &Path,
                    int64_t Application, Shipped Taken);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_ACTIVE_H
