//===- Parse.cpp - Arguments by a description -----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. A word that begins with a dash is an option: --NAME, --NAME=VALUE,
//    --NAME VALUE, -N VALUE or -NVALUE. `--` ends them, and so does the first
//    word of a command that runs another.
// 2. A value is held against its range or its choices as soon as it is read.
// 3. In the end words are counted.
//
//===----------------------------------------------------------------------===//

#include "Parse.h"
#include "Environment/Output/Shown.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <charconv>
#include <cstdio>
#include <cstring>

using namespace graupel;
using llvm::StringRef;

bool Parsed::has(std::string_view Name) const {
  return llvm::any_of(Options, [&](const Option &O) { return O.Name == Name; });
}

std::string Parsed::value(std::string_view Name) const {
  for (const Option &O : llvm::reverse(Options))
    if (O.Name == Name && !O.Value.empty())
      return O.Value;
  return "";
}

double Parsed::number(std::string_view Name, double Default) const {
  const std::string Text = value(Name);
  std::from_chars(Text.data(), Text.data() + Text.size(), Default);
  return Default;
}

int graupel::failCommand(const CommandDescription &C,
                         const std::string &Message) {
  fprintf(stderr, "graupel %s: error: %s\n", C.Name,
          output::shownLines(Message).c_str());
  return C.Failure;
}

static std::string missingCommand(const CommandDescription &C) {
  return std::string("the ") +
         (strstr(C.Arguments, "PROGRAM") ? "program" : "command") +
         " is missing; it comes after the options";
}

int graupel::failWithoutCommand(const CommandDescription &C) {
  return failCommand(C, missingCommand(C));
}

static bool isWithin(const Range &R, const std::string &Text) {
  double Value = 0;
  const char *End = Text.data() + Text.size();
  const bool IsWhole =
      StringRef(Text).find_first_not_of("0123456789") == StringRef::npos;
  if (R.Form != Range::Fraction && !IsWhole)
    return false;
  auto [Rest, Error] = std::from_chars(Text.data(), End, Value);
  return Error == std::errc() && Rest == End && Value >= R.Least &&
         Value <= R.Most;
}

/// A number of a range, for who has given \p Text.
static std::string numberToGive(const Range &R, const std::string &Text) {
  auto Whole = [](double Value) { return std::to_string(uint64_t(Value)); };
  if (R.Form != Range::OneEnd)
    return "a number from " + Whole(R.Least) + " to " + Whole(R.Most);
  return isWithin({R.Most + 1, 1e300}, Text)
             ? "a number, at most " + Whole(R.Most)
             : "a number, at least " + Whole(R.Least);
}

static std::string withoutValue(const OptionDescription &O) {
  std::string ToGive = "one, as in " + O.spelling();
  if (O.Number.Most)
    ToGive = numberToGive(O.Number, "");
  else if (O.Completion == Completes::File || O.Completion == Completes::Folder)
    ToGive = "a " + StringRef(O.Value).lower();
  return std::string(O.Name) + " has no value; give " + ToGive;
}

/// An error in a value, or nothing.
static std::string checkValue(const OptionDescription &O,
                              const std::string &Value) {
  const std::vector<std::string> Choices = O.choices();
  if (O.Number.Most)
    return isWithin(O.Number, Value)
               ? ""
               : std::string(O.Name) + " is `" + Value + "`; give " +
                     numberToGive(O.Number, Value);
  if (Choices.empty())
    return Value.empty() ? withoutValue(O) : "";
  if (llvm::is_contained(Choices, Value))
    return "";
  std::string All;
  for (const std::string &Choice : Choices)
    All += (&Choice == &Choices.front()  ? ""
            : &Choice == &Choices.back() ? " or "
                                         : ", ") +
           Choice;
  return std::string("the ") + O.key() + " is `" + Value + "`; say " + All;
}

