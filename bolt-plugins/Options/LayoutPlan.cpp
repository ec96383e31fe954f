//===- Options/LayoutPlan.cpp - Layout options of the user ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutPlan.h"
#include "BoltOptions.h"
#include "bolt/Utils/CommandLineOpts.h"

using namespace llvm;
using namespace graupel;

namespace {

enum class LayoutStep { Chain, Split, Place };

cl::opt<LayoutKind> Layout(
    "layout",
    cl::desc("code layout (default: graupel). Steps for which an llvm-bolt "
             "option is given are left to llvm-bolt"),
    cl::values(clEnumValN(LayoutKind::Graupel, "graupel",
                          "our best: extended-TSP chains, program-wide "
                          "splitting, cache-directed placement"),
               clEnumValN(LayoutKind::Spike, "spike",
                          "as published in 1997: greedy chains, splitting, "
                          "closest-is-best placement"),
               clEnumValN(LayoutKind::None, "none",
                          "only what llvm-bolt's own options ask for")),
    cl::init(LayoutKind::Graupel), cl::cat(opts::BoltOptCategory));

cl::bits<LayoutStep> Steps(
    "layout-steps", cl::CommaSeparated,
    cl::desc("the steps of -layout to run (default: all)"),
    cl::values(clEnumValN(LayoutStep::Chain, "chain", "order blocks"),
               clEnumValN(LayoutStep::Split, "split", "split off cold blocks"),
               clEnumValN(LayoutStep::Place, "place", "order functions")),
    cl::cat(opts::BoltOptCategory));

cl::opt<double> ColdShare(
    "cold-share",
    cl::desc("percentage of the executed instructions that splitting may make "
             "cold, 0 to 100 (default: 1 with -layout=spike, 0 with graupel)"),
    cl::init(1.0), cl::cat(opts::BoltOptCategory));

cl::opt<bool> PrintChains("print-chains",
                          cl::desc("print the block order chosen for each "
                                   "function (default: false)"),
                          cl::cat(opts::BoltOptCategory));
cl::opt<bool> PrintSplitDecisions(
    "print-split-decisions",
    cl::desc("print for each function whether it was split, and why not "
             "(default: false)"),
    cl::cat(opts::BoltOptCategory));
cl::opt<bool> PrintPlacement("print-placement",
                             cl::desc("print the chosen order of functions "
                                      "(default: false)"),
                             cl::cat(opts::BoltOptCategory));

LayoutPlan makePlan() {
  LayoutPlan Plan;
  Plan.Kind = Layout;
  Plan.PrintChains = PrintChains;
  Plan.PrintSplit = PrintSplitDecisions;
  Plan.PrintPlacement = PrintPlacement;
  const bool Everything = Steps.getNumOccurrences() == 0;
  if (ColdShare.getNumOccurrences() || Plan.Kind == LayoutKind::Spike)
    Plan.ColdShare = ColdShare / 100;
  else
    Plan.ColdShare = 0;
  const bool HasProfile = isGiven("data") || isGiven("perfdata");
  if (Plan.Kind == LayoutKind::None || opts::Instrument || !HasProfile ||
      boltFlag("stock-pipeline"))
    return Plan;
  auto ours = [&](LayoutStep Step, StringRef BoltsOption) {
    return (Everything || Steps.isSet(Step)) && !isGiven(BoltsOption);
  };
  Plan.Chain = ours(LayoutStep::Chain, "reorder-blocks");
  Plan.Split = ours(LayoutStep::Split, "split-functions");
  // A function gets its place once only.
  Plan.Place =
      ours(LayoutStep::Place, "reorder-functions") && !isGiven("stress-layout");
  return Plan;
}

LayoutPlan &thePlan() {
  static LayoutPlan Plan = makePlan();
  return Plan;
}

} // namespace

const LayoutPlan &graupel::layoutPlan() { return thePlan(); }

void graupel::keepFunctionsInPlace() {
  thePlan().Split = thePlan().Place = false;
}
