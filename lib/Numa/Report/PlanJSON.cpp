//===- Numa/Report/PlanJSON.cpp - A plan for programs ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanView.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace graupel::numa;
using namespace llvm;

static void writeData(json::OStream &J, const PlanView &V,
                      const PlannedData &D) {
  const DataTraffic &O = V.Profile.Observed.Objects[D.Object];
  J.attribute("object", json::fixUTF8(O.Name));
  J.attribute("place", json::fixUTF8(O.Place));
  J.attribute("how", D.Placement.text(V.T));
  J.attribute("bytes", D.Bytes);
  J.attribute("remote_bytes_before", D.RemoteBefore);
  J.attribute("remote_bytes_after", D.RemoteAfter);
  J.attribute("why", D.Why);
  J.attributeArray("why_not", [&] {
    for (const std::string &Not : D.WhyNot)
      J.value(json::fixUTF8(Not));
  });
  J.attributeArray("changes", [&] {
    for (const PlannedChange &C : D.Changes)
      J.object([&] {
        const PhaseTraffic &Phase = V.Profile.Observed.Phases[C.Phase];
        J.attribute("at", json::fixUTF8(Phase.Function));
        J.attribute("after_ms", Phase.Begin);
        J.attribute("how", C.Placement.text(V.T));
      });
  });
}

std::string graupel::numa::jsonOf(const PlanView &V) {
  std::string Text;
  raw_string_ostream OS(Text);
  json::OStream J(OS, 2);
  J.object([&] {
    J.attribute("version", 1);
    J.attribute("program", json::fixUTF8(V.Profile.Observed.Program));
    J.attribute("machine", json::fixUTF8(V.T.Source));
    J.attribute("bytes", V.P.Bytes);
    J.attribute("remote_bytes_before", V.P.Before.Remote);
    J.attribute("remote_bytes_after", V.P.After.Remote);
    J.attributeArray("nodes", [&] {
      for (size_t N = 0; N < V.T.Nodes.size(); ++N)
        J.object([&] {
          J.attribute("node", V.T.Nodes[N].Id);
          J.attribute("served_before", V.P.Before.Served[N]);
          J.attribute("served_after", V.P.After.Served[N]);
          J.attribute("most_served", V.P.Limits[N]);
          J.attribute("held_after", V.P.After.Held[N]);
        });
    });
    J.attributeArray("threads", [&] {
      for (unsigned Node : V.P.ThreadNodes)
        J.value(V.T.Nodes[Node].Id);
    });
    J.attributeArray("objects", [&] {
      for (const PlannedData &D : V.P.Data)
        J.object([&] { writeData(J, V, D); });
    });
    J.attributeArray("notes", [&] {
      for (const std::string &Note : V.P.Notes)
        J.value(Note);
      for (const std::string &Gap : V.T.gaps())
        J.value(Gap);
    });
  });
  return Text + "\n";
}
