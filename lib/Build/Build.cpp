//===- Build/Build.cpp - A build whose outputs are optimized --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. The build command runs with our program before all linkers. If it
//      fails, its status is ours, and nothing else happens.
//   2. Find the linked files. Without a training command that is all.
//   3. Put linked files back where an earlier run has replaced them.
//   4. Instrumented versions are made, several at a time, and put in place.
//   5. The training command runs. Whatever its end, what was linked is back
//      after it. Copies that it has made of instrumented versions get the
//      content of what was linked.
//   6. Outputs with counts are optimized, several at a time, and put in place.
//      An output that was linked again meanwhile is not touched.
//
// From 4 to 5, signals that would end us are held or left to the command.
//
//===----------------------------------------------------------------------===//

#include "Build.h"
#include "Command.h"
#include "Interception.h"
#include "Places.h"
#include "Rounds.h"
#include "State.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>
#include <atomic>
#include <ctime>
#include <fnmatch.h>
#include <set>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace graupel::build;
using graupel::environment::CommandEnd;
using graupel::environment::Optimizer;

/// By the clock that file systems use.
static int64_t fileTime() {
  timespec Now;
  clock_gettime(CLOCK_REALTIME_COARSE, &Now);
  return nanoseconds(Now);
}

/// Number of jobs at a time: graupel-bolt needs some thirty times the size of
/// its input in memory, and half of the memory is for others.
static size_t workersFor(int64_t LargestFile) {
  const int64_t Memory =
      int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / 2;
  const int64_t Fit = Memory / (30 * LargestFile + (256 << 20));
  const int64_t Processors =
      std::clamp<int64_t>(std::thread::hardware_concurrency(), 1, 8);
  return size_t(std::clamp<int64_t>(Fit, 1, Processors));
}

static void inParallel(size_t Count, size_t Workers,
                       const std::function<void(size_t)> &Do) {
  std::atomic<size_t> Next = 0;
  auto work = [&] {
    for (size_t I; (I = Next++) < Count;)
      Do(I);
  };
  std::vector<std::thread> Others;
  for (size_t I = 1; I < std::min(Workers, Count); ++I)
    Others.emplace_back(work);
  work();
  for (std::thread &T : Others)
    T.join();
}

namespace {

/// An output and what becomes of it.
struct Work {
  Output Original;
  Row Report;
  Version Instrumented, Optimized;
  /// It goes on.
  bool isOpen() const { return Report.State == OutputState::Prepared; }
  void end(OutputState State, std::string Why) {
    Report.State = State;
    Report.Why = std::move(Why);
  }
};

class Build {
public:
  Build(const BuildOptions &Options, Optimizer By,
        const std::function<void(const std::string &)> &Say)
      : Options(Options), By(std::move(By)), Say(Say), InPlace(Options.State) {}

  Expected<BuildResult> run();

private:
  Error putBackEarlier();
  Error find();
  bool isWanted(const std::string &Path) const;
  bool isWanted(const Output &O) const;
  void forAllOpen(const std::function<void(Work &)> &Do);
  void instrumentAll();
  Error trainInPlace();
  void cleanCopies();
  Error addLinkedInTraining();
  void optimizeAll();
  Error measure(std::vector<Replacement> Optimized);
  Error place();
  Error finish();
  size_t open() const {
    return size_t(count_if(All, [](const Work &W) { return W.isOpen(); }));
  }

  const BuildOptions &Options;
  const Optimizer By;
  const std::function<void(const std::string &)> &Say;
  std::map<std::string, std::string> Variables;
  int64_t Began = 0, TrainingBegan = 0;
  CommandEnd Training;
  Places InPlace;
  std::vector<Work> All;
  BuildResult Result;
};

} // namespace

static std::string counted(size_t Count, const char *Noun) {
  return std::to_string(Count) + " " + Noun + (Count == 1 ? "" : "s");
}