/// Says so, if an option has nearly this name.
static std::string nearest(const CommandDescription &C, StringRef Argument) {
  const StringRef Name = Argument.ltrim('-').split('=').first;
  const OptionDescription *Best = nullptr;
  unsigned Least = std::max<unsigned>(2, Name.size() / 3) + 1;
  for (const OptionDescription &O : C.Options) {
    const unsigned Distance = Name.edit_distance(O.key(), true, Least);
    if (Distance < Least && Distance < Name.size()) {
      Least = Distance;
      Best = &O;
    }
  }
  return Best ? std::string("; did you mean ") + Best->Name + "?" : "";
}

static std::string noSuchOption(const CommandDescription &C,
                                const std::string &Argument) {
  return "there is no option `" + Argument + "`; `graupel " + C.Name +
         " --help` lists them" +
         (C.runsAnother() ? ", and the program's own come after its name"
                          : "") +
         nearest(C, Argument);
}

/// Takes the option at \p At, which moves to its value if that is a word of its
/// own. Returns an error, or nothing.
static std::string takeOption(const CommandDescription &C, const Arguments &A,
                              size_t &At, Parsed &To) {
  const std::string &Argument = A[At];
  const bool IsShort = Argument[1] != '-';
  const size_t End =
      IsShort ? 2 : std::min(Argument.find('='), Argument.size());
  const std::string Name = Argument.substr(0, End);
  const auto O = llvm::find_if(
      C.Options, [&](const OptionDescription &O) { return Name == O.Name; });
  bool IsGiven = End < Argument.size();
  std::string Value = IsGiven ? Argument.substr(End + !IsShort) : "";
  if (O == C.Options.end() || (O->isOptional() && IsGiven && Value.empty()))
    return noSuchOption(C, Argument);
  if (!O->Value && IsGiven)
    return Name + " has a value; leave it out";
  if (O->takesNextWord() && !IsGiven) {
    if (At + 1 == A.size() || A[At + 1] == "--")
      return withoutValue(*O);
    Value = A[++At];
    IsGiven = true;
  }
  To.Options.push_back({O->key(), Value});
  return IsGiven ? checkValue(*O, Value) : "";
}

/// An error in the number of words, or nothing.
static std::string checkWords(const CommandDescription &C, const Parsed &P) {
  const std::string Usage =
      std::string("; usage: graupel ") + C.Name + " " + C.Arguments;
  if (C.runsAnother())
    return P.Rest.size() < C.Words.Least ? missingCommand(C) : "";
  if (P.Words.size() < C.Words.Least)
    return C.Missing ? C.Missing : "too few arguments" + Usage;
  if (P.Words.size() > C.Words.Most)
    return "`" + P.Words[C.Words.Most] + "` is one argument too many" + Usage;
  return "";
}

std::optional<Parsed> graupel::parse(const CommandDescription &C,
                                     const Arguments &A, int &Status) {
  Parsed Result;
  std::string Wrong;
  for (size_t I = 0; I < A.size() && Wrong.empty(); ++I) {
    if (A[I] == "--help" || A[I] == "-h") {
      fputs(helpText(C).c_str(), stdout);
      Status = 0;
      return std::nullopt;
    }
    const bool IsWord = A[I].empty() || A[I][0] != '-' || A[I] == "-";
    if (A[I] == "--" || (IsWord && C.runsAnother())) {
      // Without options of another program, these are words like others.
      auto &To = C.runsAnother() || strstr(C.Arguments, "[-- ") ? Result.Rest
                                                                : Result.Words;
      To.insert(To.end(), A.begin() + long(I) + (A[I] == "--"), A.end());
      break;
    }
    if (IsWord)
      Result.Words.push_back(A[I]);
    else
      Wrong = takeOption(C, A, I, Result);
  }
  if (Wrong.empty())
    Wrong = checkWords(C, Result);
  if (Wrong.empty())
    return Result;
  Status = failCommand(C, Wrong);
  return std::nullopt;
}
