//===- unit/RegisterFlowTest.cpp ------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small graphs by hand, for each rule; then random ones: without loops what is
// found is what all paths agree on, and with loops and switches no random walk,
// which follows what registers really hold, sees anything else.
//
//===----------------------------------------------------------------------===//

#include "Recover/RegisterFlow.h"
#include "Random.h"
#include "llvm/ADT/ArrayRef.h"
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
  return {{}, Successors};
}
Node clobber(std::initializer_list<uint32_t> Successors, uint32_t R = 0) {
  return {{{R, Unknown}}, Successors};
}
Node load(uint64_t A, std::initializer_list<uint32_t> Successors,
          uint32_t R = 0) {
  return {{{R, A}}, Successors};
}
/// A jump that reads its table's entry itself.
Node jump(uint32_t Number, uint32_t R = 0) {
  return {{}, {}, RegisterFlow::Switch{Number, R}};
}

/// Of register 0.
Addresses solve(const RegisterFlow &Flow) {
  Addresses Result;
  const RegisterFlow::Solution Solved = Flow.solve();
  for (uint32_t I = 0; I < Flow.Nodes.size(); ++I)
    Result.push_back(Solved.before(I, 0));
  return Result;
}

Addresses solve(std::vector<Node> Nodes,
                std::map<uint64_t, std::vector<uint32_t>> Targets = {},
                uint32_t NumRegisters = 1) {
  RegisterFlow Flow;
  Flow.NumRegisters = NumRegisters;
  Flow.Nodes = std::move(Nodes);
  Flow.Targets = std::move(Targets);
  return solve(Flow);
}

TEST(RegisterFlow, NoNodes) { EXPECT_TRUE(solve(RegisterFlow()).empty()); }

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

TEST(RegisterFlow, SwitchesLeadToWhereTheirTablesDo) {
  EXPECT_EQ(solve({load(8, {1}), jump(1), keep({}), keep({})}, {{8, {3}}}),
            Addresses({Unknown, 8, Unknown, 8}));
}

TEST(RegisterFlow, TwoLoopsWithOneRegister) {
  // Neither jump leads into the other's loop, though both have one register.
  EXPECT_EQ(solve({keep({1, 3}), load(8, {2}), jump(2), load(9, {4}), jump(4),
                   keep({2}), keep({4})},
                  {{8, {2, 5}}, {9, {4, 6}}}),
            Addresses({Unknown, Unknown, 8, Unknown, 9, 8, 9}));
}

TEST(RegisterFlow, WithoutATableASwitchLeadsToAll) {
  EXPECT_EQ(solve({keep({1, 2}), load(8, {3}), load(9, {3}), jump(3), keep({}),
                   keep({})},
                  {{8, {4}}, {9, {5}}}),
            Addresses({Unknown, Unknown, Unknown, Unknown, Unknown, Unknown}));
}

TEST(RegisterFlow, TheTableCountsThatItsEntryIsReadFrom) {
  // Between reading and jumping the register gets another value.
  EXPECT_EQ(solve({load(8, {1}), load(9, {2}), jump(1), keep({}), keep({})},
                  {{8, {3}}, {9, {4}}}),
            Addresses({Unknown, 8, 9, 9, Unknown}));
}

TEST(RegisterFlow, AnotherRegisterOpensASwitch) {
  // Only the jump through register 1 leads to where register 0 is lost.
  EXPECT_EQ(
      solve({load(8, {1}), load(9, {2}, 1), jump(2, 1), clobber({4}), keep({})},
            {{9, {3, 4}}}, 2),
      Addresses({Unknown, 8, 8, 8, Unknown}));
}

TEST(RegisterFlow, MayHold) {
  RegisterFlow Flow;
  Flow.Nodes = {load(8, {1}), jump(1), keep({4}), clobber({4}), keep({})};
  Flow.Targets = {{8, {2, 3}}};
  EXPECT_EQ(Flow.solve().mayHold(0, 8),
            std::vector<bool>({false, true, true, true, true}));
  EXPECT_EQ(Flow.solve().mayHold(0, 9), std::vector<bool>(5));
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
    for (const RegisterFlow::Write &W : N.Writes)
      Value = W.Address;
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
    EXPECT_EQ(solve(Flow), Expected);
    Known += std::count_if(Expected.begin(), Expected.end(),
                           [](Address A) { return A.has_value(); });
    std::vector<uint32_t> NewIndex;
    const Addresses Shuffled = solve(shuffled(Flow, NewIndex, R));
    for (uint32_t I = 0; I < Expected.size(); ++I)
      EXPECT_EQ(Shuffled[NewIndex[I]], Expected[I]) << "node " << I;
  }
  if (numSeeds() > 1) {
    EXPECT_GT(Known, 100u) << "too few nodes where the address is known";
  }
}

/// Some of the nodes of \p Flow become switches, and there are edges back.
void addSwitches(RegisterFlow &Flow, Random &R) {
  const uint32_t Size = Flow.Nodes.size();
  Flow.NumRegisters = 2;
  for (Node &N : Flow.Nodes)
    for (RegisterFlow::Write &W : N.Writes)
      W.Register = R.below(2);
  for (uint64_t Table = 0; Table < 3; ++Table)
    for (uint64_t Targets = R.below(3); Targets; --Targets)
      Flow.Targets[Table].push_back(R.below(Size));
  for (uint32_t I = 0; I < Size; ++I)
    if (R.oneIn(3)) {
      Flow.Nodes[I].Successors.clear();
      Flow.Nodes[I].Through = {I, uint32_t(R.below(2))};
    }
  for (uint64_t Back = R.below(3); Back; --Back)
    if (Node &N = Flow.Nodes[R.below(Size)]; !N.Through)
      N.Successors.push_back(R.below(Size));
}

TEST(RegisterFlowProperty, NoWalkDisagrees) {
  // Graphs with loops and switches: no random walk, in which registers hold any
  // table at the entry, may see anything but what was proven.
  uint64_t Checked = 0, BehindSwitches = 0;
  FOR_EACH_SEED(Seed) {
    Random R(Seed);
    RegisterFlow Flow = randomAcyclic(R);
    addSwitches(Flow, R);
    const RegisterFlow::Solution Proven = Flow.solve();
    for (int Walk = 0; Walk < 50; ++Walk) {
      uint64_t Values[2] = {R.below(3), R.below(3)};
      bool Switched = false;
      for (uint32_t At = 0, Steps = 0; Steps < 30; ++Steps) {
        const Node &N = Flow.Nodes[At];
        for (uint32_t Register = 0; Register < 2; ++Register)
          if (const Address Known = Proven.before(At, Register)) {
            EXPECT_EQ(Values[Register], *Known) << "node " << At;
            ++Checked;
            BehindSwitches += Switched;
          }
        // Where a table is not proven, nothing is promised behind it.
        if (N.Through && !Proven.before(At, N.Through->Register))
          break;
        const uint64_t Table = N.Through ? Values[N.Through->Register] : 0;
        for (const RegisterFlow::Write &W : N.Writes)
          Values[W.Register] = W.Address ? *W.Address : R.below(3);
        const llvm::ArrayRef<uint32_t> To =
            N.Through ? llvm::ArrayRef(Flow.Targets[Table])
                      : llvm::ArrayRef<uint32_t>(N.Successors);
        if (To.empty())
          break;
        Switched |= N.Through.has_value();
        At = To[R.below(To.size())];
      }
    }
  }
  if (numSeeds() > 1) {
    EXPECT_GT(Checked, 1000u) << "too few steps where the address is known";
    EXPECT_GT(BehindSwitches, 100u) << "too few of them behind switches";
  }
}

} // namespace
