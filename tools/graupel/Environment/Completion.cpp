//===- Completion.cpp - What shells complete ------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// completion() writes the script with which bash, zsh or fish completes
// graupel's commands, from descriptions():
//
// 1. commandNames() and optionNames() collect the words that all shells need.
// 2. bash() writes helper functions, and then one case for each command: its
//    options behind a dash, else what CommandDescription::First says. Behind
//    `--` the words are those of another command.
// 3. zsh() writes the commands with their summaries, and one call of _arguments
//    for each.
// 4. fish() writes one line for each command and option, and a function that
//    completes a command behind the options.
// 5. For any other shell the text is empty.
//
//===----------------------------------------------------------------------===//

#include "Description.h"

using namespace graupel;

// Names of applications and files are data: no shell may read them as words of
// its own. So each comes as a line, and is compared and offered as it is. Names
// that are no lines of text are not offered.

/// What a shell runs to know the names of applications.
#define NAMES "graupel completion applications 2>/dev/null"

static std::string commandNames() {
  std::string All;
  for (const CommandDescription &C : descriptions())
    All += (All.empty() ? "" : " ") + std::string(C.Name);
  return All;
}

static std::string optionNames(const CommandDescription &C) {
  std::string All = "--help";
  for (const OptionDescription &O : C.Options)
    All += std::string(" ") + O.Name + (O.Value ? "=" : "");
  return All;
}

static std::string bashWords(const CommandDescription &C) {
  switch (C.First) {
  case Completes::Nothing:
    return "";
  case Completes::Application:
    return "_graupel_files -f; _graupel_applications";
  case Completes::Program:
  case Completes::Command:
    return "_graupel_files -c -f";
  case Completes::Folder:
    return "_graupel_files -d";
  case Completes::Word:
    return std::string("_graupel_words '") + C.Words + "'";
  }
  return "";
}

