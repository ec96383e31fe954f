//===- Actions/Make.cpp - Instrumented and optimized versions -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Look at the image again; what is made is made of what is there.
// 2. With the image's lock held, take a version that is ready and sound, if
//    tool, options and profile are the same (findReady).
// 3. Otherwise run graupel-bolt into a temporary file (run), and keep the
//    result or the failure in the database (keep). If no profile is of use, try
//    once more with the last resort.
//
//===----------------------------------------------------------------------===//

#include "Make.h"
#include "Actions/Check.h"
#include "Actions/Enable.h"
#include "Actions/Profiles.h"
#include "Actions/Register.h"
#include "Actions/Sources.h"
#include "Images/BuildID.h"
#include "Images/Examine.h"
#include "Optimizer/Optimizer.h"
#include "Process/Several.h"
#include "Store/TemporaryFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "JSON/Parse.h"
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/file.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel::environment;

StringRef graupel::environment::name(MadeImage::State S) {
  static const char *const Names[] = {"made", "ready", "left alone",
                                      "no profile", "failed"};
  return Names[int(S)];
}

namespace {

/// One version at a time is made of one content; the kernel lets go of it if we
/// are killed.
class Lock {
public:
  explicit Lock(const std::string &Path)
      : File(open(Path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (File >= 0)
      while (flock(File, LOCK_EX) != 0 && errno == EINTR)
        ;
  }
  Lock(const Lock &) = delete;
  ~Lock() {
    if (File >= 0)
      close(File);
  }

private:
  int File;
};

/// Makes one version of one image.
class Maker {
public:
  Maker(Environment &E, const Optimizer &O, Kind K,
        ArrayRef<std::string> Options)
      : E(E), O(O), K(K), Options(Options) {}

  Error make(MadeImage &M, bool Retry);

private:
  bool isSound(StringRef Store);
  void adapt(StringRef Store, const struct stat &Original);
  bool findReady(MadeImage &M, bool Retry);
  std::vector<std::string> arguments(const Image &I,
                                     const TemporaryFile &Profile,
                                     const TemporaryFile &Output,
                                     const TemporaryFile &Figures);
  Error run(MadeImage &M, ArrayRef<ProfileSource> Sources);
  Error keep(MadeImage &M, const TemporaryFile &Output);

