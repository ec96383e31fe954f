//===- Manager/Reports.cpp - Reports of graupel-bolt on a version ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes and reads the reports of Reports.h:
//
// 1. Rerun::find() looks the image and its version up. It refuses versions that
//    are not optimized, and images whose file has changed since.
// 2. Rerun::writeProfile() writes the counts that the version was made by, or
//    the sum of those of now if the former were not kept.
// 3. Rerun::run() runs graupel-bolt with these counts, the version's options
//    and some more. The image that it writes is temporary; its messages go to
//    the job's log.
// 4. doReport() keeps the messages, the hot-cold report and, last, the
//    statistics. doExplain() keeps the explanation of one function, and leaves
//    the version's options out if they name hco or the stock pipeline.
// 5. keep() renames a complete file to its place.
// 6. readReport() and readExplanation() return what is there. A damaged file
//    counts as absent.
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "Environment/Actions/Sources.h"
#include "Environment/Optimizer/Optimizer.h"
#include "Environment/Process/Words.h"
#include "Environment/Store/Store.h"
#include "Environment/Store/TemporaryFile.h"
#include "Functions.h"
#include "Perform.h"
#include "Versions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "JSON/Parse.h"
#include <cstdio>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel::environment;
using namespace graupel::ui;

/// Names in the store are hexadecimal digits, so this stays in the folder.
static std::string fileOf(const Environment &E, const Version &V,
                          const Twine &End) {
  const StringRef Name =
      Store::isName(V.Store) ? StringRef(V.Store) : "no-name";
  return (E.locations().Reports + "/" + Name + End).str();
}

static std::string explanationOf(const Environment &E, const Version &V,
                                 StringRef Function) {
  return fileOf(E, V, "." + sha256(Function).substr(0, 32) + ".explained.txt");
}

static Error cannotWrite(const std::string &Path, int Code) {
  return createStringError(Path + ": cannot be written: " + strerror(Code) +
                           "; check your rights");
}

static Error makeFolder(Environment &E) {
  const std::string &Folder = E.locations().Reports;
  if (mkdir(Folder.c_str(), 0700) != 0 && errno != EEXIST)
    return cannotWrite(Folder, errno);
  return Error::success();
}

/// A job may be cancelled at any point: what is read is whole or not there.
static Error keep(TemporaryFile &File, const std::string &Path) {
  if (rename(File.Path.c_str(), Path.c_str()) != 0)
    return cannotWrite(Path, errno);
  File.Path.clear();
  return Error::success();
}

static Error keepText(Environment &E, const std::string &Text,
                      const std::string &Path) {
  auto File = TemporaryFile::in(E.store());
  if (!File)
    return File.takeError();
  if (Error Err = writeFile(File->Path, Text))
    return Err;
  return keep(*File, Path);
}

namespace {

/// Runs graupel-bolt as it ran for one version.
class Rerun {
public:
  Rerun(Environment &E, Monitor &Told) : E(E), Told(Told) {}
  Error find(const Wanted &W);
  /// Runs it with these options, too. Returns its output.
  Expected<std::string> run(std::vector<std::string> More, bool WithOptions);

  Version V;

private:
  Error writeProfile(const std::string &Path, const Optimizer &O);

  Environment &E;
  Monitor &Told;
  Image I;
};

} // namespace

Error Rerun::find(const Wanted &W) {
  auto Found = requireImage(E, W.Image);
  if (!Found)
    return Found.takeError();
  I = *Found;
  auto Requested = requireVersion(E, I, W.Version);
  if (!Requested)
    return Requested.takeError();
  V = *Requested;
  if (V.VersionKind != Kind::Optimized)
    return createStringError(I.Path + ": only optimized versions have reports");
  auto Now = hashFile(I.Path);
  if (!Now)
    return Now.takeError();
  if (Now->Content != I.Content)
    return createStringError(I.Path + ": has changed since; optimize it again");
  return makeFolder(E);
}

/// The counts of then; else all that there is now.
Error Rerun::writeProfile(const std::string &Path, const Optimizer &O) {
  const std::string Used = usedProfile(E.database(), V.Id);
  if (!Used.empty())
    return writeFile(Path, Used);
  const auto Sources = profileSources(E.database(), I);
  if (Sources.empty())
    return createStringError(I.Path + ": its counts are gone");
  Told.log("its counts were not kept; by those of now");
  auto Next = TemporaryFile::in(E.store()),
       Older = TemporaryFile::in(E.store());
  if (!Next)
    return Next.takeError();
  if (!Older)
    return Older.takeError();
  auto Sum = sumProfiles(O, Sources, {Path, Next->Path, Older->Path});
  return Sum ? Error::success() : Sum.takeError();
}

