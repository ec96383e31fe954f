//===- Build/Places.h - Versions in place of outputs ---------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_BUILD_PLACES_H
#define GRAUPEL_BUILD_PLACES_H

#include "Environment/Store/FileIdentity.h"
#include "Outputs.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace graupel::build {

/// A file that is to replace an output.
struct Replacement {
  const Output *Target;
  std::string File;
  bool IsTemporary; ///< Must not stay: it counts, or is measured.
};

/// One path at which a version of ours is.
struct Place {
  std::string Path;
  std::string Plain; ///< The kept original.
  std::string Held;  ///< Another name of the version; empty if there is none.
  bool IsTemporary;
  environment::FileIdentity Ours;
};

/// Replaces the content of the file \p Path, which keeps its rights and times.
llvm::Error replaceContent(const std::string &Path, const std::string &By);

/// Versions in place of what was linked. A journal in the state folder says
/// where they are, so whatever ends this process, restore() finds them.
class Places {
public:
  explicit Places(std::string State) : State(std::move(State)) {}

  /// Reads the journal.
  llvm::Error open();
  /// Whether temporary versions are in place, as if a run had been killed.
  bool anyTemporary() const;
  /// Whether the file at \p Path is a version of ours.
  bool isOurs(const std::string &Path) const;

  /// Each gets the rights, owner and times of the file that it replaces. It is
  /// an error if one cannot be replaced, and then none is.
  llvm::Error put(llvm::ArrayRef<Replacement> Replacements);
  /// Puts the linked files back at these places, unchanged; files that were
  /// linked again meanwhile stay. Returns the number of files.
  llvm::Expected<size_t> restore(llvm::function_ref<bool(const Place &)> Which);
  /// The same for files of which one name is wanted.
  llvm::Expected<size_t>
  restoreFiles(llvm::function_ref<bool(const std::string &Path)> IsWanted);
  llvm::Expected<size_t> restoreAll() {
    return restore([](const Place &) { return true; });
  }
  llvm::Expected<size_t> restoreTemporary() {
    return restore([](const Place &P) { return P.IsTemporary; });
  }

private:
  llvm::Error stage(const Copy &C, const Replacement &R,
                    std::vector<std::string> &Beside);
  llvm::Error write() const;
  std::string fresh(llvm::StringRef Folder) const;

  const std::string State;
  std::vector<Place> All;
};

} // namespace graupel::build

#endif // GRAUPEL_BUILD_PLACES_H
