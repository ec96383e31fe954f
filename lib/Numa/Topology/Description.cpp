//===- Numa/Topology/Description.cpp - Machines described by hand ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a machine that is described by hand:
//
//  node N [memory BYTES] [processors LIST] [latency NS] [bandwidth MB/S]
//  router N
//  link A B               A, B: node0, router0
//  distance A B VALUE     from node A to node B; both ways unless both are said
//  route A V ... B        instead of the shortest way, in this direction
//
// 1. lines reads nodes and routers in a first pass, so that statements may come
//    in any order.
// 2. read orders the nodes by their numbers, and their processors with them.
// 3. lines reads links, distances and routes in a second pass. The links of a
//    route must come before it.
// 4. finishDistances fills in the distances that were said one way only, and a
//    usual value for those that were not said.
// 5. Topology::complete checks the result and derives the rest.
//
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "Text.h"
#include <algorithm>
#include <functional>
#include <map>

using namespace graupel::numa;

namespace {
using Words = std::vector<std::string_view>;

class Reader {
public:
  explicit Reader(Topology &T) : T(T) {}
  ErrorText read(std::string_view Text);

private:
  using Statement = ErrorText (Reader::*)(const Words &);
  ErrorText lines(std::string_view Text, bool First);
  ErrorText node(const Words &W);
  ErrorText router(const Words &W);
  ErrorText link(const Words &W);
  ErrorText distance(const Words &W);
  ErrorText route(const Words &W);
  std::optional<unsigned> vertex(std::string_view Name) const;
  void finishDistances();

  Topology &T;
  std::map<unsigned, std::pair<Node, std::vector<unsigned>>> ById;
  std::map<std::pair<unsigned, unsigned>, double> Said;
};
} // namespace

static std::string quoted(std::string_view Text) {
  return "`" + std::string(Text) + "`";
}

ErrorText Reader::node(const Words &W) {
  auto Id = W.size() > 1 ? parseNumber(W[1]) : std::nullopt;
  if (!Id || *Id >= MaxNodes)
    return "a node needs a number, 0 to " + std::to_string(MaxNodes - 1);
  if (ById.count(unsigned(*Id)))
    return "node " + std::to_string(*Id) + " is described twice";
  auto &[N, Processors] = ById[unsigned(*Id)];
  N.Id = unsigned(*Id);
  for (size_t At = 2; At < W.size(); At += 2) {
    if (At + 1 == W.size())
      return quoted(W[At]) + " has no value";
    std::string_view Value = W[At + 1];
    auto Number = parseNumber(Value);
    if (W[At] == "memory") {
      auto Bytes = parseBytes(Value);
      if (!Bytes)
        return quoted(Value) + " is no size; write as 512M or 4GiB";
      N.Bytes = *Bytes;
    } else if (W[At] == "processors") {
      auto List = parseList(Value);
      if (!List)
        return quoted(Value) + " is no list of processors; write as 0-3,8";
      Processors = *List;
    } else if (W[At] == "latency" && Number) {
      N.Local.ReadLatency = double(*Number);
    } else if (W[At] == "bandwidth" && Number) {
      N.Local.ReadBandwidth = double(*Number);
    } else {
      return quoted(W[At]) + " " + std::string(Value) +
             " is not understood; a node has memory, processors, latency (ns), "
             "bandwidth (MB/s)";
    }
  }
  return std::nullopt;
}

ErrorText Reader::router(const Words &W) {
  auto Id = W.size() == 2 ? parseNumber(W[1]) : std::nullopt;
  if (!Id || *Id != T.Routers)
    return "routers are numbered in order; this one is " +
           std::to_string(T.Routers);
  ++T.Routers;
  return std::nullopt;
}

std::optional<unsigned> Reader::vertex(std::string_view Name) const {
  bool IsNode = Name.starts_with("node");
  if (!IsNode && !Name.starts_with("router"))
    return std::nullopt;
  auto Id = parseNumber(Name.substr(IsNode ? 4 : 6));
  if (!Id)
    return std::nullopt;
  if (IsNode)
    return T.indexOfNode(unsigned(*Id));
  if (*Id >= T.Routers)
    return std::nullopt;
  return unsigned(T.Nodes.size() + *Id);
}

