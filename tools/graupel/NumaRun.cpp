//===- NumaRun.cpp - graupel numa run -------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command `graupel numa run`:
//
// 1. Read the options, and find the program and the runtime that is to be
//    preloaded.
// 2. start(), with --placement: read the statements, look names up in the
//    program (Numa/Resolve/Resolve.h), and turn copies into interleaving if the program
//    cannot read them.
// 3. resolvedText() writes the statements anew, with addresses for names and the
//    same line numbers, for the variable GRAUPEL_NUMA_PLACEMENT. Then this
//    process becomes the program. With --json it waits for the program instead
//    and collects what the runtime says (startAndTell).
// 4. startAuto(), with --auto: an AutoPlacer gets each slice of the program's
//    traffic while it runs. The runtime is preloaded only where copies are
//    possible.
// 5. tell() writes the facts of the run as JSON, if wanted, and returns the
//    program's status.
//
//===----------------------------------------------------------------------===//

#include "Environment/Output/ReplacedFile.h"
#include "Environment/Process/Foreground.h"
#include "Environment/Process/Spawn.h"
#include "Numa/Machine/Machine.h"
#include "Numa/Profile/Sampler.h"
#include "Numa/Report/RunFacts.h"
#include "Numa/Resolve/Resolve.h"
#include "Numa/Run/Auto.h"
#include "Numa/Run/Preload.h"
#include "Numa/Topology/Text.h"
#include "Support/Command.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

using namespace graupel;

static int fail(const std::string &Message) {
  return failCommand(description("numa run"), Message);
}

/// Where execvp would find it.
static std::string findProgram(const std::string &Name) {
  if (Name.find('/') != Name.npos)
    return access(Name.c_str(), X_OK) == 0 ? Name : "";
  const char *Path = getenv("PATH");
  std::string Folders = Path ? Path : "/usr/bin:/bin";
  for (size_t At = 0; At <= Folders.size();) {
    size_t End = std::min(Folders.find(':', At), Folders.size());
    std::string File = Folders.substr(At, End - At);
    File += File.empty() ? Name : "/" + Name;
    struct stat Status;
    if (access(File.c_str(), X_OK) == 0 && stat(File.c_str(), &Status) == 0 &&
        S_ISREG(Status.st_mode))
      return File;
    At = End + 1;
  }
  return "";
}

static std::optional<std::string> environmentVariable(const std::string &Name) {
  const char *Value = getenv(Name.c_str());
  if (!Value)
    return std::nullopt;
  return Value;
}

/// Says what is wrong if the runtime cannot be loaded.
static std::optional<std::string> preload(const std::string &Runtime) {
  if (numa::preload(Runtime))
    return std::nullopt;
  return Runtime +
         ": LD_PRELOAD cannot name it, as its path has a blank or a "
         "colon, and no link to it can be made in /tmp: " +
         strerror(errno);
}

/// Copies that nobody reads would only cost.
static void spreadInsteadOfCopies(std::vector<numa::Statement> &Statements) {
  for (numa::Statement &S : Statements) {
    if (S.Rule.Kind != numa::PlacementRule::Replicate)
      continue;
    fprintf(stderr,
            "graupel numa run: warning: line %u: the program cannot read "
            "copies, so this is interleaved; compile it with "
            "graupel-numa.cfg\n",
            S.Line);
    S.Rule.Kind = numa::PlacementRule::Interleave;
    S.Text = S.Text.substr(0, S.Text.rfind("replicate")) + "interleave";
  }
}

namespace {
struct Options {
  std::string Placement, JSONFile;
  bool Report = false, Auto = false, JSON = false;
  std::string Program, Runtime; ///< Where they are.
  Arguments Words;              ///< The program's, its name first.
};
} // namespace

static int tell(const Options &O, numa::RunFacts F,
                const environment::ForegroundEnd &Child) {
  F.Program = O.Program;
  F.Status = Child.Status;
  F.Signal = Child.Signal;
  if (!O.JSON)
    return Child.Status;
  const std::string Text = numa::jsonOf(F);
  if (O.JSONFile.empty())
    fputs(Text.c_str(), stderr);
  else if (output::ErrorText W = output::writeText(O.JSONFile, Text))
    return fail(*W);
  return Child.Status;
}

/// Waits for the program, whose runtime says what has become of the placement.
static int startAndTell(const Options &O) {
  numa::Topology T;
  if (auto Wrong = numa::readMachine("", "", T))
    return fail(*Wrong);
  // It counts traffic if it was compiled for that.
  numa::Sampler S(/*Exact=*/false);
  if (std::string Wrong = S.begin(); !Wrong.empty())
    return fail(Wrong);
  const std::string Folder = S.fileFor("");
  setenv("GRAUPEL_NUMA_JSON", Folder.c_str(), 1);
  environment::ForegroundEnd Child = environment::runInForeground(O.Words);
  if (Child.Error)
    return fail(O.Program + ": cannot be started: " + strerror(Child.Error));
  numa::NumaProfile P;
  numa::RunFacts F;
  F.Nodes = T.Nodes.size();
  F.Placement = O.Placement;
  F.Statements =
      numa::readFile(Folder + std::to_string(Child.Process) + ".json");
  if (!S.finish(Child.Process, P))
    F.Traffic = &P;
  return tell(O, F, Child);
}

