//===- Description.h - What is said about commands ------------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_ENVIRONMENT_DESCRIPTION_H
#define GRAUPEL_TOOLS_ENVIRONMENT_DESCRIPTION_H

#include <span>
#include <string>
#include <vector>

namespace graupel {

/// What completion offers for an argument.
enum class Completes { Nothing, Application, Program, Folder, Command, Word };

enum class OptionForm {
  Usual,
  NextWord, ///< Its value may be the next word, too.
  Alone     ///< With it, a command that runs another runs none.
};

struct OptionDescription {
  const char *Name;  ///< With its dashes.
  const char *Value; ///< What follows `=`, or null.
  const char *Text;
  OptionForm Form = OptionForm::Usual;
};

/// Everything that is said about a command, once: its help, its page of the
/// manual and what shells complete are made of this.
struct CommandDescription {
  const char *Name;
  const char *Arguments;                  ///< As in "[OPTIONS] APP".
  const char *Summary;                    ///< A line, without a full stop.
  const char *Text;                       ///< Paragraphs.
  std::vector<OptionDescription> Options; ///< Besides --help.
  Completes First;                        ///< Argument.
  const char *Words = ""; ///< That are completed, separated by spaces.
};

/// The commands of the environment, then the groups of others.
std::span<const CommandDescription> descriptions();
const CommandDescription &description(std::string_view Name);

std::string helpText(const CommandDescription &);
/// In the language of man; the overview without a command.
std::string manPage(const CommandDescription *);
/// For bash, zsh or fish; empty for others.
std::string completion(std::string_view Shell);

} // namespace graupel

#endif
