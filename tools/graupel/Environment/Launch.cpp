//===- Launch.cpp - run, shell and learn ----------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The commands `run`, `shell` and `learn`:
//
// 1. findImages() reads from the database which version belongs in which place.
//    It warns of the command's images that have changed or whose version is
//    damaged. It drops versions that count if the spool is not writable or its
//    disk has less than 16 MB free.
// 2. placeAll() puts the versions in the places of the originals, and has these
//    watched. If that is impossible, redirectInstead() lets processes map
//    versions without mounts.
// 3. launch(), for `run` and `shell`, does both and becomes the command. Where
//    neither works, the originals run with a warning. With --strict nothing is
//    redirected, and instead of the originals nothing runs: the status is 125.
// 4. learnCommand() first checks that the command can be started, and registers
//    its program. With --sample it runs the originals under perf
//    (learnBySamples).
// 5. Without --sample it makes instrumented versions of what is known, and
//    learn() runs the command with them. If that fails, as where nothing can be
//    mounted, learnWithoutMounts() redirects processes as in step 2, and this
//    process becomes the command.
// 6. At the end it warns if nothing was counted or if processes still count,
//    and ends as the command did (endAsCommand).
//
//===----------------------------------------------------------------------===//

#include "Environment/Actions/Make.h"
#include "Environment/Actions/Register.h"
#include "Environment/Images/Dependencies.h"
#include "Environment/Launch/Changes.h"
#include "Environment/Launch/Learn.h"
#include "Environment/Launch/Place.h"
#include "Environment/Launch/Redirect.h"
#include "Environment/Launch/Sample.h"
#include "Session.h"
#include "Show.h"
#include "Support/Command.h"
#include "llvm/ADT/STLExtras.h"
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <sys/statvfs.h>
#include <unistd.h>

using namespace graupel;
using namespace graupel::environment;
using llvm::toString;

/// Instrumented programs would complain themselves, each of them.
static std::string whyNothingCounts(const std::string &Spool) {
  if (access(Spool.c_str(), W_OK) != 0)
    return Spool + ": " + strerror(errno) +
           "; originals run instead of instrumented versions, and nothing is "
           "counted";
  constexpr uint64_t Enough = 16 << 20;
  struct statvfs Disk;
  if (statvfs(Spool.c_str(), &Disk) == 0 &&
      uint64_t(Disk.f_bavail) * Disk.f_frsize < Enough)
    return Spool + ": the disk is full; originals run instead of instrumented "
                   "versions, and nothing is counted";
  return "";
}

static const char *const NothingRegistered =
    "nothing is registered yet, so everything runs as it is; `graupel learn` "
    "is how to begin";

/// Whether a problem with an image concerns the user of a command: the image
/// belongs to its application, or the command names it. `graupel status` shows
/// problems of other applications.
static bool concerns(Connection &DB, const std::vector<std::string> &Command,
                     const std::string &Path) {
  std::set<std::string> Named;
  for (const std::string &Word : Command)
    if (char *Real = realpath(Word.c_str(), nullptr)) {
      Named.insert(Real);
      free(Real);
    }
  if (auto Program = findProgram(Command[0]))
    Named.insert(*Program);
  else
    llvm::consumeError(Program.takeError());
  const std::optional<Image> I = findImage(DB, Path);
  return Named.count(Path) || (I && llvm::any_of(applicationsOf(DB, I->Id),
                                                 [&](const Application &A) {
                                                   return Named.count(A.Main);
                                                 }));
}

/// Whether there were any.
static bool dropInstrumented(ActiveImages &Active) {
  const size_t Before = Active.Images.size();
  llvm::erase_if(Active.Images, [](const environment::Substitution &S) {
    return S.Version == Kind::Instrumented;
  });
  return Active.Images.size() != Before;
}

static llvm::Expected<Locations> locationsFor(const Parsed &P) {
  return P.has("state") ? Locations::in(P.value("state")) : Locations::find();
}

