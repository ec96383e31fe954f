//===- Build/State.h - The state folder of a build ------------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_BUILD_STATE_H
#define GRAUPEL_BUILD_STATE_H

#include "llvm/Support/Error.h"
#include <string>

namespace graupel::build {

/// The state folder, while one process works with it.
class StateLock {
public:
  /// Makes what is missing, and leaves the folder out of git. It is an error if
  /// another process has it, or if there is something in it and it is no state
  /// folder of this user; then nothing in it has changed.
  static llvm::Expected<StateLock> take(const std::string &State);
  StateLock(StateLock &&Other) : File(Other.File) { Other.File = -1; }
  ~StateLock();

private:
  explicit StateLock(int File) : File(File) {}
  int File;
};

} // namespace graupel::build

#endif // GRAUPEL_BUILD_STATE_H
