//===- Numa/Live/Live.cpp - Traffic while a program runs ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LiveRecord::look reads what the counters of a growing record have counted
// since the last look:
//
// 1. map() maps the file anew if it has grown.
// 2. findChunks() walks the chunks behind the last known one. Chunks that are
//    not committed yet are tried again at the next look.
// 3. enter() remembers where page counters, shares and bursts are in the file,
//    and copies threads and objects.
// 4. weights() computes for each sampled thread how many references one in a
//    burst stands for. findStill() finds threads that have had no burst for two
//    looks.
// 5. look() skips pages of these threads, and writes the growth of each other
//    counter into the slice. Bytes of pages are multiplied by the weight,
//    references of sites are not.
// 6. Slice::add() joins two slices, by object, thread and page.
//
//===----------------------------------------------------------------------===//

#include "Live.h"
#include <algorithm>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace graupel::numa;
using namespace graupel::stride;

static uint64_t milliseconds() {
  timespec Time;
  clock_gettime(CLOCK_MONOTONIC, &Time);
  return uint64_t(Time.tv_sec) * 1000 + uint64_t(Time.tv_nsec) / 1000000;
}

/// The program writes while this reads.
static uint64_t counter(const uint64_t &Word) {
  return __atomic_load_n(&Word, __ATOMIC_RELAXED);
}

void Slice::add(const Slice &Later) {
  if (Pages.empty() && Sites.empty())
    Begin = Later.Begin;
  End = Later.End;
  auto Key = [](const SlicePage &P) {
    return std::tuple(P.Object, P.Thread, P.Address);
  };
  auto Before = [&](const SlicePage &A, const SlicePage &B) {
    return Key(A) < Key(B);
  };
  size_t Old = Pages.size();
  Pages.insert(Pages.end(), Later.Pages.begin(), Later.Pages.end());
  std::sort(Pages.begin() + long(Old), Pages.end(), Before);
  std::inplace_merge(Pages.begin(), Pages.begin() + long(Old), Pages.end(),
                     Before);
  size_t To = 0;
  for (size_t N = 0; N < Pages.size(); ++N)
    if (To && Key(Pages[To - 1]) == Key(Pages[N])) {
      Pages[To - 1].Loads += Pages[N].Loads;
      Pages[To - 1].Stores += Pages[N].Stores;
    } else {
      Pages[To++] = Pages[N];
    }
  Pages.resize(To);
  for (auto [Site, Count] : Later.Sites)
    Sites[Site] += Count;
}

LiveRecord::~LiveRecord() {
  if (Data)
    munmap(const_cast<char *>(Data), Mapped);
  if (File >= 0)
    close(File);
}

