//===- Description.h - Descriptions of commands --------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_SUPPORT_DESCRIPTION_H
#define GRAUPEL_TOOLS_SUPPORT_DESCRIPTION_H

#include <span>
#include <string>
#include <vector>

namespace graupel {

/// Kinds of completion for an argument, or for the value of an option.
enum class Completes {
  Nothing,
  Application,
  Program,
  Folder,
  File,
  Command, ///< The rest is a command that is run.
  Word,    ///< One of those that are described.
  Page     ///< A manual page.
};

/// The range of a number. OneEnd is a whole number, too, and an error names
/// only the end that it is beyond.
struct Range {
  double Least = 0, Most = 0; ///< 0: it is no number.
  enum { Whole, Fraction, OneEnd } Form = Whole;
};

struct OptionDescription {
  const char *Name;  ///< With its dashes.
  const char *Value; ///< Its name, or A|B|C, or [WITHOUT IT, TOO]; or null.
  const char *Text;
  Completes Completion = Completes::Nothing;
  Range Number = {};

  bool isShort() const { return Name[1] != '-'; }
  bool isOptional() const { return Value && Value[0] == '['; }
  bool takesNextWord() const { return Value && !isOptional(); }
  /// The values, if there is a choice.
  std::vector<std::string> choices() const;
  /// Without dashes.
  const char *key() const { return Name + (isShort() ? 1 : 2); }
  /// The form in a synopsis.
  std::string spelling() const;
};

inline OptionDescription numberOption(const char *Name, const char *Value,
                                      Range Number, const char *Text) {
  return {Name, Value, Text, Completes::Nothing, Number};
}

/// Number of arguments besides options.
struct WordCount {
  static constexpr size_t Any = ~size_t(0);
  size_t Least = 0, Most = 0;
};

/// Everything that is said about a command, once: its help, its page of the
/// manual, what shells complete and how arguments are read is made of this.
struct CommandDescription {
  const char *Name;      ///< For example "dsm run".
  const char *Arguments; ///< For example "[OPTIONS] APP".
  const char *Summary;   ///< A line, without a full stop.
  std::string Text;      ///< Paragraphs; those that begin with
                         ///< a blank keep their lines.
  std::vector<OptionDescription> Options = {}; ///< Besides --help.
  Completes First = Completes::Nothing;        ///< Argument.
  WordCount Words = {};          ///< A command that is run: 1 if it must be.
  const char *Missing = nullptr; ///< Said if there are too few of them.
  const char *Choices = "";      ///< Possible words, separated by spaces.
  int Failure = 1;               ///< The exit status after an error.

  bool runsAnother() const { return First == Completes::Command; }
  bool isInGroup() const { return word() != Name; }
  /// The last word: "run" of "dsm run".
  const char *word() const;
  /// For example "dsm-run".
  std::string pageName() const;
};

/// The commands of the environment, then groups of others, each group before
/// its commands.
std::span<const CommandDescription> descriptions();
/// The description of an existing command.
const CommandDescription &description(std::string_view Name);
/// Null if there is no such command. "dsm-run" is "dsm run".
const CommandDescription *findDescription(std::string Name);
/// The commands of a group, or those of graupel itself.
std::vector<const CommandDescription *> commandsOf(std::string_view Group);

std::vector<std::string> paragraphsOf(const std::string &Text);

std::string helpText(const CommandDescription &);
/// In the language of man; the overview without a command.
std::string manPage(const CommandDescription *);
/// For bash, zsh or fish; empty for others.
std::string completion(std::string_view Shell);

// The parts of the table.
std::vector<CommandDescription> environmentDescriptions();
std::vector<CommandDescription> dsmDescriptions();
std::vector<CommandDescription> numaDescriptions();
std::vector<CommandDescription> strideDescriptions();

} // namespace graupel

#endif
