//===- ManPage.cpp - Pages of the manual ----------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Description.h"

using namespace graupel;

/// Text without a meaning to man.
static std::string escape(const std::string &Text) {
  std::string Result;
  for (char C : Text) {
    if (C == '\\')
      Result += "\\e";
    else if (C == '-')
      Result += "\\-";
    else if ((C == '.' || C == '\'') &&
             (Result.empty() || Result.back() == '\n'))
      Result += std::string("\\&") + C;
    else
      Result += C;
  }
  return Result;
}

static std::string paragraphs(const std::string &Text) {
  std::string Result;
  for (const std::string &P : paragraphsOf(Text)) {
    const bool KeepsLines = P[0] == ' ';
    Result += std::string(".PP\n") + (KeepsLines ? ".nf\n" : "") + escape(P) +
              (KeepsLines ? "\n.fi\n" : "\n");
  }
  return Result;
}

static std::string header(const std::string &Title) {
  return ".TH " + Title +
         " 1 \"\" \"graupel " GRAUPEL_VERSION "\" \"Graupel\"\n";
}

static std::string upper(std::string Text) {
  for (char &C : Text)
    C = char(toupper(C));
  return Text;
}

/// The exit statuses of commands whose description says the rest.
static const char UsualStatuses[] =
    ".SH EXIT STATUS\n.PP\n0 if all was done, 1 after an error, unless the "
    "description says something else.\n";

static const char Statuses[] =
    ".SH EXIT STATUS\n"
    ".TP\n.B 0\nall was done\n"
    ".TP\n.B 1\nan error, or wrong arguments; nothing was done unless it says "
    "so\n"
    ".TP\n.B 2\ndone in part: graupel\\-bolt failed with an image\n"
    ".PP\n"
    ".BR learn , \" run \" and \" shell\n"
    "exit as their command does: 128 + the signal that ended it, 127 if there "
    "is "
    "no such program, 126 if it cannot be run; 125 if graupel itself has an "
    "error.\n"
    ".SH FILES\n"
    ".TP\n.I $XDG_STATE_HOME/graupel\n"
    "the database and the store of images; XDG_STATE_HOME is ~/.local/state by "
    "default\n";

static std::string commandList(std::string_view Group) {
  std::string List = ".SH COMMANDS\n";
  for (const CommandDescription *C : commandsOf(Group))
    List += ".TP\n.BR graupel\\-" + escape(C->pageName()) + " (1)\n" +
            escape(C->Summary) + "\n";
  return List;
}

static std::string overview() {
  return header("GRAUPEL") +
         ".SH NAME\ngraupel \\- makes compiled programs faster\n"
         ".SH SYNOPSIS\n.B graupel\nCOMMAND [ARGUMENTS]\n"
         ".SH DESCRIPTION\n.PP\n"
         "Two steps make a program faster by what it executes:\n"
         ".PP\n.RS\n.B graupel learn \\-\\- COMMAND\n.br\n"
         ".B graupel optimize APP\n.RE\n.PP\nThen\n"
         ".B graupel run \\-\\- COMMAND\n"
         "runs the faster version.\n" +
         commandList("") + Statuses;
}

std::string graupel::manPage(const CommandDescription *C) {
  if (!C)
    return overview();
  const std::string Name = "graupel-" + C->pageName();
  const std::string Command = C->Name;
  const bool IsGroup = !commandsOf(Command).empty();
  std::string Page =
      header(upper(Name)) + ".SH NAME\n" + escape(Name) + " \\- " +
      escape(C->Summary) + "\n.SH SYNOPSIS\n.B graupel " + escape(Command) +
      "\n" + escape(C->Arguments) + "\n.SH DESCRIPTION\n" + paragraphs(C->Text);
  if (!C->Options.empty())
    Page += ".SH OPTIONS\n";
  for (const OptionDescription &O : C->Options)
    Page += ".TP\n.B " + escape(O.spelling()) + "\n" + escape(O.Text) + "\n";
  if (IsGroup)
    Page += commandList(Command);
  Page += IsGroup || C->isInGroup() ? UsualStatuses : Statuses;
  Page += ".SH SEE ALSO\n.BR graupel (1)";
  if (C->isInGroup())
    Page += ",\n.BR graupel\\-" + std::string(C->Name, C->word() - 1) + " (1)";
  return Page + "\n";
}
