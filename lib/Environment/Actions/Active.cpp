//===- Actions/Active.cpp - The files that run in place of originals ------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each image, in this order:
//
// 1. Find what runs in its place: the choice for the image, else the mode of
//    its applications (choiceFor).
// 2. The original has to be what it was when it was registered (unchanged).
// 3. The version has to be there, and its file what its name says (sound).
//
// Facts about files that are found meanwhile are written down at the end, in
// one transaction; if that fails, they are found again (remember).
//
//===----------------------------------------------------------------------===//

#include "Active.h"
#include "Actions/Check.h"
#include "Actions/Choose.h"
#include "Actions/Make.h"
#include "Actions/Register.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace graupel::environment;

namespace {

/// Decides for one image after the other.
class Chooser {
public:
  Chooser(Environment &E, std::optional<Mode> Wanted)
      : E(E), DB(E.database()), Wanted(Wanted) {}

  void choose(const Image &I, ActiveImages &To);
  /// The version of one image, or why not: the newest, or that which is called
  /// \p Store.
  std::optional<Substitution> versionOf(const Image &I, Kind K,
                                        ActiveImages &To, StringRef Store = "");

  /// Writes down what was found, if that is possible.
  Error remember();

private:
  Choice choiceFor(const Image &I);
  std::optional<FileIdentity> unchanged(const Image &I, ActiveImages &To);
  std::optional<FileIdentity> sound(const Version &V, std::string &Why);

  Environment &E;
  Connection &DB;
  const std::optional<Mode> Wanted;
  std::vector<std::function<void()>> Findings;
};

} // namespace

/// An image of several applications is instrumented if one of them wants that:
/// somebody waits for the counts.
Choice Chooser::choiceFor(const Image &I) {
  if (auto C = chosenFor(DB, I, Wanted))
    return *C;
  if (Wanted)
    return {*Wanted, ""};
  Mode Result = Mode::Original;
  for (const Application &A : applicationsOf(DB, I.Id))
    if (A.Runs == Mode::Instrumented || Result == Mode::Original)
      Result = A.Runs;
  return {Result, ""};
}

/// The current identity of the original, if its content is unchanged.
std::optional<FileIdentity> Chooser::unchanged(const Image &I,
                                               ActiveImages &To) {
  auto leave = [&](std::string Why, bool IsNews = true) {
    To.Originals.push_back({I.Path, std::move(Why), IsNews});
    return std::nullopt;
  };
  Expected<FileIdentity> Current = FileIdentity::of(I.Path);
  // Commands make programs, run them and remove them again.
  if (!Current)
    return leave((consumeError(Current.takeError()), "it is gone"),
                 !isOnlySeen(DB, I.Id));
  if (*Current == I.Identity)
    return *Current;
  Expected<HashedFile> Hashed = hashFile(I.Path);
  if (!Hashed)
    return leave(toString(Hashed.takeError()));
  // One `graupel run` inside of another sees a version in its place.
  if (originalOf(DB, Hashed->Content) == I.Content)
    return Hashed->Identity;
  if (Hashed->Content != I.Content)
    return leave("it has changed since it was registered; optimize again");
  if (!Hashed->IsFresh)
    Findings.push_back([this, Id = I.Id, Identity = Hashed->Identity] {
      setIdentity(DB, Id, Identity);
    });
  return Hashed->Identity;
}

/// The current identity of a version's file, if its content matches its name.
std::optional<FileIdentity> Chooser::sound(const Version &V, std::string &Why) {
  Expected<CheckedFile> Now = checkFile(E, V.Store);
  if (!Now) {
    // The version stays known: each start shall say so until it is made again.
    Why = toString(Now.takeError());
    return std::nullopt;
  }
  if (Now->IsNews)
    Findings.push_back(
        [this, Store = V.Store, File = *Now] { noteChecked(DB, Store, File); });
  return Now->Identity;
}

