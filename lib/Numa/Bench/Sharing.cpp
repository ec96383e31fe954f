//===- Numa/Bench/Sharing.cpp - Experiments: owners and sharers -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans the experiments with owners and sharers of lines.
//
// 1. participants chooses requester, home and owner for a placement in which
//    two of the three are together. addInterventions and addSingleSharer make a
//    row for each distance, with these placements as columns.
// 2. sharers orders all other processors: the partner of the reader, one of
//    each other node, then the rest. addSharers makes rows with more and more
//    sharers; addStorm has all of them write at once.
// 3. addCoreToCore makes a table by reader and owner, of at most 24 processors.
// 4. Sentences tell what cannot be measured with the processors and nodes of
//    this machine.
//
//===----------------------------------------------------------------------===//

#include "Plan.h"
#include <algorithm>

namespace graupel::numa::bench {

// --- Requester, home and owner; two of the three are together.

namespace {
enum Placement { X, Y, Z };
struct Participants {
  std::vector<unsigned> Local, Remote;
  unsigned Home;
};
} // namespace

/// x: requester and home; y: home and owner; z: requester and owner. The third
/// is on another node. On one node all are the same. Nobody if there are not
/// enough processors.
static Participants participants(const Plan &P, Placement At, unsigned Node) {
  const unsigned Own = P.readerNode();
  if (Node == Own)
    return {P.processor(Own), P.partner(), P.Home};
  switch (At) {
  case X:
    return {P.processor(Own), P.processor(Node), P.Home};
  case Y:
    return {P.processor(Node), P.processor(Own), P.Home};
  case Z:
    return {P.processor(Own, 0), P.processor(Own, 1), Node};
  }
  return {};
}

/// One node for each distance: the first that has processors.
static std::vector<unsigned> nodesByHop(const Plan &P) {
  std::vector<unsigned> Found;
  unsigned Last = ~0u;
  const unsigned Own = P.readerNode();
  for (unsigned N : P.M.byDistance(Own))
    if (P.M.Steps[Own][N] != Last && !P.M.Nodes[N].Processors.empty()) {
      Last = P.M.Steps[Own][N];
      Found.push_back(N);
    }
  return Found;
}

static Cell placed(Plan &P, Placement At, unsigned Node, Kernel K, State S) {
  Participants Group = participants(P, At, Node);
  if (Group.Local.empty() || Group.Remote.empty())
    return {};
  return P.cell({.TimedKernel = K,
                 .From = S,
                 .Home = Group.Home,
                 .Local = Group.Local,
                 .Remote = Group.Remote});
}

static Cell unowned(Plan &P, unsigned Node, Kernel K) {
  return P.cell({.TimedKernel = K,
                 .From = State::UOWN,
                 .Home = P.Home,
                 .Local = P.processor(Node)});
}

static void notePlacements(Plan &P) {
  if (P.partner().empty())
    P.note(OneProcessor);
  if (nodesByHop(P).size() == 1)
    P.note("Requester, home and owner are on one node: how placing them apart "
           "matters cannot be measured.");
  else if (P.M.Nodes[P.readerNode()].Processors.size() < 2)
    P.note("There is one processor a node: requester and owner cannot be put "
           "together (placement z).");
}

void addInterventions(Plan &P) {
  PlannedTable T{
      {"interventions by placement",
       "ns",
       "A step of a chain of lines that another processor owns, beside unowned "
       "ones as far away. x: requester and home are together, the owner is "
       "apart; y: home and owner; z: requester and owner. DEXT: with stores "
       "that wait.",
       {"hops", "UOWN"},
       Shape::Heat},
      {}};
  constexpr struct {
    State From;
    Kernel StateKernel;
  } Kinds[] = {{State::CEXM, Kernel::Read},
               {State::CEXH, Kernel::Read},
               {State::DEXT, Kernel::RdexSer},
               {State::DEXD, Kernel::Read}};
  for (auto Kind : Kinds)
    for (const char *Name : {" x", " y", " z"})
      T.Columns.push_back(std::string(nameOf(Kind.From)) + Name);
  for (unsigned Node : nodesByHop(P)) {
    T.Rows.push_back({Cell::number(P.M.Steps[P.readerNode()][Node]),
                      unowned(P, Node, Kernel::Read)});
    for (auto Kind : Kinds)
      for (Placement At : {X, Y, Z})
        T.Rows.back().push_back(
            placed(P, At, Node, Kind.StateKernel, Kind.From));
  }
  P.Tables.push_back(std::move(T));
  notePlacements(P);
}

void addSingleSharer(Plan &P) {
  PlannedTable T{{"single sharer",
                  "ns",
                  "A step of a chain with stores that wait, to lines that one "
                  "other processor shares, in the same placements.",
                  {"hops", "UOWN", "x", "x more", "y", "y more", "z", "z more"},
                  Shape::Plain},
                 {}};
  for (unsigned Node : nodesByHop(P)) {
    Cell Base = unowned(P, Node, Kernel::RdexSer);
    T.Rows.push_back({Cell::number(P.M.Steps[P.readerNode()][Node]), Base});
    for (Placement At : {X, Y, Z}) {
      Cell Here = placed(P, At, Node, Kernel::RdexSer, State::SHRD);
      T.Rows.back().push_back(Here);
      T.Rows.back().push_back(Cell::of(Cell::Difference, Here.A, Base.A));
    }
  }
  P.Tables.push_back(std::move(T));
  notePlacements(P);
}

// --- More and more sharers.

/// Another processor of the reader's node, then one of each node, nearest
/// first, then all others.
static std::vector<unsigned> sharers(const Plan &P) {
  std::vector<unsigned> Found;
  auto Add = [&](unsigned Processor) {
    if (Processor != P.reader() &&
        std::find(Found.begin(), Found.end(), Processor) == Found.end())
      Found.push_back(Processor);
  };
  for (unsigned Processor : P.partner())
    Add(Processor);
  for (unsigned N : P.M.byDistance(P.readerNode()))
    if (N != P.readerNode() && !P.M.Nodes[N].Processors.empty())
      Add(P.M.Nodes[N].Processors[0]);
  for (unsigned Processor : P.M.processors())
    Add(Processor);
  return Found;
}

/// 1, 2, 3, 4, 6, 8, 12, ...
static bool isShown(size_t Count, size_t Last) {
  if (Count == Last || Count <= 4)
    return true;
  while (Count % 2 == 0)
    Count /= 2;
  return Count == 1 || Count == 3;
}

static PlannedTable sharersTable(Plan &P, const char *Name, const char *Unit,
                                 const char *About,
                                 std::initializer_list<Kernel> Kernels) {
  PlannedTable T{{Name, Unit, About, {"sharers", "last processor"}}, {}};
  for (Kernel K : Kernels)
    T.Columns.push_back(nameOf(K));
  const std::vector<unsigned> All = sharers(P);
  for (size_t Count = 1; Count <= All.size(); ++Count) {
    if (!isShown(Count, All.size()))
      continue;
    T.Rows.push_back(
        {Cell::number(double(Count)), Cell::number(All[Count - 1])});
    for (Kernel K : Kernels)
      T.Rows.back().push_back(
          P.cell({.TimedKernel = K,
                  .From = State::SHRD,
                  .At = K == Kernel::BwZero ? Place::Range : Place::Compact,
                  .Home = P.Home,
                  .Local = {P.reader()},
                  .Remote = {All.begin(), All.begin() + long(Count)}}));
  }
  return T;
}

void addSharers(Plan &P) {
  P.Tables.push_back(sharersTable(
      P, "invalidation by sharers, latency", "ns",
      "A step of a chain with a store to each line, which others share, and "
      "with upgrd the writer, too.",
      {Kernel::Rdex, Kernel::RdexSer, Kernel::Upgrd, Kernel::UpgrdSer}));
  P.Tables.push_back(
      sharersTable(P, "invalidation by sharers, bandwidth", "MB/s",
                   "Stores to such lines that need not wait for each other.",
                   {Kernel::BwRdex, Kernel::BwUpgrd, Kernel::BwZero}));
  const size_t Most = sharers(P).size();
  if (Most == 0)
    P.note(OneProcessor);
  else if (Most == 1)
    P.note("There are two processors: invalidations of more than one sharer "
           "cannot be measured.");
}

void addStorm(Plan &P) {
  PlannedTable T{{"invalidation storm",
                  "MB/s",
                  "All processors have read all lines; then each writes a part "
                  "of them, all at once. The sum.",
                  {"processors", "bwmp-rdex"}},
                 {}};
  std::vector<unsigned> All = sharers(P);
  All.insert(All.begin(), P.reader());
  for (size_t Count = 1; Count <= All.size(); ++Count)
    if (isShown(Count, All.size()) && Count <= 16)
      T.Rows.push_back(
          {Cell::number(double(Count)),
           P.cell({.TimedKernel = Kernel::BwmpRdex,
                   .Home = P.Home,
                   .Local = {All.begin(), All.begin() + long(Count)}})});
  P.Tables.push_back(std::move(T));
}

// --- Processor to processor.

/// Not more than that, spread over all.
static std::vector<unsigned> some(const std::vector<unsigned> &All,
                                  size_t Most) {
  if (All.size() <= Most)
    return All;
  std::vector<unsigned> Found;
  for (size_t N = 0; N < Most; ++N)
    Found.push_back(All[N * All.size() / Most]);
  return Found;
}

void addCoreToCore(Plan &P) {
  constexpr size_t Most = 24;
  const std::vector<unsigned> Chosen = some(P.M.processors(), Most);
  if (Chosen.size() < 2)
    return P.note(OneProcessor);
  PlannedTable T{{"core to core",
                  "ns",
                  "A step of a chain of lines that another processor has "
                  "modified. Rows: who reads; columns: who has written.",
                  {"processor"},
                  Shape::Heat},
                 {}};
  for (unsigned Owner : Chosen)
    T.Columns.push_back(std::to_string(Owner));
  for (unsigned Reader : Chosen) {
    T.Rows.push_back({Cell::number(Reader)});
    for (unsigned Owner : Chosen)
      T.Rows.back().push_back(Owner == Reader
                                  ? Cell{}
                                  : P.cell({.TimedKernel = Kernel::Read,
                                            .From = State::DEXD,
                                            .Home = P.Home,
                                            .Local = {Reader},
                                            .Remote = {Owner}}));
  }
  P.Tables.push_back(std::move(T));
  if (P.M.processors().size() > Most)
    P.note("Core to core: " + std::to_string(Most) + " of " +
           std::to_string(P.M.processors().size()) +
           " processors, spread over all; --cpus= chooses others.");
}

} // namespace graupel::numa::bench
