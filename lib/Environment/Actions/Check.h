//===- Actions/Check.h - Whether a version is what it was ----- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_ACTIONS_CHECK_H
#define GRAUPEL_ENVIRONMENT_ACTIONS_CHECK_H

#include "Environment/Environment.h"

namespace graupel::environment {

struct CheckedFile {
  FileIdentity Identity;
  bool IsNews; ///< It was read, and need not be the next time: noteChecked.
};

/// Like Store::verify, but a file is read once per boot.
llvm::Expected<CheckedFile> checkFile(Environment &E, llvm::StringRef Store);
/// Remembers what checkFile found. To be called in a transaction.
void noteChecked(Connection &DB, llvm::StringRef Store, const CheckedFile &F);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_CHECK_H
