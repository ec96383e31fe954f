//===- numa/Counters.cpp - References by page and node --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts references by page and node, and moves a page when another node refers
// to it much more than its home does. After (Prestor 2001, 3.3): a threshold on
// the difference to the home's count, and a page that moves to and fro is
// frozen.
//
// 1. graupel_numa_counters_new reserves a counter for each page and node.
// 2. graupel_numa_count adds references to a counter. It asks the kernel for
//    the page's home the first time.
// 3. isDue compares the difference with the threshold. A page that has moved
//    `freeze` times needs a difference above `melt`; without `melt` it stays.
// 4. One thread at a time handles a page that is due. It calls the callback and
//    leaves the page marked, so that it is told once; or it moves the page,
//    notes the new home and sets the page's counters to 0.
// 5. graupel_numa_balance goes through all pages and moves those that are due,
//    each to the node with the greatest difference.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <new>
#include <sys/mman.h>

using namespace graupel::numa;

namespace {
/// The state of a page besides its counts.
struct Page {
  std::atomic<int8_t> Home{
      -1}; ///< Index of its node; -1: nobody has asked yet.
  std::atomic<uint8_t> Moves{0};
  std::atomic<bool> Busy{false}; ///< Somebody deals with it, or has told of it.
};
} // namespace

struct graupel_numa_counters {
  uint64_t Start;
  size_t Pages, Nodes;
  graupel_numa_limits Limits;
  std::atomic<uint64_t> *Counts; ///< By page, then node's index.
  Page *PageStates;
  void (*Passed)(void *, int, int, void *) = nullptr;
  void *Data = nullptr;

  std::atomic<uint64_t> &at(size_t Page, size_t Node) const {
    return Counts[Page * Nodes + Node];
  }
  uint64_t address(size_t Page) const { return Start + Page * PageBytes; }
  int home(size_t Page);
  bool isDue(size_t Page, uint64_t Beyond) const;
  int mostCounted(size_t Page, uint64_t &Beyond);
  bool move(size_t Page, int Node);
};

static uint64_t beyond(uint64_t Count, uint64_t HomeCount) {
  return Count > HomeCount ? Count - HomeCount : 0;
}

int graupel_numa_counters::home(size_t Page) {
  int8_t Home = PageStates[Page].Home.load(std::memory_order_relaxed);
  if (Home >= 0)
    return Home;
  int On = -1;
  if (queryPages(address(Page), 1, &On) == 0 && On >= 0)
    if (auto Index = machine().T.indexOfNode(unsigned(On)))
      PageStates[Page].Home = Home = int8_t(*Index);
  return Home;
}

bool graupel_numa_counters::isDue(size_t Page, uint64_t Beyond) const {
  if (Beyond <= Limits.threshold)
    return false;
  bool Frozen = Limits.freeze && PageStates[Page].Moves.load() >= Limits.freeze;
  return !Frozen || (Limits.melt && Beyond > Limits.melt);
}

/// The index of the node whose count is furthest beyond the home's.
int graupel_numa_counters::mostCounted(size_t Page, uint64_t &Beyond) {
  int Home = home(Page), Best = -1;
  Beyond = 0;
  for (size_t N = 0; Home >= 0 && N < Nodes; ++N) {
    uint64_t More = beyond(at(Page, N), at(Page, size_t(Home)));
    if (More > Beyond) {
      Beyond = More;
      Best = int(N);
    }
  }
  return Best;
}

/// The caller has set Busy.
bool graupel_numa_counters::move(size_t Page, int Node) {
  int To = int(machine().T.Nodes[size_t(Node)].Id), On = -1;
  if (machine().Trivial || movePages(address(Page), 1, &To, 0, &On) != 0 ||
      On != To)
    return false;
  PageStates[Page].Home = int8_t(Node);
  if (PageStates[Page].Moves < 255)
    ++PageStates[Page].Moves;
  for (size_t N = 0; N < Nodes; ++N)
    at(Page, N) = 0;
  return true;
}

/// Zero pages that take no memory before they are used.
static void *reserve(size_t Bytes) {
  void *Memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return Memory == MAP_FAILED ? nullptr : Memory;
}

graupel_numa_counters *
graupel_numa_counters_new(void *Memory, size_t Bytes,
                          const graupel_numa_limits *Limits) {
  uint64_t Address = reinterpret_cast<uint64_t>(Memory);
  uint64_t Start = pageDown(Address), End = pageUp(Address + Bytes);
  size_t Pages = (End - Start) / PageBytes, Nodes = machine().T.Nodes.size();
  auto *C = new (std::nothrow)
      graupel_numa_counters{Start, Pages, Nodes, *Limits, nullptr, nullptr};
  if (!C)
    return nullptr;
  C->Counts = static_cast<std::atomic<uint64_t> *>(
      reserve(Pages * Nodes * sizeof(uint64_t)));
  C->PageStates = new (std::nothrow) Page[Pages];
  if (C->Counts && C->PageStates)
    return C;
  graupel_numa_counters_delete(C);
  return nullptr;
}

void graupel_numa_counters_delete(graupel_numa_counters *C) {
  if (!C)
    return;
  if (C->Counts)
    munmap(C->Counts, C->Pages * C->Nodes * sizeof(uint64_t));
  delete[] C->PageStates;
  delete C;
}

void graupel_numa_counters_notify(graupel_numa_counters *C,
                                  void (*Passed)(void *, int, int, void *),
                                  void *Data) {
  C->Data = Data;
  C->Passed = Passed;
}

void graupel_numa_count(graupel_numa_counters *C, const void *Address, int Node,
                        uint64_t References) {
  size_t Page = (reinterpret_cast<uint64_t>(Address) - C->Start) / PageBytes;
  auto Index = machine().T.indexOfNode(unsigned(Node));
  if (Page >= C->Pages || !Index)
    return;
  uint64_t Count =
      C->at(Page, *Index).fetch_add(References, std::memory_order_relaxed) +
      References;
  int Home = C->home(Page);
  if (Home < 0 || unsigned(Home) == *Index ||
      !C->isDue(Page, beyond(Count, C->at(Page, size_t(Home)))) ||
      C->PageStates[Page].Busy.exchange(true))
    return;
  if (C->Passed) {
    // Stays busy, so that it is told once, until the page moves.
    C->Passed(reinterpret_cast<void *>(C->address(Page)),
              int(machine().T.Nodes[size_t(Home)].Id), Node, C->Data);
    return;
  }
  C->move(Page, int(*Index));
  C->PageStates[Page].Busy = false;
}

uint64_t graupel_numa_counted(const graupel_numa_counters *C,
                              const void *Address, int Node) {
  size_t Page = (reinterpret_cast<uint64_t>(Address) - C->Start) / PageBytes;
  auto Index = machine().T.indexOfNode(unsigned(Node));
  return Page < C->Pages && Index ? C->at(Page, *Index).load() : 0;
}

long graupel_numa_balance(graupel_numa_counters *C) {
  long Moved = 0;
  for (size_t Page = 0; Page < C->Pages; ++Page) {
    uint64_t Beyond = 0;
    int Node = C->mostCounted(Page, Beyond);
    if (Node < 0 || !C->isDue(Page, Beyond))
      continue;
    C->PageStates[Page].Busy = true;
    Moved += C->move(Page, Node);
    C->PageStates[Page].Busy = false;
  }
  return Moved;
}
