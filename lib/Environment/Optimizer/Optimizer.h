//===- Optimizer/Optimizer.h - graupel-bolt as a child -------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_OPTIMIZER_OPTIMIZER_H
#define GRAUPEL_ENVIRONMENT_OPTIMIZER_OPTIMIZER_H

#include "Environment/Process/Child.h"

namespace graupel::environment {

/// graupel-bolt, as a program.
class Optimizer {
public:
  /// The one beside the running program, else the first in PATH.
  static llvm::Expected<Optimizer> find();

  const std::string &path() const { return Path; }
  /// Changes when the program does.
  const std::string &identity() const { return Identity; }

  struct Outcome {
    std::string Failure; ///< Its error message, or empty.
    std::string Output;  ///< All that it said.
    /// It would fail again: it refused the input, or is at fault.
    bool IsLasting = false;
    double Seconds = 0;
  };
  llvm::Expected<Outcome> run(llvm::ArrayRef<std::string> Arguments) const;

private:
  std::string Path, Identity;
};

/// The sentence for users in what graupel-bolt printed when it failed.
std::string failureIn(llvm::StringRef Output, int Status);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_OPTIMIZER_OPTIMIZER_H
