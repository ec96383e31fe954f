//===- harness.cpp - A test of libstdc++ on two nodes -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The test's main runs on node 0. What std::allocator gives out lies in an
// arena of shared memory that is at home on the last node:
//
//   1. Before most allocations, and after most deallocations, node 0 waits
//   until the
//      last node has made all recently used blocks its own, by atomic additions
//      of 0.
//   2. So node 0's next access to each element is a miss. Code that does not
//   check
//      reads a pattern, or stores what is lost.
//
//===----------------------------------------------------------------------===//

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <graupel/dsm.h>
#include <new>

extern "C" int suite_main(int argc, char **argv);
extern "C" void *suite_allocate(unsigned long size, unsigned long alignment);
extern "C" void suite_free(void *memory, unsigned long alignment);

namespace {

constexpr size_t ArenaBytes = size_t(64) << 20;
constexpr size_t Unit = 32; // The smallest block.
constexpr size_t Recent = 40;

/// What node 0 asks of the last node, in shared memory.
struct Request {
  std::atomic<size_t> Used;
  std::atomic<long> Asked, Done;
  std::atomic<bool> Ended;
  std::atomic<long> Taken;
};

Request *R;
char *Arena;
size_t Used; // Node 0's.
long Changes, Next;
bool Running;
int Argc, Result;
char **Argv;

bool inArena(void *P) { return Arena && P >= Arena && P < Arena + ArenaBytes; }

/// Takes what was allocated last, and some of the rest.
void takeAway(size_t Bytes, long Turn) {
  size_t Units = Bytes / Unit;
  long Taken = 0;
  auto Take = [&](size_t U) {
    __atomic_fetch_add(Arena + U * Unit, 0, __ATOMIC_SEQ_CST);
    ++Taken;
  };
  size_t From = Units > Recent ? Units - Recent : 0;
  for (size_t U = From; U != Units; ++U)
    Take(U);
  for (size_t I = 0; From && I != Recent; ++I)
    Take((size_t(Turn) * Recent + I) % From);
  R->Taken += Taken;
}

/// On node 0: for each of the first changes, then less and less often.
void giveAway() {
  if (!Running || ++Changes < Next)
    return;
  Next = Changes < 100 ? Changes + 1 : Changes + Changes / 16;
  R->Used = Used;
  long Turn = ++R->Asked;
  while (R->Done != Turn)
    ;
}

void work(void *) {
  if (gdsm_thread() == 0) {
    Running = true;
    Result = suite_main(Argc, Argv);
    Running = false;
    R->Ended = true;
    return;
  }
  if (gdsm_thread() != gdsm_threads() - 1)
    return;
  for (long Turn = 0; !R->Ended;) {
    if (R->Asked == Turn)
      continue;
    takeAway(R->Used, ++Turn);
    R->Done = Turn;
  }
}

} // namespace

void *suite_allocate(unsigned long Size, unsigned long Alignment) {
  size_t Start = (Used + Alignment - 1) & -Alignment;
  if (!Running || Size > ArenaBytes - Start || Start > ArenaBytes)
    return Alignment > 16 ? ::operator new(Size, std::align_val_t(Alignment))
                          : ::operator new(Size);
  // Neighbors share blocks, as they share cache lines.
  Used = Start + (Size + 7) / 8 * 8;
  giveAway();
  return Arena + Start;
}

void suite_free(void *Memory, unsigned long Alignment) {
  if (inArena(Memory))
    return giveAway();
  if (Alignment > 16)
    ::operator delete(Memory, std::align_val_t(Alignment));
  else
    ::operator delete(Memory);
}

// What the library frees for the test: strings that both have used. Some tests
// have their own.
__attribute__((weak)) void operator delete(void *Memory) noexcept {
  if (!inArena(Memory))
    free(Memory);
}
__attribute__((weak)) void operator delete(void *Memory, size_t) noexcept {
  ::operator delete(Memory);
}

int main(int argc, char **argv) {
  Argc = argc;
  Argv = argv;
  if (gdsm_node() == 0) {
    R = static_cast<Request *>(gdsm_malloc(sizeof *R));
    Arena = static_cast<char *>(gdsm_alloc(ArenaBytes, 0, gdsm_nodes() - 1));
  }
  gdsm_broadcast(&R, sizeof R, 0);
  gdsm_broadcast(&Arena, sizeof Arena, 0);
  gdsm_parallel(work, nullptr);
  if (gdsm_node() == 0)
    fprintf(stderr, "suite: %ld changes, %ld blocks taken\n", Changes,
            R->Taken.load());
  return Result;
}
