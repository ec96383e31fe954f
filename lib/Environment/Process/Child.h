//===- Process/Child.h - A program run to its end ------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_PROCESS_CHILD_H
#define GRAUPEL_ENVIRONMENT_PROCESS_CHILD_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace graupel::environment {

struct ChildOutcome {
  int Status = 0;     ///< Exit status, or 128 + signal.
  std::string Output; ///< Standard output and standard error, as they came.
  double Seconds = 0;
};

/// Runs a program to its end, with nothing on standard input. It is an error if
/// it cannot be started.
llvm::Expected<ChildOutcome> runChild(llvm::ArrayRef<std::string> Command);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_PROCESS_CHILD_H