/// An earlier run that was killed while it trained.
Error Build::putBackEarlier() {
  if (Error Err = InPlace.open())
    return Err;
  if (!InPlace.anyTemporary())
    return Error::success();
  Expected<size_t> Count = InPlace.restoreTemporary();
  if (!Count)
    return Count.takeError();
  Say("an earlier run was killed while it trained; " + counted(*Count, "file") +
      " put back");
  return Error::success();
}

bool Build::isWanted(const std::string &Path) const {
  StringRef Name = Path;
  Name.consume_front(Options.Folder + "/");
  const std::string Last = Name.substr(Name.rfind('/') + 1).str();
  return Options.Only.empty() || any_of(Options.Only, [&](const auto &Pattern) {
           return fnmatch(Pattern.c_str(), Name.str().c_str(), 0) == 0 ||
                  fnmatch(Pattern.c_str(), Last.c_str(), 0) == 0;
         });
}

bool Build::isWanted(const Output &O) const {
  return any_of(O.Copies, [&](const Copy &C) {
    return any_of(C.Paths, [&](const std::string &P) { return isWanted(P); });
  });
}

Error Build::find() {
  auto Outputs = findOutputs(Options.Folder, Options.State, Began);
  if (!Outputs)
    return Outputs.takeError();
  for (Output &O : *Outputs) {
    if (!isWanted(O))
      continue;
    Work W;
    W.Report.Name = O.Name;
    W.Report.Before = O.size();
    W.Report.Note = O.Note;
    for (const Copy &C : O.Copies)
      append_range(W.Report.Paths, C.Paths);
    if (O.By && access(O.By->Output.c_str(), F_OK) != 0) {
      // It was renamed; the next run has to know it, too.
      O.By->Output = W.Report.Paths.front();
      if (Error Err = note(Options.State, *O.By))
        return Err;
    }
    if (InPlace.isOurs(W.Report.Paths.front()))
      W.end(OutputState::Optimized, "");
    else if (!O.Unfit.empty())
      W.end(OutputState::Unfit, O.Unfit);
    W.Original = std::move(O);
    All.push_back(std::move(W));
  }
  return Error::success();
}

void Build::forAllOpen(const std::function<void(Work &)> &Do) {
  int64_t Largest = 0;
  for (const Work &W : All)
    if (W.isOpen())
      Largest = std::max(Largest, W.Report.Before);
  inParallel(All.size(), workersFor(Largest), [&](size_t I) {
    if (All[I].isOpen())
      Do(All[I]);
  });
}

void Build::instrumentAll() {
  forAllOpen([&](Work &W) {
    unlink(profileOf(W.Original, Options.State).c_str());
    W.Instrumented = instrument(By, W.Original, Options.State);
    if (!W.Instrumented.Failure.empty())
      W.end(OutputState::Failed, W.Instrumented.Failure);
  });
}

/// Signals are held.
Error Build::trainInPlace() {
  std::vector<Replacement> Instrumented;
  for (const Work &W : All)
    if (W.isOpen())
      Instrumented.push_back({&W.Original, W.Instrumented.File, true});
  if (Error Err = InPlace.put(Instrumented))
    return Err;
  Training = runCommand({"sh", "-c", Options.Train}, Variables);
  Expected<size_t> Count = InPlace.restoreTemporary();
  return Count ? Error::success() : Count.takeError();
}

static bool hasSameContent(const std::string &One, const std::string &Other) {
  uint64_t Size = 0, OtherSize = 0;
  if (sys::fs::file_size(One, Size) || sys::fs::file_size(Other, OtherSize) ||
      Size != OtherSize)
    return false;
  auto Hash = graupel::environment::hashFile(One),
       OtherHash = graupel::environment::hashFile(Other);
  const bool IsSame = Hash && OtherHash && Hash->Content == OtherHash->Content;
  if (!Hash)
    consumeError(Hash.takeError());
  if (!OtherHash)
    consumeError(OtherHash.takeError());
  return IsSame;
}

