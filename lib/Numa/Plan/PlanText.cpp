//===- Numa/Plan/PlanText.cpp - A plan as a placement file ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan.h"

using namespace graupel::numa;

static std::string placeOf(const DataTraffic &O) {
  return std::string("place ") +
         (O.Storage == DataTraffic::Global ? "global " : "heap ") + O.Place +
         " ";
}

std::string graupel::numa::placementText(const Topology &T,
                                         const Traffic &Observed,
                                         const Plan &P) {
  std::string Text = "# A plan for " + Observed.Program +
                     ", made by graupel numa "
                     "plan.\n";
  // On one node there is nothing to say; a file without statements is one.
  if (T.Nodes.size() == 1)
    return Text + "# The machine has one node.\n";
  for (const PlannedData &D : P.Data) {
    const DataTraffic &O = Observed.Objects[D.Object];
    if (O.Place.empty() ||
        (D.Placement.Policy == Choice::FirstTouch && D.Changes.empty()))
      continue;
    Text += "\n# " + O.Name + ": " + D.Why + "\n";
    Text += placeOf(O) + D.Placement.text(T) + "\n";
    for (const PlannedChange &C : D.Changes)
      Text += "at " + Observed.Phases[C.Phase].Function + " " + placeOf(O) +
              C.Placement.text(T) + "\n";
  }
  Text += "\n# Threads that share most are near each other.\n";
  for (unsigned N = 0; N < P.ThreadNodes.size(); ++N)
    Text += "run thread " + std::to_string(N) + " on node " +
            std::to_string(T.Nodes[P.ThreadNodes[N]].Id) + "\n";
  return Text;
}
