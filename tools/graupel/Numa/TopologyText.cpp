//===- Numa/TopologyText.cpp - A topology for people ----------------------===//
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

#include "Machine.h"
#include "Numa/Topology/Routes.h"
#include "Numa/Topology/Text.h"
#include <cstdio>
#include <set>

using namespace graupel::numa;

static void printNodes(const Topology &T) {
  printf("nodes\n");
  for (unsigned N = 0; N < T.Nodes.size(); ++N) {
    const Node &At = T.Nodes[N];
    printf("  node %-3u %s", At.Id,
           At.Bytes ? formatBytes(At.Bytes).c_str() : "no memory known");
    if (At.FreeBytes)
      printf(", %s free", formatBytes(*At.FreeBytes).c_str());
    auto Processors = T.processorsOf(N);
    if (Processors.empty())
      printf(", no processors");
    else
      printf(", processors %s", formatList(Processors).c_str());
    printf("  %s\n", At.Path.c_str());
  }
}

/// Nothing takes no time: where it was measured, 0 is what was not.
static void printMatrix(const Topology &T, const char *Title, const Matrix &M,
                        bool Measured = false) {
  printf("%s\n  %6s", Title, "");
  for (const Node &To : T.Nodes)
    printf(" %6u", To.Id);
  printf("\n");
  for (unsigned From = 0; From < M.size(); ++From) {
    printf("  %6u", T.Nodes[From].Id);
    for (unsigned To = 0; To < M.size(); ++To)
      if (Measured && M.at(From, To) == 0)
        printf(" %6s", "-");
      else
        printf(" %6.5g", M.at(From, To));
    printf("\n");
  }
}

static void printPerformance(const Topology &T) {
  bool Any = false;
  for (const Node &N : T.Nodes)
    Any |= N.Local.known();
  if (!Any)
    return;
  printf("memory seen from its own processors, by firmware (HMAT)\n"
         "  %6s %12s %12s %12s %12s\n",
         "node", "read ns", "write ns", "read MB/s", "write MB/s");
  auto Cell = [](std::optional<double> Value) {
    if (Value)
      printf(" %12.6g", *Value);
    else
      printf(" %12s", "-");
  };
  for (const Node &N : T.Nodes) {
    printf("  %6u", N.Id);
    Cell(N.Local.ReadLatency);
    Cell(N.Local.WriteLatency);
    Cell(N.Local.ReadBandwidth);
    Cell(N.Local.WriteBandwidth);
    printf("\n");
  }
}

/// Edges from the whole to its parts, then those between nodes.
static void printGraph(const Topology &T) {
  printf("graph\n");
  std::set<std::string> Seen;
  for (unsigned N = 0; N < T.Nodes.size(); ++N) {
    const std::string &Path = T.Nodes[N].Path;
    for (size_t At = Path.find('/', 1); At != Path.npos;) {
      size_t End = Path.find('/', At + 1);
      std::string Edge = Path.substr(0, At) + " -> " + Path.substr(0, End);
      if (Seen.insert(Edge).second)
        printf("  %s\n", Edge.c_str());
      At = End;
    }
    std::set<unsigned> Caches;
    for (const Processor &P : T.Processors) {
      if (P.Node != N)
        continue;
      std::string Cache = Path + "/cache" + std::to_string(P.Cache);
      if (Caches.insert(P.Cache).second)
        printf("  %s -> %s\n", Path.c_str(), Cache.c_str());
      printf("  %s -> %s/cpu%u\n", Cache.c_str(), Cache.c_str(), P.Id);
    }
    for (const Device &D : T.Devices)
      if (D.Node == N)
        printf("  %s -> %s/%s/%s\n", Path.c_str(), Path.c_str(), D.Kind.c_str(),
               D.Name.c_str());
  }
  for (Link L : T.Links) {
    auto A = T.nameOfVertex(L.A), B = T.nameOfVertex(L.B);
    printf("  %s -> %s\n  %s -> %s\n", A.c_str(), B.c_str(), B.c_str(),
           A.c_str());
  }
}

static void printRoutes(const Topology &T) {
  Routes R(T);
  printf("routes\n");
  for (unsigned From = 0; From < T.vertices(); ++From)
    for (unsigned To = 0; To < T.Nodes.size(); ++To) {
      auto Way = R.between(From, To);
      if (From == To || Way.empty())
        continue;
      printf(" ");
      for (unsigned V : Way)
        printf(" %s", T.nameOfVertex(V).c_str());
      printf("\n");
    }
}

void graupel::numa::printText(const Topology &T, bool WithGraph,
                              bool WithRoutes) {
  printf("%s\n", T.Source.c_str());
  printNodes(T);
  if (!T.Devices.empty())
    printf("devices\n");
  for (const Device &D : T.Devices)
    printf("  %s %s near node %u\n", D.Kind.c_str(), D.Name.c_str(),
           T.Nodes[D.Node].Id);
  if (T.Nodes.size() > 1) {
    printMatrix(T,
                T.DistancesAssumed ? "distance assumed (local is 10)"
                                   : "distance by firmware (local is 10)",
                *T.Firmware);
    printMatrix(T, "distance in steps", T.classes());
    printf("links\n ");
    for (Link L : T.Links)
      printf(" %s-%s", T.nameOfVertex(L.A).c_str(),
             T.nameOfVertex(L.B).c_str());
    printf("\n");
  }
  if (T.Latency)
    printMatrix(T, "latency measured, ns", *T.Latency, true);
  if (T.Bandwidth)
    printMatrix(T, "bandwidth measured, MB/s", *T.Bandwidth, true);
  printPerformance(T);
  if (WithGraph)
    printGraph(T);
  if (WithRoutes)
    printRoutes(T);
  for (const std::string &Gap : T.gaps())
    printf("note: %s\n", Gap.c_str());
}
