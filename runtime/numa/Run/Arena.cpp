//===- numa/Run/Arena.cpp - Memory for one allocation site ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps the blocks of one allocation site on pages of their own, so that a
// policy or copies can apply to all of them.
//
// 1. reserve takes address space for all arenas. place stores how an arena is
//    placed; one with copies gets its part of a window at a fixed address.
// 2. allocate, under the arena's lock, takes a small block from the free list
//    of its power of two. A large block is the first free one that is large
//    enough and at most a quarter larger.
// 3. Without a free block, bump cuts one from the rest, behind a header. grow
//    makes at least 1 MiB more usable, and attaches the policy before there are
//    pages. With `PerBlock` each new large block gets its own policy.
// 4. release verifies a large block if that is wanted, gives its pages back to
//    the system unless they have copies, and puts the block on a free list.
// 5. replicate makes copies in the pieces of memory that are not written any
//    more. placeAgain replaces the policies of all that is there.
//
//===----------------------------------------------------------------------===//

#include "Arena.h"
#include "Kernel.h"
#include "Machine.h"
#include "Replicas.h"
#include "graupel/numa_copies.h"
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <new>
#include <sys/mman.h>

using namespace graupel::numa;

__thread bool graupel::numa::IsHolding
    __attribute__((tls_model("initial-exec")));

namespace {
uint64_t WindowStart, WindowEnd, Span;
Arena *Arenas;
unsigned Count;
bool Verifying;

uint64_t address(const void *P) { return reinterpret_cast<uint64_t>(P); }

/// Holds an arena. Meanwhile the runtime must not allocate from an arena, which
/// may be the same.
class Holding {
public:
  explicit Holding(std::mutex &Lock) : Hold(Lock), Before(IsHolding) {
    IsHolding = true;
  }
  ~Holding() { IsHolding = Before; }

private:
  std::lock_guard<std::mutex> Hold;
  bool Before;
};

/// The next free block, kept in the block itself.
void *&nextOf(void *Block) { return *static_cast<void **>(Block); }
} // namespace

