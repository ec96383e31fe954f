//===- Launch/Learn.cpp - Runs a command that counts ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Put the instrumented versions of what is known in place of the originals.
// 2. Start the command, with agents in all of its processes.
// 3. Answer each agent before its process goes on: make a version of what it is
//    about to load, if that is new, and put it in place; uncover what the
//    program is going to write (seen).
// 4. When the command has ended, add what was counted to the database, and warn
//    of what should have been counted and was not.
//
//===----------------------------------------------------------------------===//

#include "Learn.h"
#include "Agents.h"
#include "Changes.h"
#include "Counters.h"
#include "Environment/Actions/Profiles.h"
#include "Environment/Images/Examine.h"
#include "Leaks.h"
#include "Place.h"
#include "Readers.h"
#include "Wait.h"
#include "Writers.h"
#include "graupel/agent.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <poll.h>
#include <set>
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel;
using namespace graupel::environment;

namespace {

class Learner {
public:
  Learner(Environment &E, const Application &A) : E(E), A(A) {}
  Expected<Learned> run(const std::vector<std::string> &Command);

private:
  bool isOurs(const std::string &Path);
  Error placeAll();
  std::string place(const environment::Substitution &S);
  Expected<pid_t> start(const std::vector<std::string> &Command,
                        SignalsLeftToCommand &Signals);
  void watch(pid_t Process);
  AgentAnswer seen(const AgentQuestion &);
  AgentAnswer programSeen(const AgentQuestion &, const Started &);
  void uncoverWritten(const Started &);
  void note(const std::string &Path);
  bool couldCount(const std::string &Path);
  void warnOfOthers();
  bool runsOurs(pid_t Process);
  Shipped takenOf(const AgentQuestion &);
  const environment::Substitution *versionFor(const std::string &Path,
                                              Shipped Taken);
  void warn(std::string Message) {
    if (!Message.empty())
      Result.Warnings.push_back(std::move(Message));
  }

  Environment &E;
  const Application &A;
  Learned Result;
  substitution::Substitution Places;
  Agents Listener;
  Changes Written; ///< Originals.
  Leaks Copies;
  bool IsShipped = false; ///< The program has no relocations.
  bool HasAgents = false;
  std::string WhyNoAgents;        ///< If it is known.
  std::set<std::string> OfOthers; ///< Programs that other users have run.
  /// By path of the original; without a value: is left alone.
  std::map<std::string, std::optional<environment::Substitution>> Known;
  std::set<std::string> OfOtherPrograms; ///< Shipped; may be ours, too.
  std::set<std::string> Noted;           ///< Noted images of the application.
  std::set<std::pair<pid_t, std::string>> StartedAgain;
};

} // namespace

/// Whether the image belongs to this application. `graupel status` shows what
/// other applications lack.
bool Learner::isOurs(const std::string &Path) {
  return any_of(images(E.database(), A.Id),
                [&](const Image &I) { return I.Path == Path; });
}

std::string Learner::place(const environment::Substitution &S) {
  Written.watch(S.Original);
  Copies.keepOriginal(S);
  return placeVersion(Places, S);
}

Error Learner::placeAll() {
  Expected<ActiveImages> Active = activeImages(E, Mode::Instrumented);
  if (!Active)
    return Active.takeError();
  if (auto Wrong = Places.begin())
    return createStringError(*Wrong);
  // Without them copies are mended at the end.
  Places.keepOriginals();
  for (const environment::Substitution &S : Active->Images) {
    const std::string Why = place(S);
    warn(Why);
    if (Why.empty())
      Known[S.Original] = S;
  }
  for (const LeftAlone &L : Active->Originals)
    if (L.IsNews && isOurs(L.Path))
      warn(L.Path + ": " + L.Why);
  return Error::success();
}

Expected<pid_t> Learner::start(const std::vector<std::string> &Command,
                               SignalsLeftToCommand &Signals) {
  HasAgents = Listener.listen();
  if (!HasAgents)
    WhyNoAgents = std::string(strerror(errno)) + "; raise the limits (ulimit)";
  fflush(nullptr);
  const pid_t Process = fork();
  if (Process < 0)
    return createStringError(std::string("cannot start a process: ") +
                             strerror(errno));
  if (Process)
    return Process;
  Signals.restore();
  becomeInvisible(/*Counts=*/true);
  passWrappers();
  if (!HasAgents || !Listener.setVariables())
    fprintf(stderr,
            "graupel learn: warning: what is loaded later does not count: %s\n",
            HasAgents ? Listener.whyNoLibrary() : WhyNoAgents.c_str());
  Places.finish();
  const int Status = substitution::become(Command);
  fprintf(stderr, "graupel learn: error: %s: %s\n", Command[0].c_str(),
          strerror(errno));
  _exit(Status);
}

