//===- Numa/Auto.cpp - Pages move while a program runs --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Auto.h"
#include "Numa/Plan/Moves.h"
#include "Numa/Plan/Threads.h"
#include "graupel/numa_copies.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <linux/mempolicy.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace graupel::numa;

/// Enough to tell a page's owner, and not so long that a phase is over.
static constexpr uint64_t LeastMilliseconds = 60;
static constexpr double LeastUses = 32;
/// What a page was used for counts half as much when the next plan is made.
static constexpr double Memory = 0.5;

/// Wanted null: asks only.
static long movePagesOf(pid_t Process, const std::vector<void *> &Pages,
                        const int *Wanted, std::vector<int> &Status,
                        int Flags) {
  return syscall(SYS_move_pages, Process, Pages.size(), Pages.data(), Wanted,
                 Status.data(), Flags);
}

static uint64_t windowOf(uint64_t Address) {
  return Address >> GRAUPEL_NUMA_WINDOW_SHIFT;
}

void AutoPlacer::add(const Slice &S, const LiveRecord &Record, pid_t Process) {
  for (const SlicePage &P : S.Pages) {
    if (P.Thread >= Record.threads().size())
      continue;
    // Mappings of copies are where they should be.
    uint64_t Window = windowOf(P.Address);
    if (Window > GRAUPEL_NUMA_WINDOW_NUMBER &&
        Window <= GRAUPEL_NUMA_WINDOW_NUMBER + T.Nodes.size())
      continue;
    uint64_t Thread = Record.threads()[P.Thread].System;
    auto &[Loads, Stores] = Pages[P.Address].By[Thread];
    Loads += double(P.Loads);
    Stores += double(P.Stores);
    ThreadBytes[Thread] += double(P.Loads + P.Stores);
    Waiting += 1;
  }
  if (S.End - Last < LeastMilliseconds || Waiting < LeastUses)
    return;
  Last = S.End;
  Waiting = 0;
  ++Counts.Plans;
  placeThreads();
  movePages(Process);
  forget();
}

void AutoPlacer::run(uint64_t Thread, unsigned Node) {
  NodeOfThread[Thread] = Node;
  cpu_set_t Set;
  CPU_ZERO(&Set);
  for (unsigned Processor : T.processorsOf(Node))
    if (Processor < CPU_SETSIZE)
      CPU_SET(Processor, &Set);
  Counts.Threads += CPU_COUNT(&Set) &&
                    sched_setaffinity(pid_t(Thread), sizeof(Set), &Set) == 0;
}

/// None of them has a node yet: those that share are near each other.
void AutoPlacer::placeTogether(const std::vector<uint64_t> &Ids) {
  Traffic Of;
  Of.Threads = unsigned(Ids.size());
  Of.Objects.emplace_back();
  for (const auto &[Address, P] : Pages) {
    PageUse U;
    U.Address = Address;
    for (const auto &[Id, Bytes] : P.By) {
      auto At = std::lower_bound(Ids.begin(), Ids.end(), Id);
      if (At != Ids.end() && *At == Id)
        U.By.push_back({unsigned(At - Ids.begin()), uint64_t(Bytes.first),
                        uint64_t(Bytes.second)});
    }
    Of.Objects[0].Pages.push_back(std::move(U));
  }
  std::vector<unsigned> Nodes = graupel::numa::placeThreads(T, Of);
  for (size_t N = 0; N < Ids.size(); ++N)
    run(Ids[N], Nodes[N]);
}

/// As soon as a thread does much it gets a node, and keeps it: its pages come
/// to it. One that comes later goes where least is done.
void AutoPlacer::placeThreads() {
  std::vector<uint64_t> New;
  std::vector<double> Busy(T.Nodes.size());
  double Most = 0;
  for (auto [Id, Bytes] : ThreadBytes)
    Most = std::max(Most, Bytes);
  for (auto [Id, Bytes] : ThreadBytes) {
    if (Bytes < Most / 4)
      continue;
    if (auto Node = NodeOfThread.find(Id); Node != NodeOfThread.end())
      Busy[Node->second] += 1;
    else
      New.push_back(Id);
  }
  std::sort(New.begin(), New.end());
  if (std::all_of(Busy.begin(), Busy.end(), [](double B) { return B == 0; }))
    return placeTogether(New);
  for (uint64_t Id : New) {
    unsigned Best = 0;
    double Least = INFINITY;
    for (unsigned N = 0; N < T.Nodes.size(); ++N)
      if (size_t Own = T.processorsOf(N).size();
          Own && Busy[N] / double(Own) < Least) {
        Best = N;
        Least = Busy[N] / double(Own);
      }
    Busy[Best] += 1;
    run(Id, Best);
  }
}

