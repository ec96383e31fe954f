//===- CacheTrace.cpp - Traces into the simulation of caches --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: cache-trace LEVELS TEMPORARY-FILE < TRACE
//
// A trace as valgrind's lackey writes it (--trace-mem=yes) goes through the
// caches; prints the misses of data of each level. Instructions go through a
// first level of their own, as if they were another thread's. As in cachegrind,
// references of more than 64 bytes are of 64.
//
//===----------------------------------------------------------------------===//

#include "Cache/Core.h"
#include "Cache/Spec.h"
#include <algorithm>
#include <cstdio>
#include <vector>

using namespace graupel::stride;

namespace {

constexpr uint32_t MostBytes = 64;
constexpr uint32_t DataThread = 0, CodeThread = 1;

/// All is one object; a site for each size and kind.
struct Everything final : Owners {
  Owner find(uint32_t, uint64_t) override { return {0, 0, ~uint64_t(0), true}; }
};

void print(const char *Path, const CachesRecord &Spec) {
  std::vector<char> Data;
  if (FILE *File = fopen(Path, "rb")) {
    fseek(File, 0, SEEK_END);
    Data.resize(ftell(File));
    rewind(File);
    Data.resize(fread(Data.data(), 1, Data.size(), File));
    fclose(File);
  }
  uint64_t Loads[MaxCacheLevels] = {}, Stores[MaxCacheLevels] = {};
  auto *Header = reinterpret_cast<RecordHeader *>(Data.data());
  for (uint64_t At = HeaderBytes; At < Header->Used;) {
    auto *Chunk = reinterpret_cast<ChunkHeader *>(Data.data() + At);
    auto *C = reinterpret_cast<CacheCounts *>(Chunk + 1);
    if (Chunk->Kind == static_cast<ChunkKind>(CacheChunk::Counts) &&
        C->Thread == DataThread)
      for (unsigned N = 0; N < Spec.LevelCount; ++N)
        (C->Site & 1 ? Stores : Loads)[N] += C->Levels[N].Misses;
    At = nextChunk(At, Chunk->Bytes);
  }
  for (unsigned N = 0; N < Spec.LevelCount; ++N)
    printf("%s: %lu misses, %lu of loads, %lu of stores\n", Spec.Levels[N].Name,
           Loads[N] + Stores[N], Loads[N], Stores[N]);
}

} // namespace

int main(int Count, char **Arguments) {
  CachesRecord Spec;
  if (Count != 3) {
    fprintf(stderr, "usage: cache-trace LEVELS TEMPORARY-FILE < TRACE\n");
    return 1;
  }
  if (const char *Wrong = parseCaches(Arguments[1], Spec, false)) {
    fprintf(stderr, "cache-trace: %s\n", Wrong);
    return 1;
  }
  SiteFacts Facts[2 * MostBytes + 2];
  for (uint32_t N = 0; N < 2 * MostBytes + 2; ++N)
    Facts[N] = {N / 2, (N & 1) != 0};
  RecordFile File;
  if (!File.create(Arguments[2]))
    return 1;
  Caches All(File, Spec);
  Everything Of;
  Core Code(All, CodeThread, Facts, 2 * MostBytes + 2, Of);
  Core C(All, DataThread, Facts, 2 * MostBytes + 2, Of);
  char Line[256], Kind;
  unsigned long Address;
  unsigned Bytes;
  while (fgets(Line, sizeof(Line), stdin))
    if (sscanf(Line, " %c %lx,%u", &Kind, &Address, &Bytes) == 3 &&
        (Line[0] == ' ' || Line[0] == 'I'))
      (Kind == 'I' ? Code : C)
          .refer(2 * std::min(Bytes, MostBytes) + (Kind == 'S'), Address);
  All.finish();
  print(Arguments[2], Spec);
  return 0;
}
