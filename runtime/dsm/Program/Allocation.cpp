//===- Allocation.cpp - Shared memory for programs --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A node divides runs of chunks (Memory/Heap.h), which node 0 hands out:
//
// 1. The allocating node asks node 0 for a number of chunks of a kind.
// 2. Node 0 tells all nodes; each opens the chunks and answers.
// 3. When all have, node 0 grants the run: now every node knows the block size
//    and the homes of whatever address will be handed out.
//
//===----------------------------------------------------------------------===//

#include "Program/Allocation.h"
#include "Errors/Error.h"
#include "Node/Globals.h"
#include "Trace/Trace.h"
#include "graupel/dsm.h"
#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>

namespace graupel::dsm {

namespace {

/// A run that node 0 has told of.
struct Grant {
  int Requester;
  uint64_t Token;
  uint32_t First;
  int Missing; ///< Nodes that have not answered.
};

// On node 0; under the protocol lock.
uint64_t NextChunk = 0, NextGrant = 0;
std::unordered_map<uint64_t, Grant> *Grants = nullptr;

struct Reply {
  std::atomic<bool> Here{false};
  uint32_t First = 0;
};

void onChunksWanted(const Message &M) {
  Node &N = *TheNode;
  uint64_t Count = M.Word[0];
  if (Count > RegionChunks - NextChunk)
    fail("shared memory is used up: %zu of %zu GiB are open, and %zu MiB more "
         "are wanted; free what is not needed, or allocate less",
         size_t(NextChunk * ChunkBytes >> 30), RegionBytes >> 30,
         size_t(Count * ChunkBytes >> 20));
  uint64_t Number = NextGrant++;
  Grants->emplace(Number,
                  Grant{M.Source, M.Word[3], uint32_t(NextChunk), N.Count});
  for (int To = 0; To != N.Count; ++To)
    N.Dispatch.send(To, internalMessage(Internal::ChunksOpen, Number, NextChunk,
                                        Count, M.Word[1], M.Word[2], M.Source));
  NextChunk += Count;
}

void onChunksOpen(const Message &M) {
  Node &N = *TheNode;
  ChunkRun Run = {};
  Run.First = static_cast<uint32_t>(M.Word[1]);
  Run.Count = static_cast<uint32_t>(M.Word[2]);
  Run.Kind.Block = static_cast<uint32_t>(M.Word[3]);
  Run.Kind.Home = static_cast<int16_t>(M.Word[4]);
  Run.Kind.Owner = static_cast<int16_t>(M.Word[5]);
  N.Shared.open(Run, Run.Kind.Home == N.Number);
  N.Dispatch.send(M.Source, internalMessage(Internal::ChunksOpened, M.Word[0]));
}

void onChunksOpened(const Message &M) {
  auto I = Grants->find(M.Word[0]);
  if (--I->second.Missing)
    return;
  Grant G = I->second;
  Grants->erase(I);
  TheNode->Dispatch.send(
      G.Requester, internalMessage(Internal::ChunksGranted, G.Token, G.First));
}

void onChunksGranted(const Message &M) {
  auto *R = reinterpret_cast<Reply *>(M.Word[0]);
  R->First = static_cast<uint32_t>(M.Word[1]);
  R->Here.store(true, std::memory_order_release);
  TheNode->Dispatch.signal();
}

/// Gives this node's heap a run for `Size` bytes. The caller is away.
void getChunks(Node &N, size_t Size, uint32_t Block, int Home) {
  uint64_t Count = (Size + ChunkBytes - 1) / ChunkBytes;
  Reply R;
  N.Dispatch.lock();
  N.Dispatch.send(0, internalMessage(Internal::ChunksWanted, Count, Block, Home,
                                     reinterpret_cast<uintptr_t>(&R)));
  awaitUnlocked(N, true,
                [&R] { return R.Here.load(std::memory_order_acquire); });
  N.Allocations.add(N.Shared.start() + R.First * ChunkBytes, Count * ChunkBytes,
                    Block, Home);
}

/// Stores zeros as the program would, which the protocol lets it.
void clear(Node &N, uintptr_t A, size_t Size) {
  for (size_t Done = 0, Part; Done != Size; Done += Part) {
    uintptr_t At = A + Done;
    Part = std::min(Size - Done, PageBytes - At % PageBytes);
    graupel_dsm_range R = {reinterpret_cast<void *>(At), Part << 1 | 1};
    N.Refused.acquire(*self(), {&R, 1, 0}, Turn::None);
    memset(reinterpret_cast<void *>(At), 0, Part);
  }
}

void freeHere(uintptr_t A) {
  Node &N = *TheNode;
  const Chunk &C = N.Shared.chunk(A);
  if (!N.Allocations.free(A, C.Block, C.Home))
    fail("gdsm_free of %p, where no allocation starts; free each one once, "
         "with the address that gdsm_alloc returned",
         reinterpret_cast<void *>(A));
}

void onFree(const Message &M) { freeHere(M.Word[0]); }

void checkArguments(const Node &N, size_t Size, size_t Block, int Home) {
  if (!std::has_single_bit(Block) || Block < GranuleBytes || Block > PageBytes)
    fail("gdsm_alloc: blocks of %zu bytes do not exist; give a power of two "
         "from 32 to 4096, or 0",
         Block);
  if (Home < GDSM_HOME_LOCAL || Home >= N.Count)
    fail("gdsm_alloc: node %d is none; they are 0 to %d", Home, N.Count - 1);
  if (Size > RegionBytes)
    fail("gdsm_alloc: %zu MiB do not fit into shared memory, which has %zu GiB",
         Size >> 20, RegionBytes >> 30);
}

} // namespace

void registerAllocationHandlers(Node &N) {
  Grants = new std::unordered_map<uint64_t, Grant>;
  N.Dispatch.setHandler(unsigned(Internal::ChunksWanted), onChunksWanted);
  N.Dispatch.setHandler(unsigned(Internal::ChunksOpen), onChunksOpen);
  N.Dispatch.setHandler(unsigned(Internal::ChunksOpened), onChunksOpened);
  N.Dispatch.setHandler(unsigned(Internal::ChunksGranted), onChunksGranted);
  N.Dispatch.setHandler(unsigned(Internal::Free), onFree);
}

} // namespace graupel::dsm