Expected<std::string> Rerun::run(std::vector<std::string> More,
                                 bool WithOptions) {
  auto O = Optimizer::find();
  if (!O)
    return O.takeError();
  auto Profile = TemporaryFile::in(E.store()),
       Output = TemporaryFile::in(E.store());
  if (!Profile)
    return Profile.takeError();
  if (!Output)
    return Output.takeError();
  if (Error Err = writeProfile(Profile->Path, *O))
    return Err;
  std::vector<std::string> All{I.Path, "-o", Output->Path,
                               "-data=" + Profile->Path};
  if (WithOptions) {
    auto Words = splitWords(V.Options);
    if (!Words)
      return Words.takeError();
    append_range(All, *Words);
  }
  append_range(All, More);
  std::string Line = "graupel-bolt";
  for (const std::string &Word : All)
    Line += " " + Word;
  Told.log(Line);
  Told.progress({0, 1, I.Path});
  auto Result = O->run(All);
  if (!Result)
    return Result.takeError();
  SmallVector<StringRef> Lines;
  StringRef(Result->Output).split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Text : Lines)
    Told.log(Text);
  if (!Result->Failure.empty())
    return createStringError(Result->Failure);
  return Result->Output;
}

Error graupel::ui::doReport(Environment &E, const Wanted &W, Monitor &Told,
                            Outcome &To) {
  Rerun A(E, Told);
  if (Error Err = A.find(W))
    return Err;
  auto Statistics = TemporaryFile::in(E.store()),
       HotCold = TemporaryFile::in(E.store());
  if (!Statistics)
    return Statistics.takeError();
  if (!HotCold)
    return HotCold.takeError();
  auto Said =
      A.run({"-spike-stats=json", "-spike-stats-file=" + Statistics->Path,
             "-hco-report=json", "-hco-report-file=" + HotCold->Path},
            /*WithOptions=*/true);
  if (!Said)
    return Said.takeError();
  if (Error Err = keepText(E, *Said, fileOf(E, A.V, ".messages.txt")))
    return Err;
  if (Error Err = keep(*HotCold, fileOf(E, A.V, ".hot-cold.json")))
    return Err;
  To.Lines.push_back("the report is with the image's versions");
  return keep(*Statistics, fileOf(E, A.V, ".statistics.json"));
}

/// The names of the profile are those that graupel-bolt knows. A comma would
/// name several functions.
Error graupel::ui::doExplain(Environment &E, const Wanted &W, Monitor &Told,
                             Outcome &To) {
  if (StringRef(W.Function).contains(','))
    return createStringError(W.Function +
                             ": a function with a comma in its name cannot be "
                             "explained");
  Rerun A(E, Told);
  if (Error Err = A.find(W))
    return Err;
  // With -hco=false there would be no explanation.
  const bool WithOptions = !StringRef(A.V.Options).contains("hco") &&
                           !StringRef(A.V.Options).contains("stock-pipeline");
  if (!WithOptions)
    To.Lines.push_back("without the version's options, which turn hot-cold "
                       "optimization off");
  // Local functions are NAME/FILE/NUMBER in profiles.
  const std::string Plain = StringRef(W.Function).split('/').first.str();
  auto Said = A.run({"-hco-explain=" + Plain}, WithOptions);
  if (!Said)
    return Said.takeError();
  return keepText(E, *Said, explanationOf(E, A.V, W.Function));
}

// --- Reading -----------------------------------------------------------------

static std::optional<std::string> contents(const std::string &Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return std::nullopt;
  return (*Buffer)->getBuffer().str();
}

Expected<json::Value> graupel::ui::readReport(Environment &E, const Image &I,
                                              StringRef Store) {
  auto V = requireVersion(E, I, Store);
  if (!V)
    return V.takeError();
  json::Object Result;
  for (auto [Name, End] : {std::pair("statistics", ".statistics.json"),
                           {"hot_cold", ".hot-cold.json"}})
    if (auto Text = contents(fileOf(E, *V, End))) {
      // A damaged one can be made again. Without hot-cold optimization there
      // is nothing in its file.
      if (auto Value = graupel::parseJSON(*Text))
        Result[Name] = std::move(*Value);
      else
        consumeError(Value.takeError());
    }
  if (auto Text = contents(fileOf(E, *V, ".messages.txt")))
    Result["messages"] = json::fixUTF8(*Text);
  return Result;
}

Expected<json::Value> graupel::ui::readExplanation(Environment &E,
                                                   const Image &I,
                                                   StringRef Store,
                                                   StringRef Function) {
  auto V = requireVersion(E, I, Store);
  if (!V)
    return V.takeError();
  json::Object Result;
  if (auto Text = contents(explanationOf(E, *V, Function)))
    Result["text"] = json::fixUTF8(*Text);
  return Result;
}