/// Replaces copies of instrumented versions that `cp` or `make install` made.
void Build::cleanCopies() {
  for (const Copy &C : findImages(Options.Folder, Options.State, {})) {
    if (nanoseconds(C.Status.st_ctim) < TrainingBegan)
      continue;
    auto Source = find_if(All, [&](const Work &W) {
      return !W.Instrumented.File.empty() &&
             hasSameContent(W.Instrumented.File, C.Paths.front());
    });
    if (Source == All.end())
      continue;
    for (const std::string &Path : C.Paths)
      if (Error Err = replaceContent(Path, Source->Report.Paths.front()))
        Say("warning: " + Path +
            " is a copy that counts: " + toString(std::move(Err)));
  }
}

/// Test programs are, by some build systems, and what libtool runs.
Error Build::addLinkedInTraining() {
  auto Outputs = findOutputs(Options.Folder, Options.State, TrainingBegan);
  if (!Outputs)
    return Outputs.takeError();
  std::set<std::string> Known;
  for (const Work &W : All)
    Known.insert(W.Report.Paths.begin(), W.Report.Paths.end());
  for (const Output &O : *Outputs) {
    const std::string &Path = O.Copies.front().Paths.front();
    if (!O.By || Known.count(Path) || !isWanted(O) ||
        nanoseconds(O.Copies.front().Status.st_mtim) < TrainingBegan)
      continue;
    Work W;
    W.Report.Name = O.Name;
    W.Report.Paths = {Path};
    W.Report.Before = O.size();
    W.end(OutputState::NotRun,
          "the training command has linked it; if it matters, "
          "have the build command link it");
    All.push_back(std::move(W));
  }
  return Error::success();
}

void Build::optimizeAll() {
  forAllOpen([&](Work &W) {
    if (access(profileOf(W.Original, Options.State).c_str(), F_OK) != 0)
      return W.end(OutputState::NotRun, "the training command did not run it");
    W.Optimized = optimize(By, W.Original, Options.State, Options.Bolt);
    W.Report.Said = W.Optimized.Said;
    if (!W.Optimized.Failure.empty())
      W.end(OutputState::Failed, W.Optimized.Failure);
  });
}

/// Whether all copies are what was found. Their inodes are others where what
/// was linked had to be copied back.
static bool isAsFound(Output &O) {
  for (Copy &C : O.Copies)
    for (const std::string &Path : C.Paths) {
      struct stat Now;
      if (lstat(Path.c_str(), &Now) || Now.st_size != C.Status.st_size ||
          nanoseconds(Now.st_mtim) != nanoseconds(C.Status.st_mtim))
        return false;
      if (Now.st_ino == C.Status.st_ino && Now.st_dev == C.Status.st_dev)
        continue;
      auto Hash = graupel::environment::hashFile(Path);
      if (!Hash)
        consumeError(Hash.takeError());
      if (!Hash || Hash->Content != O.Content)
        return false;
      C.Status = Now;
    }
  return true;
}

/// Whether the work of the training command takes less time. If it ends in
/// another way with optimized files, these do not come in place.
Error Build::measure(std::vector<Replacement> Optimized) {
  Say("measuring");
  for (Replacement &R : Optimized)
    R.IsTemporary = true;
  auto Measured = measureInPlace(InPlace, Optimized, Options.Train,
                                 Training.Status, Variables);
  if (!Measured)
    return Measured.takeError();
  Result.Measured = std::move(*Measured);
  return Error::success();
}

