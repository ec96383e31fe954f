//===- Session.h - The common beginning of commands ----------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_ENVIRONMENT_SESSION_H
#define GRAUPEL_TOOLS_ENVIRONMENT_SESSION_H

#include "Environment/Environment.h"
#include "Support/Parse.h"

namespace graupel {

/// Says something that is not in the way; nothing if it is empty.
void warn(const CommandDescription &C, const std::string &Message);

/// Adds what finished processes have counted to the database, if that can be
/// written; says what went wrong. Before anything else: what is counted before
/// a command must not seem to have come after it.
void collectAndWarn(const CommandDescription &C, environment::Environment &E);

/// The arguments of a command, and the database with all that has been counted.
struct Session {
  enum class For { Changes, Looking };

  const CommandDescription &C;
  const Parsed &P;
  int Status = 1; ///< To be returned if there is no session.
  std::unique_ptr<environment::Environment> E;

  /// Without a session all was said.
  Session(const CommandDescription &C, const Parsed &P,
          For Wanted = For::Changes);
  explicit operator bool() const { return E != nullptr; }
  bool json() const { return P.has("json"); }
  int fail(llvm::Error Err) const {
    return failCommand(C, toString(std::move(Err)));
  }
};

} // namespace graupel

#endif
