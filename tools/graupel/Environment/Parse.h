//===- Parse.h - Arguments by a description ------------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_ENVIRONMENT_PARSE_H
#define GRAUPEL_TOOLS_ENVIRONMENT_PARSE_H

#include "Description.h"
#include "Support/Command.h"
#include <map>
#include <optional>

namespace graupel {

/// Arguments of a command, taken apart by its description.
struct Parsed {
  std::map<std::string, std::string> Options; ///< Without dashes.
  std::vector<std::string> Words;             ///< Before `--`.
  std::vector<std::string> Rest;              ///< Behind it.
  bool has(const std::string &Option) const { return Options.count(Option); }
  std::string value(const std::string &Option) const {
    auto It = Options.find(Option);
    return It == Options.end() ? "" : It->second;
  }
};

/// If there is nothing, all was said, and Status is what to return. For
/// commands that run another, everything from the first word on is Rest.
std::optional<Parsed> parse(const CommandDescription &C, const Arguments &A,
                            size_t MinWords, size_t MaxWords, int &Status);

/// Says what is wrong; 1.
int failCommand(const CommandDescription &C, const std::string &What);

} // namespace graupel

#endif
