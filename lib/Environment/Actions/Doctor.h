//===- Actions/Doctor.h - Checks what this machine supports --- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_ACTIONS_DOCTOR_H
#define GRAUPEL_ENVIRONMENT_ACTIONS_DOCTOR_H

#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace graupel::environment {

/// One thing that this machine can or cannot do.
struct Finding {
  enum class Grade { Good, Limited, Bad };
  Grade Rating;
  std::string Text; ///< A sentence.
  std::string Fix;  ///< A remedy; empty if the rating is good.
};

/// Looks at everything that the environment needs.
std::vector<Finding> examineMachine();

llvm::StringRef name(Finding::Grade G);
/// For programs; docs/environment.md has the schema.
llvm::json::Value toJSON(llvm::ArrayRef<Finding> Findings);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ACTIONS_DOCTOR_H
