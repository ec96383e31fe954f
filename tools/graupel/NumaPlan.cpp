//===- NumaPlan.cpp - graupel numa plan ----------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Output/ReplacedFile.h"
#include "Numa/Machine.h"
#include "Numa/PlanView.h"
#include "Support/Command.h"
#include <cerrno>
#include <cstdio>
#include <cstring>

using namespace graupel;

static const char Usage[] =
    R"(usage: graupel numa plan [OPTIONS] PROFILE

Says where the pages and threads of a program should be, from a profile that
`graupel numa profile` wrote: for each datum what to do and why, and why not
something else. No node is to serve more than its share and a quarter; then
distance counts.

options:
  -o FILE                  writes the plan as a placement file, for
                           graupel numa run --placement=FILE -- PROGRAM
  --html=FILE              the plan as a picture, for a browser
  --json                   for programs; the schema is in docs/numa.md
  --measured=FILE          distances that were measured (docs/numa.md)
)";

namespace {

struct Options {
  std::string Profile, Placement, Page, Machine, Measured;
  bool JSON = false;
};

int fail(const std::string &What) {
  fprintf(stderr, "graupel numa plan: error: %s\n", What.c_str());
  return 1;
}

std::string read(const Arguments &A, Options &O) {
  for (size_t N = 0; N < A.size(); ++N) {
    const std::string &Arg = A[N];
    auto Value = [&](const char *Name, std::string &To) {
      size_t Length = strlen(Name);
      if (!Arg.starts_with(Name) || Arg.size() == Length)
        return false;
      To = Arg.substr(Length);
      return true;
    };
    if (Arg == "--json")
      O.JSON = true;
    else if (Arg == "-o" && N + 1 < A.size() && !A[N + 1].empty())
      O.Placement = A[++N];
    else if (Arg == "-o")
      return "-o has no value; give a file";
    else if (Value("--html=", O.Page) || Value("--topology=", O.Machine) ||
             Value("--measured=", O.Measured))
      continue;
    else if (Arg.starts_with('-'))
      return "there is no option `" + Arg +
             "`; `graupel numa plan --help` lists them";
    else if (O.Profile.empty())
      O.Profile = Arg;
    else
      return "there are two profiles; name one";
  }
  if (O.Profile.empty())
    return "the profile is missing; name what `graupel numa profile` wrote";
  return "";
}

/// 0, or an exit status and what is wrong has been said.
int write(const std::string &Path, const std::string &Text) {
  const output::Wrong W = output::writeText(Path, Text);
  return W ? fail(*W) : 0;
}

} // namespace

int graupel::numaPlanCommand(const Arguments &A) {
  for (const std::string &Arg : A)
    if (Arg == "--help" || Arg == "-h") {
      printf("%s%s  --help                   this text\n", Usage,
             numa::MachineHelp);
      return 0;
    }
  Options O;
  if (std::string Wrong = read(A, O); !Wrong.empty())
    return fail(Wrong);
  numa::Topology T;
  if (auto Wrong = numa::readMachine(O.Machine, T))
    return fail(*Wrong);
  if (!O.Measured.empty())
    if (auto Wrong = numa::readMeasured(O.Measured, T))
      return fail(*Wrong);
  numa::NumaProfile Profile;
  if (auto Wrong = numa::readProfile(O.Profile, Profile))
    return fail(*Wrong);
  numa::Plan P = numa::makePlan(T, Profile.Of, numa::capacitiesOf(T));
  numa::PlanView V{T, Profile, P};
  fputs((O.JSON ? numa::jsonOf(V) : numa::wordsOf(V)).c_str(), stdout);
  if (!O.Placement.empty())
    if (int Status = write(O.Placement, numa::placementText(T, Profile.Of, P)))
      return Status;
  return O.Page.empty() ? 0 : write(O.Page, numa::pageOf(V));
}
