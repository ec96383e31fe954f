//===- Database/Starters.h - Files that start programs -------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_DATABASE_STARTERS_H
#define GRAUPEL_ENVIRONMENT_DATABASE_STARTERS_H

#include "Tables.h"

namespace graupel::environment {

/// A file that was written so that a program starts with `graupel run`: a
/// wrapper in a folder of PATH, or a drop-in of a systemd unit.
struct Starter {
  std::string File; ///< Absolute.
  int64_t Application = 0;
  std::string Unit;    ///< Empty: a wrapper.
  std::string Program; ///< The program that it starts.
  std::string Text;    ///< The content that was written.
  std::string Folder;  ///< The uppermost that was made for it, or empty.
  int64_t At = 0;
};

/// By file.
std::vector<Starter> starters(Connection &DB, int64_t Application);
std::optional<Starter> findStarter(Connection &DB, llvm::StringRef File);
/// In a transaction; replaces what is known of that file.
void putStarter(Connection &DB, const Starter &S);
void removeStarter(Connection &DB, llvm::StringRef File);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_DATABASE_STARTERS_H
