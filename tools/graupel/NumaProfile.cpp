//===- NumaProfile.cpp - graupel numa profile ----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command `graupel numa profile`:
//
// 1. Read the options. Without -o the profile is PROGRAM.numa in this folder.
// 2. Set the environment for a record, by short bursts unless --exact is given,
//    and ask the kernel for page faults (Numa/Profile/Sampler.h).
// 3. Run the program, and look at the record every 20 ms.
// 4. Make a profile of the finished record and of what was seen. Without a
//    record the status is the program's, or 1 if that is 0.
// 5. Write the profile, and say as text or JSON what is in it. The status is
//    the program's.
//
//===----------------------------------------------------------------------===//

#include "Environment/Output/ReplacedFile.h"
#include "Environment/Process/Foreground.h"
#include "Numa/Profile/Sampler.h"
#include "Numa/Topology/Readers.h"
#include "Support/Command.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstdio>
#include <cstring>

using namespace graupel;

namespace {

struct Options {
  std::string File;
  bool Exact = false, JSON = false;
  Arguments Program;
};

uint64_t bytesOf(const numa::DataTraffic &D) {
  uint64_t Bytes = 0;
  for (const numa::PageUse &P : D.Pages)
    for (const numa::Use &U : P.By)
      Bytes += U.all();
  return Bytes;
}

void printJSON(const Options &O, const numa::NumaProfile &P, uint64_t Bytes) {
  llvm::json::OStream J(llvm::outs(), 2);
  J.object([&] {
    J.attribute("profile", O.File);
    J.attribute("exact", O.Exact);
    J.attribute("threads", P.Observed.Threads);
    J.attribute("objects", uint64_t(P.Observed.Objects.size()));
    J.attribute("phases",
                uint64_t(std::max<size_t>(P.Observed.Phases.size(), 1)));
    J.attribute("bytes", Bytes);
    J.attribute("first_touch", numa::nameOf(P.Observed.First));
    J.attribute("local_bytes", P.Was.Local);
    J.attribute("remote_bytes", P.Was.Remote);
    J.attribute("unknown_bytes", P.Was.Unknown);
  });
  llvm::outs() << '\n';
  llvm::outs().flush();
}

void printText(const Options &O, const numa::NumaProfile &P, uint64_t Bytes) {
  auto Tell = [](const std::string &Text) {
    fprintf(stderr, "graupel numa profile: %s\n", Text.c_str());
  };
  uint64_t Known = P.Was.Local + P.Was.Remote;
  char Remote[40] = "";
  if (Known)
    snprintf(Remote, sizeof(Remote), "%.1f %% of it remote, ",
             100 * double(P.Was.Remote) / double(Known));
  Tell(std::to_string(P.Observed.Threads) + " threads, " +
       std::to_string(P.Observed.Objects.size()) + " data objects, " +
       (O.Exact ? "" : "about ") + std::to_string(Bytes) +
       " bytes of traffic, " + Remote +
       (P.Observed.Phases.empty()
            ? std::string("no change of owners")
            : std::to_string(P.Observed.Phases.size()) + " phases"));
  if (P.Observed.First == numa::FirstTouch::Guessed)
    Tell("who touches pages first is a guess, since the kernel does not tell "
         "(kernel.perf_event_paranoid above 2, or a sandbox); --exact knows");
  numa::Topology Here;
  if (!numa::readSysfs("/sys", Here) && Here.Nodes.size() == 1)
    Tell("this machine has one node, so all is local here; graupel numa plan "
         "--topology=SPEC is about another machine");
  Tell("see: graupel numa plan " + O.File);
}

} // namespace

int graupel::numaProfileCommand(const CommandDescription &C, const Parsed &P) {
  Options O{P.value("o"), P.has("exact"), P.has("json"), P.Rest};
  const std::string &Name = O.Program[0];
  if (O.File.empty())
    O.File = Name.substr(Name.rfind('/') + 1) + ".numa";
  numa::Sampler S(O.Exact);
  // A burst takes some 20 microseconds, in which fast code makes 100000
  // references.
  if (std::string Wrong = S.begin("burst=32,every=524288"); !Wrong.empty())
    return failCommand(C, Wrong);
  S.watchFaults();
  environment::ForegroundEnd Child = environment::runInForeground(
      O.Program, [&](pid_t Process) { S.look(Process); },
      numa::Sampler::Milliseconds);
  if (Child.Error) {
    failCommand(C, "cannot run " + Name + ": " + strerror(Child.Error));
    return Child.Status;
  }
  numa::NumaProfile Profile;
  if (auto Wrong = S.finish(Child.Process, Profile)) {
    failCommand(C, Name + ": " + *Wrong);
    return Child.Status ? Child.Status : 1;
  }
  uint64_t Bytes = 0;
  for (const numa::DataTraffic &D : Profile.Observed.Objects)
    Bytes += bytesOf(D);
  if (output::ErrorText W =
          output::writeText(O.File, numa::profileText(Profile)))
    return failCommand(C, *W);
  if (O.JSON)
    printJSON(O, Profile, Bytes);
  else
    printText(O, Profile, Bytes);
  return Child.Status;
}