/// The images in place of originals; the database is closed again.
static llvm::Expected<ActiveImages>
findImages(const CommandDescription &C, const Parsed &P,
           const std::vector<std::string> &Command) {
  auto L = locationsFor(P);
  if (!L)
    return L.takeError();
  if (llvm::Error E = checkReadable(*L))
    return E;
  // A user who has never registered anything wants no database for that. A user
  // who starts a wrapper or a unit has not asked for versions.
  const bool IsAsked = !P.has("state");
  if (access(L->Database.c_str(), F_OK) != 0) {
    warn(C, IsAsked ? NothingRegistered : "");
    return ActiveImages();
  }
  auto E = Environment::openToLook(*L);
  if (!E)
    return E.takeError();
  collectAndWarn(C, **E);
  auto Active = activeImages(**E);
  if (IsAsked && Active && Active->Images.empty() && Active->Originals.empty())
    warn(C, applications((*E)->database()).empty()
                ? NothingRegistered
                : "no application runs versions of its images, so everything "
                  "runs as it is; `graupel optimize APP` makes them");
  if (Active)
    for (const LeftAlone &L : Active->Originals)
      if (L.IsNews && concerns((*E)->database(), Command, L.Path))
        warn(C, L.Path + ": " + L.Why);
  if (Active)
    if (std::string Why = whyNothingCounts(L->Spool);
        !Why.empty() && dropInstrumented(*Active))
      warn(C, Why);
  return Active;
}

/// Puts versions in the place of originals. Returns an error, or nothing.
static std::string placeAll(const CommandDescription &C,
                            const ActiveImages &Active) {
  if (Active.Images.empty())
    return "";
  substitution::Substitution Places;
  if (auto Wrong = Places.begin())
    return *Wrong;
  Changes Written;
  for (const environment::Substitution &S : Active.Images) {
    Written.watch(S.Original);
    warn(C, placeVersion(Places, S));
  }
  watchInBackground(Written, Places);
  Places.finish();
  return "";
}

/// Returns only if it cannot.
static int become(const CommandDescription &C,
                  const std::vector<std::string> &Command) {
  const int Status = substitution::become(Command);
  failCommand(C, Command[0] + ": " + strerror(errno) +
                     "; check the name and its rights");
  return Status;
}

/// Becomes the command as if there were no Graupel, or fails if that is wanted.
/// Errors here are no reason not to run somebody's program.
static int becomeOriginal(const CommandDescription &C, const Parsed &P,
                          const std::vector<std::string> &Command,
                          const std::string &Why) {
  if (P.has("strict"))
    return failCommand(C, Why);
  warn(C, "originals run: " + Why);
  becomeInvisible(/*Counts=*/false);
  return become(C, Command);
}

/// Between why nothing can be mounted and why that is not all.
static const char *const WithoutMounts = "; nor do versions run without: ";

/// Where nothing can be mounted, processes map versions all the same. False if
/// they cannot; \p Why says that, too, then.
static bool redirectInstead(const CommandDescription &C, const Parsed &P,
                            const ActiveImages &Active, std::string &Why) {
  auto L = locationsFor(P);
  if (!L) {
    llvm::consumeError(L.takeError());
    return false;
  }
  if (P.has("strict"))
    return false;
  if (std::string Wrong = redirectImages(*L, Active); !Wrong.empty()) {
    Why += WithoutMounts + Wrong;
    return false;
  }
  warn(C, "versions run without mounts, so some originals run, too: " + Why);
  return true;
}

/// Becomes the command, with versions in place. Returns only if it cannot.
static int launch(const CommandDescription &C, const Parsed &P,
                  const std::vector<std::string> &Command) {
  auto Active = findImages(C, P, Command);
  if (!Active)
    return becomeOriginal(C, P, Command, toString(Active.takeError()));
  if (std::string Wrong = placeAll(C, *Active);
      !Wrong.empty() && !redirectInstead(C, P, *Active, Wrong))
    return becomeOriginal(C, P, Command, Wrong);
  becomeInvisible(
      llvm::any_of(Active->Images, [](const environment::Substitution &S) {
        return S.Version == Kind::Instrumented;
      }));
  return become(C, Command);
}

