//===- Launch/Measure.cpp - Runs a command before and after ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Measures a command with originals and with optimized versions.
//
// 1. measure asks which optimized versions are active. Without one there is
//    nothing to measure.
// 2. It runs the command once each way without measuring, so that files are
//    read from memory afterwards.
// 3. runRound runs the original, the versions and the original again, in one of
//    six orders.
// 4. Stopwatch::start forks. The child puts the versions in place, or none in a
//    namespace of the same kind; sends its clocks through a pipe; and becomes
//    the command. The parent waits and subtracts.
// 5. checkStatus compares the exit status with that of the first run. If it
//    differs with versions, explainOther runs the command both ways once more,
//    to tell whether the versions or the command itself differ.
//
//===----------------------------------------------------------------------===//

#include "Measure.h"
#include "Environment/Actions/Active.h"
#include "Environment/Substitution/Descriptor.h"
#include "Place.h"
#include "Wait.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <optional>
#include <sys/resource.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel;
using namespace graupel::environment;

namespace {

/// Report of a process just before it becomes the command.
struct Start {
  double Wall = 0, Processor = 0; ///< Seconds that were used by then.
  char Wrong[1000] = "";          ///< Or the reason why it does not.
};

/// Runs one command over and over.
class Stopwatch {
public:
  Stopwatch(const std::vector<std::string> &Command, const std::string &Folder,
            const std::vector<environment::Substitution> &Versions)
      : Command(Command), Folder(Folder), Versions(Versions) {}

  /// Once more, with the versions in place or without.
  Expected<RunTime> run(bool Optimized);
  int status() const { return *Status; }

private:
  Expected<RunTime> start(bool Optimized, int &EndStatus);
  [[noreturn]] void become(bool Optimized, bool IsFirst, int Pipe);
  Error checkStatus(bool Optimized, int Now);
  Error explainOther(bool Optimized, int Now);

  const std::vector<std::string> &Command;
  const std::string &Folder;
  const std::vector<environment::Substitution> &Versions;
  std::optional<int> Status; ///< The same for all runs.
};

} // namespace

static double wallSeconds() {
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  return double(Now.tv_sec) + double(Now.tv_nsec) * 1e-9;
}

static double processorSeconds() {
  timespec Now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Now);
  return double(Now.tv_sec) + double(Now.tv_nsec) * 1e-9;
}

/// Puts versions in place. Returns an error message, or an empty string.
static std::string placeAll(ArrayRef<environment::Substitution> Versions) {
  substitution::Substitution Places;
  if (auto Wrong = Places.begin())
    return *Wrong;
  for (const environment::Substitution &S : Versions)
    if (std::string Why = placeVersion(Places, S); !Why.empty())
      return Why;
  Places.finish();
  return "";
}

/// Errors that the command prints are seen once; nothing it reads or prints is
/// part of the time.
void Stopwatch::become(bool Optimized, bool IsFirst, int Pipe) {
  Start Begin;
  // Also for originals: the namespace is to be the same.
  std::string Wrong = placeAll(
      Optimized ? ArrayRef(Versions) : ArrayRef<environment::Substitution>());
  if (Wrong.empty() && chdir(Folder.c_str()) != 0)
    Wrong = Folder + ": " + strerror(errno) + "; measure again elsewhere";
  strncpy(Begin.Wrong, Wrong.c_str(), sizeof(Begin.Wrong) - 1);
  becomeInvisible(/*Counts=*/false);
  passWrappers();
  const int Null = open("/dev/null", O_RDWR);
  dup2(Null, STDIN_FILENO);
  dup2(Null, STDOUT_FILENO);
  if (!IsFirst)
    dup2(Null, STDERR_FILENO);
  if (Null > STDERR_FILENO)
    close(Null);
  Begin.Processor = processorSeconds();
  Begin.Wall = wallSeconds();
  if (write(Pipe, &Begin, sizeof(Begin)) != sizeof(Begin) || !Wrong.empty())
    _exit(125);
  _exit(substitution::become(Command));
}

char OtherStatus::ID;

void OtherStatus::log(raw_ostream &OS) const {
  OS << "the command ended with status " << Original
     << " and then, with optimized versions, with " << Optimized
     << "; measure a command that does the same each time";
}

Error Stopwatch::checkStatus(bool Optimized, int Now) {
  if (!Status)
    Status = Now;
  if (Now == 126 || Now == 127)
    return createStringError(Command[0] +
                             ": cannot be run; check the name and its rights");
  return *Status == Now ? Error::success() : explainOther(Optimized, Now);
}