void AutoPlacer::movePages(pid_t Process) {
  std::vector<uint64_t> Addresses;
  for (const auto &[Address, P] : Pages)
    Addresses.push_back(Address);
  std::sort(Addresses.begin(), Addresses.end());
  std::vector<void *> Where;
  for (uint64_t Address : Addresses)
    Where.push_back(reinterpret_cast<void *>(Address));
  std::vector<int> Status(Where.size(), -1);
  if (movePagesOf(Process, Where, nullptr, Status, 0) != 0)
    return;
  std::vector<RecentPage> Recent(Where.size());
  for (size_t N = 0; N < Where.size(); ++N) {
    const Page &P = Pages[Addresses[N]];
    RecentPage &R = Recent[N];
    R.Loads.resize(T.Nodes.size());
    R.Stores.resize(T.Nodes.size());
    if (auto Home =
            Status[N] < 0 ? std::nullopt : T.indexOfNode(unsigned(Status[N])))
      R.Home = int(*Home);
    R.Moves = P.Moves;
    R.CanBeCopied = !Commands.empty() && !P.HasCopies &&
                    windowOf(Addresses[N]) == GRAUPEL_NUMA_WINDOW_NUMBER;
    for (const auto &[Thread, Bytes] : P.By)
      if (auto Node = NodeOfThread.find(Thread); Node != NodeOfThread.end()) {
        R.Loads[Node->second] += Bytes.first;
        R.Stores[Node->second] += Bytes.second;
      }
  }
  Moves M = chooseMoves(T, Recent);
  std::vector<uint64_t> Copies;
  // Once is not enough: a thread may be taking over from another.
  for (size_t N : M.Copies)
    if (++Pages[Addresses[N]].WantsCopies >= 2)
      Copies.push_back(Addresses[N]);
  askForCopies(Copies);
  Where.clear();
  std::vector<int> Wanted;
  for (const PageMove &P : M.Pages) {
    Where.push_back(reinterpret_cast<void *>(Addresses[P.Page]));
    Wanted.push_back(int(T.Nodes[P.To].Id));
    ++Pages[Addresses[P.Page]].Moves;
  }
  Status.assign(Where.size(), -1);
  if (Where.empty())
    return;
  // Pages that are mapped twice move only for who may do that.
  if (movePagesOf(Process, Where, Wanted.data(), Status, MPOL_MF_MOVE_ALL) < 0)
    movePagesOf(Process, Where, Wanted.data(), Status, MPOL_MF_MOVE);
  for (size_t N = 0; N < Where.size(); ++N)
    ++(Status[N] == Wanted[N] ? Counts.Moved : Counts.Failed);
}

/// Adjacent pages are one line: "ADDRESS BYTES", hexadecimal.
void AutoPlacer::askForCopies(const std::vector<uint64_t> &Addresses) {
  FILE *File = Addresses.empty() ? nullptr : fopen(Commands.c_str(), "a");
  if (!File)
    return;
  for (size_t At = 0; At < Addresses.size();) {
    size_t End = At;
    for (; End < Addresses.size() &&
           Addresses[End] == Addresses[At] + (End - At) * PlanPageBytes;
         ++End)
      Pages[Addresses[End]].HasCopies = true;
    fprintf(File, "%llx %llx\n", static_cast<unsigned long long>(Addresses[At]),
            static_cast<unsigned long long>((End - At) * PlanPageBytes));
    ++Counts.CopiedRanges;
    At = End;
  }
  fclose(File);
}

void AutoPlacer::forget() {
  for (auto &[Thread, Bytes] : ThreadBytes)
    Bytes *= Memory;
  for (auto &[Address, P] : Pages)
    for (auto &[Thread, Bytes] : P.By) {
      Bytes.first *= Memory;
      Bytes.second *= Memory;
    }
}
