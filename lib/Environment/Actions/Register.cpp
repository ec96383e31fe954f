//===- Actions/Register.cpp - Applications come and go --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Find the program's images: itself, what the loader takes for it, and each
//    of these in turn. Whatever cannot be optimized is kept with the reason.
// 2. Find a name that is free: the file's, with as many folders as it needs.
// 3. Write all of it in one transaction. An image that is known keeps its row,
//    and with it its versions and counts.
//
//===----------------------------------------------------------------------===//

#include "Register.h"
#include "Actions/Enable.h"
#include "Database/Choices.h"
#include "Environment/Images/Dependencies.h"
#include "Environment/Images/Examine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace graupel::environment;

Expected<Image> graupel::environment::lookAtImage(Connection &DB,
                                                  const std::string &Path) {
  Expected<FileIdentity> Current = FileIdentity::of(Path);
  if (!Current)
    return Current.takeError();
  const std::optional<Image> Known = findImage(DB, Path);
  if (Known && Known->Identity == *Current)
    return *Known;
  Expected<HashedFile> Hashed = hashFile(Path);
  if (!Hashed)
    return Hashed.takeError();
  // In `graupel shell` a version of it may be in its place.
  if (Known && originalOf(DB, Hashed->Content) == Known->Content)
    return *Known;
  Expected<ImageFacts> Facts = examineImage(Path);
  if (!Facts)
    return Facts.takeError();
  Image I;
  I.Path = Path;
  I.Content = Hashed->Content;
  I.Identity = Hashed->lasting();
  I.BuildID = Facts->BuildID;
  // An image that was accepted before stays accepted after an update.
  const bool IsTaken = Facts->IsShipped && Known && Known->Unfit.empty();
  I.Unfit = IsTaken ? "" : Facts->Unfit;
  return I;
}

Error graupel::environment::takeShipped(Image &I, bool AlsoProgram) {
  if (I.Unfit.empty())
    return Error::success();
  Expected<ImageFacts> Facts = examineImage(I.Path);
  if (!Facts)
    return Facts.takeError();
  if (Facts->IsShipped && (AlsoProgram || Facts->Interpreter.empty()))
    I.Unfit.clear();
  return Error::success();
}

namespace {

/// Finds the images of one application.
class Collector {
public:
  Collector(Environment &E, Registration &To) : E(E), To(To) {}

  Error add(const std::string &Path, StringRef Role, bool TakesShipped) {
    if (any_of(To.Images, [&](const Image &I) { return I.Path == Path; }))
      return Error::success();
    Expected<Image> I = lookAtImage(E.database(), Path);
    if (!I)
      return I.takeError();
    if (TakesShipped)
      if (Error Err = takeShipped(*I, /*AlsoProgram=*/true))
        return Err;
    I->Role = Role;
    To.Images.push_back(std::move(*I));
    return Error::success();
  }

  /// A program or script, with what it needs. A script may be run by one.
  Error addProgram(const std::string &Path, StringRef Role, int Depth = 0) {
    Expected<ImageFacts> Facts = examineImage(Path);
    if (!Facts)
      return Facts.takeError();
    // The interpreter of a script belongs to the system.
    const bool TakesShipped = Facts->IsShipped && Role == "main";
    if (Error Err = add(Path, Role, TakesShipped))
      return Err;
    if (Facts->Interpreter.empty())
      return Error::success();
    if (!Facts->IsScript)
      return addLibraries(Path, Facts->Interpreter, TakesShipped);
    Expected<std::string> Interpreter = findProgram(Facts->Interpreter);
    if (!Interpreter)
      return Interpreter.takeError();
    return Depth < 4 ? addProgram(*Interpreter, "interpreter", Depth + 1)
                     : Error::success();
  }

private:
  Error addLibraries(const std::string &Path, const std::string &Loader,
                     bool TakesShipped) {
    Expected<Dependencies> Needed = listDependencies(Path, Loader);
    if (!Needed)
      return Needed.takeError();
    for (const std::string &Library : Needed->Paths)
      if (Error Err = add(Library, "needed", TakesShipped))
        return Err;
    append_range(To.Missing, Needed->Missing);
    return Error::success();
  }

  Environment &E;
  Registration &To;
};

} // namespace

/// The same name in another folder is another application: it is called by as
/// much of its path as is needed.
static std::string freeName(Connection &DB, StringRef Main, std::string Name) {
  StringRef Folder = sys::path::parent_path(Main);
  while (findApplication(DB, Name) && Folder.size() > 1) {
    Name = (sys::path::filename(Folder) + "/" + Name).str();
    Folder = sys::path::parent_path(Folder);
  }
  return Name;
}

/// The application's row, made if there is none. The caller's transaction.
static Error findOrAdd(Connection &DB, const std::string &Main, StringRef Name,
                       StringRef FileName, Registration &R) {
  std::optional<Application> Known = findApplication(DB, Main);
  if (Known && (Name.empty() || Known->Name == Name)) {
    R.App = *Known;
    return Error::success();
  }
  R.App.Name = (Name.empty() ? FileName : Name).str();
  if (StringRef(R.App.Name).starts_with("-"))
    return createStringError("`" + R.App.Name +
                             "` looks like an option; give the application "
                             "another name with --name");
  if (Name.empty())
    R.App.Name = freeName(DB, Main, R.App.Name);
  if (auto Other = findApplication(DB, R.App.Name))
    return createStringError("there is an application `" + R.App.Name +
                             "` already, " + Other->Main +
                             "; give this one another name with --name");
  R.App.Main = Main;
  R.App.Id = addApplication(DB, R.App);
  R.IsNew = true;
  return Error::success();
}

Expected<Registration> graupel::environment::registerApplication(
    Environment &E, const std::string &Program, StringRef Name) {
  Expected<std::string> Main = findProgram(Program);
  if (!Main)
    return Main.takeError();
  *Main = behindWrapper(E.database(), *Main);
  Registration R;
  if (Error Err = Collector(E, R).addProgram(*Main, "main"))
    return Err;
  // Shells run text files that say so by their mode alone.
  if (R.Images.front().Unfit == NotAProgram && !sys::fs::can_execute(*Main))
    return createStringError(*Main + ": " + NotAProgram.str() +
                             "; name a program, or a script that starts one");
  Connection &DB = E.database();
  Transaction T(DB);
  if (Error Err = findOrAdd(DB, *Main, Name, sys::path::filename(Program), R))
    return Err;
  for (Image &I : R.Images) {
    I.Id = putImage(DB, I);
    addToApplication(DB, R.App.Id, I.Id, I.Role);
  }
  if (Error Err = T.commit())
    return Err;
  return R;
}

Error graupel::environment::unregisterApplication(Environment &E,
                                                  const Application &A) {
  if (const auto Files = starters(E.database(), A.Id); !Files.empty())
    return createStringError(
        A.Name + ": " + Files.front().File +
        " starts it; `graupel disable` removes that first");
  Transaction T(E.database());
  removeApplication(E.database(), A.Id);
  removeLonelyChoices(E.database());
  return T.commit();
}

Expected<Application>
graupel::environment::requireApplication(Environment &E,
                                         const std::string &Text) {
  std::optional<Application> A = findApplication(E.database(), Text);
  if (Error Err = E.database().check())
    return Err;
  if (!A) {
    if (Expected<std::string> Path = findProgram(Text))
      A = findApplication(E.database(), behindWrapper(E.database(), *Path));
    else
      consumeError(Path.takeError());
  }
  if (A)
    return *A;
  return createStringError("there is no application `" + Text +
                           "`; `graupel status` lists them, `graupel register` "
                           "adds one");
}
