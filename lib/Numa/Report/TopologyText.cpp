//===- Numa/Report/TopologyText.cpp - A topology for people ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// printText prints a topology, in this order:
//
// 1. Its source, and the nodes with memory, processors and path (printNodes).
// 2. Devices and the nodes that they are near.
// 3. With several nodes: distances as firmware says or as assumed, distances in
//    steps, and links.
// 4. Latencies and bandwidths that were measured, then those of firmware
//    (printPerformance). A dash stands for what is unknown.
// 5. If wanted, the graph from the whole to its parts (printGraph), and the way
//    from each vertex to each node (printRoutes).
// 6. A note for each gap in what is known.
//
//===----------------------------------------------------------------------===//

#include "Numa/Topology/Routes.h"
#include "Numa/Topology/Text.h"
#include "TopologyReport.h"
#include <set>

using namespace graupel::numa;

static void writeNodes(const Topology &T, FILE *Out) {
  fprintf(Out, "nodes\n");
  for (unsigned N = 0; N < T.Nodes.size(); ++N) {
    const Node &At = T.Nodes[N];
    fprintf(Out, "  node %-3u %s", At.Id,
            At.Bytes ? formatBytes(At.Bytes).c_str() : "no memory known");
    if (At.FreeBytes)
      fprintf(Out, ", %s free", formatBytes(*At.FreeBytes).c_str());
    auto Processors = T.processorsOf(N);
    if (Processors.empty())
      fprintf(Out, ", no processors");
    else
      fprintf(Out, ", processors %s", formatList(Processors).c_str());
    fprintf(Out, "  %s\n", At.Path.c_str());
  }
}

/// Nothing takes no time: where it was measured, 0 is what was not.
static void writeMatrix(const Topology &T, const char *Title, const Matrix &M,
                        FILE *Out, bool Measured = false) {
  fprintf(Out, "%s\n  %6s", Title, "");
  for (const Node &To : T.Nodes)
    fprintf(Out, " %6u", To.Id);
  fprintf(Out, "\n");
  for (unsigned From = 0; From < M.size(); ++From) {
    fprintf(Out, "  %6u", T.Nodes[From].Id);
    for (unsigned To = 0; To < M.size(); ++To)
      if (Measured && M.at(From, To) == 0)
        fprintf(Out, " %6s", "-");
      else
        fprintf(Out, " %6.5g", M.at(From, To));
    fprintf(Out, "\n");
  }
}

static void writePerformance(const Topology &T, FILE *Out) {
  bool Any = false;
  for (const Node &N : T.Nodes)
    Any |= N.Local.known();
  if (!Any)
    return;
  fprintf(Out,
          "memory seen from its own processors, by firmware (HMAT)\n"
          "  %6s %12s %12s %12s %12s\n",
          "node", "read ns", "write ns", "read MB/s", "write MB/s");
  auto Cell = [Out](std::optional<double> Value) {
    if (Value)
      fprintf(Out, " %12.6g", *Value);
    else
      fprintf(Out, " %12s", "-");
  };
  for (const Node &N : T.Nodes) {
    fprintf(Out, "  %6u", N.Id);
    Cell(N.Local.ReadLatency);
    Cell(N.Local.WriteLatency);
    Cell(N.Local.ReadBandwidth);
    Cell(N.Local.WriteBandwidth);
    fprintf(Out, "\n");
  }
}

/// Edges from the whole to its parts, then those between nodes.
static void writeGraph(const Topology &T, FILE *Out) {
  fprintf(Out, "graph\n");
  std::set<std::string> Seen;
  for (unsigned N = 0; N < T.Nodes.size(); ++N) {
    const std::string &Path = T.Nodes[N].Path;
    for (size_t At = Path.find('/', 1); At != Path.npos;) {
      size_t End = Path.find('/', At + 1);
      std::string Edge = Path.substr(0, At) + " -> " + Path.substr(0, End);
      if (Seen.insert(Edge).second)
        fprintf(Out, "  %s\n", Edge.c_str());
      At = End;
    }
    std::set<unsigned> Caches;
    for (const Processor &P : T.Processors) {
      if (P.Node != N)
        continue;
      std::string Cache = Path + "/cache" + std::to_string(P.Cache);
      if (Caches.insert(P.Cache).second)
        fprintf(Out, "  %s -> %s\n", Path.c_str(), Cache.c_str());
      fprintf(Out, "  %s -> %s/cpu%u\n", Cache.c_str(), Cache.c_str(), P.Id);
    }
    for (const Device &D : T.Devices)
      if (D.Node == N)
        fprintf(Out, "  %s -> %s/%s/%s\n", Path.c_str(), Path.c_str(),
                D.Kind.c_str(), D.Name.c_str());
  }
  for (Link L : T.Links) {
    auto A = T.nameOfVertex(L.A), B = T.nameOfVertex(L.B);
    fprintf(Out, "  %s -> %s\n  %s -> %s\n", A.c_str(), B.c_str(), B.c_str(),
            A.c_str());
  }
}

static void writeRoutes(const Topology &T, FILE *Out) {
  Routes R(T);
  fprintf(Out, "routes\n");
  for (unsigned From = 0; From < T.vertices(); ++From)
    for (unsigned To = 0; To < T.Nodes.size(); ++To) {
      auto Way = R.between(From, To);
      if (From == To || Way.empty())
        continue;
      fprintf(Out, " ");
      for (unsigned V : Way)
        fprintf(Out, " %s", T.nameOfVertex(V).c_str());
      fprintf(Out, "\n");
    }
}

void graupel::numa::writeText(const Topology &T, bool WithGraph,
                              bool WithRoutes, FILE *Out) {
  fprintf(Out, "%s\n", T.Source.c_str());
  writeNodes(T, Out);
  if (!T.Devices.empty())
    fprintf(Out, "devices\n");
  for (const Device &D : T.Devices)
    fprintf(Out, "  %s %s near node %u\n", D.Kind.c_str(), D.Name.c_str(),
            T.Nodes[D.Node].Id);
  if (T.Nodes.size() > 1) {
    writeMatrix(T,
                T.DistancesAssumed ? "distance assumed (local is 10)"
                                   : "distance by firmware (local is 10)",
                *T.Firmware, Out);
    writeMatrix(T, "distance in steps", T.classes(), Out);
    fprintf(Out, "links\n ");
    for (Link L : T.Links)
      fprintf(Out, " %s-%s", T.nameOfVertex(L.A).c_str(),
              T.nameOfVertex(L.B).c_str());
    fprintf(Out, "\n");
  }
  if (T.Latency)
    writeMatrix(T, "latency measured, ns", *T.Latency, Out, true);
  if (T.Bandwidth)
    writeMatrix(T, "bandwidth measured, MB/s", *T.Bandwidth, Out, true);
  writePerformance(T, Out);
  if (WithGraph)
    writeGraph(T, Out);
  if (WithRoutes)
    writeRoutes(T, Out);
  for (const std::string &Gap : T.gaps())
    fprintf(Out, "note: %s\n", Gap.c_str());
}
