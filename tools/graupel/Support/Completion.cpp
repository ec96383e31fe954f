//===- Completion.cpp - Completion scripts for shells ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Each shell gets a script with a case for each command, made of its
//    description.
// 2. A command of a group is found by two words, for example "dsm run".
// 3. The value of an option is completed according to its kind, whether it is
//    joined to the name or the next word.
// 4. Everything else is an argument of the command.
//
//===----------------------------------------------------------------------===//

#include "Description.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace graupel;

// Names of applications and files are data: no shell may read them as words of
// its own. So each comes as a line, and is compared and offered as it is. Names
// that are no lines of text are not offered.

/// The command that a shell runs to list the names of applications.
#define NAMES "graupel completion applications 2>/dev/null"

/// Without the name of the group.
static std::string namesIn(std::string_view Group) {
  return llvm::join(
      llvm::map_range(commandsOf(Group),
                      [](const auto *C) { return std::string(C->word()); }),
      " ");
}

/// Those that have commands of their own.
static std::vector<std::string> groups() {
  std::vector<std::string> Result;
  for (const CommandDescription *C : commandsOf(""))
    if (!commandsOf(C->Name).empty())
      Result.push_back(C->Name);
  return Result;
}

/// The words that an argument may be; empty if it is something else.
static std::string wordsOf(const CommandDescription &C) {
  if (C.First != Completes::Page)
    return C.First == Completes::Word ? C.Choices : namesIn(C.Name);
  std::string All;
  for (const CommandDescription &Other : descriptions())
    All += (All.empty() ? "" : " ") + Other.pageName();
  return All;
}

static std::string optionNames(const CommandDescription &C) {
  std::string All = "--help";
  for (const OptionDescription &O : C.Options)
    All += std::string(" ") + O.Name +
           (O.takesNextWord() && !O.isShort() ? "=" : "");
  return All;
}

/// Code that completes an argument or a value without a list of words.
struct Action {
  const char *Bash, *Zsh;
  const char *Fish; ///< Options of complete.
};

static Action actionFor(Completes Kind) {
  switch (Kind) {
  case Completes::Nothing:
  case Completes::Word:
  case Completes::Page:
    break;
  case Completes::Application:
    return {"_graupel_files -f; _graupel_applications", "_graupel_applications",
            " -F -a '(__graupel_applications)'"};
  case Completes::Program:
  case Completes::Command:
    return {"_graupel_files -c -f", "{_command_names -e; _files}", " -F"};
  case Completes::File:
    return {"_graupel_files -f", "_files", " -F"};
  case Completes::Folder:
    return {"_graupel_files -d", "_files -/",
            " -a '(__fish_complete_directories)'"};
  }
  return {"", "", ""};
}

static std::string bashFor(Completes Kind, const std::string &Words) {
  return Words.empty() ? actionFor(Kind).Bash
                       : "_graupel_words '" + Words + "'";
}

static std::string zshFor(Completes Kind, const std::string &Words) {
  return Words.empty() ? actionFor(Kind).Zsh : "(" + Words + ")";
}

static std::string fishFor(Completes Kind, const std::string &Words) {
  return Words.empty() ? actionFor(Kind).Fish : " -a '" + Words + "'";
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
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} first=2 option i
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    _graupel_words ')";

static const char BashRest[] =
    R"() [ "$COMP_CWORD" = 2 ] || command+=" ${COMP_WORDS[first++]}" ;;
  esac
  for ((i = first; i < COMP_CWORD; ++i)); do
    if [ "${COMP_WORDS[i]}" = -- ]; then
      if declare -F _command_offset >/dev/null; then
        _command_offset $((i + 1))
      else
        _graupel_files -c -f
      fi
      return
    fi
  done
  # Bash has --name=value as three words.
  option=${COMP_WORDS[COMP_CWORD - 1]}
  if [[ $word == = ]]; then
    option+== word=
  elif [[ $option == = ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}=
  fi
  case "$command $option" in
)";

