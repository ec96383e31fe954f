//===- unit/RegisterFlowTest.cpp ------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recover/RegisterFlow.h"
#include "Random.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <set>

using namespace graupel;
using namespace graupel::test;

namespace {

using Address = std::optional<uint64_t>;
using Addresses = std::vector<Address>;
using Node = RegisterFlow::Node;

constexpr Address Unknown = std::nullopt;

Node keep(std::initializer_list<uint32_t> Successors) {
  return {RegisterFlow::Effect::Keep, 0, Successors};
}
Node clobber(std::initializer_list<uint32_t> Successors) {
  return {RegisterFlow::Effect::Clobber, 0, Successors};
}
Node load(uint64_t A, std::initializer_list<uint32_t> Successors) {
  return {RegisterFlow::Effect::Load, A, Successors};
}

Addresses solve(std::vector<Node> Nodes) {
  RegisterFlow Flow;
  Flow.Nodes = std::move(Nodes);
  return Flow.solve();
}

TEST(RegisterFlow, NoNodes) { EXPECT_TRUE(solve({}).empty()); }

TEST(RegisterFlow, TheEntryIsUnknown) {
  EXPECT_EQ(solve({keep({1}), keep({})}), Addresses({Unknown, Unknown}));
}

TEST(RegisterFlow, StraightLine) {
  EXPECT_EQ(solve({load(8, {1}), keep({2}), keep({})}),
            Addresses({Unknown, 8, 8}));
}

TEST(RegisterFlow, TheLastLoadCounts) {
  EXPECT_EQ(solve({load(8, {1}), load(9, {2}), keep({})}),
            Addresses({Unknown, 8, 9}));
}

TEST(RegisterFlow, AddressZeroIsAnAddress) {
  EXPECT_EQ(solve({load(0, {1}), keep({})}), Addresses({Unknown, 0}));
}

TEST(RegisterFlow, JoinOfTheSameAddress) {
  EXPECT_EQ(solve({keep({1, 2}), load(8, {3}), load(8, {3}), keep({})}),
            Addresses({Unknown, Unknown, Unknown, 8}));
}

TEST(RegisterFlow, JoinOfDifferentAddresses) {
  EXPECT_EQ(solve({keep({1, 2}), load(8, {3}), load(9, {3}), keep({})})[3],
            Unknown);
}

TEST(RegisterFlow, JoinWithThePathThatLoadsNothing) {
  EXPECT_EQ(solve({keep({1, 2}), load(8, {2}), keep({})})[2], Unknown);
}

TEST(RegisterFlow, Clobber) {
  EXPECT_EQ(solve({load(8, {1}), clobber({2}), keep({})}),
            Addresses({Unknown, 8, Unknown}));
}

TEST(RegisterFlow, ClobberOnOnePath) {
  EXPECT_EQ(solve({load(8, {1}), keep({2, 3}), clobber({3}), keep({})}),
            Addresses({Unknown, 8, 8, Unknown}));
}

TEST(RegisterFlow, LoadAfterClobber) {
  EXPECT_EQ(solve({clobber({1}), load(8, {2}), keep({})})[2], 8);
}

TEST(RegisterFlow, LoopKeepsWhatWasLoadedBeforeIt) {
  EXPECT_EQ(solve({load(8, {1}), keep({2}), keep({1, 3}), keep({})}),
            Addresses({Unknown, 8, 8, 8}));
}

TEST(RegisterFlow, ClobberAtTheEndOfALoopReachesItsStart) {
  EXPECT_EQ(solve({load(8, {1}), keep({2, 3}), clobber({1}), keep({})}),
            Addresses({Unknown, Unknown, Unknown, Unknown}));
}

TEST(RegisterFlow, OtherAddressAtTheEndOfALoopReachesItsStart) {
  EXPECT_EQ(solve({load(8, {1}), keep({2, 3}), load(9, {1}), keep({})}),
            Addresses({Unknown, Unknown, Unknown, Unknown}));
}

TEST(RegisterFlow, SameAddressAtTheEndOfALoop) {
  EXPECT_EQ(solve({load(8, {1}), keep({2, 3}), load(8, {1}), keep({})})[3], 8);
}

TEST(RegisterFlow, LoopBackToTheEntry) {
  // Before the entry the register is unknown, whatever comes back to it.
  EXPECT_EQ(solve({keep({1}), load(8, {0, 2}), keep({})}),
            Addresses({Unknown, Unknown, 8}));
}

TEST(RegisterFlow, LoopAroundOneNode) {
  EXPECT_EQ(solve({load(8, {1}), keep({1})}), Addresses({Unknown, 8}));
  EXPECT_EQ(solve({load(8, {1}), clobber({1})}), Addresses({Unknown, Unknown}));
}

TEST(RegisterFlow, UnreachableNodesHoldNothing) {
  EXPECT_EQ(solve({keep({}), load(8, {2}), keep({})}),
            Addresses({Unknown, Unknown, Unknown}));
}

TEST(RegisterFlow, UnreachableNodesDoNotSpoilOthers) {
  EXPECT_EQ(solve({load(8, {2}), load(9, {2}), keep({})})[2], 8);
}

TEST(RegisterFlow, RepeatedSuccessors) {
  // A table often leads to one place several times.
  EXPECT_EQ(solve({load(8, {1, 1, 1}), keep({1, 1, 2}), keep({})}),
            Addresses({Unknown, 8, 8}));
}

/// What reaches each node on each path from the entry; unknown is an element,
/// too. Graphs must be acyclic and small.
class AllPaths {
public:
  explicit AllPaths(const RegisterFlow &Flow)
      : Flow(Flow), Reaching(Flow.Nodes.size()) {
    if (!Flow.Nodes.empty())
      walk(0, Unknown);
  }