std::optional<Substitution>
Chooser::versionOf(const Image &I, Kind K, ActiveImages &To, StringRef Store) {
  // A changed file may be handled where the old one could not.
  const std::optional<FileIdentity> Original = unchanged(I, To);
  if (!Original)
    return std::nullopt;
  if (!I.Unfit.empty()) {
    To.Originals.push_back({I.Path, I.Unfit, false});
    return std::nullopt;
  }
  std::optional<Version> V = Store.empty() ? newestVersion(DB, I.Content, K)
                                           : versionCalled(DB, I, Store);
  if (!V) {
    To.Originals.push_back(
        {I.Path,
         Store.empty() ? ("there is no " + name(K) + " version of it").str()
                       : whyNoChosen(Store),
         !Store.empty()});
    return std::nullopt;
  }
  // Somebody touched it, or built the same again.
  if (*Original != I.Identity && !E.readOnly() && !hasTwins(DB, I.Content))
    consumeError(E.store().giveTime(V->Store, Original->ModifyTime));
  std::string Why;
  const std::optional<FileIdentity> File = sound(*V, Why);
  if (!File) {
    To.Originals.push_back({I.Path, Why, true});
    return std::nullopt;
  }
  return Substitution{I.Path, *Original, E.store().path(V->Store),
                      *File,  I.Content, K};
}

void Chooser::choose(const Image &I, ActiveImages &To) {
  const Choice C = choiceFor(I);
  if (C.Runs == Mode::Original)
    return;
  if (auto S = versionOf(I,
                         C.Runs == Mode::Instrumented ? Kind::Instrumented
                                                      : Kind::Optimized,
                         To, C.Store))
    To.Images.push_back(std::move(*S));
}

Error Chooser::remember() {
  if (Error Err = DB.check())
    return Err;
  if (Findings.empty() || E.readOnly())
    return Error::success();
  Transaction T(DB);
  for (const auto &Finding : Findings)
    Finding();
  // The findings hold even if they cannot be written down.
  consumeError(T.commit());
  return Error::success();
}

Expected<ActiveImages>
graupel::environment::activeImages(Environment &E, std::optional<Mode> Wanted) {
  ActiveImages Result;
  Chooser C(E, Wanted);
  for (const Image &I : allImages(E.database()))
    C.choose(I, Result);
  if (Error Err = C.remember())
    return Err;
  return Result;
}

Error graupel::environment::requireOriginals(Environment &E,
                                             const Application &A) {
  for (const Image &I : images(E.database(), A.Id)) {
    Expected<FileIdentity> Now = FileIdentity::of(I.Path);
    if (!Now)
      return Now.takeError();
    if (*Now == I.Identity)
      continue;
    Expected<HashedFile> Hashed = hashFile(I.Path);
    if (!Hashed)
      return Hashed.takeError();
    if (!originalOf(E.database(), Hashed->Content).empty())
      return createStringError(I.Path +
                               ": another version is in its place here; leave "
                               "`graupel shell` and try again");
  }
  return E.database().check();
}

Expected<std::optional<Substitution>>
graupel::environment::instrumentSeenImage(Environment &E,
                                          const std::string &Path,
                                          int64_t Application, Shipped Taken) {
  SmallString<256> Real;
  if (std::error_code EC = sys::fs::real_path(Path, Real))
    return createStringError(Path + ": " + EC.message() + "; check the path");
  Expected<Image> I = lookAtImage(E.database(), std::string(Real));
  if (!I)
    return I.takeError();
  if (Taken != Shipped::None)
    if (Error Err = takeShipped(*I, Taken == Shipped::Programs))
      return Err;
  {
    Transaction T(E.database());
    I->Id = putImage(E.database(), *I);
    if (Application)
      addToApplication(E.database(), Application, I->Id, "seen");
    if (Error Err = T.commit())
      return Err;
  }
  Expected<MadeImage> Made =
      makeVersion(E, *I, Kind::Instrumented, {}, /*Retry=*/false);
  if (!Made)
    return Made.takeError();
  if (!Made->Result)
    return std::nullopt;
  ActiveImages Reasons;
  Chooser C(E, Mode::Instrumented);
  std::optional<Substitution> Result =
      C.versionOf(Made->Input, Kind::Instrumented, Reasons);
  if (Error Err = C.remember())
    return Err;
  return Result;
}