  Environment &E;
  const Optimizer &O;
  const Kind K;
  const ArrayRef<std::string> Options;
  Version Wanted;
  std::string Own; ///< The profile of the image itself.
};

} // namespace

static void setUncounted(MadeImage &M) {
  M.Status = MadeImage::State::NoProfile;
  M.Why = "nothing of it has been counted; run it with `graupel learn -- "
          "COMMAND`";
}

bool Maker::isSound(StringRef Store) {
  Expected<CheckedFile> Now = checkFile(E, Store);
  if (!Now) {
    consumeError(Now.takeError());
    return false;
  }
  if (Now->IsNews) {
    Transaction T(E.database());
    noteChecked(E.database(), Store, *Now);
    // It is sound all the same.
    consumeError(T.commit());
  }
  return true;
}

/// The original may have got other rights, or a new time.
void Maker::adapt(StringRef Store, const struct stat &Original) {
  consumeError(E.store().giveRights(Store, Original));
  if (!hasTwins(E.database(), Wanted.Content))
    consumeError(
        E.store().giveTime(Store, FileIdentity::of(Original).ModifyTime));
}

bool Maker::findReady(MadeImage &M, bool Retry) {
  for (const Version &V : versions(E.database(), Wanted.Content)) {
    if (V.VersionKind != K)
      continue;
    const bool IsSame = V.Tool == Wanted.Tool && V.Options == Wanted.Options &&
                        V.Profile == Wanted.Profile;
    if (!IsSame && K == Kind::Optimized)
      return false; // The version that was made last runs.
    if (!IsSame)
      continue;
    if (V.Store.empty()) {
      M.Status = MadeImage::State::Failed;
      M.Why = V.Failure;
      return !Retry;
    }
    struct stat Original;
    if (stat(M.Input.Path.c_str(), &Original) == 0)
      adapt(V.Store, Original);
    if (!isSound(V.Store))
      return false;
    M.Status = MadeImage::State::Ready;
    M.Result = V;
    M.Figures = results(E.database(), V.Id);
    return true;
  }
  return false;
}

/// The figures of graupel-bolt for the layout before and after, under the names
/// of our table.
static std::vector<Result> readFigures(const std::string &Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return {};
  Expected<json::Value> Root = graupel::parseJSON((*Buffer)->getBuffer());
  if (!Root) {
    consumeError(Root.takeError());
    return {};
  }
  std::vector<Result> All;
  const json::Object *Layout =
      Root->getAsObject() ? Root->getAsObject()->getObject("layout") : nullptr;
  for (StringRef When : {"before", "after"})
    if (const json::Object *Part = Layout ? Layout->getObject(When) : nullptr)
      for (StringRef Figure : {"executed_instructions", "taken_branches",
                               "lines", "pages", "windows_entered"})
        if (auto Value = Part->getNumber(Figure))
          All.push_back({(Figure + "_" + When).str(), *Value});
  return All;
}

std::vector<std::string> Maker::arguments(const Image &I,
                                          const TemporaryFile &Profile,
                                          const TemporaryFile &Output,
                                          const TemporaryFile &Figures) {
  std::vector<std::string> All{I.Path, "-o", Output.Path};
  if (K == Kind::Instrumented) {
    All.push_back("-instrument");
    All.push_back("-instrumentation-file=" + spoolFolder(E) + "/" +
                  spoolName(I.Content));
  } else {
    All.push_back("-data=" + Profile.Path);
    // Nobody looks at what takes the place of an original: what cannot be
    // compared with it stays out.
    All.push_back("-verify");
    All.push_back("-spike-stats=json");
    All.push_back("-spike-stats-file=" + Figures.Path);
  }
  append_range(All, Options);
  return All;
}

/// The command line as a user would type it; it can be split into words again.
static std::string lineOf(ArrayRef<std::string> Words) {
  std::string Line;
  for (const std::string &Word : Words) {
    const bool IsPlain = !Word.empty() && StringRef(Word).find_first_of(
                                              " \t\n'\"\\") == StringRef::npos;
    Line += (Line.empty() ? "" : " ") + (IsPlain ? Word : shellWord(Word));
  }
  return Line;
}

/// The store says where versions are: another file would be written, and looked
/// for in vain.
static Error checkOptions(ArrayRef<std::string> Options) {
  for (StringRef Option : Options) {
    const StringRef Name = Option.ltrim('-').split('=').first;
    if (Option.starts_with("-") && Name == "o")
      return createStringError(Option + ": versions are in the store; leave "
                                        "that out, and use `graupel export`");
  }
  return Error::success();
}

Error Maker::run(MadeImage &M, ArrayRef<ProfileSource> Sources) {
  TemporaryFile Profile, Next, Older, Output, Figures;
  for (TemporaryFile *File : {&Profile, &Next, &Older, &Output, &Figures}) {
    Expected<TemporaryFile> Made = TemporaryFile::in(E.store());
    if (!Made)
      return Made.takeError();
    *File = std::move(*Made);
  }
  OlderCounts Counts;
  if (!Sources.empty()) {
    auto Sum = sumProfiles(O, Sources, {Profile.Path, Next.Path, Older.Path});
    if (!Sum)
      return Sum.takeError();
    Counts = *Sum;
  }
  Expected<FileIdentity> Before = FileIdentity::of(M.Input.Path);
  if (!Before)
    return Before.takeError();
  Expected<Optimizer::Outcome> Outcome =
      O.run(arguments(M.Input, Profile, Output, Figures));
  if (!Outcome)
    return Outcome.takeError();
  // Also if the times are too young to be trusted.
  Expected<HashedFile> After = hashFile(M.Input.Path);
  if (!After)
    return After.takeError();
  if (After->Content != Wanted.Content)
    return createStringError(
        M.Input.Path +
        (originalOf(E.database(), After->Content).empty()
             ? ": changed while it was read; try again when it is ready"
             : ": another version is in its place here; leave `graupel shell` "
               "and try again"));
  Wanted.Seconds = Outcome->Seconds;
  StringRef Failure = Outcome->Failure;
  Failure.consume_front(M.Input.Path + ": ");
  Wanted.Failure = Failure.str();
  if (!Counts.HasOwn && Failure.contains("little in common")) {
    setUncounted(M);
    M.Why = "it has little in common with the builds that were counted; run "
            "it with `graupel learn -- COMMAND`";
    return Error::success();
  }
  if (Failure.contains("the profile has no counts")) {
    setUncounted(M);
    M.Why = "nothing of it that is counted has been executed";
    return Error::success();
  }
  if (!Wanted.Failure.empty() && !Outcome->IsLasting) {
    M.Status = MadeImage::State::Failed;
    M.Why = Wanted.Failure;
    return Error::success();
  }
  M.Figures = readFigures(Figures.Path);
  if (!Counts.HasOwn)
    Counts.Matched = matchedPercent(Outcome->Output);
  addResults(Counts, M.Figures);
  return keep(M, Output);
}

Error Maker::keep(MadeImage &M, const TemporaryFile &Output) {
  if (Wanted.Failure.empty()) {
    Expected<std::string> BuildID = giveOwnBuildID(Output.Path);
    if (!BuildID)
      return BuildID.takeError();
    Wanted.BuildID = *BuildID;
    struct stat Original, Made;
    if (stat(M.Input.Path.c_str(), &Original) != 0 ||
        stat(Output.Path.c_str(), &Made) != 0)
      return createStringError(M.Input.Path + ": " + strerror(errno) +
                               "; try again");
    Wanted.Size = Made.st_size;
    Expected<std::string> Name = E.store().take(Output.Path, Original);
    if (!Name)
      return Name.takeError();
    Wanted.Store = *Name;
  }
  Transaction T(E.database());
  Wanted.Id = addVersion(E.database(), Wanted);
  if (!Own.empty() && Wanted.Failure.empty())
    setUsedProfile(E.database(), Wanted.Id, Own);
  for (const Result &R : M.Figures)
    setResult(E.database(), Wanted.Id, R.Name, R.Value);
  if (Error Err = T.commit())
    return Err;
  const bool IsMade = Wanted.Failure.empty();
  M.Status = IsMade ? MadeImage::State::Made : MadeImage::State::Failed;
  M.Why = Wanted.Failure;
  if (IsMade)
    M.Result = Wanted;
  return Error::success();
}

Error Maker::make(MadeImage &M, bool Retry) {
  // Commands make programs, run them and remove them again.
  if (M.Input.Role == "seen" && access(M.Input.Path.c_str(), F_OK) != 0) {
    M.Why = "it is gone";
    return Error::success();
  }
  // A build may have replaced it: what is made is made of what is there.
  Expected<Image> Current = lookAtImage(E.database(), M.Input.Path);
  if (!Current)
    return Current.takeError();
  if (Current->Content != M.Input.Content) {
    Transaction T(E.database());
    Current->Id = putImage(E.database(), *Current);
    if (Error Err = T.commit())
      return Err;
    Current->Role = M.Input.Role;
    M.Input = *Current;
  }
  if (!M.Input.Unfit.empty()) {
    M.Why = M.Input.Unfit;
    return Error::success();
  }
  Lock Mine(E.locations().Locks + "/" + M.Input.Content);
  std::vector<ProfileSource> Sources;
  if (K == Kind::Optimized) {
    Sources = profileSources(E.database(), M.Input);
    if (Sources.empty())
      setUncounted(M);
    else if (!Sources.front().IsOlder)
      Own = Sources.front().Bytes;
  }
  if (Error Err = E.database().check())
    return Err;
  if (M.Status == MadeImage::State::NoProfile)
    return Error::success();
  Wanted = Version();
  Wanted.Content = M.Input.Content;
  Wanted.VersionKind = K;
  Wanted.Tool = O.identity();
  Wanted.Options = lineOf(Options);
  Wanted.Profile = K == Kind::Optimized ? identityOf(Sources) : "";
  if (findReady(M, Retry))
    return Error::success();
  if (Error Err = E.database().check())
    return Err;
  const std::optional<ProfileSource> Last = takeLastResort(Sources);
  if (Error Err = run(M, Sources))
    return Err;
  if (M.Status != MadeImage::State::NoProfile || !Last)
    return Error::success();
  M.Why.clear();
  Own = Last->Bytes;
  return run(M, *Last);
}

Expected<MadeImage>
graupel::environment::makeVersion(Environment &E, const Image &I, Kind K,
                                  ArrayRef<std::string> Options, bool Retry) {
  if (Error Err = checkOptions(Options))
    return Err;
  Expected<Optimizer> O = Optimizer::find();
  if (!O)
    return O.takeError();
  MadeImage Result;
  Result.Input = I;
  if (Error Err = Maker(E, *O, K, Options).make(Result, Retry))
    return Err;
  return Result;
}

/// Why nothing came of an application, by its images.
static Error nothingMade(const Application &A, Kind K,
                         ArrayRef<MadeImage> Images) {
  std::string Text = "no image of " + A.Name + " could be " + name(K).str();
  for (const MadeImage &M : Images)
    Text += "\n  " + M.Input.Path + ": " + M.Why;
  return createStringError(Text);
}

/// Memory that graupel-bolt takes for an image, in bytes. Measured with
/// libclang-cpp (63 MB): 4.9 GB to instrument all functions, 1.6 GB to optimize
/// those that ran. With libLLVM (150 MB) 7.2 and 2.5.
static uint64_t memoryFor(const Image &I, Kind K) {
  constexpr uint64_t ForAny = 100 << 20;
  const uint64_t ForEachByte = K == Kind::Instrumented ? 80 : 25;
  uint64_t Size = 0;
  if (!I.Unfit.empty() || sys::fs::file_size(I.Path, Size))
    return 0;
  return ForAny + Size * ForEachByte;
}

namespace {

/// Versions of all images of an application, several at once. A connection to
/// the database is one thread's, so that each job has its own.
class Making {
public:
  Making(Environment &E, Kind K, ArrayRef<std::string> Options,
         const ProgressFunction &Tell, std::vector<Image> All)
      : Where(E.locations()), K(K), Options(Options), Tell(Tell),
        All(std::move(All)), Result(this->All.size()) {}

