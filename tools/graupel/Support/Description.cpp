//===- Description.cpp - Descriptions of commands -------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Description.h"
#include <algorithm>
#include <cstring>

using namespace graupel;

std::span<const CommandDescription> graupel::descriptions() {
  static const std::vector<CommandDescription> All = [] {
    std::vector<CommandDescription> Result = environmentDescriptions();
    for (auto *Part : {dsmDescriptions, numaDescriptions, strideDescriptions})
      for (CommandDescription &C : Part())
        Result.push_back(std::move(C));
    return Result;
  }();
  return All;
}

const CommandDescription *graupel::findDescription(std::string Name) {
  std::replace(Name.begin(), Name.end(), '-', ' ');
  for (const CommandDescription &C : descriptions())
    if (Name == C.Name)
      return &C;
  return nullptr;
}

const CommandDescription &graupel::description(std::string_view Name) {
  return *findDescription(std::string(Name));
}

std::vector<const CommandDescription *>
graupel::commandsOf(std::string_view Group) {
  std::vector<const CommandDescription *> Result;
  for (const CommandDescription &C : descriptions())
    if (std::string_view(C.Name, C.word()) ==
        (Group.empty() ? "" : std::string(Group) + " "))
      Result.push_back(&C);
  return Result;
}

const char *CommandDescription::word() const {
  const char *Blank = strchr(Name, ' ');
  return Blank ? Blank + 1 : Name;
}

std::string CommandDescription::pageName() const {
  std::string Result = Name;
  std::replace(Result.begin(), Result.end(), ' ', '-');
  return Result;
}

std::vector<std::string> OptionDescription::choices() const {
  std::vector<std::string> Result;
  if (!Value || !strchr(Value, '|'))
    return Result;
  const std::string All = Value;
  for (size_t At = 0, End; At <= All.size(); At = End + 1) {
    End = std::min(All.find('|', At), All.size());
    Result.push_back(All.substr(At, End - At));
  }
  return Result;
}

std::string OptionDescription::spelling() const {
  if (!Value)
    return Name;
  if (isOptional())
    return std::string(Name) + "[=" + (Value + 1);
  return std::string(Name) + (isShort() ? " " : "=") + Value;
}

std::vector<std::string> graupel::paragraphsOf(const std::string &Text) {
  std::vector<std::string> Result;
  for (size_t At = 0, End; At < Text.size(); At = End + 2) {
    End = std::min(Text.find("\n\n", At), Text.size());
    Result.push_back(Text.substr(At, End - At));
  }
  return Result;
}

/// Words in lines of at most 78 characters, each behind `Indent` spaces.
static std::string wrapped(const std::string &Text, size_t Indent) {
  std::string Result, Line;
  auto flush = [&] {
    if (!Line.empty())
      Result += (Result.empty() ? "" : std::string(Indent, ' ')) + Line + "\n";
    Line.clear();
  };
  for (size_t At = 0; At < Text.size();) {
    const size_t End = std::min(Text.find_first_of(" \n", At), Text.size());
    if (Indent + Line.size() + 1 + End - At > 78)
      flush();
    Line += (Line.empty() ? "" : " ") + Text.substr(At, End - At);
    At = Text.find_first_not_of(" \n", End);
  }
  flush();
  return Result;
}

static const char APPText[] =
    "\nAPP is the name of a registered application, or its program.\n";

std::string graupel::helpText(const CommandDescription &C) {
  std::string Text =
      std::string("usage: graupel ") + C.Name + " " + C.Arguments + "\n";
  for (const std::string &P : paragraphsOf(C.Text))
    Text += "\n" + (P[0] == ' ' ? P + "\n" : wrapped(P, 0));
  if (strstr(C.Arguments, "APP"))
    Text += APPText;
  Text += "\noptions:\n";
  std::vector<OptionDescription> Options = C.Options;
  Options.push_back({"--help", nullptr, "this text"});
  for (const OptionDescription &O : Options) {
    std::string Line = "  " + O.spelling();
    Line.resize(std::max<size_t>(Line.size() + 1, 27), ' ');
    Text += Line + wrapped(O.Text, 27);
  }
  return Text;
}
