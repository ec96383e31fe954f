//===- Dsm/Analysis/Accesses.cpp - The misses of each object, in order ----===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;
using namespace graupel::dsm;

/// As in runtime/dsm/Trace/MissLog.h.
static bool isInLog(uint64_t Address, unsigned Halvings) {
  uint64_t Hash = (Address / 4096) * 0x9e3779b97f4a7c15u;
  return (Hash >> 40 & ((uint64_t(1) << Halvings) - 1)) == 0;
}

Accesses::Accesses(const JobFiles &Job, SourceLines &Lines,
                   const Objects &Data) {
  PerObject.resize(Data.all().size());
  std::vector<std::vector<Access>> ByObject(PerObject.size());
  unsigned Halvings = 0;
  uint32_t FirstParallel = 0;
  for (const NodeFile &N : Job.Nodes) {
    Halvings = std::max(Halvings, N.Halvings);
    FirstParallel = std::max(FirstParallel, N.FirstParallel);
  }
  std::map<const SourceLine *, unsigned> Numbers;
  for (const NodeFile &N : Job.Nodes)
    for (const NodeFile::Event &E : N.Events) {
      Objects::Position P = Data.find(E.Address, E.Bytes);
      const Object &O = Data[P.Object];
      if (!O.Known || !O.Block || !isInLog(E.Address, Halvings))
        continue;
      // An access lies in one block, or the file is wrong.
      if (P.Within / O.Block != (P.Within + E.Bytes - 1) / O.Block)
        continue;
      const SourceLine *Line = &N.line(E.Place, Lines);
      auto [It, New] = Numbers.try_emplace(Line, unsigned(Places.size()));
      if (New)
        Places.push_back(Line);
      ByObject[P.Object].push_back(
          {P.Allocation, P.Within, P.Within + E.Bytes - 1, E.Time, E.Epoch,
           N.Node, E.Home, E.Store, E.Alone, It->second});
    }
  for (unsigned I = 0; I < PerObject.size(); ++I) {
    std::vector<Access> &All = ByObject[I];
    if (All.empty())
      continue;
    stable_sort(All, [](const Access &A, const Access &B) {
      return std::tie(A.Epoch, A.Time) < std::tie(B.Epoch, B.Time);
    });
    PerObject[I].Seen = findPattern(All, Data[I].Block, Job.Nodes[0].Nodes);
    PerObject[I].Log = std::make_unique<Replay>(
        std::move(All), Data[I].Block, Job.Nodes[0].Nodes, FirstParallel);
  }
}

namespace {

struct BlockUse {
  uint64_t Loaders = 0, Storers = 0, Misses = 0, Passed = 0;
  int LastToLoad = -1;
  std::map<uint64_t, uint64_t> StorersOf; ///< By the access's first byte.
};

} // namespace

/// The least distance of neighbors that different nodes, and only one each,
/// store to.
static uint64_t distance(const std::map<uint64_t, uint64_t> &StorersOf) {
  uint64_t Least = 0;
  for (auto I = StorersOf.begin(); I != StorersOf.end(); ++I) {
    auto Next = std::next(I);
    if (Next == StorersOf.end() || I->second == Next->second ||
        popcount(I->second) != 1 || popcount(Next->second) != 1)
      continue;
    uint64_t Bytes = Next->first - I->first;
    Least = Least ? std::min(Least, Bytes) : Bytes;
  }
  return Least;
}

Pattern graupel::dsm::findPattern(const std::vector<Access> &All,
                                  uint64_t Block, int Nodes) {
  std::map<std::pair<uint64_t, uint64_t>, BlockUse> Blocks;
  for (const Access &A : All) {
    BlockUse &B = Blocks[{A.Allocation, A.First / Block}];
    uint64_t Node = uint64_t(1) << A.Node;
    ++B.Misses;
    (A.Store ? B.Storers : B.Loaders) |= Node;
    if (A.Store) {
      B.Passed += B.LastToLoad == A.Node;
      B.StorersOf[A.First] |= Node;
    }
    B.LastToLoad = A.Store ? -1 : A.Node;
  }
  Pattern P;
  for (const auto &[Key, B] : Blocks) {
    int Storers = popcount(B.Storers);
    int Readers = popcount(B.Loaders & ~B.Storers);
    uint64_t &Kind = Storers > 1
                         ? (4 * B.Passed > B.Misses ? P.Passed : P.Written)
                     : Storers == 0                      ? P.ReadOnly
                     : Readers == 0                      ? P.OneUser
                     : Nodes > 2 && Readers == Nodes - 1 ? P.OneWriterAllRead
                                                         : P.OneWriter;
    Kind += B.Misses;
    if (uint64_t D = distance(B.StorersOf))
      P.Apart = P.Apart ? std::min(P.Apart, D) : D;
  }
  return P;
}