/// Is it the versions, or does the command not do the same each time?
Error Stopwatch::explainOther(bool Optimized, int Now) {
  const int First = *Status;
  if (!Optimized)
    return createStringError(
        "the command ended with status " + std::to_string(First) +
        " and then with " + std::to_string(Now) +
        "; measure a command that does the same each time");
  for (bool Again : {false, true}) {
    int Then = 0;
    if (Expected<RunTime> Time = start(Again, Then); !Time)
      return Time.takeError();
    if ((Then == First) == Again)
      return createStringError(
          "the command ends with status " + std::to_string(First) + " or " +
          std::to_string(Now) +
          "; measure a command that does the same each time");
  }
  return make_error<OtherStatus>(First, Now);
}

Expected<RunTime> Stopwatch::run(bool Optimized) {
  int Now = 0;
  Expected<RunTime> Time = start(Optimized, Now);
  if (Time)
    if (Error Err = checkStatus(Optimized, Now))
      return std::move(Err);
  return Time;
}

Expected<RunTime> Stopwatch::start(bool Optimized, int &EndStatus) {
  int Ends[2];
  if (pipe2(Ends, O_CLOEXEC) != 0)
    return createStringError(std::string("no pipe can be made: ") +
                             strerror(errno) + "; close some programs");
  substitution::Descriptor From(Ends[0]), To(Ends[1]);
  SignalsLeftToCommand Signals;
  fflush(nullptr);
  const pid_t Process = fork();
  if (Process < 0)
    return createStringError(std::string("cannot start a process: ") +
                             strerror(errno) + "; close some programs");
  if (Process == 0) {
    Signals.restore();
    become(Optimized, !Status, To.number());
  }
  Signals.passOnTo(Process);
  To = substitution::Descriptor();
  Start Begin;
  const bool IsTold =
      read(From.number(), &Begin, sizeof(Begin)) == ssize_t(sizeof(Begin));
  const CommandEnd End = waitForCommand(Process);
  const double Wall = wallSeconds();
  if (!IsTold)
    return createStringError("a process was ended before it began; try again");
  if (*Begin.Wrong)
    return createStringError(Begin.Wrong);
  EndStatus = End.Status;
  return RunTime{Wall - Begin.Wall,
                 End.UserSeconds + End.SystemSeconds - Begin.Processor};
}

Expected<Round> graupel::environment::runRound(
    function_ref<Expected<RunTime>(bool IsOptimized)> Run, unsigned Number) {
  static const int Orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0},
                                  {0, 2, 1}, {2, 0, 1}, {1, 0, 2}};
  Round Result;
  RunTime *const Members[] = {&Result.Original, &Result.Optimized,
                              &Result.Again};
  for (int Which : Orders[Number % std::size(Orders)]) {
    Expected<RunTime> Time = Run(Members[Which] == &Result.Optimized);
    if (!Time)
      return Time.takeError();
    *Members[Which] = *Time;
  }
  return Result;
}

/// The files of the store that take the places of an application's images.
static std::vector<std::string>
storesOf(Environment &E, const Application &A,
         ArrayRef<environment::Substitution> Versions) {
  std::vector<std::string> Stores;
  for (const Image &I : images(E.database(), A.Id))
    for (const environment::Substitution &S : Versions)
      if (S.Original == I.Path)
        Stores.push_back(sys::path::filename(S.StoreFile).str());
  return Stores;
}

std::string graupel::environment::optimizedVersions(Environment &E,
                                                    const Application &A) {
  Expected<ActiveImages> Active = activeImages(E, Mode::Optimized);
  if (!Active) {
    consumeError(Active.takeError());
    return "";
  }
  auto Stores = storesOf(E, A, Active->Images);
  return Stores.empty() ? "" : versionsOf(std::move(Stores));
}

Expected<Measurement>
graupel::environment::measure(Environment &E, const Application &A,
                              const std::vector<std::string> &Command,
                              const std::string &Folder, unsigned Rounds,
                              const std::function<void(unsigned)> &Tell) {
  if (Error Err = requireOriginals(E, A))
    return Err;
  Expected<ActiveImages> Active = activeImages(E, Mode::Optimized);
  if (!Active)
    return Active.takeError();
  const auto Stores = storesOf(E, A, Active->Images);
  if (Stores.empty())
    return createStringError("there is no optimized version of " + A.Name +
                             "; `graupel optimize " + A.Name + "` makes it");
  Measurement Result;
  Result.Command = join(Command, " ");
  Result.Versions = versionsOf(Stores);
  Result.Arguments = Command;
  Result.Folder = Folder;
  Stopwatch Watch(Command, Folder, Active->Images);
  // Not measured: what is read for the first time comes from the disk.
  for (bool Optimized : {false, true})
    if (auto Time = Watch.run(Optimized); !Time)
      return Time.takeError();
  for (unsigned Number = 0; Number < Rounds; ++Number) {
    Tell(Number);
    Expected<Round> Done = runRound(
        [&](bool IsOptimized) { return Watch.run(IsOptimized); }, Number);
    if (!Done)
      return Done.takeError();
    Result.Rounds.push_back(*Done);
  }
  Result.At = now();
  Result.Status = Watch.status();
  return Result;
}