bool Arena::reserve(unsigned Number) {
  Count = Number;
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

/// Room for all memory that may have copies, and for their mappings.
static uint64_t openWindow() {
  constexpr uint64_t Where = uint64_t(GRAUPEL_NUMA_WINDOW_NUMBER)
                             << GRAUPEL_NUMA_WINDOW_SHIFT;
  static const bool IsOpen = [] {
    size_t Bytes = (machine().T.Nodes.size() + 1) << GRAUPEL_NUMA_WINDOW_SHIFT;
    return mmap(reinterpret_cast<void *>(Where), Bytes, PROT_NONE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
                    MAP_FIXED_NOREPLACE,
                -1, 0) == reinterpret_cast<void *>(Where);
  }();
  return IsOpen ? Where : 0;
}

void Arena::place(unsigned Number, Placing NewPolicy) {
  Arena &A = Arenas[Number];
  uint64_t Window = NewPolicy.Copies ? openWindow() : 0;
  if (NewPolicy.Copies && !Window) {
    snprintf(A.Complaint, sizeof(A.Complaint),
             "there is no address space for copies; it has none");
    NewPolicy.Copies = false;
  }
  if (Window) {
    uint64_t Part = (uint64_t(1) << GRAUPEL_NUMA_WINDOW_SHIFT) / Count;
    A.Start = A.Top = A.Ready = Window + Number * (Part & -HugeBytes);
    A.End = A.Start + (Part & -HugeBytes);
  }
  A.MemoryPolicy = std::move(NewPolicy);
}

Arena &Arena::get(unsigned Number) { return Arenas[Number]; }

Arena *Arena::of(const void *Block) {
  uint64_t At = address(Block);
  if (At >> GRAUPEL_NUMA_WINDOW_SHIFT == GRAUPEL_NUMA_WINDOW_NUMBER) {
    for (unsigned N = 0; N < Count; ++N)
      if (At >= Arenas[N].Start && At < Arenas[N].End)
        return &Arenas[N];
    return nullptr;
  }
  if (At < WindowStart || At >= WindowEnd)
    return nullptr;
  return &Arenas[(At - WindowStart) / Span];
}

/// Policies come before any page does.
void Arena::attach(uint64_t From, uint64_t Bytes, bool Block) {
  if (MemoryPolicy.Kind == GRAUPEL_NUMA_FIRST_TOUCH || MemoryPolicy.Copies)
    return;
  graupel_numa_policy P = {};
  P.kind = MemoryPolicy.Kind;
  P.nodes = MemoryPolicy.Nodes.data();
  P.node_count = MemoryPolicy.Nodes.size();
  P.weights =
      MemoryPolicy.Weights.empty() ? nullptr : MemoryPolicy.Weights.data();
  P.unit = MemoryPolicy.Unit;
  if (!P.unit && MemoryPolicy.PerBlock && Block)
    P.unit = pageUp((Bytes + MemoryPolicy.Nodes.size() - 1) /
                    MemoryPolicy.Nodes.size());
  P.mandatory = MemoryPolicy.Mandatory;
  if (graupel_numa_attach(reinterpret_cast<void *>(From), Bytes, &P) < 0)
    snprintf(Complaint, sizeof(Complaint), "%s", graupel_numa_message());
}

/// Makes the next bytes usable.
bool Arena::map(uint64_t Bytes) {
  auto *Where = reinterpret_cast<char *>(Ready);
  if (!MemoryPolicy.Copies)
    return mprotect(Where, Bytes, PROT_READ | PROT_WRITE) == 0;
  auto *New = newReplicas(Bytes, Where, size_t(1) << GRAUPEL_NUMA_WINDOW_SHIFT);
  if (New)
    Pieces.push_back({New, Ready, Bytes});
  return New != nullptr;
}

void Arena::replicate() {
  for (unsigned N = 0; N < Count; ++N) {
    Arena &A = Arenas[N];
    std::vector<graupel_numa_replicas *> Ready;
    {
      Holding Hold(A.Lock);
      for (Replicated &R : A.Pieces)
        if ((R.Wanted || !A.OnDemand) && isStill(R.Replicas, R.Present))
          Ready.push_back(R.Replicas);
    }
    for (auto *R : Ready)
      if (graupel_numa_replicate(R, 0, 0) == GRAUPEL_NUMA_FELL_BACK)
        snprintf(A.Complaint, sizeof(A.Complaint), "%s",
                 graupel_numa_message());
  }
}

void Arena::wantCopies(uint64_t From, uint64_t Bytes) {
  for (unsigned N = 0; N < Count; ++N) {
    Holding Hold(Arenas[N].Lock);
    for (Replicated &R : Arenas[N].Pieces)
      R.Wanted |= From < R.From + R.Bytes && R.From < From + Bytes;
  }
}

graupel_numa_replica_counts Arena::copies() {
  graupel_numa_replica_counts Sum = {};
  Holding Hold(Lock);
  for (Replicated &R : Pieces) {
    graupel_numa_replica_counts C;
    graupel_numa_replicas_count(R.Replicas, &C);
    Sum.units += C.units;
    Sum.replicated += C.replicated;
    Sum.frozen += C.frozen;
    Sum.collapses += C.collapses;
    Sum.nodes |= C.nodes;
  }
  return Sum;
}

bool Arena::grow(uint64_t To) {
  constexpr uint64_t Least = 1 << 20;
  if (To <= Ready)
    return true;
  if (To > End)
    return false;
  uint64_t New =
      std::min(End, std::max((To + Least - 1) & -Least, Ready + Least));
  if (!map(New - Ready))
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
  if (MemoryPolicy.PerBlock)
    attach(address(Block), Bytes, true);
  return Block;
}

void *Arena::allocate(size_t Bytes, size_t Alignment) {
  constexpr size_t MostSmall = size_t(1) << (SmallClasses - 1);
  Holding Hold(Lock);
  if (Bytes <= MostSmall && Alignment <= 16)
    return small(Bytes);
  return large(Bytes, Alignment);
}

void *Arena::allocateZero(size_t Bytes) {
  void *Block = allocate(Bytes, 16);
  // Large blocks are new pages, or such as have been given back.
  if (Block && (!header(Block).IsLarge || keepsContents()))
    memset(Block, 0, Bytes);
  return Block;
}

void Arena::placeAgain(Placing New) {
  Holding Hold(Lock);
  MemoryPolicy = std::move(New);
  // The policy of a block takes precedence over the policy of the arena.
  graupel_numa_detach(reinterpret_cast<void *>(Start), Ready - Start);
  if (Ready > Start && !MemoryPolicy.PerBlock)
    attach(Start, Ready - Start, false);
  for (uint64_t Block : Large)
    if (MemoryPolicy.PerBlock)
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
  Holding Hold(Lock);
  add(R, Verified);
  return R;
}

void Arena::release(void *Block) {
  Header &H = header(Block);
  graupel_numa_report R = {};
  if (H.IsLarge && Verifying)
    graupel_numa_verify(Block, H.Capacity, &R, nullptr, nullptr);
  Holding Hold(Lock);
  add(Verified, R);
  void **List = &FreeLarge;
  if (H.IsLarge && !keepsContents())
    madvise(Block, H.Capacity, MADV_DONTNEED);
  if (!H.IsLarge)
    List = &Free[std::bit_width(H.Capacity) - 1];
  nextOf(Block) = *List;
  *List = Block;
}

size_t Arena::bytesOf(const void *Block) {
  return header(const_cast<void *>(Block)).Capacity;
}
