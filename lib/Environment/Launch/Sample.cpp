//===- Launch/Sample.cpp - Runs a command that is sampled -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a command under perf, and adds its samples to the database.
//
// 1. Recorder::run makes sure that originals are in place, makes a file for
//    perf's data and begins a run in the database.
// 2. record forks. The child becomes perf with the command; the parent passes
//    signals on and waits. The run is ended in the database. Errors from here
//    on are warnings: the status is that of the command.
// 3. sampledFiles asks perf for the files that have samples, with their
//    build-ids.
// 4. take looks at each file. A file that has changed since the command began
//    is left out with a warning. Others are entered as images of the
//    application.
// 5. If the image can be optimized, take reads its samples and merges them. It
//    warns if the image has better counts, which are used instead.
//
//===----------------------------------------------------------------------===//

#include "Sample.h"
#include "Environment/Actions/Active.h"
#include "Environment/Actions/Import.h"
#include "Environment/Actions/Profiles.h"
#include "Environment/Actions/Register.h"
#include "Environment/Actions/Sources.h"
#include "Environment/Process/Child.h"
#include "Environment/Store/TemporaryFile.h"
#include "Environment/Substitution/Substitution.h"
#include "Place.h"
#include "Wait.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <unistd.h>

using namespace llvm;
using namespace graupel;
using namespace graupel::environment;

namespace {

/// A file of which perf has samples.
struct SampledFile {
  std::string Path;
  std::string BuildID; ///< In hexadecimal, or empty.
};

class Recorder {
public:
  Recorder(Environment &E, const Application &A, const Sampler &By)
      : E(E), A(A), By(By) {}
  Expected<SampledRun> run(const std::vector<std::string> &Command);

private:
  Expected<double> record(const std::vector<std::string> &Command);
  Expected<std::vector<SampledFile>> sampledFiles();
  Error takeAll();
  Error take(const SampledFile &File);
  void warn(std::string Message) {
    Result.Warnings.push_back(std::move(Message));
  }

  Environment &E;
  const Application &A;
  const Sampler &By;
  TemporaryFile Data;
  int64_t Run = 0, Began = 0; ///< Nanoseconds since 1970.
  CommandEnd End;
  SampledRun Result;
};

} // namespace

static int64_t nanoseconds() {
  timespec Now;
  clock_gettime(CLOCK_REALTIME, &Now);
  return int64_t(Now.tv_sec) * 1000000000 + Now.tv_nsec;
}

/// Seconds from the command's start to its end.
Expected<double> Recorder::record(const std::vector<std::string> &Command) {
  SignalsLeftToCommand Signals;
  Began = nanoseconds();
  const auto Begin = std::chrono::steady_clock::now();
  fflush(nullptr);
  const pid_t Process = fork();
  if (Process < 0)
    return createStringError(std::string("cannot start a process: ") +
                             strerror(errno) + "; close some programs");
  if (Process == 0) {
    Signals.restore();
    becomeInvisible(/*Counts=*/false);
    passWrappers();
    _exit(substitution::become(By.command(Data.Path, Command)));
  }
  Signals.passOnTo(Process);
  End = waitForCommand(Process);
  const std::chrono::duration<double> Seconds =
      std::chrono::steady_clock::now() - Begin;
  return Seconds.count();
}

/// "BUILDID PATH", or without a build-id "PATH" behind blanks.
Expected<std::vector<SampledFile>> Recorder::sampledFiles() {
  Expected<ChildOutcome> Listed =
      runChild({By.Perf, "buildid-list", "-H", "-i", Data.Path});
  if (!Listed)
    return Listed.takeError();
  if (Listed->Status)
    return createStringError("perf cannot read what it has recorded: " +
                             StringRef(Listed->Output).trim().str() +
                             "; try again");
  std::vector<SampledFile> Files;
  SmallVector<StringRef> Lines;
  StringRef(Listed->Output).split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines) {
    const auto [BuildID, Path] = Line.split(' ');
    if (Path.trim().starts_with("/"))
      Files.push_back({Path.trim().str(), BuildID.str()});
  }
  return Files;
}

/// Adds the samples of all files.
Error Recorder::takeAll() {
  uint64_t Size = 0;
  if (sys::fs::file_size(Data.Path, Size) || !Size)
    return createStringError("perf recorded nothing (status " +
                             std::to_string(End.Status) +
                             "); it says why, or `graupel doctor` does");
  Expected<std::vector<SampledFile>> Files = sampledFiles();
  if (!Files)
    return Files.takeError();
  for (const SampledFile &File : *Files)
    if (Error Err = take(File))
      warn(toString(std::move(Err)));
  return Error::success();
}

/// Adds the samples of one file.
Error Recorder::take(const SampledFile &File) {
  SmallString<256> Real;
  if (sys::fs::real_path(File.Path, Real) || !sys::fs::is_regular_file(Real))
    return Error::success(); // Gone, or never a file.
  Expected<Image> I = lookAtImage(E.database(), std::string(Real));
  if (!I)
    return I.takeError();
  Expected<FileIdentity> Now = FileIdentity::of(I->Path);
  if (!Now)
    return Now.takeError();
  const bool IsOther = !File.BuildID.empty() && !I->BuildID.empty() &&
                       !StringRef(File.BuildID).starts_with(I->BuildID);
  if (IsOther || Now->ChangeTime >= Began) {
    warn(I->Path + ": changed while the command ran; its samples are left out");
    return Error::success();
  }
  {
    Transaction T(E.database());
    I->Id = putImage(E.database(), *I);
    addToApplication(E.database(), A.Id, I->Id, "seen");
    if (Error Err = T.commit())
      return Err;
  }
  if (!I->Unfit.empty())
    return Error::success();
  Expected<Samples> Taken = readSamples(E, *I, Data.Path);
  if (!Taken)
    return Taken.takeError();
  auto Merged = mergeSamples(E, I->Content,
                             "run " + std::to_string(Run) + " " + I->Content,
                             *Taken, Run);
  if (!Merged)
    return Merged.takeError();
  Result.Samples += Taken->total();
  const auto Best = bestProfile(profiles(E.database(), I->Content));
  if (Best && (Best->ProfileMethod == Method::Counters ||
               Best->ProfileMethod == Method::Imported))
    warn(I->Path +
         ": its samples are kept, but not used: this build has been " +
         (Best->ProfileMethod == Method::Counters ? "counted exactly"
                                                  : "imported"));
  return Error::success();
}

Expected<SampledRun> Recorder::run(const std::vector<std::string> &Command) {
  if (Error Err = requireOriginals(E, A))
    return Err;
  Expected<TemporaryFile> File = TemporaryFile::in(E.store());
  if (!File)
    return File.takeError();
  Data = std::move(*File);
  Expected<int64_t> Id =
      beginRun(E, A.Id, Command, Mode::Original,
               By.Event == SampledEvent::Branches ? Method::BranchSamples
                                                  : Method::Samples);
  if (!Id)
    return Id.takeError();
  Run = *Id;
  Expected<double> Seconds = record(Command);
  if (!Seconds)
    return Seconds.takeError();
  Result.Status = End.Status;
  Result.Signal = End.Signal;
  // The command has run, whatever is wrong now.
  if (Error Err = endRun(E, Run, End.Status, End.UserSeconds, *Seconds))
    warn(toString(std::move(Err)));
  if (Error Err = takeAll())
    warn(toString(std::move(Err)));
  return std::move(Result);
}

Expected<SampledRun>
graupel::environment::sample(Environment &E, const Application &A,
                             const Sampler &By,
                             const std::vector<std::string> &Command) {
  return Recorder(E, A, By).run(Command);
}
