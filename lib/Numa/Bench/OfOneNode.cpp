//===- Numa/Bench/OfOneNode.cpp - Within a node ---------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans the experiments within a node, after (Prestor 2001, 4).
//
// 1. addStates makes two tables, of latency and bandwidth: a row for each
//    coherence state, a column for each kernel. A cell where the experiment has
//    no meaning stays empty (has).
// 2. addOneProcessor makes a row for each kernel and order of lines.
//    addProcessors makes rows with more and more processors, of one node and
//    then of several.
// 3. addLoaded makes a row for each pause of the other processors: the load
//    that they make, and the latency under it.
// 4. addSweep makes two tables by size of the array and stride.
//
//===----------------------------------------------------------------------===//

#include "Meter.h"
#include "Plan.h"
#include <algorithm>

namespace graupel::numa::bench {

static Case local(const Plan &P, Kernel K, State S, Place At) {
  Case C{.TimedKernel = K,
         .From = S,
         .At = At,
         .Home = P.Home,
         .Local = {P.reader()}};
  if (S != State::None && S != State::UOWN)
    C.Remote = P.partner();
  return C;
}

// --- Coherence states (Prestor 2001, 4).

/// Where an experiment has a meaning.
static bool has(State S, Kernel K) {
  switch (K) {
  case Kernel::Upgrd:
  case Kernel::UpgrdSer:
  case Kernel::BwUpgrd:
    return S == State::SHRD;
  case Kernel::Rdex:
  case Kernel::RdexSer:
  case Kernel::BwRdex:
  case Kernel::BwRdexAhead:
    return S != State::DEXD;
  case Kernel::BwZero:
    return S == State::UOWN || S == State::SHRD || S == State::CEXM;
  default:
    return S != State::DEXT;
  }
}

static PlannedTable stateTable(Plan &P, const char *Name, const char *Unit,
                               const char *About,
                               std::initializer_list<Kernel> Kernels) {
  PlannedTable T{{Name, Unit, About, {"state"}, Shape::Heat}, {}};
  for (Kernel K : Kernels)
    T.Columns.push_back(nameOf(K));
  // For comparison, the best case: data in the private cache.
  T.Rows.push_back({Cell::text("cached")});
  for (Kernel K : Kernels)
    T.Rows.back().push_back(
        K == Kernel::BwZero || K == Kernel::Upgrd || K == Kernel::UpgrdSer ||
                K == Kernel::BwUpgrd
            ? Cell{}
            : P.cell(local(P, K, State::None, Place::Compact)));
  for (State S : {State::UOWN, State::SHRD, State::CEXH, State::CEXM,
                  State::DEXD, State::DEXT}) {
    T.Rows.push_back({Cell::text(nameOf(S))});
    for (Kernel K : Kernels) {
      Case C = local(P, K, S, Place::Compact);
      if (K == Kernel::BwZero) {
        C.At = Place::Range;
        if (S == State::UOWN)
          C.From = State::None; // Caches have only the end of the range left.
      }
      T.Rows.back().push_back(has(S, K) ? P.cell(C) : Cell{});
    }
  }
  return T;
}

void addStates(Plan &P) {
  P.Tables.push_back(stateTable(
      P, "states, latency", "ns",
      "A step of a chain by what caches know of its lines before. UOWN: only "
      "memory has them; SHRD: another processor has read them, too; CEXH: "
      "another owns them; CEXM: it did, and has dropped them; DEXD, DEXT: it "
      "has modified them. Processors with an owned state (MOESI) keep lines "
      "that DEXD writes back elsewhere; after CEXM a last cache of victims may "
      "still have some. lmbench-upgrd and lmbench-rdex: stores do not wait for "
      "each other; with -ser they do.",
      {Kernel::Read, Kernel::Rdex, Kernel::RdexSer, Kernel::Upgrd,
       Kernel::UpgrdSer, Kernel::Restart}));
  P.Tables.push_back(stateTable(
      P, "states, bandwidth", "MB/s",
      "Lines at random places, which need not wait for each other, by the same "
      "states; whole lines are counted. bw-rdsh and bw-rdex-ahead: with "
      "prefetches; bw-zero: a range that is larger than the caches, in one "
      "direction.",
      {Kernel::BwRead, Kernel::BwRdsh, Kernel::BwRdex, Kernel::BwRdexAhead,
       Kernel::BwUpgrd, Kernel::BwZero}));
  if (P.partner().empty())
    P.note(OneProcessor);
}

// --- Bandwidth.

void addOneProcessor(Plan &P) {
  PlannedTable T{{"bandwidth of one processor",
                  "MB/s",
                  "Ascending accesses are prefetched by hardware, those at "
                  "random places are not. Copies count what they read.",
                  {"kernel", "lines", "MB/s"}},
                 {}};
  auto Row = [&](Kernel K, const char *Order, State S, Place At) {
    T.Rows.push_back(
        {Cell::text(nameOf(K)), Cell::text(Order), P.cell(local(P, K, S, At))});
  };
  Row(Kernel::BwRange, "ascending", State::None, Place::Range);
  Row(Kernel::BwRead, "random, near", State::UOWN, Place::Compact);
  Row(Kernel::BwRead, "random, far", State::UOWN, Place::Wide);
  Row(Kernel::BwRdsh, "random, far", State::UOWN, Place::Wide);
  Row(Kernel::BwRdex, "random, far", State::UOWN, Place::Wide);
  Row(Kernel::BwZero, "ascending", State::None, Place::Range);
  Row(Kernel::BwZeroPast, "ascending", State::None, Place::Range);
  Row(Kernel::BwCopy, "ascending", State::None, Place::Range);
  P.Tables.push_back(std::move(T));
}

/// 1, 2, 3, 4, 6, 8, 12, ... and the last.
static std::vector<size_t> growing(size_t Last) {
  std::vector<size_t> Counts;
  for (size_t N = 1; N < Last; N *= 2) {
    Counts.push_back(N);
    if (N > 1 && N * 3 / 2 < Last)
      Counts.push_back(N * 3 / 2);
  }
  Counts.push_back(Last);
  return Counts;
}

/// The first processors of a node, or the first of each of some nodes.
static std::vector<unsigned> readers(const Plan &P, size_t Count,
                                     bool OfNodes) {
  std::vector<unsigned> Found;
  if (OfNodes) {
    for (unsigned N : P.M.byDistance(P.Home))
      if (Found.size() < Count && !P.M.Nodes[N].Processors.empty())
        Found.push_back(P.M.Nodes[N].Processors[0]);
  } else {
    const auto &All = P.M.Nodes[P.readerNode()].Processors;
    Found.assign(All.begin(), All.begin() + long(std::min(Count, All.size())));
  }
  return Found;
}

void addProcessors(Plan &P) {
  PlannedTable T{
      {"bandwidth of several processors",
       "MB/s",
       "Processors of one node, then one of each of several nodes, all read "
       "the memory of node " +
           std::to_string(P.M.Nodes[P.Home].Id) +
           " (bwmp-read). Two show what they share on the way to it, more its "
           "limit.",
       {"processors", "of nodes", "MB/s", "of one"}},
      {}};
  auto Row = [&](size_t Count, bool OfNodes) {
    auto Readers = readers(P, Count, OfNodes);
    Case C{.TimedKernel = Kernel::BwmpRead,
           .At = Place::Range,
           .Home = P.Home,
           .Local = Readers};
    Case One = C;
    One.Local = {P.reader()};
    T.Rows.push_back({Cell::number(double(Readers.size())),
                      Cell::number(OfNodes ? double(Readers.size()) : 1),
                      P.cell(C),
                      Cell::of(Cell::Ratio, {P.add(C)}, {P.add(One)})});
  };
  for (size_t Count : growing(P.M.Nodes[P.readerNode()].Processors.size()))
    Row(Count, false);
  size_t Nodes = readers(P, P.M.Nodes.size(), true).size();
  for (size_t Count : growing(Nodes))
    if (Count > 1)
      Row(Count, true);
  P.Tables.push_back(std::move(T));
  if (Nodes == 1)
    P.note("There is one node with processors: what several nodes get from one "
           "memory cannot be measured.");
}

// --- Under load, and over size and stride.

void addLoaded(Plan &P) {
  PlannedTable T{
      {"loaded latency",
       "ns",
       "A chain of loads to unowned lines while other processors read the same "
       "memory and pause in between; what they get meanwhile is the load.",
       {"pauses after 4 KiB", "load, MB/s", "latency"}},
      {}};
  std::vector<unsigned> Others;
  for (unsigned Processor : P.M.processors())
    if (Processor != P.reader())
      Others.push_back(Processor);
  if (Others.empty())
    P.note(OneProcessor);
  Case C{.TimedKernel = Kernel::LoadedRead,
         .At = Place::Wide,
         .Home = P.Home,
         .Local = {P.reader()},
         .Remote = Others};
  Case Idle{.TimedKernel = Kernel::Read,
            .From = State::UOWN,
            .At = Place::Wide,
            .Home = P.Home,
            .Local = {P.reader()}};
  T.Rows.push_back({Cell::text("no load"), Cell::number(0), P.cell(Idle)});
  for (unsigned Pause : {1000u, 300u, 100u, 30u, 10u, 0u}) {
    if (Others.empty())
      break;
    C.Pause = Pause;
    Case Load = C;
    Load.TimedKernel = Kernel::Load;
    T.Rows.push_back({Cell::number(Pause), P.cell(Load), P.cell(C)});
  }
  P.Tables.push_back(std::move(T));
}

static std::string sizeText(size_t Bytes) {
  if (Bytes >= 1 << 20)
    return std::to_string(Bytes >> 20) + "M";
  if (Bytes >= 1 << 10)
    return std::to_string(Bytes >> 10) + "K";
  return std::to_string(Bytes);
}

static PlannedTable sweepTable(Plan &P, const char *Name, const char *Formula,
                               Kernel K) {
  PlannedTable T{{Name,
                  "ns",
                  std::string("An access of ") + Formula +
                      " over arrays of doubles. Rows: bytes of the array; "
                      "columns: bytes from one access to the next.",
                  {"size"},
                  Shape::Heat},
                 {}};
  const size_t Largest =
      std::min(sizesFor(P.M).RangeBytes,
               std::max<size_t>(32 << 20, 2 * P.M.SharedBytes));
  const size_t Widest = 16 << 20;
  for (size_t Stride = 8; Stride <= Widest; Stride *= 2)
    T.Columns.push_back(sizeText(Stride));
  for (size_t Bytes = 16 << 10; Bytes <= Largest; Bytes *= 2) {
    T.Rows.push_back({Cell::text(sizeText(Bytes))});
    for (size_t Stride = 8; Stride <= Widest; Stride *= 2)
      T.Rows.back().push_back(Stride > Bytes / 2
                                  ? Cell{}
                                  : P.cell({.TimedKernel = K,
                                            .At = Place::Range,
                                            .Home = P.Home,
                                            .Local = {P.reader()},
                                            .Bytes = Bytes,
                                            .Stride = Stride}));
  }
  return T;
}

void addSweep(Plan &P) {
  P.Tables.push_back(
      sweepTable(P, "sweep, read", "`s += a[i]`", Kernel::ReadUse));
  P.Tables.push_back(sweepTable(P, "sweep, modify", "`a[i] = a[i] * a[i] - c`",
                                Kernel::ReadModifyWrite));
}

} // namespace graupel::numa::bench
