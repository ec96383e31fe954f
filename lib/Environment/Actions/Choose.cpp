//===- Actions/Choose.cpp - The version that runs for one image -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A choice is a row beside the image: nothing is made, removed or moved, so it
// is taken back by removing the row.
//
// 1. A word for a kind stands for the newest version of it, also of later ones.
// 2. Another word is the beginning of a version's name in the store. It has
//    to be a version of what the image is now, and sound.
// 3. When the image changes, that version is of another build. Then the
//    original runs, and each start says so (Active).
//
//===----------------------------------------------------------------------===//

#include "Choose.h"
#include "Actions/Check.h"
#include "Actions/Make.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace graupel::environment;

/// Shorter ones are mistakes.
static constexpr size_t ShortestName = 4;

StringRef graupel::environment::shortName(StringRef Store) {
  return Store.take_front(12);
}

static Error unknownWord(StringRef Word) {
  return createStringError(
      "`" + Word +
      "` is no version; give original, instrumented, optimized, default, or "
      "what `graupel show` says behind `version`");
}

/// The one version whose name begins so.
static Expected<Choice> findVersion(Environment &E, const Image &I,
                                    StringRef Word) {
  if (Word.size() < ShortestName || !all_of(Word, isHexDigit))
    return unknownWord(Word);
  std::optional<Version> Found;
  for (const Version &V : versions(E.database(), I.Content)) {
    if (V.Store.empty() || !StringRef(V.Store).starts_with_insensitive(Word))
      continue;
    if (Found && Found->Store != V.Store)
      return createStringError("`" + Word +
                               "` is the beginning of several "
                               "versions; give more of it");
    Found = V;
  }
  if (Error Err = E.database().check())
    return Err;
  if (!Found)
    return createStringError(I.Path + ": there is no version `" + Word +
                             "` of what it is now; `graupel show " + I.Path +
                             "` lists them");
  Expected<CheckedFile> File = checkFile(E, Found->Store);
  if (!File)
    return File.takeError();
  return Choice{modeOf(Found->VersionKind), Found->Store};
}

static Expected<Choice> wordToChoice(Environment &E, const Image &I,
                                     StringRef Word) {
  const std::optional<Mode> M = modeFromName(Word);
  if (!M)
    return findVersion(E, I, Word);
  if (*M == Mode::Original)
    return Choice{*M, ""};
  const Kind K =
      *M == Mode::Instrumented ? Kind::Instrumented : Kind::Optimized;
  if (!newestVersion(E.database(), I.Content, K))
    return createStringError(
        I.Path + ": there is no " + Word + " version of what it is now; " +
        (K == Kind::Optimized ? "`graupel optimize`" : "`graupel instrument`") +
        " makes it");
  return Choice{*M, ""};
}

Error graupel::environment::chooseForImage(Environment &E, const Image &I,
                                           StringRef Word) {
  std::optional<Choice> C;
  if (Word != NoChoice) {
    if (!I.Unfit.empty() && Word != name(Mode::Original))
      return createStringError(I.Path + ": " + I.Unfit);
    Expected<Choice> Made = wordToChoice(E, I, Word);
    if (!Made)
      return Made.takeError();
    C = *Made;
  }
  Transaction T(E.database());
  setChoice(E.database(), I.Id, C);
  return T.commit();
}

Error graupel::environment::chooseForApplication(Environment &E,
                                                 const Application &A,
                                                 StringRef Word) {
  if (const std::optional<Mode> M = modeFromName(Word))
    return chooseVersions(E, A, *M);
  if (Word != NoChoice)
    return createStringError(
        "`" + Word +
        "` is nothing that an application runs; give original, "
        "instrumented, optimized or default, or an image's path for one of its "
        "versions");
  Transaction T(E.database());
  for (const Image &I : images(E.database(), A.Id))
    setChoice(E.database(), I.Id, std::nullopt);
  return T.commit();
}

std::optional<Choice>
graupel::environment::chosenFor(Connection &DB, const Image &I,
                                std::optional<Mode> Wanted) {
  if (Wanted == Mode::Instrumented)
    return std::nullopt;
  std::optional<Choice> C = choiceFor(DB, I.Id);
  if (Wanted && C && C->Runs == Mode::Instrumented)
    return std::nullopt;
  return C;
}

std::optional<Version> graupel::environment::versionCalled(Connection &DB,
                                                           const Image &I,
                                                           StringRef Store) {
  for (Version &V : versions(DB, I.Content))
    if (V.Store == Store)
      return std::move(V);
  return std::nullopt;
}

std::string graupel::environment::whyNoChosen(StringRef Store) {
  return ("the version " + shortName(Store) +
          " that was chosen is of an older build; `graupel use` chooses "
          "another, or `default`")
      .str();
}

std::optional<Version> graupel::environment::optimizedVersion(Connection &DB,
                                                              const Image &I) {
  const auto C = chosenFor(DB, I, Mode::Optimized);
  if (C && C->Runs == Mode::Original)
    return std::nullopt;
  return C && !C->Store.empty() ? versionCalled(DB, I, C->Store)
                                : newestVersion(DB, I.Content, Kind::Optimized);
}
