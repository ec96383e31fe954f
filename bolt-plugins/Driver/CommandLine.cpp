//===- Driver/CommandLine.cpp - Rejects mistaken options ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Expand response files (@FILE), as LLVM's parser would.
//   2. Look up each option. One that does not exist is an error that names the
//      nearest that does; so is one without the value it needs.
//   3. Let LLVM's parser do the rest. Its error messages are rewritten in our
//      form.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "HeldBack.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"
#include <algorithm>
#include <unistd.h>

using namespace llvm;
using namespace graupel;

namespace {

constexpr StringLiteral Help = "graupel-bolt -help lists what there is";

Error wrong(const Twine &Problem, const Twine &ToDo) {
  return createStringError(Problem + "; " + ToDo);
}

/// Whether \p Argument can only be the value of the option before it or a name.
bool isName(StringRef Argument) {
  return Argument.size() < 2 || Argument.front() != '-';
}

class OptionCheck {
public:
  explicit OptionCheck(cl::SubCommand &Command)
      : Options(cl::getRegisteredOptions(Command)) {}

  Error run(ArrayRef<const char *> Arguments) const {
    for (size_t I = 0; I < Arguments.size(); ++I) {
      const StringRef Argument = Arguments[I];
      if (Argument == "--")
        return Error::success();
      if (isName(Argument))
        continue;
      const auto [Dashed, Value] = Argument.split('=');
      const StringRef Name = Dashed.ltrim('-');
      const cl::Option *Option = find(Name);
      if (!Option)
        return wrong(Dashed + ": no such option", nearest(Name));
      if (Option->getValueExpectedFlag() != cl::ValueRequired ||
          Argument.contains('='))
        continue;
      // The next argument is the value, whatever it looks like.
      if (++I == Arguments.size())
        return wrong(Dashed + ": its value is missing",
                     "write " + Dashed + "=VALUE");
    }
    return Error::success();
  }

private:
  decltype(cl::getRegisteredOptions()) Options;

  const cl::Option *find(StringRef Name) const {
    auto It = Options.find(Name);
    if (It != Options.end())
      return It->second;
    for (const auto &Entry : Options) {
      const cl::Option *Option = Entry.second;
      const cl::FormattingFlags Format = Option->getFormattingFlag();
      if ((Format == cl::Prefix || Format == cl::AlwaysPrefix) &&
          Name.starts_with(Option->ArgStr))
        return Option;
    }
    return nullptr;
  }

  /// Advice about \p Name, which is no option.
  std::string nearest(StringRef Name) const {
    StringRef Best;
    unsigned Least = std::max<unsigned>(2, Name.size() / 3) + 1;
    for (const auto &Entry : Options) {
      const StringRef Other = Entry.second->ArgStr;
      const unsigned Distance = Name.edit_distance(
          Other, /*AllowReplacements=*/true, /*MaxEditDistance=*/Least);
      if (Distance < Least || (Distance == Least && Other < Best)) {
        Least = Distance;
        Best = Other;
      }
    }
    return Best.empty() ? Help.str() : ("did you mean -" + Best + "?").str();
  }
};

/// The message of LLVM's parser, as "what; what to do".
Error asOurs(StringRef Said, StringRef Program, bool IsCommand) {
  StringRef Line = Said.trim().split('\n').first;
  // "PROGRAM: what", sometimes with "Try: 'PROGRAM --help'" behind it.
  if (Line.consume_front(Program))
    Line.consume_front(": ");
  Line = Line.split("  Try: ").first.rtrim(" !.");
  if (Line.starts_with("Not enough positional"))
    return IsCommand
               ? wrong("no profile named", "name a profile")
               : wrong("no input named", "name a program or shared library");
  return wrong(Line, Help);
}

} // namespace

Error graupel::parseOptions(ArrayRef<const char *> Arguments,
                            cl::SubCommand &Command, StringRef Overview) {
  // Parsed options refer to the arguments.
  static BumpPtrAllocator Memory;
  StringSaver Saver(Memory);
  SmallVector<const char *, 32> All(Arguments);
  cl::ExpansionContext Expansion(Memory, cl::TokenizeGNUCommandLine);
  if (Error E = Expansion.expandResponseFiles(All))
    return wrong(toString(std::move(E)), "check the name behind the @");
  // A command's name is the first argument.
  const size_t Names = &Command == &cl::SubCommand::getTopLevel() ? 1 : 2;
  if (Error E = OptionCheck(Command).run(ArrayRef(All).drop_front(Names)))
    return E;
  HeldBack Errors(STDERR_FILENO);
  const int Saved = dup(STDERR_FILENO);
  if (Errors.valid())
    Errors.divert();
  const bool Parsed =
      cl::ParseCommandLineOptions(All.size(), All.data(), Overview, &errs());
  errs().flush();
  dup2(Saved, STDERR_FILENO);
  close(Saved);
  if (Parsed) {
    if (Errors.valid())
      Errors.release();
    return Error::success();
  }
  return asOurs(Errors.text(), sys::path::filename(All.front()),
                &Command != &cl::SubCommand::getTopLevel());
}

std::vector<const char *>
graupel::recordedArguments(ArrayRef<const char *> Arguments) {
  const auto &Options = cl::getRegisteredOptions();
  std::vector<const char *> Recorded = {"graupel-bolt"};
  bool HasProfile = false;
  for (size_t I = 1; I < Arguments.size(); ++I) {
    const StringRef Argument = Arguments[I];
    const auto [Dashed, Value] = Argument.split('=');
    const auto It = Options.find(Dashed.ltrim('-'));
    if (isName(Argument) || It == Options.end())
      continue;
    const bool HasNext =
        !Argument.contains('=') &&
        It->second->getValueExpectedFlag() == cl::ValueRequired &&
        I + 1 < Arguments.size();
    const StringRef Given = HasNext ? StringRef(Arguments[++I]) : Value;
    static constexpr StringLiteral Profiles[] = {"data", "b", "p", "perfdata"};
    HasProfile |= llvm::is_contained(Profiles, It->first);
    if (It->first == "o" || llvm::is_contained(Profiles, It->first))
      continue;
    if (Given.contains('/')) {
      static BumpPtrAllocator Memory;
      Recorded.push_back(StringSaver(Memory).save(Dashed).data());
      continue;
    }
    Recorded.push_back(Arguments[HasNext ? I - 1 : I]);
    if (HasNext)
      Recorded.push_back(Arguments[I]);
  }
  // -verify must know that there was one, whatever its name.
  if (HasProfile)
    Recorded.push_back("-data");
  return Recorded;
}