/// Maps as much of the file as is in use. False: there is nothing yet.
bool LiveRecord::map() {
  if (File < 0)
    File = ::open(Name.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat Facts;
  if (File < 0 || fstat(File, &Facts) != 0 ||
      uint64_t(Facts.st_size) < HeaderBytes)
    return false;
  if (!Data || uint64_t(Facts.st_size) > Mapped) {
    void *New =
        mmap(nullptr, size_t(Facts.st_size), PROT_READ, MAP_SHARED, File, 0);
    if (New == MAP_FAILED)
      return false;
    if (Data)
      munmap(const_cast<char *>(Data), Mapped);
    Data = static_cast<const char *>(New);
    Mapped = uint64_t(Facts.st_size);
  }
  return memcmp(Data, RecordMagic, sizeof(RecordMagic)) == 0;
}

void LiveRecord::enter(uint64_t At, const ChunkHeader &C) {
  uint64_t Payload = At + sizeof(C);
  if (C.Kind == PagesChunk && C.Bytes >= sizeof(PagesRecord)) {
    auto *R = reinterpret_cast<const PagesRecord *>(Data + Payload);
    Spans.push_back({Payload, R->Thread, {}});
    Spans.back().Before.resize(SpanPages);
  } else if (C.Kind == ChunkKind::Share && C.Bytes >= sizeof(ShareRecord)) {
    Shares.push_back({Payload, 0});
  } else if (C.Kind == ChunkKind::Bursts && C.Bytes >= sizeof(BurstsRecord)) {
    auto *R = reinterpret_cast<const BurstsRecord *>(Data + Payload);
    Parts.push_back({R->Thread, Payload, 0, 0});
  } else if (C.Kind == ChunkKind::Thread && C.Bytes >= sizeof(ThreadRecord)) {
    Threads.emplace_back();
    memcpy(&Threads.back(), Data + Payload, sizeof(ThreadRecord));
  } else if (C.Kind == ChunkKind::Object && C.Bytes >= sizeof(ObjectRecord)) {
    Objects.emplace_back();
    memcpy(&Objects.back(), Data + Payload, sizeof(ObjectKind));
  }
}

void LiveRecord::findChunks() {
  std::vector<uint64_t> Waiting = std::move(Uncommitted);
  Uncommitted.clear();
  RecordHeader H;
  memcpy(static_cast<void *>(&H), Data, sizeof(H));
  uint64_t Used = std::min(H.Used, Mapped);
  while (Used >= sizeof(ChunkHeader) && Next <= Used - sizeof(ChunkHeader)) {
    ChunkHeader C;
    memcpy(&C, Data + Next, sizeof(C));
    if (!C.Bytes || C.Bytes > Used - Next - sizeof(C))
      break;
    Waiting.push_back(Next);
    Next = nextChunk(Next, C.Bytes);
  }
  for (uint64_t At : Waiting) {
    ChunkHeader C;
    memcpy(&C, Data + At, sizeof(C));
    if (C.Committed == ChunkCommitted)
      enter(At, C);
    else
      Uncommitted.push_back(At);
  }
}

/// Number of references that one sampled reference stands for, by thread of the
/// record.
std::vector<double> LiveRecord::weights() const {
  std::vector<double> Result(Threads.size(), 1);
  for (const Part &P : Parts) {
    auto *R = reinterpret_cast<const BurstsRecord *>(Data + P.At);
    double Seen = double(counter(R->InBursts)),
           All = double(counter(R->References));
    if (P.Thread < Result.size() && Seen > 0 && All > Seen)
      Result[P.Thread] = All / Seen;
  }
  return Result;
}

/// By thread of the record: whether nothing can be new. Pages are counted
/// before or after their burst is.
std::vector<bool> LiveRecord::findStill() {
  constexpr unsigned LeastLooks = 2;
  std::vector<bool> Still(Threads.size());
  for (Part &P : Parts) {
    auto *R = reinterpret_cast<const BurstsRecord *>(Data + P.At);
    const uint64_t Now = counter(R->InBursts);
    P.Still = Now == P.Before ? P.Still + 1 : 0;
    P.Before = Now;
    if (P.Thread < Still.size())
      Still[P.Thread] = P.Still >= LeastLooks;
  }
  return Still;
}

Slice LiveRecord::look() {
  Slice S;
  uint64_t Now = milliseconds();
  if (!Start)
    Start = Last = Now;
  S.Begin = Last - Start;
  S.End = Now - Start;
  Last = Now;
  if (!map())
    return S;
  findChunks();
  const std::vector<double> Weights = weights();
  const std::vector<bool> Still = findStill();
  for (Span &Entry : Spans) {
    if (Entry.Thread < Still.size() && Still[Entry.Thread])
      continue;
    auto *R = reinterpret_cast<const PagesRecord *>(Data + Entry.At);
    const double Weight = R->Thread < Weights.size() ? Weights[R->Thread] : 1;
    for (unsigned N = 0; N < SpanPages; ++N) {
      uint64_t Loads = counter(R->Pages[N].LoadBytes),
               Stores = counter(R->Pages[N].StoreBytes);
      auto &[OldLoads, OldStores] = Entry.Before[N];
      if (Loads != OldLoads || Stores != OldStores)
        S.Pages.push_back({R->Object, R->Thread, R->Address + N * PageBytes,
                           uint64_t(double(Loads - OldLoads) * Weight),
                           uint64_t(double(Stores - OldStores) * Weight)});
      OldLoads = Loads;
      OldStores = Stores;
    }
  }
  for (Share &Entry : Shares) {
    auto *R = reinterpret_cast<const ShareRecord *>(Data + Entry.At);
    uint64_t References = counter(R->References);
    if (References != Entry.Before)
      S.Sites[R->Site] += References - Entry.Before;
    Entry.Before = References;
  }
  return S;
}
