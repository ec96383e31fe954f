//===- Numa/Run/Auto.cpp - Pages move while a program runs ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// AutoPlacer::add takes one slice of a running program's traffic and moves its
// threads and pages:
//
// 1. take() gives uses of threads that have nodes to the Follower, and keeps
//    those of other threads until these get nodes. Uses of copies count in step
//    4 only.
// 2. placeThreads() runs after at least 60 ms and 32 uses. A thread that does
//    at least a sixteenth of the busiest one's work gets a node for good. The
//    first threads are placed together, by the pages they share (a single one
//    where most of its pages are); later ones go to the node with least work a
//    processor.
// 3. The Follower ends its slice (Numa/Plan/Follow.h). askHomes() asks the
//    kernel for the homes of pages with news.
// 4. share() adds the slice's local and remote bytes up, by object and by
//    phase.
// 5. chooseMoves() proposes moves and copies (Prestor 2001, 3.3).
//    askForCopies() asks the program's runtime for copies of pages that wanted
//    them in three slices. movePages() moves up to 8192 pages and tells the
//    Follower which did move.
//
//===----------------------------------------------------------------------===//

#include "Auto.h"
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

/// The time that threads are watched before they get nodes, and the least
/// number of their uses: enough to know which of them share pages.
static constexpr uint64_t LeastMilliseconds = 60;
static constexpr double LeastUses = 32;
/// Relative to the busiest thread, the least work of a thread that gets a node.
static constexpr double LeastPart = 1.0 / 16;
/// Earlier work of a thread counts half as much the next time.
static constexpr double Memory = 0.5;
/// Slices in which a page has to look as if copies were good for it.
static constexpr unsigned EnoughWishes = 3;
/// Number of pages that move at a time; meanwhile nobody looks.
static constexpr size_t MostMoves = 8192;

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

AutoCounts AutoPlacer::counts() const {
  AutoCounts C = Counts;
  C.Pages = Known.counts();
  return C;
}

void AutoPlacer::take(const SlicePage &P, uint64_t Thread) {
  // Mappings of copies are where they should be.
  const uint64_t Window = windowOf(P.Address);
  const bool IsCopy = Window > GRAUPEL_NUMA_WINDOW_NUMBER &&
                      Window <= GRAUPEL_NUMA_WINDOW_NUMBER + T.Nodes.size();
  auto Node = NodeOfThread.find(Thread);
  const double Loads = double(P.Loads), Stores = double(P.Stores);
  if (Node != NodeOfThread.end())
    Uses.push_back({P.Address, P.Object, Node->second, IsCopy, Loads + Stores});
  if (IsCopy)
    return;
  if (Node != NodeOfThread.end())
    Known.use(P.Address, P.Object, Node->second, Loads, Stores);
  else
    Unplaced[Thread].push_back(P);
}

void AutoPlacer::add(const Slice &S, const LiveRecord &Record, pid_t Process) {
  ++Counts.Looks;
  for (const SlicePage &P : S.Pages) {
    if (P.Thread >= Record.threads().size())
      continue;
    uint64_t Thread = Record.threads()[P.Thread].System;
    ThreadBytes[Thread] += double(P.Loads + P.Stores);
    Waiting += 1;
    take(P, Thread);
  }
  if (S.End - Last >= LeastMilliseconds && Waiting >= LeastUses) {
    Last = S.End;
    Waiting = 0;
    placeThreads(Process);
  }
  Known.endSlice();
  askHomes(Process);
  share(S);
  movePages(Process);
}

/// Whether uses were near: pages are where they were asked for just now.
void AutoPlacer::share(const Slice &S) {
  const Follower::Counts &C = Known.counts();
  if (Phases.size() < C.Phases) {
    Phases.emplace_back();
    Phases.back().Begin = S.Begin;
  }
  Phases.back().End = S.End;
  Phases.back().Again |= C.Again > Again;
  Again = C.Again;
  for (const Use &U : Uses)
    for (AutoShare *To :
         {&Objects[U.Object], &static_cast<AutoShare &>(Phases.back())}) {
      To->Bytes += U.Bytes;
      if (!U.IsCopy &&
          Known.pages()[Known.numberOf(U.Address)].Home != int(U.Node))
        To->Remote += U.Bytes;
    }
  Uses.clear();
}

