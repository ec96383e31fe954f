//===- Numa/Bench/Memory.cpp - Memory that is measured --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <numaif.h>
#include <random>
#include <sys/mman.h>

namespace graupel::numa::bench {

constexpr size_t LargePage = 2 << 20, SmallPage = 4096;

static size_t roundUp(size_t Bytes, size_t To) {
  return (Bytes + To - 1) / To * To;
}

void Chain::make(char *Base, size_t Bytes, size_t Count, size_t SetBytes) {
  this->Base = Base;
  this->Count = Count;
  const size_t Block = Bytes / Count, Places = Block / LineBytes;
  const size_t Blocks = std::max<size_t>(1, SetBytes / Block);
  std::mt19937_64 Random(20010501);
  std::vector<uint32_t> Place(Blocks);
  for (uint32_t &P : Place)
    P = uint32_t(Random() % Places);
  Offsets.resize(Count);
  for (size_t N = 0; N < Count; ++N)
    Offsets[N] = uint32_t(N * Block + (Place[N % Blocks] + N / Blocks) %
                                          Places * LineBytes);
  std::shuffle(Offsets.begin(), Offsets.end(), Random);
  for (size_t N = 0; N < Count; ++N) {
    void *Next = Base + Offsets[(N + 1) % Count];
    memcpy(Base + Offsets[N], &Next, sizeof(Next));
  }
  for (size_t N = 0; N < Lines::Ahead; ++N)
    Offsets.push_back(Offsets[N]);
}

Lines Chain::part(size_t N, size_t Parts) const {
  size_t Each = Count / Parts / Unrolled * Unrolled;
  return {Base, Offsets.data() + N * Each, Each};
}

/// Bytes in large pages between two addresses, as the kernel counts them.
static size_t largeBytes(const char *From, const char *To) {
  FILE *File = fopen("/proc/self/smaps", "r");
  if (!File)
    return 0;
  size_t Total = 0;
  bool Within = false;
  char Text[512];
  while (fgets(Text, sizeof(Text), File)) {
    unsigned long Start, End, KiB;
    if (sscanf(Text, "%lx-%lx ", &Start, &End) == 2)
      Within = Start < uintptr_t(To) && End > uintptr_t(From);
    else if (Within && sscanf(Text, "AnonHugePages: %lu", &KiB) == 1)
      Total += KiB * 1024;
  }
  fclose(File);
  return Total;
}

std::optional<std::string> Memory::make(unsigned Node, const Sizes &S) {
  const size_t CompactBytes = roundUp(S.Lines * 1024, LargePage);
  RangeBytes = roundUp(S.RangeBytes, LargePage);
  const size_t Used =
      CompactBytes + roundUp(S.WideBytes, LargePage) + RangeBytes;
  Bytes = Used + LargePage;
  void *Got = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Got == MAP_FAILED)
    return "there are no " + std::to_string(Bytes >> 20) +
           " MiB of memory to measure; end other programs";
  Base = static_cast<char *>(Got);
  char *Start = reinterpret_cast<char *>(
      roundUp(reinterpret_cast<uintptr_t>(Base), LargePage));
  // Not strictly: a node that has no room would end the program. Where pages
  // are is asked for below.
  unsigned long Mask[2] = {Node < 64 ? 1ul << Node : 0, 0};
  (void)mbind(Start, Used, MPOL_PREFERRED, Mask, 65, 0);
  (void)madvise(Start, Used, MADV_HUGEPAGE);
  for (size_t At = 0; At < Used; At += SmallPage)
    static_cast<volatile char *>(Start)[At] = 0; // A page of its own.
  Compact.make(Start, S.Lines * 1024, S.Lines, S.SetBytes);
  Wide.make(Start + CompactBytes, S.WideBytes, S.WideLines, S.SetBytes);
  Range = Start + Used - RangeBytes;
  Pages = Used / SmallPage;
  LargeBytes = largeBytes(Start, Start + Used);
  verify(Node);
  return std::nullopt;
}

void Memory::verify(unsigned Node) {
  constexpr size_t Batch = 4096;
  std::vector<void *> At(Batch);
  std::vector<int> Status(Batch);
  char *Start = Range + RangeBytes - Pages * SmallPage;
  Elsewhere = 0;
  for (size_t Page = 0; Page < Pages; Page += Batch) {
    size_t Count = std::min(Batch, Pages - Page);
    for (size_t N = 0; N < Count; ++N)
      At[N] = Start + (Page + N) * SmallPage;
    // A kernel without NUMA knows no nodes, and cannot be wrong.
    if (move_pages(0, Count, At.data(), nullptr, Status.data(), 0) != 0)
      return;
    for (size_t N = 0; N < Count; ++N)
      Elsewhere += Status[N] != int(Node);
  }
}

Memory::~Memory() {
  if (Base)
    munmap(Base, Bytes);
}

} // namespace graupel::numa::bench