using namespace graupel::dsm;

static void *allocate(size_t Size, size_t Block, int Home, void *Pc) {
  Node &N = nodeFor("gdsm_alloc");
  Block = Block ? Block : N.DefaultBlock;
  checkArguments(N, Size, Block, Home);
  Home = Home == GDSM_HOME_LOCAL ? N.Number : Home;
  Size = (std::max(Size, Block) + Block - 1) & -Block;

  Heap::Piece P;
  {
    Away Here(N, WaitNote::Other, "gdsm_alloc", Pc);
    auto B = static_cast<uint32_t>(Block);
    while (!(P = N.Allocations.allocate(Size, B, Home)).Address)
      getChunks(N, Size, B, Home);
  }
  if (P.Used)
    clear(N, P.Address, Size);
  auto *Memory = reinterpret_cast<void *>(P.Address);
  trace::allocated(Memory, Size, uint32_t(Block), Home, Pc);
  return Memory;
}

void *gdsm_alloc(size_t Size, size_t Block, int Home) {
  return allocate(Size, Block, Home, __builtin_return_address(0));
}

void *gdsm_malloc(size_t Size) {
  return allocate(Size, 0, GDSM_HOME_ROUND_ROBIN, __builtin_return_address(0));
}

void gdsm_free(void *Memory) {
  if (!Memory)
    return;
  Node &N = nodeFor("gdsm_free");
  auto A = reinterpret_cast<uintptr_t>(Memory);
  if (N.Shared.addresses().isGlobal(A))
    fail("gdsm_free of %p, which is %s; only what gdsm_alloc returned is freed",
         Memory, nameGlobal(A).c_str());
  if (!N.Shared.contains(Memory) || !N.Shared.chunk(A).Block)
    fail("gdsm_free of %p, which is not shared memory; memory of malloc and "
         "new is freed with free and delete",
         Memory);
  Away Here(N, WaitNote::Other, "gdsm_free", __builtin_return_address(0));
  int Owner = N.Shared.chunk(A).Owner;
  if (Owner == N.Number)
    return freeHere(A);
  Locked Lock(N.Dispatch);
  N.Dispatch.send(Owner, internalMessage(Internal::Free, A));
}
