//===- stride/ThreadBlocks.cpp - Copies, and blocks of the heap -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records of whole ranges of memory: the arguments of memcpy and the like, and
// blocks that are allocated and freed while records of references to them still
// wait.
//
//===----------------------------------------------------------------------===//

#include "Thread.h"
#include <algorithm>
#include <cstring>

namespace graupel::stride {

void Thread::countBulk(uint32_t InPart, uint32_t Site, Object *Obj,
                       uint64_t Calls, uint64_t Bytes) {
  if (!Obj->Selected)
    return;
  uint64_t Key = reinterpret_cast<uint64_t>(Obj) >> 6 | uint64_t(Site) << 41;
  BulkRecord *B = BulkTables[InPart].find(Key);
  if (!B) {
    uint32_t Entered = enterObject(R.File, Obj);
    B = static_cast<BulkRecord *>(
        R.File.append(ChunkKind::Bulk, sizeof(BulkRecord), true));
    if (!B)
      return;
    *B = {Site, Entered, Number - Part + InPart, 0, 0, 0};
    R.File.commit(B);
    BulkTables[InPart].insert(Key, B);
  }
  B->Calls += Calls;
  B->Bytes += Bytes;
}

__attribute__((noinline)) const uint64_t *Thread::bulk(const uint64_t *Words,
                                                       uint32_t Site) {
  if (Sampled && Words[2] >= GRAUPEL_STRIDE_LARGE) {
    countWhole(Site, Words[1], Words[2]);
    return Words + 4;
  }
  if (Traffic && Sampled && Sites[Site].Selected)
    Traffic->takeBulk(Number, Site, Words[1], Words[2]);
  if (Sites[Site].Selected && Words[2])
    countBulk(Site, findObjectOf(Site, Words[1], StackBegin, StackEnd).Obj, 1,
              Words[2]);
  return Words + 4;
}

constexpr unsigned BlockWords = 4;

bool Thread::noteBlock(uint64_t Address, uint64_t Bytes, Object *Obj) {
  char *At = *Cursor;
  // Other walks come after this one, and ask for objects again. Between bursts
  // records are not looked at.
  if (CacheSim || Traffic || Sampled ||
      reinterpret_cast<uint64_t>(At) & GRAUPEL_STRIDE_FULL)
    return false;
  const uint64_t Words[BlockWords] = {GRAUPEL_STRIDE_RECORD_BLOCK, Address,
                                      Bytes, reinterpret_cast<uint64_t>(Obj)};
  memcpy(At, Words, sizeof(Words));
  *Cursor = At + sizeof(Words);
  NotedBegin = std::min(NotedBegin, Address);
  NotedEnd = std::max(NotedEnd, Address + Bytes);
  return true;
}

__attribute__((noinline)) const uint64_t *Thread::block(const uint64_t *Words) {
  // Loops that are summarized call nothing.
  finishLoop();
  if (Words[3])
    heap::insert(Words[1], Words[2], reinterpret_cast<Object *>(Words[3]));
  else
    heap::remove(Words[1]);
  if (Epoch != heap::epoch())
    forgetIntervals();
  return Words + BlockWords;
}

} // namespace graupel::stride