  Expected<std::vector<MadeImage>> make() {
    std::vector<uint64_t> Needs;
    for (const Image &I : All)
      Needs.push_back(memoryFor(I, K));
    runSeveral(Needs, Capacity::ofMachine(),
               [this](size_t Job) { return makeOne(Job); });
    if (Wrong)
      return std::move(Wrong);
    Tell({All.size(), All.size(), ""});
    return std::move(Result);
  }

private:
  bool makeOne(size_t Job);

  const Locations &Where;
  const Kind K;
  const ArrayRef<std::string> Options;
  const ProgressFunction &Tell;
  const std::vector<Image> All;
  std::vector<MadeImage> Result; ///< In the order of All.
  std::mutex Mutex;              ///< Guards the members below, and Tell.
  size_t Done = 0;
  Error Wrong = Error::success();
};

} // namespace

/// Whether it has not failed altogether.
bool Making::makeOne(size_t Job) {
  {
    const std::lock_guard<std::mutex> Mine(Mutex);
    Tell({Done, All.size(), All[Job].Path});
  }
  auto make = [&]() -> Expected<MadeImage> {
    auto Own = Environment::open(Where, Access::ReadWrite);
    if (!Own)
      return Own.takeError();
    return makeVersion(**Own, All[Job], K, Options, /*Retry=*/true);
  };
  Expected<MadeImage> Made = make();
  const std::lock_guard<std::mutex> Mine(Mutex);
  ++Done;
  if (!Made) {
    Wrong = joinErrors(std::move(Wrong), Made.takeError());
    return false;
  }
  Result[Job] = std::move(*Made);
  return true;
}

Expected<std::vector<MadeImage>>
graupel::environment::makeVersions(Environment &E, const Application &A, Kind K,
                                   ArrayRef<std::string> Options,
                                   const ProgressFunction &Tell) {
  std::vector<Image> All = images(E.database(), A.Id);
  if (Error Err = E.database().check())
    return Err;
  auto Result = Making(E, K, Options, Tell, std::move(All)).make();
  if (Result && llvm::none_of(*Result, [](const MadeImage &M) {
        return M.Result.has_value();
      }))
    return nothingMade(A, K, *Result);
  return Result;
}

Error graupel::environment::chooseVersions(Environment &E, const Application &A,
                                           Mode M) {
  Transaction T(E.database());
  setMode(E.database(), A.Id, M);
  return T.commit();
}
