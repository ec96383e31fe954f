//===- Manager/Answers.h - What the page asks for ------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_MANAGER_ANSWERS_H
#define GRAUPEL_TOOLS_MANAGER_ANSWERS_H

#include "Environment/Environment.h"
#include "llvm/Support/JSON.h"

namespace graupel::ui {

/// What is known, as JSON; each opens the database, as far as that is possible
/// here. By any thread.
class Answers {
public:
  explicit Answers(environment::Locations L) : L(std::move(L)) {}

  /// All applications in short, and the one called \p Name (or the first) with
  /// its runs and its first images: what is seen at once.
  llvm::Expected<llvm::json::Value> overview(const std::string &Name) const;

  /// Images \p From to \p From + \p Count of an application, in the order of
  /// overview(), with coverage.
  llvm::Expected<llvm::json::Value> images(const std::string &Name, size_t From,
                                           size_t Count) const;

private:
  environment::Locations L;
};

} // namespace graupel::ui

#endif