//===--- Threads ----------------------------------------------------------===//

void AutoPlacer::run(uint64_t Thread, unsigned Node) {
  NodeOfThread[Thread] = Node;
  cpu_set_t Set;
  CPU_ZERO(&Set);
  for (unsigned Processor : T.processorsOf(Node))
    if (Processor < CPU_SETSIZE)
      CPU_SET(Processor, &Set);
  Counts.Threads += CPU_COUNT(&Set) &&
                    sched_setaffinity(pid_t(Thread), sizeof(Set), &Set) == 0;
  for (const SlicePage &P : Unplaced[Thread])
    take(P, Thread);
  Unplaced.erase(Thread);
}

/// Where most pages are that the only thread uses: there it stays.
unsigned AutoPlacer::homeOf(uint64_t Thread, pid_t Process) const {
  std::vector<void *> Where;
  for (const SlicePage &P : Unplaced.at(Thread))
    Where.push_back(reinterpret_cast<void *>(P.Address));
  std::vector<int> Status(Where.size(), -1);
  std::vector<unsigned> Pages(T.Nodes.size());
  if (movePagesOf(Process, Where, nullptr, Status, 0) == 0)
    for (int Id : Status)
      if (auto Node = Id < 0 ? std::nullopt : T.indexOfNode(unsigned(Id)))
        Pages[*Node] += !T.processorsOf(*Node).empty();
  auto Most = std::max_element(Pages.begin(), Pages.end());
  if (Most != Pages.end() && *Most)
    return unsigned(Most - Pages.begin());
  for (unsigned Node = 0; Node < T.Nodes.size(); ++Node)
    if (!T.processorsOf(Node).empty())
      return Node;
  return 0;
}

/// None of them has a node yet: those that share are near each other.
void AutoPlacer::placeTogether(const std::vector<uint64_t> &Ids,
                               pid_t Process) {
  if (Ids.size() == 1)
    return run(Ids[0], homeOf(Ids[0], Process));
  std::unordered_map<uint64_t, PageUse> Shared;
  for (unsigned N = 0; N < Ids.size(); ++N)
    for (const SlicePage &P : Unplaced[Ids[N]])
      Shared[P.Address].By.push_back({N, P.Loads, P.Stores});
  Traffic Observed;
  Observed.Threads = unsigned(Ids.size());
  Observed.Objects.emplace_back();
  for (auto &[Address, U] : Shared) {
    U.Address = Address;
    Observed.Objects[0].Pages.push_back(std::move(U));
  }
  std::vector<unsigned> Nodes = graupel::numa::placeThreads(T, Observed);
  for (size_t N = 0; N < Ids.size(); ++N)
    run(Ids[N], Nodes[N]);
}

