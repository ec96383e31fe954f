//===- Driver/Attempt.h - Try, and have a second way ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT ends the process when it meets something it cannot do, and whether it
// will is known only deep inside. Steps that may fail and have a safe
// alternative are therefore tried in a child process.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_ATTEMPT_H
#define GRAUPEL_DRIVER_ATTEMPT_H

#include "llvm/ADT/StringRef.h"

namespace graupel {

enum class Attempt {
  InChild,   ///< Go on; end with exit code 0 if all went well.
  Succeeded, ///< The child did the work; its messages have been printed.
  Failed,    ///< The child failed, its messages were dropped. Go the other way.
};

/// Forks. Must be called while the process has one thread. If the system lets
/// no child be made, the answer is Failed.
/// If the child takes more time than -time-limit allows, the process ends with an
/// error about \p Input.
Attempt attemptInChild(llvm::StringRef Input);

/// Forks and returns in the child only. The parent waits and ends with the
/// child's exit code, or, if the child crashed over \p Input, with exit code 1.
/// The output of the child to stderr is held back until it ends, so that a
/// failure can be told in one line; see showsCrashes(). If the system lets no
/// child be made, returns in the parent.
void continueInChild(llvm::StringRef Input);

} // namespace graupel

#endif // GRAUPEL_DRIVER_ATTEMPT_H
