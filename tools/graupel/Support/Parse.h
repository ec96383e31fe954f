//===- Parse.h - Arguments by a description ------------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_SUPPORT_PARSE_H
#define GRAUPEL_TOOLS_SUPPORT_PARSE_H

#include "Description.h"
#include <optional>

namespace graupel {

/// The words behind a command's name on the command line.
using Arguments = std::vector<std::string>;

/// Arguments of a command, taken apart by its description.
struct Parsed {
  struct Option {
    std::string Name, Value; ///< Without dashes; empty if it has none.
  };
  std::vector<Option> Options; ///< In the order in which they were given.
  std::vector<std::string> Words;
  std::vector<std::string> Rest; ///< Behind `--`; a command that is run.

  bool has(std::string_view Option) const;
  /// The last one that is not empty.
  std::string value(std::string_view Option) const;
  /// The value of an option that is described with a range.
  double number(std::string_view Option, double Default) const;
};

/// If there is nothing, all was said, and Status is what to return: 0 after
/// --help, else that of a failure. For commands that run another, everything from the first
/// word on is Rest.
std::optional<Parsed> parse(const CommandDescription &C, const Arguments &A,
                            int &Status);

/// Says what is wrong; the status of a failure.
int failCommand(const CommandDescription &C, const std::string &Message);
/// Says that the command is missing which this one runs; the same.
int failWithoutCommand(const CommandDescription &C);

} // namespace graupel

#endif
