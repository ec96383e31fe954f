//===- Numa/Bench/Machine.cpp - The measurable part of a machine ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the part of this machine that can be measured.
//
// 1. check refuses nodes and processors that are not there or may not be used.
// 2. view goes through the chosen nodes. It takes the chosen processors, or the
//    first one of each core that the process may use, ordered by their last
//    cache.
// 3. It copies the steps between these nodes from the topology.
// 4. memoryLimit reads the limits of the process's control groups. Each node
//    gets at most its share of half of that.
// 5. readCaches reads the sizes of the first processor's caches from sysfs.
//    describe reads the names of processor, kernel and host, and whether this
//    is a virtual machine.
// 6. usage reads how the time of all processors was spent.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "Numa/Topology/Text.h"
#include <algorithm>
#include <cctype>
#include <sched.h>
#include <sstream>
#include <sys/times.h>
#include <sys/utsname.h>

namespace graupel::numa::bench {

static std::string lineOf(const std::string &Path) {
  std::string Text = readFile(Path).value_or("");
  while (!Text.empty() && isspace(static_cast<unsigned char>(Text.back())))
    Text.pop_back();
  return Text;
}

static std::string folderOf(unsigned Processor) {
  return "/sys/devices/system/cpu/cpu" + std::to_string(Processor);
}

static bool mayUse(unsigned Processor) {
  // Larger than any kernel's.
  constexpr size_t Most = 1 << 16;
  static const auto Set = [] {
    std::vector<cpu_set_t> Sets(Most / CPU_SETSIZE);
    if (sched_getaffinity(0, Sets.size() * sizeof(cpu_set_t), Sets.data()) != 0)
      Sets.clear();
    return Sets;
  }();
  return Set.empty() ||
         (Processor < Most && CPU_ISSET_S(Processor, Most / 8, Set.data()));
}

/// False if a processor of the same core that may be used has a lower number.
static bool isFirstOfCore(unsigned Processor) {
  auto Siblings =
      parseList(lineOf(folderOf(Processor) + "/topology/thread_siblings_list"));
  return !Siblings ||
         std::none_of(Siblings->begin(), Siblings->end(), [&](unsigned Other) {
           return Other < Processor && mayUse(Other);
         });
}

/// "1024K" in the files about caches.
static void readCaches(unsigned Processor, Machine &M) {
  for (unsigned N = 0;; ++N) {
    std::string Folder =
        folderOf(Processor) + "/cache/index" + std::to_string(N);
    std::string Size = lineOf(Folder + "/size");
    if (Size.empty())
      break;
    size_t Bytes = parseBytes(Size).value_or(0);
    if (lineOf(Folder + "/type") == "Instruction")
      continue;
    if (parseNumber(lineOf(Folder + "/level")).value_or(1) <= 2)
      M.PrivateBytes = std::max(M.PrivateBytes, Bytes);
    M.SharedBytes = std::max(M.SharedBytes, Bytes);
  }
  // Some virtual machines say nothing.
  if (M.PrivateBytes == 0)
    M.PrivateBytes = 256 << 10;
  M.SharedBytes = std::max(M.SharedBytes, M.PrivateBytes);
}

/// The memory limit of a control group in bytes; its own limit or that of a
/// group around it. `Folder` is the group's, below `Root`.
static uint64_t limitOf(const std::string &Root, std::string Folder,
                        const char *File) {
  uint64_t Least = ~uint64_t(0);
  for (;;) {
    // Without a limit it is a word, or larger than any machine.
    if (auto Limit = parseNumber(lineOf(Root + Folder + "/" + File)))
      Least = std::min(Least, *Limit);
    size_t Slash = Folder.rfind('/');
    if (Slash == std::string::npos)
      return Least;
    Folder.resize(Slash);
  }
}

static uint64_t memoryLimit() {
  std::istringstream Text(readFile("/proc/self/cgroup").value_or(""));
  uint64_t Least = ~uint64_t(0);
  for (std::string Line; std::getline(Text, Line);) {
    size_t First = Line.find(':'), Second = Line.find(':', First + 1);
    if (First == Line.npos || Second == Line.npos)
      continue;
    std::string Kind = Line.substr(First + 1, Second - First - 1),
                Folder = Line.substr(Second + 1);
    if (Kind.empty())
      Least = std::min(Least, limitOf("/sys/fs/cgroup", Folder, "memory.max"));
    else if (Kind.find("memory") != Kind.npos)
      Least = std::min(Least, limitOf("/sys/fs/cgroup/memory", Folder,
                                      "memory.limit_in_bytes"));
  }
  return Least;
}

static void describe(Machine &M) {
  std::istringstream Text(readFile("/proc/cpuinfo").value_or(""));
  for (std::string Line; std::getline(Text, Line);) {
    if (Line.starts_with("model name") && M.Model.empty())
      M.Model = Line.substr(std::min(Line.find(':') + 2, Line.size()));
    if (Line.starts_with("flags") &&
        Line.find(" hypervisor") != std::string::npos)
      M.Guest = true;
  }
  utsname Names;
  if (uname(&Names) == 0) {
    M.Kernel = std::string(Names.sysname) + " " + Names.release;
    M.Host = Names.nodename;
  }
}

template <class List> static bool contains(const List &L, unsigned Value) {
  return std::find(L.begin(), L.end(), Value) != L.end();
}

static std::optional<std::string> check(const Topology &T, const Choice &C) {
  for (unsigned Id : C.Nodes)
    if (!T.indexOfNode(Id))
      return "there is no node " + std::to_string(Id) +
             "; `graupel numa topology` shows them";
  for (unsigned Id : C.Processors) {
    if (!T.nodeOfProcessor(Id))
      return "there is no processor " + std::to_string(Id) +
             "; `graupel numa topology` shows them";
    if (!mayUse(Id))
      return "this process may not use processor " + std::to_string(Id) +
             "; name others";
  }
  return std::nullopt;
}

std::optional<std::string> view(const Topology &T, const Choice &C,
                                Machine &M) {
  if (auto Wrong = check(T, C))
    return Wrong;
  std::vector<unsigned> Indices;
  for (unsigned N = 0; N < T.Nodes.size(); ++N) {
    if (!C.Nodes.empty() && !contains(C.Nodes, T.Nodes[N].Id))
      continue;
    NodeView V{T.Nodes[N].Id, {}, T.Nodes[N].FreeBytes.value_or(0)};
    std::vector<std::pair<unsigned, unsigned>> Found;
    std::vector<unsigned> Caches;
    for (const Processor &P : T.Processors) {
      if (P.Node != N || !mayUse(P.Id))
        continue;
      if (C.Processors.empty() ? !isFirstOfCore(P.Id)
                               : !contains(C.Processors, P.Id))
        continue;
      Found.emplace_back(P.Cache, P.Id);
      if (!contains(Caches, P.Cache))
        Caches.push_back(P.Cache);
    }
    std::sort(Found.begin(), Found.end());
    for (auto [Cache, Id] : Found)
      V.Processors.push_back(Id);
    M.LastCaches = std::max(M.LastCaches, Caches.size());
    M.Nodes.push_back(std::move(V));
    Indices.push_back(N);
  }
  if (M.processors().empty())
    return "no processor of the chosen nodes may be used; choose others";
  for (unsigned From : Indices) {
    M.Steps.emplace_back();
    for (unsigned To : Indices)
      M.Steps.back().push_back(unsigned(T.classes().at(From, To)));
  }
  // Half of what the process may have: it has the rest of the program, too.
  const uint64_t Each = memoryLimit() / 2 / M.Nodes.size();
  for (NodeView &N : M.Nodes)
    N.FreeBytes = N.FreeBytes ? std::min(N.FreeBytes, Each) : 0;
  readCaches(M.processors()[0], M);
  describe(M);
  return std::nullopt;
}

std::vector<unsigned> Machine::processors() const {
  std::vector<unsigned> All;
  for (const NodeView &N : Nodes)
    All.insert(All.end(), N.Processors.begin(), N.Processors.end());
  return All;
}

std::vector<unsigned> Machine::byDistance(unsigned From) const {
  std::vector<unsigned> Order(Nodes.size());
  for (unsigned N = 0; N < Order.size(); ++N)
    Order[N] = N;
  std::stable_sort(Order.begin(), Order.end(), [&](unsigned A, unsigned B) {
    return Steps[From][A] < Steps[From][B];
  });
  return Order;
}

unsigned Machine::mostSteps() const {
  unsigned Most = 0;
  for (const auto &Row : Steps)
    Most = std::max(Most, *std::max_element(Row.begin(), Row.end()));
  return Most;
}

Usage usage() {
  std::istringstream Text(readFile("/proc/stat").value_or(""));
  std::string Name;
  Text >> Name;
  Usage U;
  // user nice system idle iowait irq softirq steal; guests are in user.
  for (unsigned N = 0; N < 8; ++N) {
    uint64_t Ticks = 0;
    Text >> Ticks;
    U.All += Ticks;
    if (N < 3)
      U.Busy += Ticks;
    U.Stolen = Ticks;
  }
  tms Own;
  times(&Own);
  U.Own = uint64_t(Own.tms_utime + Own.tms_stime);
  return U;
}

} // namespace graupel::numa::bench
