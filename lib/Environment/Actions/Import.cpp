//===- Actions/Import.cpp - Profiles from elsewhere -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "Actions/Profiles.h"
#include "Environment/Optimizer/Optimizer.h"
#include "Profile/ProfileFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include <unistd.h>

using namespace llvm;
using namespace graupel::environment;

static Expected<std::string> readFile(const std::string &Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError(Path + ": " + Buffer.getError().message() +
                             "; check the path and your rights");
  return (*Buffer)->getBuffer().str();
}

static Expected<Imported> importCounters(Environment &E, const Image &I,
                                         const std::string &File,
                                         StringRef Bytes) {
  Expected<Merged> Result = mergeProfile(
      E, I.Content, "import " + sha256(I.Content + sha256(Bytes)), Bytes, 0);
  if (!Result)
    return createStringError(File + ": " + toString(Result.takeError()));
  return *Result == Merged::Added    ? Imported::Added
         : *Result == Merged::Before ? Imported::Before
                                     : Imported::Nothing;
}

/// In the place of what was imported before.
static Error replaceForeign(Connection &DB, const Image &I, StringRef Bytes) {
  Transaction T(DB);
  Statement S(DB, "INSERT INTO profiles(content, plan, bytes, files, first, "
                  "last) VALUES(?,?,?,1,?,?) ON CONFLICT(content, plan) DO "
                  "UPDATE SET bytes=excluded.bytes, files=files+1, "
                  "last=excluded.last");
  (S << I.Content << ForeignPlan).bytes(Bytes);
  (S << now() << now()).run();
  return T.commit();
}

/// What graupel-bolt makes of a profile of others, as YAML; empty if it is of
/// other files.
static Expected<std::string> toYAML(Environment &E, const Image &I,
                                    const std::string &File) {
  Expected<Optimizer> O = Optimizer::find();
  if (!O)
    return O.takeError();
  Expected<std::string> YAML = E.store().temporary();
  if (!YAML)
    return YAML.takeError();
  Expected<Optimizer::Outcome> Done =
      O->run({I.Path, "-data=" + File, "-w=" + *YAML, "-o", "/dev/null"});
  Expected<std::string> Text = readFile(*YAML);
  unlink(YAML->c_str());
  if (!Done || !Text) {
    consumeError(Text.takeError());
    return Done ? createStringError(I.Path +
                                    ": graupel-bolt wrote nothing for " + File +
                                    "; please report this")
                : Done.takeError();
  }
  if (StringRef(Done->Failure).contains("names no function"))
    return "";
  if (!Done->Failure.empty())
    return createStringError(Done->Failure);
  return *Text;
}

Expected<Imported>
graupel::environment::importProfile(Environment &E, const Image &I,
                                    const std::string &File) {
  Expected<std::string> Bytes = readFile(File);
  if (!Bytes)
    return Bytes.takeError();
  if (graupel::isProfile(*Bytes))
    return importCounters(E, I, File, *Bytes);
  Expected<std::string> YAML = toYAML(E, I, File);
  if (!YAML)
    return YAML.takeError();
  // A list of functions, unless there is none.
  if (!StringRef(*YAML).contains("- name:"))
    return Imported::Nothing;
  const bool IsSamples = StringRef(*Bytes).starts_with("PERFILE2");
  if (Error Err = replaceForeign(E.database(), I, IsSamples ? *YAML : *Bytes))
    return Err;
  return Imported::Added;
}
