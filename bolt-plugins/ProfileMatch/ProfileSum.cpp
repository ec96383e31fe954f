//===- ProfileMatch/ProfileSum.cpp - Old and new profiles together --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileMatch.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace graupel;

namespace {

class Adder {
public:
  Adder(Profile &Sum, const Profile &Older, double Weight)
      : Sum(Sum), Older(Older), Weight(Weight),
        Match(Older, ProfiledImage(Sum).Image) {}

  double run() {
    for (const auto &[Index, Counts] : Match.counts())
      addCounts(Sum.Meta.Functions[Index], Counts);
    addTargets();
    Sum.Dropped = SaturatingAdd(Sum.Dropped, scaled(Older.Dropped));
    return Match.keptShare();
  }

private:
  Profile &Sum;
  const Profile &Older;
  const double Weight;
  const ProfileMatch Match;

  uint64_t scaled(uint64_t Count) const {
    return uint64_t(double(Count) * Weight + 0.5);
  }

  /// The edges of both are in the order of the profile's.
  void addCounts(const FunctionProfile &F, const FunctionCounts &Counts) {
    const uint32_t Outside = F.numBlocks();
    std::vector<uint32_t> Next(Outside);
    uint32_t Counter = F.FirstCounter;
    for (const FunctionProfile::Edge &Edge : F.Edges) {
      uint64_t Count = 0;
      if (Edge.From < Outside && Edge.To < Outside)
        Count = Counts.Edges[Edge.From][Next[Edge.From]++];
      else if (Edge.From < Outside)
        Count = leaving(Counts, Edge.From);
      else if (Edge.To < Outside)
        Count = Counts.Entered[Edge.To];
      if (!Edge.Counted)
        continue;
      Sum.Counters[Counter] =
          SaturatingAdd(Sum.Counters[Counter], scaled(Count));
      ++Counter;
    }
  }

  static uint64_t leaving(const FunctionCounts &Counts, uint32_t Block) {
    uint64_t Staying = 0;
    for (uint64_t Count : Counts.Edges[Block])
      Staying = SaturatingAdd(Staying, Count);
    return Counts.Blocks[Block] - std::min(Staying, Counts.Blocks[Block]);
  }

  void addTargets() {
    // The entries of the new build's functions, by their names' indices.
    DenseMap<uint32_t, int64_t> Entries;
    for (const EntryPoint &Point : Sum.Meta.EntryPoints)
      if (!Point.Offset)
        Entries.try_emplace(Point.Function, Point.Address);
    const std::vector<SitePlace> Places = sitePlaces(Older);
    std::map<SitePlace, uint32_t> NewSites;
    for (auto [Site, Place] : llvm::enumerate(sitePlaces(Sum)))
      NewSites.emplace(Place, Site);
    for (const auto &[Key, Count] : Older.Targets) {
      const std::optional<uint32_t> Callee =
          Match.calledAt(Older, SignExtend64<GRAUPEL_TARGET_BITS>(Key));
      if (!Callee)
        continue;
      const auto Place =
          Match.newPlace(Places[(Key >> GRAUPEL_TARGET_BITS) - 1]);
      const auto Site = Place ? NewSites.find(*Place) : NewSites.end();
      const auto Entry = Entries.find(Sum.Meta.Functions[*Callee].Name);
      if (Site == NewSites.end() || Entry == Entries.end())
        continue;
      const uint64_t Target =
          Entry->second & ((UINT64_C(1) << GRAUPEL_TARGET_BITS) - 1);
      uint64_t &Total =
          Sum.Targets[(uint64_t(Site->second) + 1) << GRAUPEL_TARGET_BITS |
                      Target];
      Total = SaturatingAdd(Total, scaled(Count));
    }
  }
};

} // namespace

double graupel::addOlder(Profile &Sum, const Profile &Older, double Weight) {
  return Adder(Sum, Older, Weight).run();
}
