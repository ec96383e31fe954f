//===- Numa/Report/TopologyJSON.cpp - A topology for programs -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numa/Topology/Routes.h"
#include "TopologyReport.h"
#include "llvm/Support/JSON.h"

using namespace graupel::numa;
using llvm::json::OStream;

static void writeMatrix(OStream &J, llvm::StringRef Name,
                        const std::optional<Matrix> &M, bool Measured = false) {
  if (!M)
    return;
  J.attributeArray(Name, [&] {
    for (unsigned From = 0; From < M->size(); ++From)
      J.array([&] {
        for (unsigned To = 0; To < M->size(); ++To)
          // Nothing takes no time: this was not measured.
          if (Measured && M->at(From, To) == 0)
            J.value(nullptr);
          else
            J.value(M->at(From, To));
      });
  });
}

static void writeNode(OStream &J, const Topology &T, unsigned Index) {
  const Node &N = T.Nodes[Index];
  auto Known = [&](llvm::StringRef Name, std::optional<double> Value) {
    if (Value)
      J.attribute(Name, *Value);
  };
  J.object([&] {
    J.attribute("node", N.Id);
    J.attribute("path", llvm::json::fixUTF8(N.Path));
    J.attribute("bytes", N.Bytes);
    if (N.FreeBytes)
      J.attribute("free_bytes", *N.FreeBytes);
    J.attributeArray("processors", [&] {
      for (unsigned Id : T.processorsOf(Index))
        J.value(Id);
    });
    Known("read_ns", N.Local.ReadLatency);
    Known("write_ns", N.Local.WriteLatency);
    Known("read_mb_s", N.Local.ReadBandwidth);
    Known("write_mb_s", N.Local.WriteBandwidth);
  });
}

static void writeRoutes(OStream &J, const Topology &T) {
  Routes R(T);
  J.attributeArray("routes", [&] {
    for (unsigned From = 0; From < T.vertices(); ++From)
      for (unsigned To = 0; To < T.Nodes.size(); ++To) {
        auto Way = R.between(From, To);
        if (From == To || Way.empty())
          continue;
        J.array([&] {
          for (unsigned V : Way)
            J.value(T.nameOfVertex(V));
        });
      }
  });
}

void graupel::numa::writeJSON(const Topology &T, llvm::raw_ostream &Out) {
  OStream J(Out, 1);
  J.object([&] {
    J.attribute("source", llvm::json::fixUTF8(T.Source));
    J.attributeArray("nodes", [&] {
      for (unsigned N = 0; N < T.Nodes.size(); ++N)
        writeNode(J, T, N);
    });
    J.attributeArray("processors", [&] {
      for (const Processor &P : T.Processors)
        J.object([&] {
          J.attribute("processor", P.Id);
          J.attribute("node", T.Nodes[P.Node].Id);
          J.attribute("package", P.Package);
          J.attribute("cache", P.Cache);
        });
    });
    J.attributeArray("devices", [&] {
      for (const Device &D : T.Devices)
        J.object([&] {
          J.attribute("name", llvm::json::fixUTF8(D.Name));
          J.attribute("kind", D.Kind);
          J.attribute("node", T.Nodes[D.Node].Id);
        });
    });
    J.attribute("routers", T.Routers);
    J.attributeArray("links", [&] {
      for (Link L : T.Links)
        J.array([&] {
          J.value(T.nameOfVertex(L.A));
          J.value(T.nameOfVertex(L.B));
        });
    });
    J.attribute("links_guessed", T.LinksGuessed);
    J.attribute("distances_assumed", T.DistancesAssumed);
    writeMatrix(J, "firmware", T.Firmware);
    writeMatrix(J, "steps", T.classes());
    writeMatrix(J, "latency_ns", T.Latency, true);
    writeMatrix(J, "bandwidth_mb_s", T.Bandwidth, true);
    writeRoutes(J, T);
    J.attributeArray("notes", [&] {
      for (const std::string &Gap : T.gaps())
        J.value(Gap);
    });
  });
  Out << '\n';
}
