//===- unit/dsm/StacheTableTest.cpp - The table, and what breaks it -------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The test of the test: protocols that are broken in one row are caught by the
// same simulation that finds nothing wrong with the published one.
//
//===----------------------------------------------------------------------===//

#include "StacheSim.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <string>

using namespace graupel::test;
using namespace graupel::dsm::stache;

namespace {

template <typename MachineT, typename StateT, typename EventT>
void expectExclusiveGuards(const MachineT &M, StateT States, EventT Events) {
  const std::vector<std::vector<Guard>> Partitions = {
      {},
      {Guard::Always},
      {Guard::Held, Guard::Free},
      {Guard::More, Guard::Last},
      {Guard::More, Guard::LastHeld, Guard::LastFree},
      {Guard::Stranger, Guard::Others, Guard::AloneHeld, Guard::AloneFree}};
  for (int S = 0; S < int(States); ++S)
    for (int E = 0; E < int(Events); ++E) {
      std::vector<Guard> Guards;
      for (const auto &R : M.rows(StateT(S), EventT(E)))
        Guards.push_back(R.When);
      std::sort(Guards.begin(), Guards.end());
      EXPECT_TRUE(std::find(Partitions.begin(), Partitions.end(), Guards) !=
                  Partitions.end())
          << "state " << S << ", event " << E;
    }
}

TEST(StacheTable, GuardsExcludeEachOtherAndCoverAll) {
  expectExclusiveGuards(Published.Home, HomeState::Count, HomeEvent::Count);
  expectExclusiveGuards(Published.Cache, CacheState::Count, CacheEvent::Count);
  expectExclusiveGuards(Published.Election, ElectionState::Count,
                        ElectionEvent::Count);
}

/// Random machines until one notices; a clean exit if none does.
[[noreturn]] void fuzz(const Table &Broken) {
  for (uint64_t Seed = 1; Seed <= 5000; ++Seed) {
    StacheSim S(randomOptions(Seed), Broken);
    S.run(1000);
    S.checkQuiet();
  }
  std::exit(0);
}

/// Simulated machines write a message and abort.
void expectCaught(const Table &Broken, const char *Message = "simulation: ") {
  EXPECT_DEATH(fuzz(Broken), Message);
}

template <typename MachineT, typename StateT, typename EventT>
auto &row(MachineT &M, StateT S, EventT E, Guard G) {
  for (auto &R : M.rows(S, E))
    if (R.When == G)
      return R;
  std::abort();
}

TEST(StacheBroken, H17_AcknowledgesBeforeTheCopyIsGone) {
  for (CacheState S : {CacheState::ReadOnly, CacheState::Upgrading}) {
    Table T = Published;
    auto &R = row(T.Cache, S, CacheEvent::InvalidateRO, Guard::Free);
    std::swap(R.Actions[0], R.Actions[1]);
    expectCaught(T, "simulation: ");
  }
}

TEST(StacheBroken, H33_UpgradeRaceIgnored) {
  // The requester forgets that home will answer with data...
  Table T = Published;
  auto &R = row(T.Cache, CacheState::Upgrading, CacheEvent::InvalidateRO,
                Guard::Free);
  R.Actions[0] = CacheAction::Drop;
  R.Next = CacheState::Invalid;
  expectCaught(T);
  // ... or home that the requester has lost its copy.
  T = Published;
  auto &H = row(T.Home, HomeState::Shared, HomeEvent::Upgrade, Guard::Stranger);
  H.Next = HomeState::SharersToUpgrade;
  expectCaught(T);
}

TEST(StacheBroken, H32_AsksTwice) {
  Table T = Published;
  row(T.Cache, CacheState::Upgrading, CacheEvent::Store, Guard::Always)
      .Actions[0] = CacheAction::AskUpgrade;
  expectCaught(T);
}

TEST(StacheBroken, H34_ElectsTwice) {
  Table T = Published;
  row(T.Election, ElectionState::Electing, ElectionEvent::Touch, Guard::Always)
      .Actions[1] = ElectionAction::Elect;
  expectCaught(T);
  T = Published;
  row(T.Election, ElectionState::Elected, ElectionEvent::Touch, Guard::Always)
      .Actions[0] = ElectionAction::Provisional;
  expectCaught(T);
}

TEST(StacheBroken, ReadsAreSharedWithoutADowngrade) {
  Table T = Published;
  row(T.Home, HomeState::Exclusive, HomeEvent::GetRO, Guard::Free).Actions[0] =
      HomeAction::Share;
  expectCaught(T);
}

TEST(StacheBroken, GivesBeforeAllHaveAcknowledged) {
  Table T = Published;
  auto &R =
      row(T.Home, HomeState::SharersToRemote, HomeEvent::Ack, Guard::More);
  R.Actions[0] = HomeAction::Give;
  R.Next = HomeState::Remote;
  expectCaught(T);
}

TEST(StacheBroken, TakesWhatIsHeld) {
  Table T = Published;
  auto &R = row(T.Cache, CacheState::ReadWrite, CacheEvent::InvalidateRW,
                Guard::Held);
  R.Actions[0] = CacheAction::GiveBack;
  R.Next = CacheState::Invalid;
  expectCaught(T, "the held block .* is downgraded");
}

// Home's thread waited in the queue behind those that waited for its release.
TEST(StacheBroken, HomeIsNotResumedWhenItGetsACopy) {
  Table T = Published;
  row(T.Home, HomeState::OwnerToShared, HomeEvent::WriteBack, Guard::Always)
      .Actions[1] = HomeAction::None;
  row(T.Home, HomeState::OwnerToShared, HomeEvent::HomeLoad, Guard::Always)
      .Actions[0] = HomeAction::Defer;
  expectCaught(T, "deadlock");
}

/// What does nothing by its name, or nothing that must be done:
bool mayBeLeftOut(const HomeRow &R) {
  using S = HomeState;
  using E = HomeEvent;
  return R.Actions[0] == HomeAction::Wait ||
         // The thread is resumed later, with the one that stores.
         (R.State == S::SharersToHome && R.Event == E::HomeLoad) ||
         // It is resumed with a copy, and faults again; deferred, it keeps its
         // place in the queue.
         ((R.State == S::OwnerToShared || R.State == S::OwnerToReader) &&
          R.Event == E::HomeStore);
}
bool mayBeLeftOut(const CacheRow &R) {
  return R.Actions[0] == CacheAction::Join;
}
bool mayBeLeftOut(const ElectionRow &R) {
  // Random programs touch nothing between the nodes' beginnings of a phase;
  // StacheHomes.SerialTouchDuringAnElection does.
  return R.State == ElectionState::Electing &&
         R.Event == ElectionEvent::SerialTouch;
}

template <typename StateT, typename EventT, typename ActionT>
void expectAllNeeded(Machine<StateT, EventT, ActionT> Table::*Part) {
  for (int S = 0; S < int(StateT::Count); ++S)
    for (int E = 0; E < int(EventT::Count); ++E)
      for (size_t I = 0;
           I < (Published.*Part).rows(StateT(S), EventT(E)).size(); ++I) {
        Table T = Published;
        auto &R = (T.*Part).rows(StateT(S), EventT(E))[I];
        if (mayBeLeftOut(R))
          continue;
        SCOPED_TRACE("state " + std::to_string(S) + ", event " +
                     std::to_string(E) + ", row " + std::to_string(I));
        R.Actions = {ActionT::None, ActionT::None};
        expectCaught(T);
      }
}

// Each row is reached, and none of its actions may be left out: what defers,
// stalls and resumes is as necessary as what moves data.
TEST(StacheBroken, AnyRowWithoutItsActions) {
  expectAllNeeded(&Table::Home);
  expectAllNeeded(&Table::Cache);
  expectAllNeeded(&Table::Election);
}

} // namespace