static int start(const Options &O) {
  auto Text = numa::readFile(O.Placement);
  if (!Text)
    return fail(O.Placement + ": cannot be read");
  std::vector<numa::Statement> Statements;
  if (auto Wrong = numa::readStatements(*Text, environmentVariable, Statements))
    return fail(O.Placement + ": " + *Wrong);
  if (auto Wrong = numa::resolvePlaces(O.Program, Statements))
    return fail(O.Placement + ": " + *Wrong);
  if (!numa::readsCopies(O.Program))
    spreadInsteadOfCopies(Statements);
  std::string Placement = numa::resolvedText(Statements);
  // The longest variable that Linux passes on.
  if (Placement.size() > 120000)
    return fail(O.Placement + ": is too long for the environment of a program; "
                              "name functions instead of lines");
  if (auto Wrong = preload(O.Runtime))
    return fail(*Wrong);
  setenv("GRAUPEL_NUMA_PLACEMENT", Placement.c_str(), 1);
  if (O.Report)
    setenv("GRAUPEL_NUMA_REPORT", "1", 1);
  if (O.JSON)
    return startAndTell(O);
  execv(O.Program.c_str(), environment::argumentsOf(O.Words).data());
  return fail(O.Program + ": cannot be started: " + strerror(errno));
}

static void reportAuto(const numa::AutoCounts &C, const numa::NumaProfile &P) {
  uint64_t Known = P.Was.Local + P.Was.Remote;
  fprintf(stderr,
          "graupel numa run: %llu looks, %u phases, %u of them again, %llu "
          "threads placed, %llu pages moved, %llu could not be, %llu ranges "
          "copied; %.1f %% of the traffic was remote\n",
          static_cast<unsigned long long>(C.Looks), C.Pages.Phases,
          C.Pages.Again, static_cast<unsigned long long>(C.Threads),
          static_cast<unsigned long long>(C.Moved),
          static_cast<unsigned long long>(C.Failed),
          static_cast<unsigned long long>(C.CopiedRanges),
          Known ? 100 * double(P.Was.Remote) / double(Known) : 0);
}

/// Plans while the program runs.
static int startAuto(const Options &O) {
  numa::Topology T;
  if (auto Wrong = numa::readMachine("", "", T))
    return fail(*Wrong);
  numa::Sampler S(/*Exact=*/false);
  if (std::string Wrong = S.begin(); !Wrong.empty())
    return fail(Wrong);
  std::string Commands;
  if (numa::readsCopies(O.Program) && T.Nodes.size() > 1) {
    Commands = S.fileFor("copies");
    setenv("GRAUPEL_NUMA_AUTO", Commands.c_str(), 1);
    if (auto Wrong = preload(O.Runtime))
      return fail(*Wrong);
  }
  numa::AutoPlacer Placer(T, Commands);
  S.Listener = [&](const numa::Slice &Now, const numa::LiveRecord &Record,
                   pid_t Process) {
    if (T.Nodes.size() > 1)
      Placer.add(Now, Record, Process);
  };
  environment::ForegroundEnd Child = environment::runInForeground(
      O.Words, [&](pid_t Process) { S.lookAndTell(Process); },
      numa::Sampler::LeastMilliseconds);
  if (Child.Error)
    return fail(O.Program + ": cannot be started: " + strerror(Child.Error));
  numa::NumaProfile P;
  numa::RunFacts F;
  F.Nodes = T.Nodes.size();
  F.Auto = &Placer;
  F.Machine = &T;
  if (auto Wrong = S.finish(Child.Process, P))
    fprintf(stderr, "graupel numa run: warning: %s %s\n", O.Program.c_str(),
            Wrong->c_str());
  else
    F.Traffic = &P;
  if (O.Report && F.Traffic && T.Nodes.size() == 1)
    fprintf(stderr, "graupel numa run: the machine has one node: there was "
                    "nothing to move\n");
  else if (O.Report && F.Traffic)
    reportAuto(Placer.counts(), P);
  return tell(O, F, Child);
}

int graupel::numaRunCommand(const CommandDescription &, const Parsed &P) {
  Options O;
  O.Placement = P.value("placement");
  O.JSONFile = P.value("json");
  O.Report = P.has("report");
  O.Auto = P.has("auto");
  O.JSON = P.has("json");
  O.Words = P.Rest;
  if (O.Placement.empty() && !O.Auto)
    return fail("the placement is missing; say --placement=FILE");
  if (!O.Placement.empty() && O.Auto)
    return fail("--auto finds out itself what goes where; leave --placement "
                "out");
  O.Program = findProgram(O.Words[0]);
  O.Runtime = numa::findRuntime();
  if (O.Program.empty())
    return fail("there is no program `" + O.Words[0] + "`");
  if (O.Runtime.empty())
    return fail("libgraupel_numa_run.so is not beside this command; install "
                "Graupel again");
  return O.Auto ? startAuto(O) : start(O);
}
