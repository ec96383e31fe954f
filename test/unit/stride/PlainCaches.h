//===- unit/stride/PlainCaches.h - What caches do, one by one --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Caches as a book describes them: nothing is skipped, nothing is remembered to
// be faster. Tests hold the runtime's simulation against it.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TEST_STRIDE_PLAINCACHES_H
#define GRAUPEL_TEST_STRIDE_PLAINCACHES_H

#include "Simulated.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <array>
#include <bit>
#include <list>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace graupel::stride {

constexpr uint64_t NoBlock = ~uint64_t(0);

/// Lines or pages by set; with LRU the latest first.
class PlainSets {
public:
  PlainSets(uint64_t Lines, uint64_t Ways, Replacement Policy)
      : Ways(Ways), Policy(Policy), Sets(Lines / Ways) {}

  /// Whether the block was there; if not, `Gone` is what it drove out.
  bool refer(uint64_t Block, uint64_t &Gone) {
    std::vector<uint64_t> &Set = Sets[Block % Sets.size()];
    auto Found = std::find(Set.begin(), Set.end(), Block);
    const bool IsThere = Found != Set.end();
    Gone = NoBlock;
    if (Policy == Replacement::Random) {
      if (IsThere)
        return true;
      if (Set.size() < Ways)
        Set.push_back(Block);
      else
        std::swap(Gone = Block, Set[Chance.below(static_cast<uint32_t>(Ways))]);
      return false;
    }
    if (IsThere) {
      Set.erase(Found);
    } else if (Set.size() == Ways) {
      Gone = Set.back();
      Set.pop_back();
    }
    Set.insert(Set.begin(), Block);
    return IsThere;
  }

private:
  uint64_t Ways;
  Replacement Policy;
  graupel::stride::Random Chance;
  std::vector<std::vector<uint64_t>> Sets;
};

/// CacheCounts from Levels on.
using Numbers = std::array<uint64_t, (sizeof(CacheCounts) - 16) / 8>;
constexpr unsigned TlbAt = 4 * MaxCacheLevels, LeftAt = TlbAt + 1,
                   PartsAt = TlbAt + 2, FirstAt = TlbAt + 3,
                   ReuseAt = TlbAt + 4;
/// By site, object and thread; and by level, victim and evictor.
using AllNumbers =
    std::map<std::tuple<uint32_t, const Object *, uint32_t>, Numbers>;
using AllPairs =
    std::map<std::tuple<unsigned, const Object *, const Object *>, uint64_t>;

struct PlainLevel {
  PlainLevel(const CacheLevelRecord &L, bool IsFirst)
      : L(L), Sets(lines(), L.Ways, L.Policy),
        Ideal(idealLines(), idealLines(), Replacement::LRU),
        IsIdeal(L.Ways == lines() && L.Policy == Replacement::LRU),
        SampleShift(IsFirst ? L.SampleShift : 0) {
    EXPECT_TRUE(IsFirst || !L.SampleShift);
  }
  uint64_t lines() const { return L.Bytes / L.LineBytes; }
  uint64_t idealLines() const {
    return std::max<uint64_t>(lines() >> L.SampleShift, 1);
  }

  /// 0: it hits; else the place in LevelCounts of its class, 4 of none.
  unsigned referLine(uint64_t Block, const Object *Of, uint64_t &Gone,
                     const Object *&By) {
    const bool Sampled = isSampledLine(Block, SampleShift);
    uint64_t Nothing;
    const bool InIdeal = Sampled && Ideal.refer(Block, Nothing);
    if (Sets.refer(Block, Gone))
      return 0;
    By = Evictors.count(Block) ? Evictors[Block] : nullptr;
    if (Gone != NoBlock)
      Evictors[Gone] = Of;
    if (Known.insert(Block).second)
      return 1;
    return IsIdeal ? 2 : !Sampled ? 4 : InIdeal ? 3 : 2;
  }

  const CacheLevelRecord L;
  PlainSets Sets, Ideal;
  bool IsIdeal;
  unsigned SampleShift;
  std::set<uint64_t> Known;
  std::map<uint64_t, const Object *> Evictors;
};

