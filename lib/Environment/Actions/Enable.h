//===- Actions/Enable.h - Programs start with their versions -- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_ACTIONS_ENABLE_H
#define GRAUPEL_ENVIRONMENT_ACTIONS_ENABLE_H

#include "Environment/Database/Starters.h"
#include "Environment/Environment.h"

namespace graupel::environment {

/// A request to start an application's program with `graupel run` from now on.
struct StartRequest {
  std::string Name;   ///< The user's name for the application.
  std::string Unit;   ///< A systemd service; empty: by name, through PATH.
  std::string Folder; ///< The wrapper's; empty: ~/.local/bin.
};

/// The file that would be written, without writing it. An error if the file
/// would not work, or could not be removed again.
llvm::Expected<Starter> planStarter(Environment &E, const Application &A,
                                    const StartRequest &R);

/// Writes it, with its folders, and remembers both. Never replaces a file.
llvm::Error writeStarter(Environment &E, Starter S);

/// Removes the file and the folders that were made for it, if the file is what
/// was written.
llvm::Error removeStarter(Environment &E, const Starter &S);

/// Why it does not do what it should; empty if it does.
std::string whatIsWrong(Environment &E, const Application &A, const Starter &S);

/// The program that \p Path starts if it is a wrapper, else \p Path.
std::string behindWrapper(Connection &DB, const std::string &Path);

/// A word of a shell, whatever is in it.
std::string shellWord(llvm::StringRef Text);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_ENABLE_H