static const char BashBegin[] = R"(# graupel completion bash
# What compgen prints is a line each, and no pattern.
_graupel_files() {
  local line
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done < <(compgen "$@" -- "$word")
}
_graupel_words() {
  _graupel_files -W "$1"
}
# Without quotes, whose meaning is for who types.
_graupel_applications() {
  local name typed=${word//[\\\"\']/}
  while IFS= read -r name; do
    if [[ ${name:0:${#typed}} == "$typed" || ${name:0:${#word}} == "$word" ]]; then
      COMPREPLY+=("$name")
    fi
  done < <()" NAMES R"()
}
_graupel() {
  local word=${COMP_WORDS[COMP_CWORD]} i
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    _graupel_words ')";

static const char BashRest[] = R"( --help --version'
    return
  fi
  for ((i = 2; i < COMP_CWORD; ++i)); do
    if [ "${COMP_WORDS[i]}" = -- ]; then
      if declare -F _command_offset >/dev/null; then
        _command_offset $((i + 1))
      else
        _graupel_files -c -f
      fi
      return
    fi
  done
  case ${COMP_WORDS[1]} in
)";

static std::string bash() {
  std::string Text = BashBegin + commandNames() + BashRest;
  for (const CommandDescription &C : descriptions()) {
    Text += std::string("  ") + C.Name + ")\n    case $word in\n    -*) " +
            "_graupel_words '" + optionNames(C) + "' ;;\n";
    if (std::string Words = bashWords(C); !Words.empty())
      Text += "    *) " + Words + " ;;\n";
    Text += "    esac ;;\n";
  }
  return Text + "  esac\n  [[ ${COMPREPLY[0]-} == --*= ]] && compopt -o "
                "nospace\n}\ncomplete -o filenames -F _graupel graupel\n";
}

/// Without what quotes and brackets would end.
static std::string quoted(const std::string &Text) {
  std::string Result;
  for (char C : Text)
    if (C == '\'')
      Result += "'\\''";
    else if (C != '[' && C != ']')
      Result += C;
  return Result;
}

static std::string zshArguments(const CommandDescription &C) {
  std::string Text;
  for (const OptionDescription &O : C.Options)
    Text += std::string(" '") + O.Name + (O.Value ? "=" : "") + "[" +
            quoted(O.Text) + "]" +
            (O.Value ? std::string(":") + O.Value + ":" : "") + "'";
  switch (C.First) {
  case Completes::Nothing:
    break;
  case Completes::Application:
    Text += " '1:application:_graupel_applications' '*:file:_files'";
    break;
  case Completes::Program:
    Text += " '1:program:{_command_names -e; _files}'";
    break;
  case Completes::Folder:
    Text += " '1:folder:_files -/'";
    break;
  case Completes::Command:
    Text += " '(-)1:command:{_command_names -e; _files}' "
            "'*::arguments:_normal'";
    break;
  case Completes::Word:
    Text += std::string(" '1:what:(") + C.Words + ")'";
    break;
  }
  return Text;
}

static std::string zsh() {
  std::string Text = "#compdef graupel\n# graupel completion zsh\n"
                     "_graupel_applications() {\n  local -a names\n"
                     "  names=(${(f)\"$(" NAMES ")\"})\n"
                     "  compadd -a names\n  _files\n}\n"
                     // `commands` is zsh's own.
                     "_graupel() {\n  local -a ours\n  ours=(\n";
  for (const CommandDescription &C : descriptions())
    Text += std::string("    '") + C.Name + ":" + quoted(C.Summary) + "'\n";
  Text += R"(  )
  if ((CURRENT == 2)); then
    _describe command ours
    return
  fi
  local which=$words[2]
  shift words
  ((CURRENT--))
  case $which in
)";
  for (const CommandDescription &C : descriptions())
    Text += std::string("  ") + C.Name + ") _arguments -S '--help[this text]'" +
            zshArguments(C) + " ;;\n";
  return Text + "  esac\n}\nif [ \"$funcstack[1]\" = _graupel ]; then\n"
                "  _graupel \"$@\"\nelse\n  compdef _graupel graupel\nfi\n";
}

/// What can be completed behind the options: a command of its own.
static const char *const FishCommand = R"(function __graupel_command
    set -l words (commandline -opc)[3..-1]
    while string match -q -- '-*' "$words[1]"
        set -l option $words[1]
        set -e words[1]
        test "$option" = --
        and break
    end
    set -l last (commandline -ct)
    # fish would run a substitution of commands in the place of a command.
    string match -qr -- '^([^\\\\(]|\\\\.)*\\(' "$last"
    and return
    set -l text (string join ' ' -- (string escape -- $words) $last)
    string match -qr -- '^[^-]' "$text"
    and complete -C "$text"
end
)";

static std::string fish() {
  std::string Text = "# graupel completion fish\n"
                     "function __graupel_applications\n    " NAMES "\nend\n" +
                     std::string(FishCommand) + "complete -c graupel -f\n";
  for (const CommandDescription &C : descriptions()) {
    const std::string Name = C.Name;
    const std::string Seen =
        "complete -c graupel -n '__fish_seen_subcommand_from " + Name + "'";
    Text += "complete -c graupel -n __fish_use_subcommand -a " + Name +
            " -d '" + quoted(C.Summary) + "'\n";
    Text += Seen + " -l help -d 'this text'\n";
    for (const OptionDescription &O : C.Options)
      Text += Seen + (O.Value ? " -r -l " : " -l ") + (O.Name + 2) + " -d '" +
              quoted(O.Text) + "'\n";
    if (C.First == Completes::Application)
      Text += Seen + " -F -a '(__graupel_applications)'\n";
    else if (C.First == Completes::Word)
      Text += Seen + " -a '" + C.Words + "'\n";
    else if (C.First == Completes::Program || C.First == Completes::Command)
      Text += Seen + " -F -a '(__graupel_command)'\n";
  }
  return Text;
}

std::string graupel::completion(std::string_view Shell) {
  return Shell == "bash"   ? bash()
         : Shell == "zsh"  ? zsh()
         : Shell == "fish" ? fish()
                           : "";
}