/// A thread gets a node as soon as it does much work, and keeps it: its pages
/// come to it. A later one goes to the node with the least work.
void AutoPlacer::placeThreads(pid_t Process) {
  std::vector<uint64_t> New;
  std::vector<double> Busy(T.Nodes.size());
  double Most = 0;
  for (auto [Id, Bytes] : ThreadBytes)
    Most = std::max(Most, Bytes);
  for (auto &[Id, Bytes] : ThreadBytes) {
    if (auto Node = NodeOfThread.find(Id); Node != NodeOfThread.end())
      Busy[Node->second] += Bytes / Most;
    else if (Bytes < Most * LeastPart)
      Unplaced.erase(Id);
    else
      New.push_back(Id);
    Bytes *= Memory;
  }
  std::sort(New.begin(), New.end());
  if (New.empty())
    return;
  if (NodeOfThread.empty())
    return placeTogether(New, Process);
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

//===--- Pages ------------------------------------------------------------===//

/// Asks for the homes of pages with new uses: they may have moved without us.
void AutoPlacer::askHomes(pid_t Process) {
  const std::vector<size_t> Pages = Known.takeNews();
  News = {Pages.begin(), Pages.end()};
  std::vector<void *> Where;
  for (size_t N : Pages)
    Where.push_back(reinterpret_cast<void *>(Known.addressOf(N)));
  std::vector<int> Status(Where.size(), -1);
  if (Where.empty() || movePagesOf(Process, Where, nullptr, Status, 0) != 0)
    return;
  for (size_t N = 0; N < Pages.size(); ++N) {
    RecentPage &P = Known.pages()[Pages[N]];
    auto Home =
        Status[N] < 0 ? std::nullopt : T.indexOfNode(unsigned(Status[N]));
    P.Home = Home ? int(*Home) : -1;
    const uint64_t Address = Known.addressOf(Pages[N]);
    P.CanBeCopied = !Commands.empty() && !HasCopies.contains(Address) &&
                    windowOf(Address) == GRAUPEL_NUMA_WINDOW_NUMBER;
  }
}

void AutoPlacer::movePages(pid_t Process) {
  Moves M = chooseMoves(T, Known.pages());
  askForCopies(M.Copies);
  if (M.Pages.size() > MostMoves)
    M.Pages.resize(MostMoves);
  std::vector<void *> Where;
  std::vector<int> Wanted;
  for (const PageMove &P : M.Pages) {
    Where.push_back(reinterpret_cast<void *>(Known.addressOf(P.Page)));
    Wanted.push_back(int(T.Nodes[P.To].Id));
  }
  if (Where.empty())
    return;
  std::vector<int> Status(Where.size(), -1);
  // Pages that are mapped twice move only for who may do that.
  if (movePagesOf(Process, Where, Wanted.data(), Status, MPOL_MF_MOVE_ALL) < 0)
    movePagesOf(Process, Where, Wanted.data(), Status, MPOL_MF_MOVE);
  for (size_t N = 0; N < Where.size(); ++N) {
    const bool Done = Status[N] == Wanted[N];
    ++(Done ? Counts.Moved : Counts.Failed);
    Objects[Known.objectOf(M.Pages[N].Page)].Moved += Done;
    Phases.back().Moved += Done;
    Known.moved(M.Pages[N].Page, M.Pages[N].To, Done);
  }
}

/// Adjacent pages are one line: "ADDRESS BYTES", hexadecimal.
void AutoPlacer::askForCopies(const std::vector<size_t> &Wanting) {
  std::vector<uint64_t> Addresses;
  for (size_t N : Wanting)
    // Once is not enough: a thread may be taking over from another.
    if (uint64_t Address = Known.addressOf(N);
        News.contains(N) && ++WantsCopies[Address] >= EnoughWishes)
      Addresses.push_back(Address);
  FILE *File = Addresses.empty() ? nullptr : fopen(Commands.c_str(), "a");
  if (!File)
    return;
  std::sort(Addresses.begin(), Addresses.end());
  for (size_t At = 0; At < Addresses.size();) {
    size_t End = At;
    for (; End < Addresses.size() &&
           Addresses[End] == Addresses[At] + (End - At) * PlanPageBytes;
         ++End) {
      WantsCopies.erase(Addresses[End]);
      HasCopies.insert(Addresses[End]);
    }
    fprintf(File, "%llx %llx\n", static_cast<unsigned long long>(Addresses[At]),
            static_cast<unsigned long long>((End - At) * PlanPageBytes));
    ++Counts.CopiedRanges;
    At = End;
  }
  fclose(File);
  for (size_t N : Wanting)
    if (HasCopies.contains(Known.addressOf(N))) {
      Known.pages()[N].CanBeCopied = false;
      ++Objects[Known.objectOf(N)].Copied;
      ++Phases.back().Copied;
    }
}