ErrorText Reader::link(const Words &W) {
  if (W.size() != 3)
    return "a link joins two: link node0 router0";
  auto A = vertex(W[1]), B = vertex(W[2]);
  if (!A || !B)
    return "there is no " + quoted(!A ? W[1] : W[2]) +
           "; name nodes as node0, routers as router0";
  if (*A == *B)
    return "a link joins two different ones";
  T.Links.push_back({*A, *B});
  return std::nullopt;
}

ErrorText Reader::distance(const Words &W) {
  if (W.size() != 4)
    return "say distance FROM TO VALUE, with numbers of nodes";
  auto A = parseNumber(W[1]), B = parseNumber(W[2]), Value = parseNumber(W[3]);
  auto From = A ? T.indexOfNode(unsigned(*A)) : std::nullopt;
  auto To = B ? T.indexOfNode(unsigned(*B)) : std::nullopt;
  if (!From || !To)
    return "there is no node " + quoted(!From ? W[1] : W[2]);
  if (!Value || (*From == *To ? *Value != 10 : *Value <= 10))
    return "the distance is " + quoted(W[3]) +
           "; a node's own is 10, others are greater";
  Said[{*From, *To}] = double(*Value);
  return std::nullopt;
}

ErrorText Reader::route(const Words &W) {
  FixedRoute R;
  for (size_t N = 1; N < W.size(); ++N) {
    auto V = vertex(W[N]);
    if (!V)
      return "there is no " + quoted(W[N]) +
             "; name nodes as node0, routers as router0";
    R.Vertices.push_back(*V);
    auto Joins = [&](Link L) {
      unsigned Before = R.Vertices[R.Vertices.size() - 2];
      return (L.A == Before && L.B == *V) || (L.B == Before && L.A == *V);
    };
    if (N > 1 && std::none_of(T.Links.begin(), T.Links.end(), Joins))
      return "no link joins " + quoted(W[N - 1]) + " and " + quoted(W[N]) +
             "; say it before the route";
  }
  if (R.Vertices.size() < 2)
    return "a route has two ends: route node0 router0 node1";
  R.From = R.Vertices.front();
  R.To = R.Vertices.back();
  T.FixedRoutes.push_back(std::move(R));
  return std::nullopt;
}

ErrorText Reader::lines(std::string_view Text, bool First) {
  static const struct {
    std::string_view Name;
    bool First;
    Statement Read;
  } Statements[] = {{"node", true, &Reader::node},
                    {"router", true, &Reader::router},
                    {"link", false, &Reader::link},
                    {"distance", false, &Reader::distance},
                    {"route", false, &Reader::route}};
  for (unsigned Number = 1; !Text.empty(); ++Number) {
    size_t End = std::min(Text.find('\n'), Text.size());
    std::string_view Line = Text.substr(0, End);
    Text.remove_prefix(std::min(End + 1, Text.size()));
    Words W = wordsOf(Line.substr(0, Line.find('#')));
    if (W.empty())
      continue;
    auto *S = std::find_if(std::begin(Statements), std::end(Statements),
                           [&](const auto &S) { return S.Name == W[0]; });
    ErrorText Error;
    if (S == std::end(Statements))
      Error = quoted(W[0]) + " is no statement; there are node, router, link, "
                             "distance and route";
    else if (S->First == First)
      Error = (this->*S->Read)(W);
    if (Error)
      return "line " + std::to_string(Number) + ": " + *Error;
  }
  return std::nullopt;
}

/// A distance that is given in one direction only holds for both.
void Reader::finishDistances() {
  if (Said.empty())
    return;
  unsigned Count = unsigned(T.Nodes.size());
  Matrix Distances(Count, 20);
  for (unsigned N = 0; N < Count; ++N)
    Distances.set(N, N, 10);
  for (auto [Pair, Value] : Said) {
    Distances.set(Pair.first, Pair.second, Value);
    if (!Said.count({Pair.second, Pair.first}))
      Distances.set(Pair.second, Pair.first, Value);
  }
  T.Firmware = std::move(Distances);
}

ErrorText Reader::read(std::string_view Text) {
  if (ErrorText Error = lines(Text, true))
    return Error;
  for (auto &[Id, Entry] : ById) {
    for (unsigned P : Entry.second)
      T.Processors.push_back({P, unsigned(T.Nodes.size())});
    T.Nodes.push_back(Entry.first);
  }
  if (ErrorText Error = lines(Text, false))
    return Error;
  finishDistances();
  return T.complete();
}

ErrorText graupel::numa::readDescription(std::string_view Text, Topology &T) {
  T.Source = "description";
  return Reader(T).read(Text);
}
