//===- Dsm/Analysis/Profile.cpp - The misses of a job, sorted -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Profile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace graupel::dsm;

uint64_t graupel::dsm::quantile(const std::vector<Bucket> &Buckets,
                                double Share) {
  uint64_t Total = 0, Seen = 0;
  for (const Bucket &B : Buckets)
    Total += B.Count;
  for (const Bucket &B : Buckets) {
    Seen += B.Count;
    if (double(Seen) >= Share * double(Total))
      return B.Least + (B.End - B.Least) / 2;
  }
  return 0;
}

/// One list, in order; buckets of several nodes may overlap.
static void sortBuckets(std::vector<Bucket> &Buckets) {
  sort(Buckets, [](const Bucket &A, const Bucket &B) {
    return std::tie(A.Least, A.End) < std::tie(B.Least, B.End);
  });
}

Profile::Profile(const JobFiles &Job, SourceLines &Lines)
    : NodesOfJob(Job.Nodes[0].Nodes), Data(Job, Lines) {
  Uses.resize(Data.all().size());
  prepareHeat(Job);
  for (const NodeFile &N : Job.Nodes) {
    addNode(N);
    addMisses(N, Lines);
    addBlocks(N);
  }
  findTimes(Job, Lines);
  sort();
}

void Profile::prepareHeat(const JobFiles &Job) {
  for (size_t I = 0; I < Uses.size(); ++I) {
    ObjectUse &U = Uses[I];
    const Object &O = Data[I];
    if (!O.Known || !O.Bytes) // Others have all of its memory by now.
      continue;
    uint64_t Block = O.Block ? O.Block : 32;
    uint64_t Blocks = divideCeil(O.Bytes, Block);
    U.BytesOfColumn = Block * divideCeil(Blocks, MaxColumns);
    U.Heat.assign(NodesOfJob,
                  std::vector<HeatCell>(divideCeil(O.Bytes, U.BytesOfColumn)));
  }
}

unsigned Profile::columnOf(Objects::Position P) const {
  uint64_t Width = Uses[P.Object].BytesOfColumn;
  return Width ? unsigned(P.Offset / Width) : 0;
}

HeatCell &Profile::cell(int Node, Objects::Position P, unsigned Column) {
  static HeatCell Elsewhere;
  auto &Heat = Uses[P.Object].Heat;
  return Heat.empty() ? Elsewhere : Heat[Node][Column];
}

void Profile::addNode(const NodeFile &N) {
  NodeUse U{N.Node, N.Host, N.Seconds, N.Threads, {}, {}};
  for (const NodeFile::Miss &M : N.Misses)
    (isMiss(M.Why) ? U.Misses : U.Other).add(M.Count, M.Nanoseconds);
  for (const NodeFile::Messages &M : N.Sent) {
    U.Messages += M.Count;
    U.Bytes += M.Bytes;
    Messages[M.Type][{N.Node, M.To}].add({M.Count, M.Bytes});
  }
  Misses.add(U.Misses.Count, U.Misses.Nanoseconds);
  Other.add(U.Other.Count, U.Other.Nanoseconds);
  append_range(Polls, N.Polls);
  Nodes.push_back(std::move(U));
}

void Profile::addMisses(const NodeFile &N, SourceLines &Lines) {
  for (const NodeFile::Miss &M : N.Misses) {
    Objects::Position P = Data.find(M.Address, M.Bytes);
    const SourceLine *Line = &N.line(M.Place, Lines);
    auto [It, New] =
        RowIndex.try_emplace({Line, P.Object, M.Store, M.Why}, Rows.size());
    if (New)
      Rows.push_back({Line, P.Object, M.Store, M.Why, {}, 0, 0});
    Rows[It->second].Lost.add(M.Count, M.Nanoseconds);

    ObjectUse &U = Uses[P.Object];
    U.ByCause[size_t(M.Why)].add(M.Count, M.Nanoseconds);
    if (!isMiss(M.Why))
      continue;
    U.Misses.add(M.Count, M.Nanoseconds);
    HeatCell &C = cell(N.Node, P, columnOf(P));
    (M.Store ? C.Stores : C.Loads) += M.Count;
  }
}

void Profile::addBlocks(const NodeFile &N) {
  for (const NodeFile::Block &B : N.Blocks) {
    Objects::Position P = Data.find(B.Address, B.Bytes);
    ObjectUse &U = Uses[P.Object];
    U.Sequential += B.Sequential;
    for (size_t I = 0; I < U.ApartAt.size(); ++I)
      U.ApartAt[I] += B.ApartAt[I];
    cell(N.Node, P, columnOf(P)).Lost += B.Lost;
  }
}

void Profile::findTimes(const JobFiles &Job, SourceLines &Lines) {
  std::map<std::tuple<const SourceLine *, bool, Cause>, std::vector<Bucket>>
      Times;
  for (const NodeFile &N : Job.Nodes)
    for (const NodeFile::Times &T : N.TimesOfMisses)
      append_range(Times[{&N.line(T.Place, Lines), T.Store, T.Why}], T.Buckets);
  for (auto &[Key, Buckets] : Times)
    sortBuckets(Buckets);
  for (MissRow &R : Rows) {
    const std::vector<Bucket> &B = Times[{R.Line, R.Store, R.Why}];
    R.Median = quantile(B, 0.5);
    R.Percentile99 = quantile(B, 0.99);
  }
}

void Profile::sort() {
  stable_sort(Rows, [](const MissRow &A, const MissRow &B) {
    return A.Lost.Nanoseconds > B.Lost.Nanoseconds;
  });
  for (unsigned I = 0; I < Uses.size(); ++I)
    if (Uses[I].Misses.Count)
      ByTime.push_back(I);
  stable_sort(ByTime, [&](unsigned A, unsigned B) {
    return Uses[A].Misses.Nanoseconds > Uses[B].Misses.Nanoseconds;
  });
  sortBuckets(Polls);
}
