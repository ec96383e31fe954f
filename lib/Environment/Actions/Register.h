//===- Actions/Register.h - Applications come and go ---------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_ACTIONS_REGISTER_H
#define GRAUPEL_ENVIRONMENT_ACTIONS_REGISTER_H

#include "Environment/Environment.h"

namespace graupel::environment {

struct Registration {
  Application App;
  bool IsNew = false;
  std::vector<Image> Images;
  /// Libraries that the loader does not find.
  std::vector<std::string> Missing;
};

/// Registers the program or script \p Program (a name in PATH, or a path) with
/// all libraries that the loader loads with it, or brings what is known of it
/// up to date. \p Name is what it is called; empty: as its file.
llvm::Expected<Registration> registerApplication(Environment &E,
                                                 const std::string &Program,
                                                 llvm::StringRef Name);

/// Forgets an application. The profiles of its images stay.
llvm::Error unregisterApplication(Environment &E, const Application &A);

/// The application called \p Text, or whose program that is, however it is
/// written; an error if there is none.
llvm::Expected<Application> requireApplication(Environment &E,
                                               const std::string &Text);

/// The image that the file \p Path is now; the known row if that is still
/// right. Changes nothing.
llvm::Expected<Image> lookAtImage(Connection &DB, const std::string &Path);

/// Takes \p I as the user's own if it was linked without relocations: he named
/// it, or a program of that kind, whose library it is. Programs only if
/// \p AlsoProgram.
llvm::Error takeShipped(Image &I, bool AlsoProgram);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_REGISTER_H