/// What all threads have.
struct PlainShared {
  explicit PlainShared(const CachesRecord &Spec)
      : Spec(Spec),
        Last(Spec.Levels[Spec.LevelCount - 1], Spec.LevelCount == 1) {}
  const CachesRecord Spec;
  PlainLevel Last;
  AllNumbers Counts;
  AllPairs Pairs;
};

class PlainCore {
public:
  PlainCore(PlainShared &All, uint32_t Thread)
      : All(All), Thread(Thread),
        Pages(std::max(All.Spec.TlbEntries, 1u), std::max(All.Spec.TlbWays, 1u),
              Replacement::LRU) {
    for (unsigned N = 0; N < All.Spec.LevelCount; ++N)
      if (!All.Spec.Levels[N].Shared)
        Own.emplace_back(All.Spec.Levels[N], N == 0);
  }

  void refer(uint32_t Site, uint64_t Address, uint64_t Bytes,
             const Object *Of) {
    Numbers &To = All.Counts[{Site, Of, Thread}];
    const uint64_t Last = Address + Bytes - 1;
    for (unsigned N = 0; N < All.Spec.LevelCount; ++N) {
      PlainLevel &L = N < Own.size() ? Own[N] : All.Last;
      unsigned Class = 0;
      const Object *Evictor = referLevel(L, N, Address, Last, Of, To, Class);
      if (!Class)
        break;
      ++To[4 * N];
      if (Class < 4)
        ++To[4 * N + Class];
      if (Class == 3)
        ++All.Pairs[{N, Of, Evictor}];
    }
    bool Missed = false;
    for (uint64_t Page = Address / std::max<uint64_t>(All.Spec.PageBytes, 1);
         All.Spec.TlbEntries && Page <= Last / All.Spec.PageBytes; ++Page) {
      uint64_t Gone;
      Missed |= !Pages.refer(Page, Gone);
    }
    To[TlbAt] += Missed;
  }
  void finish() {
    while (!Fetched.empty())
      leave(Fetched.begin()->first);
  }

private:
  struct Use {
    Numbers *By;
    std::set<uint64_t> Parts;
  };

  /// Class: of the first line that misses. Returns who drove it out.
  const Object *referLevel(PlainLevel &L, unsigned N, uint64_t Address,
                           uint64_t Last, const Object *Of, Numbers &To,
                           unsigned &Class) {
    const Object *Evictor = nullptr;
    const uint64_t Bytes = L.L.LineBytes;
    for (uint64_t Block = Address / Bytes; Block <= Last / Bytes; ++Block) {
      uint64_t Gone;
      const Object *By = nullptr;
      const unsigned Each = L.referLine(Block, Of, Gone, By);
      if (Each && !Class) {
        Class = Each;
        Evictor = By;
      }
      if (N)
        continue;
      if (Gone != NoBlock)
        leave(Gone);
      if (Each)
        Fetched[Block] = {&To, {}};
      for (uint64_t At = std::max(Address, Block * Bytes),
                    End = std::min(Last, Block * Bytes + Bytes - 1);
           At <= End; ++At)
        Fetched[Block].Parts.insert(At % Bytes /
                                    std::max<uint64_t>(1, Bytes / 64));
      reuse(Block, To);
    }
    return Evictor;
  }
  void leave(uint64_t Block) {
    const Use &U = Fetched[Block];
    if (isSampledLine(Block, All.Spec.DetailShift)) {
      ++(*U.By)[LeftAt];
      (*U.By)[PartsAt] += U.Parts.size();
    }
    Fetched.erase(Block);
  }
  void reuse(uint64_t Block, Numbers &To) {
    if (!isSampledLine(Block, All.Spec.ReuseShift))
      return;
    auto Found = std::find(Order.begin(), Order.end(), Block);
    if (Found == Order.end()) {
      ++To[FirstAt];
    } else {
      auto Distance =
          static_cast<uint64_t>(std::distance(Order.begin(), Found));
      ++To[ReuseAt + std::bit_width(Distance)];
      Order.erase(Found);
    }
    Order.push_front(Block);
  }

  PlainShared &All;
  const uint32_t Thread;
  std::vector<PlainLevel> Own;
  PlainSets Pages;
  std::map<uint64_t, Use> Fetched;
  std::list<uint64_t> Order; ///< The latest first.
};

} // namespace graupel::stride

#endif
