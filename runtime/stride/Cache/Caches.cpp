//===- Cache/Caches.cpp ---------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Caches.h"
#include "Core.h"

namespace graupel::stride {

/// Pairs of objects that the record has room for, by thread.
static constexpr uint32_t MostPairs = 4096;

ConflictCounts *ConflictPairs::make(uint32_t Level, uint32_t Victim,
                                    uint32_t Evictor) {
  auto *C = static_cast<ConflictCounts *>(
      File.append(static_cast<ChunkKind>(CacheChunk::Conflict),
                  sizeof(ConflictCounts), true));
  if (C) {
    *C = {Level, Victim, Evictor, 0, 0};
    File.commit(C);
  }
  return C;
}

void ConflictPairs::count(uint32_t Level, uint32_t Victim, uint32_t Evictor) {
  // Evictors have 16 bits.
  uint64_t Key =
      uint64_t(Victim) << 20 | uint64_t(Evictor & 0xffff) << 4 | Level;
  ConflictCounts *C = Known.find(Key);
  if (!C && KnownCount < MostPairs && (C = make(Level, Victim, Evictor))) {
    Known.insert(Key, C);
    ++KnownCount;
  }
  if (!C && !Others[Level])
    Others[Level] = make(Level, NoNumber, NoNumber);
  if (!C)
    C = Others[Level];
  if (C)
    ++C->Misses;
}

Caches::Caches(RecordFile &File, const CachesRecord &Spec)
    : File(File), Spec(Spec), Pairs(File),
      Shared(make<Sharing>(File, Spec.Levels[0].LineBytes)) {
  const CacheLevelRecord &L = Spec.Levels[Spec.LevelCount - 1];
  if (L.Shared)
    Last = make<Level>(L);
  auto *R = static_cast<CachesRecord *>(File.append(
      static_cast<ChunkKind>(CacheChunk::Caches), sizeof(CachesRecord), false));
  if (R) {
    *R = Spec;
    File.commit(R);
  }
}

bool Caches::refer(unsigned Level, uint64_t Address, uint32_t Bytes,
                   const CacheCounts &For, Miss &Why) {
  Guard G(Mutex);
  bool Missed = Last->refer(Address, Bytes, For.Object, Why);
  if (Missed && Why.Class == MissClass::Conflict)
    Pairs.count(Level, For.Object, Why.Evictor);
  return Missed;
}

void Caches::enter(Core *C) {
  Guard G(Mutex);
  C->Next = Cores;
  Cores = C;
  CoreCount.fetch_add(1, std::memory_order_relaxed);
}

void Caches::finish() {
  Mutex.lock();
  Core *List = Cores;
  Mutex.unlock();
  for (Core *C = List; C; C = C->Next)
    C->finish();
}

} // namespace graupel::stride