int graupel::runCommand(const CommandDescription &C, const Parsed &P) {
  return launch(C, P, P.Rest);
}

int graupel::shellCommand(const CommandDescription &C, const Parsed &P) {
  const char *Shell = getenv("SHELL");
  if (isatty(STDERR_FILENO))
    fputs("graupel shell: versions are in place until you leave this shell\n",
          stderr);
  return launch(C, P, {Shell && *Shell ? Shell : "/bin/sh"});
}

/// A script, or a program that cannot be instrumented, may start others that
/// can be.
static void instrumentWhatIsKnown(const CommandDescription &C, Environment &E,
                                  const Application &App) {
  ProgressLine Line("instrumenting");
  auto Made = makeVersions(E, App, Kind::Instrumented, {}, std::ref(Line));
  Line.clear();
  if (!Made) {
    llvm::consumeError(Made.takeError());
    return;
  }
  for (const MadeImage &I : *Made)
    if (I.Status == MadeImage::State::Failed)
      warn(C, I.Input.Path + ": runs as it is: " + I.Why);
}

/// Shells end a loop whose command has died of Ctrl-C. All is done, and the
/// status is the same.
static int endAsCommand(int Status, int Signal) {
  if (Signal != SIGINT)
    return Status;
  fflush(nullptr);
  signal(Signal, SIG_DFL);
  sigset_t Set;
  sigemptyset(&Set);
  sigaddset(&Set, Signal);
  sigprocmask(SIG_UNBLOCK, &Set, nullptr);
  raise(Signal);
  return Status;
}

/// Runs the command with originals, and has perf look where it is.
static int learnBySamples(const CommandDescription &C,
                          std::unique_ptr<Environment> E,
                          const Application &App, const Sampler &By,
                          const std::vector<std::string> &Command) {
  auto Result = sample(*E, App, By, Command);
  if (!Result)
    return failCommand(C, toString(Result.takeError()));
  for (const std::string &Message : Result->Warnings)
    warn(C, Message);
  if (Result->Samples == 0)
    warn(C, "no sample is of an image that can be optimized; let the command "
            "run longer, or see `graupel show " +
                App.Name + "`");
  else
    fprintf(stderr, "graupel learn: %.0f %s\n", Result->Samples,
            sentence(By.Event).data());
  E.reset();
  return endAsCommand(Result->Status, Result->Signal);
}

static bool isRegistered(Environment &E, const Application &App) {
  return llvm::any_of(applications(E.database()), [&](const Application &A) {
    return A.Id == App.Id && A.Main == App.Main;
  });
}

/// Empty if something was counted, or is going to be, or it is said already.
static std::string whyUncounted(Environment &E, const Application &App,
                                const Learned &L, int64_t Began) {
  if (L.Files || L.Busy || L.HasOthers || L.Status == 126 || L.Status == 127)
    return "";
  bool IsFit = false;
  for (const Image &I : images(E.database(), App.Id)) {
    IsFit |= I.Unfit.empty();
    // Another command may have added it meanwhile.
    for (const ProfileRow &Row : profiles(E.database(), I.Content))
      if (Row.Last >= Began)
        return "";
  }
  if (IsFit)
    return "nothing was counted: no image of " + App.Name +
           " that can be instrumented was run, or none could write its counts";
  return "nothing was counted: " + App.Name +
         " has no image that can be instrumented; `graupel show " + App.Name +
         "` says why";
}

