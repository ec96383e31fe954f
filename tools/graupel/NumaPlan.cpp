//===- NumaPlan.cpp - graupel numa plan ----------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Output/ReplacedFile.h"
#include "Numa/Machine/Machine.h"
#include "Numa/Report/PlanView.h"
#include "Support/Command.h"
#include <cstdio>

using namespace graupel;

int graupel::numaPlanCommand(const CommandDescription &C, const Parsed &P) {
  numa::Topology T;
  if (auto Wrong =
          numa::readMachine(P.value("topology"), P.value("measured"), T))
    return failCommand(C, *Wrong);
  numa::NumaProfile Profile;
  if (auto Wrong = numa::readProfile(P.Words[0], Profile))
    return failCommand(C, *Wrong);
  numa::Plan Plan = numa::makePlan(T, Profile.Observed, numa::capacitiesOf(T));
  numa::PlanView V{T, Profile, Plan};
  fputs((P.has("json") ? numa::jsonOf(V) : numa::wordsOf(V)).c_str(), stdout);
  output::ErrorText W;
  if (P.has("o"))
    W = output::writeText(P.value("o"),
                          numa::placementText(T, Profile.Observed, Plan));
  if (!W && P.has("html"))
    W = output::writeText(P.value("html"), numa::pageOf(V));
  return W ? failCommand(C, *W) : 0;
}
