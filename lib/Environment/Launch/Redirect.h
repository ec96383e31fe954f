//===- Launch/Redirect.h - Versions without mounts ------------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where nothing can be mounted, as in containers, each process that is started
// maps versions instead of originals:
//
// 1. Write a file that says which file stands for which, by identities. It has
//    the name of its content, so it never changes.
// 2. Have the agent (runtime/agent) loaded by all linkers, with that file.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_LAUNCH_REDIRECT_H
#define GRAUPEL_ENVIRONMENT_LAUNCH_REDIRECT_H

#include "Environment/Actions/Active.h"

namespace graupel::environment {

/// For what this process becomes and what that starts. Returns why it is not
/// possible, as a sentence, or nothing.
std::string redirectImages(const Locations &L, const ActiveImages &Active);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_LAUNCH_REDIRECT_H
