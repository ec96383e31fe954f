//===- numa/Run/Arena.cpp - Memory for one allocation site ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arena.h"
#include "Kernel.h"
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <new>
#include <sys/mman.h>

using namespace graupel::numa;

namespace {
uint64_t WindowStart, WindowEnd, Span;
Arena *Arenas;
bool Verifying;

uint64_t address(const void *P) { return reinterpret_cast<uint64_t>(P); }

/// The next free block, kept in the block itself.
void *&nextOf(void *Block) { return *static_cast<void **>(Block); }
} // namespace

bool Arena::reserve(unsigned Count) {
  // Address space is plenty, unless the program runs with a limit.
  void *Window = MAP_FAILED;
  for (Span = 64ull << 30; Window == MAP_FAILED && Span >= 1ull << 30;
       Span /= 2)
    Window = mmap(nullptr, Count * Span, PROT_NONE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Window == MAP_FAILED)
    return false;
  Span *= 2; // the loop went on
  // Never destroyed: blocks outlive the end of the program's main function.
  Arenas = new Arena[Count];
  for (unsigned N = 0; N < Count; ++N) {
    Arenas[N].Start = Arenas[N].Top = Arenas[N].Ready =
        address(Window) + N * Span;
    Arenas[N].End = Arenas[N].Start + Span;
  }
  WindowEnd = address(Window) + Count * Span;
  WindowStart = address(Window);
  return true;
}

void Arena::place(unsigned Number, Placing How) {
  Arenas[Number].How = std::move(How);
}

Arena &Arena::get(unsigned Number) { return Arenas[Number]; }

Arena *Arena::of(const void *Block) {
  uint64_t At = address(Block);
  if (At < WindowStart || At >= WindowEnd)
    return nullptr;
  return &Arenas[(At - WindowStart) / Span];
}

/// Policies come before any page does.
void Arena::attach(uint64_t From, uint64_t Bytes, bool Block) {
  if (How.Kind == GRAUPEL_NUMA_FIRST_TOUCH)
    return;
  graupel_numa_policy P = {};
  P.kind = How.Kind;
  P.nodes = How.Nodes.data();
  P.node_count = How.Nodes.size();
  P.weights = How.Weights.empty() ? nullptr : How.Weights.data();
  P.unit = How.Unit;
  if (!P.unit && How.PerBlock && Block)
    P.unit = pageUp((Bytes + How.Nodes.size() - 1) / How.Nodes.size());
  P.mandatory = How.Mandatory;
  if (graupel_numa_attach(reinterpret_cast<void *>(From), Bytes, &P) < 0)
    snprintf(Complaint, sizeof(Complaint), "%s", graupel_numa_message());
}

bool Arena::grow(uint64_t To) {
  constexpr uint64_t Least = 1 << 20;
  if (To <= Ready)
    return true;
  if (To > End)
    return false;
  uint64_t New =
      std::min(End, std::max((To + Least - 1) & -Least, Ready + Least));
  if (mprotect(reinterpret_cast<void *>(Ready), New - Ready,
               PROT_READ | PROT_WRITE) != 0)
    return false;
  attach(Ready, New - Ready, false);
  Ready = New;
  return true;
}

/// Room with a header before it.
char *Arena::bump(size_t Bytes, size_t Alignment) {
  if (Bytes > Span)
    return nullptr;
  uint64_t At = (Top + sizeof(Header) + Alignment - 1) & -Alignment;
  if (!grow(At + Bytes))
    return nullptr;
  Top = At + Bytes;
  return reinterpret_cast<char *>(At);
}

void *Arena::small(size_t Bytes) {
  unsigned Class = unsigned(std::bit_width(std::max<size_t>(Bytes, 16) - 1));
  void *Block = Free[Class];
  if (Block) {
    Free[Class] = nextOf(Block);
    return Block;
  }
  Block = bump(size_t(1) << Class, 16);
  if (Block)
    header(Block) = {uint64_t(1) << Class, 0};
  return Block;
}

void *Arena::large(size_t Bytes, size_t Alignment) {
  Bytes = pageUp(Bytes);
  for (void **Link = &FreeLarge; *Link; Link = &nextOf(*Link)) {
    void *Block = *Link;
    uint64_t Capacity = header(Block).Capacity;
    if (Capacity < Bytes || Capacity > Bytes + Bytes / 4 ||
        address(Block) % Alignment)
      continue;
    *Link = nextOf(Block);
    nextOf(Block) = nullptr;
    return Block;
  }
  char *Block = bump(Bytes, std::max<size_t>(Alignment, PageBytes));
  if (!Block)
    return nullptr;
  header(Block) = {Bytes, 1};
  Large.push_back(address(Block));
  if (How.PerBlock)
    attach(address(Block), Bytes, true);
  return Block;
}

void *Arena::allocate(size_t Bytes, size_t Alignment) {
  constexpr size_t MostSmall = size_t(1) << (SmallClasses - 1);
  std::lock_guard Hold(Lock);
  if (Bytes <= MostSmall && Alignment <= 16)
    return small(Bytes);
  return large(Bytes, Alignment);
}

void *Arena::allocateZero(size_t Bytes) {
  void *Block = allocate(Bytes, 16);
  // Large blocks are new pages, or such as have been given back.
  if (Block && !header(Block).IsLarge)
    memset(Block, 0, Bytes);
  return Block;
}

void Arena::placeAgain(Placing New) {
  std::lock_guard Hold(Lock);
  How = std::move(New);
  // What was attached for a block holds before what is for all.
  graupel_numa_detach(reinterpret_cast<void *>(Start), Ready - Start);
  if (Ready > Start && !How.PerBlock)
    attach(Start, Ready - Start, false);
  for (uint64_t Block : Large)
    if (How.PerBlock)
      attach(Block, header(reinterpret_cast<void *>(Block)).Capacity, true);
}

static void add(graupel_numa_report &To, const graupel_numa_report &R) {
  To.pages += R.pages;
  To.present += R.present;
  To.right += R.right;
  To.wrong += R.wrong;
  To.free_choice += R.free_choice;
}

void Arena::verifyAtRelease() { Verifying = true; }

graupel_numa_report Arena::verify() {
  graupel_numa_report R = {};
  if (Top > Start)
    graupel_numa_verify(reinterpret_cast<void *>(Start), Top - Start, &R,
                        nullptr, nullptr);
  std::lock_guard Hold(Lock);
  add(R, Verified);
  return R;
}

void Arena::release(void *Block) {
  Header &H = header(Block);
  graupel_numa_report R = {};
  if (H.IsLarge && Verifying)
    graupel_numa_verify(Block, H.Capacity, &R, nullptr, nullptr);
  std::lock_guard Hold(Lock);
  add(Verified, R);
  void **List = &FreeLarge;
  if (H.IsLarge)
    madvise(Block, H.Capacity, MADV_DONTNEED);
  else
    List = &Free[std::bit_width(H.Capacity) - 1];
  nextOf(Block) = *List;
  *List = Block;
}

size_t Arena::bytesOf(const void *Block) {
  return header(const_cast<void *>(Block)).Capacity;
}
