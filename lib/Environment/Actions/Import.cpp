//===- Actions/Import.cpp - Profiles from elsewhere -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "Actions/Profiles.h"
#include "Environment/Optimizer/Optimizer.h"
#include "Environment/Store/TemporaryFile.h"
#include "Profile/ProfileFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace graupel::environment;

static Expected<std::string> readFile(const std::string &Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError(Path + ": " + Buffer.getError().message() +
                             "; check the path and your rights");
  return (*Buffer)->getBuffer().str();
}

static Expected<Imported> outcome(Expected<Merged> Result) {
  if (!Result)
    return Result.takeError();
  return *Result == Merged::Added    ? Imported::Added
         : *Result == Merged::Before ? Imported::Before
                                     : Imported::Nothing;
}

static Expected<Imported> importCounters(Environment &E, const Image &I,
                                         const std::string &File,
                                         StringRef Bytes) {
  Expected<Imported> Result = outcome(mergeProfile(
      E, I.Content, "import " + sha256(I.Content + sha256(Bytes)), Bytes, 0));
  if (!Result)
    return createStringError(File + ": " + toString(Result.takeError()));
  return Result;
}

/// In the place of what was imported before.
static Error replaceForeign(Connection &DB, const Image &I, StringRef Bytes) {
  Transaction T(DB);
  Statement S(DB, "INSERT INTO profiles(content, plan, method, bytes, files, "
                  "first, last, aged) VALUES(?,?,?,?,1,?,?,?) ON "
                  "CONFLICT(content, plan) DO UPDATE SET bytes=excluded.bytes, "
                  "files=files+1, last=excluded.last, aged=excluded.aged");
  (S << I.Content << ForeignPlan << name(Method::Imported)).bytes(Bytes);
  (S << now() << now() << now()).run();
  return T.commit();
}

/// Has graupel-bolt read a profile of others for an image and write what it
/// made of it. Nothing if it is of other files.
static Expected<std::optional<std::string>>
rewrite(Environment &E, const Image &I, const std::string &File,
        const std::function<std::vector<std::string>(std::string)> &Outputs) {
  Expected<Optimizer> O = Optimizer::find();
  if (!O)
    return O.takeError();
  Expected<TemporaryFile> Output = TemporaryFile::in(E.store());
  if (!Output)
    return Output.takeError();
  std::vector<std::string> Arguments = {I.Path, "-data=" + File};
  append_range(Arguments, Outputs(Output->Path));
  Expected<Optimizer::Outcome> Done = O->run(Arguments);
  if (!Done)
    return Done.takeError();
  const StringRef Failure = Done->Failure;
  for (const char *OfOthers : {"names no function", "failed to match build-id",
                               "could not find a profile matching binary"})
    if (Failure.contains(OfOthers))
      return std::nullopt;
  if (!Failure.empty())
    return createStringError(Failure);
  Expected<std::string> Text = readFile(Output->Path);
  if (!Text)
    return Text.takeError();
  return *Text;
}

Expected<Samples> graupel::environment::readSamples(Environment &E,
                                                    const Image &I,
                                                    const std::string &File) {
  auto Fdata = rewrite(E, I, File, [](std::string Output) {
    return std::vector<std::string>{"-aggregate-only", "-o", Output};
  });
  if (!Fdata)
    return Fdata.takeError();
  return Samples(*Fdata ? **Fdata : "");
}

static Expected<Imported> importSamples(Environment &E, const Image &I,
                                        const std::string &File) {
  Expected<HashedFile> Hashed = hashFile(File);
  if (!Hashed)
    return Hashed.takeError();
  Expected<Samples> S = readSamples(E, I, File);
  if (!S)
    return S.takeError();
  return outcome(mergeSamples(
      E, I.Content, "import " + sha256(I.Content + Hashed->Content), *S, 0));
}

/// Whether it is perf's, by its first bytes: such a file may be large.
static bool isPerfData(const std::string &File) {
  auto Buffer = MemoryBuffer::getFileSlice(File, 8, 0);
  return Buffer && (*Buffer)->getBuffer() == "PERFILE2";
}

Expected<Imported>
graupel::environment::importProfile(Environment &E, const Image &I,
                                    const std::string &File) {
  if (isPerfData(File))
    return importSamples(E, I, File);
  Expected<std::string> Bytes = readFile(File);
  if (!Bytes)
    return Bytes.takeError();
  if (graupel::isProfile(*Bytes))
    return importCounters(E, I, File, *Bytes);
  auto YAML = rewrite(E, I, File, [](std::string Output) {
    return std::vector<std::string>{"-w=" + Output, "-o", "/dev/null"};
  });
  if (!YAML)
    return YAML.takeError();
  // A list of functions, unless there is none.
  if (!*YAML || !StringRef(**YAML).contains("- name:"))
    return Imported::Nothing;
  if (Error Err = replaceForeign(E.database(), I, *Bytes))
    return Err;
  return Imported::Added;
}