static std::string bash() {
  std::string Text = BashBegin + namesIn("") +
                     " --help --version'\n    return\n  fi\n"
                     "  case $command in\n  " +
                     llvm::join(groups(), " | ") + BashRest;
  for (const CommandDescription &C : descriptions())
    for (const OptionDescription &O : C.Options) {
      if (!O.Value)
        continue;
      const std::string Option = std::string("'") + C.Name + " " + O.Name;
      const std::string Code =
          bashFor(O.Completion, llvm::join(O.choices(), " "));
      Text += "  " + (O.takesNextWord() ? Option + "' | " : "") + Option +
              "=') " + (Code.empty() ? "" : Code + "; ") + "return ;;\n";
    }
  Text += "  esac\n  case $command in\n";
  for (const CommandDescription &C : descriptions()) {
    Text += std::string("  '") + C.Name + "')\n    case $word in\n    -*) " +
            "_graupel_words '" + optionNames(C) + "' ;;\n";
    if (std::string Code = bashFor(C.First, wordsOf(C)); !Code.empty())
      Text += "    *) " + Code + " ;;\n";
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

static std::string zshOption(const OptionDescription &O) {
  std::string Text = std::string(" '") + O.Name;
  if (O.Value)
    Text += O.isOptional() ? "=-" : O.isShort() ? "+" : "=";
  Text += "[" + quoted(O.Text) + "]";
  if (O.Value) {
    std::string Name = quoted(O.Value);
    std::replace(Name.begin(), Name.end(), ':', ' ');
    Text += (O.isOptional() ? "::" : ":") + Name + ":" +
            zshFor(O.Completion, llvm::join(O.choices(), " "));
  }
  return Text + "'";
}

static std::string zshArguments(const CommandDescription &C) {
  std::string Text;
  for (const OptionDescription &O : C.Options)
    Text += zshOption(O);
  const std::string Pattern = zshFor(C.First, wordsOf(C));
  if (C.First == Completes::Application)
    return Text + " '1:application:" + Pattern + "' '*:file:_files'";
  if (C.runsAnother())
    return Text + " '(-)1:command:" + Pattern + "' '*::arguments:_normal'";
  if (Pattern.empty())
    return Text;
  return Text + (C.Words.Most > 1 ? " '*:argument:" : " '1:argument:") +
         Pattern + "'";
}

/// Offers the commands of a group, with what they do.
static std::string zshCommands(std::string_view Group) {
  std::string Text;
  for (const CommandDescription *C : commandsOf(Group))
    Text += std::string(" '") + C->word() + ":" + quoted(C->Summary) + "'";
  return "ours=(" + Text + " )\n    _describe command ours";
}

static std::string zsh() {
  std::string Text =
      "#compdef graupel\n# graupel completion zsh\n"
      "_graupel_applications() {\n  local -a names\n"
      "  names=(${(f)\"$(" NAMES ")\"})\n"
      "  compadd -a names\n  _files\n}\n"
      // `commands` is zsh's own.
      "_graupel() {\n  local -a ours\n  if ((CURRENT == 2)); then\n    " +
      zshCommands("") + R"(
    return
  fi
  local which=$words[2]
  shift words
  ((CURRENT--))
  case $which in
  )" + llvm::join(groups(), " | ") +
      R"()
    if ((CURRENT > 2)); then
      which+=" $words[2]"
      shift words
      ((CURRENT--))
    fi ;;
  esac
  case $which in
)";
  for (const CommandDescription &C : descriptions())
    Text += std::string("  '") + C.Name + "') " +
            (commandsOf(C.Name).empty()
                 ? "_arguments -S '--help[this text]'" + zshArguments(C)
                 : "\n    " + zshCommands(C.Name)) +
            " ;;\n";
  return Text + "  esac\n}\nif [ \"$funcstack[1]\" = _graupel ]; then\n"
                "  _graupel \"$@\"\nelse\n  compdef _graupel graupel\nfi\n";
}

/// Which command is typed, and what can be completed behind its options: a
/// command of its own. That gets the number of words of the name of ours, and
/// the options that take a next word.
static const char *const FishFunctions =
    R"(function __graupel_seen_subcommand_from
    set -l words (commandline -opc)
    string match -q -- "$argv *" "$words[2..-1] "
end
function __graupel_command
    set -l first (math $argv[1] + 2)
    set -l words (commandline -opc)
    set words $words[$first..-1]
    while string match -q -- '-*' "$words[1]"
        set -l option $words[1]
        set -e words[1]
        test "$option" = --
        and break
        contains -- "$option" $argv[2..-1]
        and set -q words[1]
        and set -e words[1]
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

static std::string fishArguments(const CommandDescription &C) {
  const std::string Text = fishFor(C.First, wordsOf(C));
  if (C.First != Completes::Program && !C.runsAnother())
    return Text;
  std::string Options = C.isInGroup() ? "2" : "1";
  for (const OptionDescription &O : C.Options)
    if (O.takesNextWord())
      Options += std::string(" ") + O.Name;
  return Text + " -a '(__graupel_command " + Options + ")'";
}

static std::string fishCommand(const CommandDescription &C) {
  const std::string Prefix = "complete -c graupel -n '";
  const std::string Seen =
      std::string("__graupel_seen_subcommand_from ") + C.Name + "'";
  std::string Text;
  if (!C.isInGroup())
    Text = "complete -c graupel -n __fish_use_subcommand -a " +
           std::string(C.Name) + " -d '" + quoted(C.Summary) + "'\n";
  if (!commandsOf(C.Name).empty())
    return Text + Prefix + "test (count (commandline -opc)) = 2; and " + Seen +
           fishFor(C.First, wordsOf(C)) + "\n";
  Text += Prefix + Seen + " -l help -d 'this text'\n";
  for (const OptionDescription &O : C.Options) {
    Text += Prefix + Seen + (O.takesNextWord() ? " -r" : "");
    Text += std::string(O.isShort() ? " -s " : " -l ") + O.key() + " -d '" +
            quoted(O.Text) + "'";
    if (O.takesNextWord())
      Text += fishFor(O.Completion, llvm::join(O.choices(), " "));
    Text += "\n";
  }
  if (std::string Arguments = fishArguments(C); !Arguments.empty())
    Text += Prefix + Seen + Arguments + "\n";
  return Text;
}

static std::string fish() {
  std::string Text = "# graupel completion fish\n"
                     "function __graupel_applications\n    " NAMES "\nend\n" +
                     std::string(FishFunctions) + "complete -c graupel -f\n";
  for (const CommandDescription &C : descriptions())
    Text += fishCommand(C);
  return Text;
}

std::string graupel::completion(std::string_view Shell) {
  return Shell == "bash"   ? bash()
         : Shell == "zsh"  ? zsh()
         : Shell == "fish" ? fish()
                           : "";
}