/// An image that was in place already because of another application belongs
/// to this one, too.
void Learner::note(const std::string &Path) {
  std::optional<Image> I = findImage(E.database(), Path);
  if (!I)
    return;
  Transaction T(E.database());
  addToApplication(E.database(), A.Id, I->Id, "seen");
  if (Error Err = T.commit())
    warn(toString(std::move(Err)));
}

/// The version that is in place of a file, made if it is new.
const environment::Substitution *Learner::versionFor(const std::string &Path,
                                                     Shipped Taken) {
  const bool IsOursNow = Taken != Shipped::None && OfOtherPrograms.erase(Path);
  if (auto It = Known.find(Path); It != Known.end() && !IsOursNow) {
    if (Noted.insert(Path).second)
      note(Path);
    return It->second ? &*It->second : nullptr;
  }
  Noted.insert(Path);
  auto &Version = Known[Path];
  auto Made = instrumentSeenImage(E, Path, A.Id, Taken);
  if (!Made) {
    warn(toString(Made.takeError()));
    return nullptr;
  }
  if (!*Made) {
    if (Taken == Shipped::None)
      OfOtherPrograms.insert(Path);
    return nullptr;
  }
  const std::string Why = place(**Made);
  warn(Why);
  if (!Why.empty())
    return nullptr;
  Result.Seen.push_back(Path);
  Version = std::move(**Made);
  return &*Version;
}

/// Valgrind runs programs in a process that is not theirs: an agent there would
/// look into valgrind's memory, and be checked itself.
static bool interpretsPrograms(const std::string &Path) {
  const std::string Name = Path.substr(Path.rfind('/') + 1);
  return Name == "valgrind" || Name == "valgrind.bin";
}

/// Originals that \p Program is going to write are seen again until the next
/// program is them.
void Learner::uncoverWritten(const Started &Program) {
  for (const std::string &Written : writtenBy(Program))
    for (auto It = Known.begin(); It != Known.end();) {
      const auto &[Original, Version] = *It;
      if (Version && (Original == Written ||
                      StringRef(Original).starts_with(Written + "/"))) {
        Places.remove(Original);
        It = Known.erase(It);
      } else {
        ++It;
      }
    }
}

AgentAnswer Learner::seen(const AgentQuestion &Q) {
  Started Program;
  if (Q.IsProgram) {
    Program = Started::read(Q.Process);
    Copies.consider(Program);
    uncoverWritten(Program);
  }
  // Images that such a program starts or loads are originals.
  if (Places.seesOriginals(Q.Process))
    return GRAUPEL_AGENT_GO_ON;
  if (Q.IsProgram && interpretsPrograms(Q.Path))
    return GRAUPEL_AGENT_LEAVE;
  // No versions are made for programs of another user, who cannot write counts.
  if (Q.IsOthers) {
    if (Q.IsProgram)
      OfOthers.insert(Q.Path);
    return GRAUPEL_AGENT_GO_ON;
  }
  if (Q.IsProgram)
    return programSeen(Q, Program);
  versionFor(Q.Path, takenOf(Q));
  return GRAUPEL_AGENT_GO_ON;
}

static bool isVersion(const std::string &Path,
                      const environment::Substitution &Version) {
  auto Found = substitution::identityOf(Path);
  return !Found || Found->Inode == uint64_t(Version.StoreIdentity.Inode);
}

/// Whether a file lies where the parts of a program are installed: for
/// P/bin/NAME in P/lib or P/libexec, for any other beside it.
static bool isPlaceOfParts(StringRef Program, StringRef File) {
  auto isCommands = [](StringRef Folder) {
    const StringRef Name = sys::path::filename(Folder);
    return Name == "bin" || Name == "sbin";
  };
  StringRef Prefix = sys::path::parent_path(Program);
  if (isCommands(Prefix))
    Prefix = sys::path::parent_path(Prefix);
  return File.consume_front(Prefix == "/" ? "" : Prefix) &&
         File.starts_with("/lib") && !isCommands(sys::path::parent_path(File));
}

/// Whether a process runs the program that is learned, or a part of it: then
/// the libraries that it loads are the application's, as are its parts.
bool Learner::runsOurs(pid_t Process) {
  const auto Runs =
      substitution::identityOf("/proc/" + std::to_string(Process) + "/exe");
  if (!Runs)
    return false;
  if (const auto Main = substitution::identityOf(A.Main))
    if (*Runs == *Main)
      return true;
  return any_of(Known, [&](const auto &Image) {
    return Image.second &&
           Runs->Inode == uint64_t(Image.second->StoreIdentity.Inode);
  });
}

Shipped Learner::takenOf(const AgentQuestion &Q) {
  if (!IsShipped)
    return Shipped::None;
  if (!Q.IsProgram)
    return runsOurs(Q.Process) ? Shipped::Libraries : Shipped::None;
  return isPlaceOfParts(A.Main, Q.Path) && runsOurs(parentOf(Q.Process))
             ? Shipped::Programs
             : Shipped::None;
}