/// The images that were counted since \p Began, and the next step; empty if
/// there are none.
static std::string whatWasLearned(Environment &E, const Application &App,
                                  int64_t Began) {
  const std::vector<Image> All = images(E.database(), App.Id);
  const auto Counted = llvm::count_if(All, [&](const Image &I) {
    const std::vector<ProfileRow> Rows = profiles(E.database(), I.Content);
    return !Rows.empty() && Rows.front().Last >= Began;
  });
  if (!Counted)
    return "";
  return "counted what ran in " + std::to_string(Counted) + " of " +
         std::to_string(All.size()) + " images of " + App.Name +
         "; next: graupel optimize " + App.Name;
}

/// Where nothing can be mounted, what is known counts all the same. Nobody
/// waits for the command: the next one of Graupel adds its counts. False if
/// that cannot be; \p Why says that, too, then.
static bool learnWithoutMounts(const CommandDescription &C, const Parsed &P,
                               std::unique_ptr<Environment> E,
                               std::string &Why) {
  if (P.has("strict"))
    return false;
  std::string Wrong = whyNothingCounts(E->locations().Spool);
  auto Active = activeImages(*E, Mode::Instrumented);
  if (!Active) {
    llvm::consumeError(Active.takeError());
    return false;
  }
  if (Wrong.empty())
    Wrong = redirectImages(E->locations(), *Active);
  if (!Wrong.empty()) {
    Why += WithoutMounts + Wrong;
    return false;
  }
  E.reset();
  warn(C, "counts without mounts, so some originals run, and what is opened by "
          "a path does not count: " +
              Why);
  becomeInvisible(/*Counts=*/true);
  passWrappers();
  return true;
}

int graupel::learnCommand(const CommandDescription &C, const Parsed &P) {
  // Fail like starting it would: nothing is registered.
  if (const int Code = substitution::whyNotStarted(P.Rest[0])) {
    failCommand(C, P.Rest[0] + ": " + strerror(Code) +
                       "; check the name and its rights");
    return Code == ENOENT ? 127 : 126;
  }
  auto fail = [&](llvm::Error Err) {
    return becomeOriginal(C, P, P.Rest, toString(std::move(Err)));
  };
  auto E = Environment::open();
  if (!E)
    return fail(E.takeError());
  collectAndWarn(C, **E);
  std::optional<Sampler> By;
  if (P.has("sample")) {
    auto Found = Sampler::find();
    if (!Found)
      return failCommand(C, toString(Found.takeError()));
    By = *Found;
  }
  auto R = registerApplication(**E, P.Rest[0], P.value("name"));
  if (!R && P.has("name"))
    return failCommand(C, toString(R.takeError()));
  if (!R)
    return fail(R.takeError());
  if (By)
    return learnBySamples(C, std::move(*E), R->App, *By, P.Rest);
  instrumentWhatIsKnown(C, **E, R->App);
  const int64_t Began = now();
  auto Result = learn(**E, R->App, P.Rest);
  if (!Result) {
    std::string Why = toString(Result.takeError());
    if (learnWithoutMounts(C, P, std::move(*E), Why))
      return become(C, P.Rest);
    return becomeOriginal(C, P, P.Rest, Why);
  }
  for (const std::string &Message : Result->Warnings)
    warn(C, Message);
  if (isRegistered(**E, R->App))
    warn(C, whyUncounted(**E, R->App, *Result, Began));
  else
    warn(C, R->App.Name + " was unregistered while the command ran; what was "
                          "counted stays, for images that are registered "
                          "again");
  if (Result->Busy)
    warn(C, "processes still count that the command has left behind, or those "
            "of another command; what they have counted is used, and the rest "
            "is added by later commands");
  // If standard error is redirected, it gets the output of the command alone.
  if (isatty(STDERR_FILENO))
    if (std::string Message = whatWasLearned(**E, R->App, Began);
        !Message.empty())
      fprintf(stderr, "graupel learn: %s\n", Message.c_str());
  E->reset();
  return endAsCommand(Result->Status, Result->Signal);
}
