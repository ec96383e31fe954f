//===- Recorder.cpp - A node's events for the report ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sorts the events of a node into tables of bounded size. Each call takes the
// recorder's lock; entries that do not fit are counted.
//
// 1. place gives an address in code its number. allocated notes an allocation,
//    with its place and callers.
// 2. leaves keeps the contents of a block that the node loses, and counts the
//    loss.
// 3. begin: enter a miss in the list of those under way. Its cause is at first
//    an upgrade, cold, or not compared.
// 4. arrives: compare new contents with the kept ones for each miss of that
//    block under way, which tells true from false sharing.
// 5. end: take the miss off the list. It counts if access is permitted or data
//    came: by place, cause and block, with its time, in the log, and as one of
//    a sequence or of separable sharing (countBlock).
// 6. noMiss counts an access that found its data valid.
//
//===----------------------------------------------------------------------===//

#include "Trace/Recorder.h"
#include <algorithm>

namespace graupel::dsm::trace {

namespace {

/// The block of this thread's last miss.
thread_local Unit LastMiss = {0, 0};

bool adjacent(const Unit &A, const Unit &B) {
  return A.Address + A.Bytes == B.Address || B.Address + B.Bytes == A.Address;
}

} // namespace

/// 0 is for those that do not fit.
uint32_t Recorder::place(uintptr_t Pc) {
  auto Found = Places.find(Pc);
  if (Found != Places.end())
    return Found->second;
  if (Places.size() == Bound.Allocations) {
    ++Missing.Places;
    return 0;
  }
  return Places[Pc] = static_cast<uint32_t>(Places.size() + 1);
}

std::vector<uintptr_t> Recorder::places() const {
  std::vector<uintptr_t> Result(Places.size() + 1);
  for (auto [Pc, Number] : Places)
    Result[Number] = Pc;
  return Result;
}

void Recorder::allocated(uintptr_t Address, size_t Bytes, uint32_t Block,
                         int Home, uintptr_t Pc, const CallPath &Callers) {
  std::lock_guard Guard(Mutex);
  if (Allocations.size() == Bound.Allocations) {
    ++Missing.Allocations;
    return;
  }
  Allocation A = {Address, Bytes, Block, Home, place(Pc), {}};
  std::transform(Callers.begin(), Callers.end(), A.Callers.begin(),
                 [this](uintptr_t C) { return C ? place(C) : 0; });
  Allocations.push_back(A);
}

void Recorder::leaves(uintptr_t Block, uint32_t Size, const void *Data) {
  std::lock_guard Guard(Mutex);
  Old.keep(Block, Data, Size);
  if (BlockCount *C = Blocks.at({Block, Size}, {}))
    ++C->Lost;
  else
    ++Missing.Blocks;
}

void Recorder::arrives(uintptr_t Block, uint32_t Size, const void *Data) {
  std::lock_guard Guard(Mutex);
  const void *Before = Old.find(Block);
  for (Miss *M = Pending; M; M = M->Next) {
    if (M->Block != Block)
      continue;
    M->Arrived = true;
    if (Before) {
      Comparison C = compare(Before, Data, Block, Size, M->Ranges, M->Count);
      M->Why = C.Why;
      M->ApartAt = C.ApartAt;
    } else {
      M->Why = Old.had(Block) ? Cause::NotCompared : Cause::Cold;
    }
  }
  Old.forget(Block, Size);
}

void Recorder::begin(Miss &M, bool Readable) {
  std::lock_guard Guard(Mutex);
  M.Why = Readable           ? Cause::Upgrade
          : Old.had(M.Block) ? Cause::NotCompared
                             : Cause::Cold;
  M.Arrived = false;
  M.ApartAt = 0;
  M.Next = Pending;
  Pending = &M;
}

bool Recorder::end(Miss &M, int Home, bool Permitted, uint64_t Ticks,
                   uint64_t Now) {
  std::lock_guard Guard(Mutex);
  Miss **Link = &Pending;
  while (*Link != &M)
    Link = &(*Link)->Next;
  *Link = M.Next;
  if (!Permitted && !M.Arrived)
    return false;
  uint32_t Place = place(M.Pc);
  count({Place, M.Store, M.Why}, {M.Block, M.Size}, Home, Ticks);
  countBlock(M);
  logMiss(M, Place, Home, Now);
  return true;
}

/// With the bytes of all ranges that reach into the block.
void Recorder::logMiss(const Miss &M, uint32_t Place, int Home, uint64_t Now) {
  uintptr_t Start = ~uintptr_t(0), End = 0;
  forEachPart(M.Block, M.Size, M.Ranges, M.Count, [&](size_t From, size_t To) {
    Start = std::min(Start, M.Block + From);
    End = std::max(End, M.Block + To);
  });
  if (Start < End)
    Log.add({Now, Start, End - 1, Epoch, Place, static_cast<int16_t>(Home),
             M.Store, M.Alone});
}

void Recorder::countBlock(const Miss &M) {
  Unit Here = {M.Block, M.Size};
  bool Sequential = adjacent(LastMiss, Here);
  LastMiss = Here;
  bool Separable = M.Why == Cause::FalseSharing && M.ApartAt;
  if (!Sequential && !Separable)
    return;
  BlockCount *C = Blocks.at(Here, {});
  if (!C) {
    ++Missing.Blocks;
    return;
  }
  C->Sequential += Sequential;
  if (Separable)
    ++C->ApartAt[__builtin_ctz(M.ApartAt) - GRAUPEL_DSM_GRANULE_SHIFT];
}

void Recorder::noMiss(uintptr_t Pc, Cause Why, uintptr_t Block, uint32_t Size,
                      bool Store, uint64_t Ticks) {
  std::lock_guard Guard(Mutex);
  count({place(Pc), Store, Why}, {Block, Size}, -1, Ticks);
}

void Recorder::count(const MissKind &Kind, Unit Where, int Home,
                     uint64_t Ticks) {
  Times[Kind].add(Ticks);
  MissCount *C = Misses.at(Where, Kind);
  if (!C) {
    ++Missing.Misses;
    return;
  }
  ++C->Count;
  C->Ticks += Ticks;
  C->Home = Home;
}

} // namespace graupel::dsm::trace