Error Build::place() {
  std::vector<Replacement> Optimized;
  for (Work &W : All)
    if (W.isOpen() && !isAsFound(W.Original))
      W.end(OutputState::NotRun,
            "the training command has linked or changed it "
            "again; run this command once more");
    else if (W.isOpen())
      Optimized.push_back({&W.Original, W.Optimized.File, false});
  if (Options.Measure && !Optimized.empty())
    if (Error Err = measure(Optimized))
      return Err;
  SignalsHeld Held;
  if (Error Err = InPlace.put(Optimized))
    return Err;
  for (Work &W : All) {
    if (!W.isOpen())
      continue;
    struct stat Now;
    if (stat(W.Report.Paths.front().c_str(), &Now) == 0)
      W.Report.After = Now.st_size;
    W.end(OutputState::Optimized, "");
  }
  return Error::success();
}

/// All that follows the build.
Error Build::finish() {
  if (Options.Train.empty())
    return find();
  auto isTrained = [&](const std::string &Path) { return isWanted(Path); };
  if (auto Count = InPlace.restoreFiles(isTrained); !Count)
    return Count.takeError();
  if (Error Err = find())
    return Err;
  if (All.empty()) {
    Result.Status = 1;
    Result.Failure = "nothing was linked; remove what is there already, as by "
                     "`make clean`, and try again";
    return Error::success();
  }
  if (open())
    Say("instrumenting " + counted(open(), "output"));
  instrumentAll();
  if (!open()) {
    Result.Status = 1;
    Result.Failure = "nothing that was linked can be optimized, so the "
                     "training command was not run";
    return Error::success();
  }
  Say("training: " + Options.Train);
  {
    SignalsHeld Held;
    TrainingBegan = fileTime();
    if (Error Err = trainInPlace())
      return Err;
    cleanCopies();
  }
  if (Training.Status && (Training.Signal || !Options.TrainMayFail)) {
    Result.Status = 1;
    Result.Signal = Training.Signal;
    Result.Failure = "the training command ended with status " +
                     std::to_string(Training.Status) +
                     "; all is as it was linked, and nothing was optimized. If "
                     "it ends so by itself, too, add --train-may-fail";
    return Error::success();
  }
  Say("optimizing");
  optimizeAll();
  if (Error Err = place())
    return Err;
  return addLinkedInTraining();
}

Expected<BuildResult> Build::run() {
  auto Found = intercept(Options.State);
  if (!Found)
    return Found.takeError();
  Variables = std::move(*Found);
  if (Error Err = putBackEarlier())
    return std::move(Err);
  if (Error Err = forgetGone(Options.State))
    return std::move(Err);
  Began = fileTime();
  const CommandEnd End = runCommand(Options.Command, Variables);
  if (End.Status) {
    Result.Status = End.Status;
    Result.Signal = End.Signal;
    return std::move(Result);
  }
  if (Error Err = finish())
    return std::move(Err);
  for (Work &W : All) {
    if (!Result.Status && W.Report.State == OutputState::Failed)
      Result.Status = 2;
    Result.Rows.push_back(std::move(W.Report));
  }
  for (const char *Folder : {"instrumented", "optimized"})
    for (const Work &W : All)
      unlink((Options.State + "/" + Folder + "/" +
              W.Original.Content.substr(0, 16))
                 .c_str());
  return std::move(Result);
}

Expected<BuildResult>
graupel::build::build(const BuildOptions &Options,
                      const std::function<void(const std::string &)> &Say) {
  auto Lock = StateLock::take(Options.State);
  if (!Lock)
    return Lock.takeError();
  auto By = Optimizer::find();
  if (!By)
    return By.takeError();
  return Build(Options, std::move(*By), Say).run();
}

Expected<size_t> graupel::build::restoreBuild(const std::string &State) {
  if (access(State.c_str(), F_OK) != 0)
    return createStringError(State + ": there is none; run this where "
                                     "`graupel build` ran, or give --state");
  auto Lock = StateLock::take(State);
  if (!Lock)
    return Lock.takeError();
  Places InPlace(State);
  if (Error Err = InPlace.open())
    return std::move(Err);
  SignalsHeld Held;
  return InPlace.restoreAll();
}
