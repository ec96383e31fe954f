//===- Manager/Answers.h - Answers to requests of the page ---- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_MANAGER_ANSWERS_H
#define GRAUPEL_TOOLS_MANAGER_ANSWERS_H

#include "Environment/Environment.h"
#include "llvm/Support/JSON.h"
#include <chrono>
#include <mutex>

namespace graupel::ui {

/// Answers as JSON. Each function opens the database, as far as that is
/// possible here. Any thread may call them.
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

  /// `stamp`, which is another one when something that is shown has changed.
  /// Takes what has been counted into the database, now and then.
  llvm::Expected<llvm::json::Value> changes();

  // Answers about one image, named by its path; versions are named as in the
  // store. See Versions.h and Reports.h.
  llvm::Expected<llvm::json::Value> functions(const std::string &Image) const;
  llvm::Expected<llvm::json::Value> difference(const std::string &Image,
                                               const std::string &Before,
                                               const std::string &After) const;
  llvm::Expected<llvm::json::Value> report(const std::string &Image,
                                           const std::string &Version) const;
  llvm::Expected<llvm::json::Value>
  explanation(const std::string &Image, const std::string &Version,
              const std::string &Function) const;

private:
  llvm::Expected<llvm::json::Value>
  ofImage(const std::string &Path,
          llvm::function_ref<llvm::Expected<llvm::json::Value>(
              environment::Environment &, const environment::Image &)>
              Answer) const;
  bool isTimeToCollect();

  environment::Locations L;
  std::mutex Lock;
  std::chrono::steady_clock::time_point Collected;
};

} // namespace graupel::ui

#endif