/// Whether a program has to start again to be the version that is in its place
/// now.
AgentAnswer Learner::programSeen(const AgentQuestion &Q,
                                 const Started &Program) {
  const Shipped Taken = takenOf(Q);
  const environment::Substitution *Version = versionFor(Q.Path, Taken);
  if (!Version) {
    if (!handlesFiles(Program))
      return GRAUPEL_AGENT_GO_ON;
    std::vector<int> Files = Places.originalsFor(Q.Process);
    return Files.empty()
               ? AgentAnswer(GRAUPEL_AGENT_GO_ON)
               : AgentAnswer(GRAUPEL_AGENT_ORIGINALS, std::move(Files));
  }
  const std::string Exe = "/proc/" + std::to_string(Q.Process) + "/exe";
  if (isVersion(Exe, *Version))
    return GRAUPEL_AGENT_GO_ON;
  // Another file with the same name has come instead.
  if (!isVersion(Q.Path, *Version)) {
    Places.remove(Q.Path);
    Known.erase(Q.Path);
    if (!versionFor(Q.Path, Taken))
      return GRAUPEL_AGENT_GO_ON;
  }
  return StartedAgain.insert({Q.Process, Q.Path}).second ? GRAUPEL_AGENT_AGAIN
                                                         : GRAUPEL_AGENT_GO_ON;
}

/// Until the command ends.
void Learner::watch(pid_t Process) {
  substitution::Descriptor Ended(int(syscall(SYS_pidfd_open, Process, 0)));
  if (!Ended || !HasAgents)
    return;
  pollfd Files[] = {{Ended.number(), POLLIN, 0},
                    {Listener.file(), POLLIN, 0},
                    {Written.file(), POLLIN, 0}};
  while (!(Files[0].revents & POLLIN)) {
    if (poll(Files, 3, -1) < 0 && errno != EINTR)
      return;
    // The written file is another image.
    if (Files[2].revents & POLLIN)
      Written.handle(Places,
                     [this](const std::string &Path) { Known.erase(Path); });
    if (Files[1].revents & POLLIN)
      Listener.answer([this](const AgentQuestion &Q) { return seen(Q); });
  }
}

/// A path in Known with a version has its instrumented version in place.
bool Learner::couldCount(const std::string &Path) {
  if (const auto It = Known.find(Path); It != Known.end())
    return It->second.has_value();
  Expected<ImageFacts> Facts = examineImage(Path);
  if (Facts)
    return !Facts->IsScript && Facts->Unfit.empty();
  consumeError(Facts.takeError());
  return false;
}

void Learner::warnOfOthers() {
  std::string Programs;
  for (const std::string &Path : OfOthers)
    if (couldCount(Path))
      Programs += (Programs.empty() ? "" : ", ") + Path;
  Result.HasOthers = !Programs.empty();
  if (Result.HasOthers)
    warn("processes of other users ran " + Programs +
         "; they cannot write to " + E.locations().Spool +
         ", so they were not counted; run the command as that user, or learn "
         "with --sample");
}

Expected<Learned> Learner::run(const std::vector<std::string> &Command) {
  Expected<int64_t> Run =
      beginRun(E, A.Id, Command, Mode::Instrumented, Method::Counters);
  if (!Run)
    return Run.takeError();
  // Afterwards another file is in its place.
  if (Expected<ImageFacts> Facts = examineImage(A.Main))
    IsShipped = Facts->IsShipped;
  else
    consumeError(Facts.takeError());
  if (Error Err = placeAll())
    return Err;
  SignalsLeftToCommand Signals;
  const auto Begin = std::chrono::steady_clock::now();
  Expected<pid_t> Process = start(Command, Signals);
  if (!Process)
    return Process.takeError();
  Signals.passOnTo(*Process);
  watch(*Process);
  Listener.stop();
  const CommandEnd End = waitForCommand(*Process);
  Signals.restore();
  const std::chrono::duration<double> Seconds =
      std::chrono::steady_clock::now() - Begin;
  Result.Status = End.Status;
  Result.Signal = End.Signal;
  // The command has run, whatever is wrong now.
  if (Error Err = endRun(E, *Run, End.Status, End.UserSeconds, Seconds.count()))
    warn(toString(std::move(Err)));
  for (std::string &Message : Copies.mend())
    warn(std::move(Message));
  warnOfOthers();
  collection::CollectResult Collected = collectCounters(E, *Run);
  Result.Files = Collected.Merged;
  Result.Busy = Collected.Busy;
  for (std::string &Problem : Collected.Problems)
    warn(std::move(Problem));
  return std::move(Result);
}

Expected<Learned>
graupel::environment::learn(Environment &E, const Application &A,
                            const std::vector<std::string> &Command) {
  return Learner(E, A).run(Command);
}
