//===- Parse.cpp - Arguments by a description -----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parse.h"
#include "Environment/Output/Shown.h"
#include "Environment/Substitution/Substitution.h"
#include <cstdio>

using namespace graupel;

int graupel::failCommand(const CommandDescription &C, const std::string &What) {
  fprintf(stderr, "graupel %s: error: %s\n", C.Name,
          output::shownLines(What).c_str());
  return 1;
}

static bool runsNothing(const CommandDescription &C, const Parsed &P) {
  for (const OptionDescription &O : C.Options)
    if (O.Form == OptionForm::Alone && P.has(O.Name + 2))
      return true;
  return false;
}

/// What is wrong with an option, or nothing.
static std::string takeOption(const CommandDescription &C,
                              const std::string &Argument, Parsed &To) {
  const size_t Equal = Argument.find('=');
  const std::string Name = Argument.substr(0, Equal);
  for (const OptionDescription &O : C.Options) {
    if (Name != O.Name)
      continue;
    if (!O.Value && Equal != Argument.npos)
      return Name + " has a value; leave it out";
    if (O.Value && (Equal == Argument.npos || Equal + 1 == Argument.size()))
      return Name + " has no value; give one, as in " + Name + "=" + O.Value;
    To.Options[Name.substr(2)] =
        Equal == Argument.npos ? "" : Argument.substr(Equal + 1);
    return "";
  }
  return "there is no option `" + Argument + "`; `graupel " + C.Name +
         " --help` lists them";
}

/// `--train COMMAND` as `--train=COMMAND`.
static std::string withNextWord(const CommandDescription &C, const Arguments &A,
                                size_t &I) {
  for (const OptionDescription &O : C.Options)
    if (O.Form == OptionForm::NextWord && A[I] == O.Name && I + 1 < A.size() &&
        A[I + 1] != "--") {
      ++I;
      return A[I - 1] + "=" + A[I];
    }
  return A[I];
}

std::optional<Parsed> graupel::parse(const CommandDescription &C,
                                     const Arguments &A, size_t MinWords,
                                     size_t MaxWords, int &Status) {
  // Each command begins here, and all of them write to the database.
  substitution::surviveFileSizeLimit();
  Parsed Result;
  std::string Wrong;
  const bool RunsAnother = C.First == Completes::Command;
  for (size_t I = 0; I < A.size() && Wrong.empty(); ++I) {
    if (A[I] == "--help" || A[I] == "-h") {
      fputs(helpText(C).c_str(), stdout);
      Status = 0;
      return std::nullopt;
    }
    const bool IsWord = A[I].empty() || A[I][0] != '-' || A[I] == "-";
    if (A[I] == "--" || (IsWord && RunsAnother)) {
      Result.Rest.assign(A.begin() + long(I) + (A[I] == "--"), A.end());
      break;
    }
    if (IsWord)
      Result.Words.push_back(A[I]);
    else
      Wrong = takeOption(C, withNextWord(C, A, I), Result);
  }
  if (Wrong.empty() && RunsAnother && Result.Rest.empty() &&
      !runsNothing(C, Result))
    Wrong = "the command is missing; it comes after the options";
  if (Wrong.empty() && Result.Words.size() < MinWords)
    Wrong = std::string("too few arguments; usage: graupel ") + C.Name + " " +
            C.Arguments;
  if (Wrong.empty() && Result.Words.size() > MaxWords)
    Wrong = "`" + Result.Words[MaxWords] +
            "` is one argument too many; usage: graupel " + C.Name + " " +
            C.Arguments;
  if (Wrong.empty())
    return Result;
  Status = failCommand(C, Wrong);
  return std::nullopt;
}
