//===- unit/dsm/StacheSim.h - Stache on simulated nodes ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TEST_UNIT_DSM_STACHESIM_H
#define GRAUPEL_TEST_UNIT_DSM_STACHESIM_H

#include "SimTempest.h"
#include "Stache/Node.h"
#include "Stache/Stache.h"
#include "graupel/dsm.h"
#include <memory>

namespace graupel::test {

class StacheSim : public Simulation {
public:
  explicit StacheSim(const SimOptions &O,
                     const dsm::stache::Table &Rules = dsm::stache::Published)
      : Simulation(
            O,
            [&Rules] {
              graupel_dsm_stache_start();
              dsm::stache::node().Rules = &Rules;
            },
            graupel_dsm_stache_parallel_begins,
            graupel_dsm_stache_parallel_ends) {}

  ~StacheSim() {
    for (int I = 0; I < Options.Nodes; ++I)
      on(I, [&] { destroy(); });
  }

  graupel_dsm_stache_counts counts(int Node) {
    graupel_dsm_stache_counts C;
    on(Node, [&] { C = *graupel_dsm_stache_statistics(); });
    return C;
  }

  /// That the directories agree with all tags, and that nothing is left over.
  /// Fails as the simulation does.
  void checkQuiet() {
    for (int I = 0; I < Options.Nodes; ++I)
      on(I, [&] { checkNode(I); });
  }

  uintptr_t page(unsigned Index) const {
    return Base + Index * TEMPEST_PAGE_SIZE;
  }

private:
  void checkNode(int Home) {
    using namespace dsm::stache;
    if (!dsm::stache::node().StalledEvents.empty())
      fail("an event stays stalled");
    for (Memory &M : current().Pages) {
      if (!M.Mapped || M.Info.mode != AtHome)
        continue;
      auto &P = *static_cast<HomePage *>(
          static_cast<dsm::stache::Page *>(M.Info.user_pointer));
      for (unsigned B = 0; B < P.count(); ++B)
        checkBlock(Home, P.blockAt(B), P.blocks()[B]);
    }
  }

  void checkBlock(int Home, uintptr_t A, const dsm::stache::HomeBlock &B) {
    using namespace dsm::stache;
    if (!isStable(B.State) || B.First || B.ReplayPosted || B.Stalled)
      fail("a transaction of %#zx does not end", size_t(A));
    for (int I = 0; I < Options.Nodes; ++I) {
      tempest_tag Expected = TEMPEST_INVALID;
      if (I == Home)
        Expected = B.State == HomeState::Exclusive ? TEMPEST_READ_WRITE
                   : B.State == HomeState::Shared  ? TEMPEST_READ_ONLY
                                                   : TEMPEST_INVALID;
      else if (B.State != HomeState::Exclusive && (B.Nodes & only(unsigned(I))))
        Expected = B.State == HomeState::Shared ? TEMPEST_READ_ONLY
                                                : TEMPEST_READ_WRITE;
      if (tagAt(I, A) != Expected)
        fail("the tag of %#zx on node %d is %#x where home has it as %#x",
             size_t(A), I, tagAt(I, A), Expected);
    }
  }

  void destroy() {
    for (Memory &M : current().Pages)
      std::free(M.Mapped ? M.Info.user_pointer : nullptr);
    delete static_cast<dsm::stache::Node *>(*tempest_protocol_data());
  }
};

/// A machine and a program of a random kind.
inline SimOptions randomOptions(uint64_t Seed) {
  Random R(Seed);
  SimOptions O;
  O.Seed = Seed;
  O.Nodes = 1 + int(R.below(Simulation::MaxNodes));
  O.Threads = 1 + int(R.below(4));
  O.Block = 32u << R.below(8);
  O.Pages = 1 + unsigned(R.below(12));
  O.WordsPerPage = 1 + unsigned(R.below(40));
  O.AtATime = R.oneIn(4) ? 1 : 1 + unsigned(R.below(TEMPEST_MAX_FAULTS));
  if (R.oneIn(2))
    O.PhaseLength = 10 + R.below(2000);
  O.Homes.clear();
  for (uint64_t More = 1 + R.below(3); More; --More)
    O.Homes.push_back(R.oneIn(3)   ? GDSM_HOME_ROUND_ROBIN
                      : R.oneIn(2) ? GDSM_HOME_FIRST_TOUCH
                                   : int(R.below(unsigned(O.Nodes))));
  return O;
}

} // namespace graupel::test

#endif