  Addresses solve() const {
    Addresses Result;
    for (const std::set<Address> &Values : Reaching)
      Result.push_back(Values.size() == 1 ? *Values.begin() : Unknown);
    return Result;
  }

private:
  const RegisterFlow &Flow;
  std::vector<std::set<Address>> Reaching;

  void walk(uint32_t At, Address Value) {
    Reaching[At].insert(Value);
    const Node &N = Flow.Nodes[At];
    if (N.OnRegister == RegisterFlow::Effect::Load)
      Value = N.Address;
    else if (N.OnRegister == RegisterFlow::Effect::Clobber)
      Value = Unknown;
    for (uint32_t Successor : N.Successors)
      walk(Successor, Value);
  }
};

/// At most 10 nodes, which are numbered so that edges lead to higher numbers,
/// with few different addresses so that joins of the same one occur.
RegisterFlow randomAcyclic(Random &R) {
  RegisterFlow Flow;
  const uint32_t Size = 1 + R.below(10);
  for (uint32_t I = 0; I < Size; ++I) {
    Node N;
    if (R.oneIn(3))
      N = load(R.below(3), {});
    else if (R.oneIn(8))
      N = clobber({});
    if (I + 1 < Size)
      for (uint64_t Edges = R.below(3); Edges; --Edges)
        N.Successors.push_back(I + 1 + R.below(std::min(Size - I - 1, 3u)));
    Flow.Nodes.push_back(std::move(N));
  }
  return Flow;
}

/// Renumbers all nodes but the entry: edges lead backwards, too.
RegisterFlow shuffled(const RegisterFlow &Flow, std::vector<uint32_t> &NewIndex,
                      Random &R) {
  NewIndex.resize(Flow.Nodes.size());
  for (uint32_t I = 0; I < NewIndex.size(); ++I)
    NewIndex[I] = I;
  for (uint32_t I = NewIndex.size(); I > 2; --I)
    std::swap(NewIndex[I - 1], NewIndex[1 + R.below(I - 1)]);
  RegisterFlow Result;
  Result.Nodes.resize(Flow.Nodes.size());
  for (uint32_t I = 0; I < Flow.Nodes.size(); ++I) {
    Node N = Flow.Nodes[I];
    for (uint32_t &Successor : N.Successors)
      Successor = NewIndex[Successor];
    Result.Nodes[NewIndex[I]] = std::move(N);
  }
  return Result;
}

TEST(RegisterFlowProperty, IsWhatAllPathsAgreeOn) {
  uint64_t Known = 0;
  FOR_EACH_SEED(Seed) {
    Random R(Seed);
    const RegisterFlow Flow = randomAcyclic(R);
    const Addresses Expected = AllPaths(Flow).solve();
    EXPECT_EQ(Flow.solve(), Expected);
    Known += std::count_if(Expected.begin(), Expected.end(),
                           [](Address A) { return A.has_value(); });
    std::vector<uint32_t> NewIndex;
    const Addresses Shuffled = shuffled(Flow, NewIndex, R).solve();
    for (uint32_t I = 0; I < Expected.size(); ++I)
      EXPECT_EQ(Shuffled[NewIndex[I]], Expected[I]) << "node " << I;
  }
  if (numSeeds() > 1) {
    EXPECT_GT(Known, 100u) << "too few nodes where the address is known";
  }
}

TEST(RegisterFlowProperty, NoWalkDisagrees) {
  // Graphs with loops: no random walk may see anything but what was proven.
  uint64_t Checked = 0;
  FOR_EACH_SEED(Seed) {
    Random R(Seed);
    RegisterFlow Flow = randomAcyclic(R);
    for (uint64_t Back = R.below(3); Back; --Back)
      Flow.Nodes[R.below(Flow.Nodes.size())].Successors.push_back(
          R.below(Flow.Nodes.size()));
    const Addresses Proven = Flow.solve();
    for (int Walk = 0; Walk < 50; ++Walk) {
      Address Value;
      for (uint32_t At = 0, Steps = 0; Steps < 30; ++Steps) {
        if (Proven[At]) {
          EXPECT_EQ(Value, Proven[At]) << "node " << At;
          ++Checked;
        }
        const Node &N = Flow.Nodes[At];
        if (N.OnRegister != RegisterFlow::Effect::Keep)
          Value = N.OnRegister == RegisterFlow::Effect::Load
                      ? Address(N.Address)
                      : Unknown;
        if (N.Successors.empty())
          break;
        At = N.Successors[R.below(N.Successors.size())];
      }
    }
  }
  if (numSeeds() > 1) {
    EXPECT_GT(Checked, 1000u) << "too few steps where the address is known";
  }
}

} // namespace
