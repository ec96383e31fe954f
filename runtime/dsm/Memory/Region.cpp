//===- Region.cpp - The shared region, its chunks and pages -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reserves the shared addresses and opens them in runs of chunks.
//
// 1. fits: try each candidate for the region's start, and tell which this
//    process can have.
// 2. reserve: reserve one candidate without access, tables of chunks and pages,
//    a file of Invalid tags and, if there are other nodes, one of sentinels.
//    With protection keys reserve a second mapping for the runtime.
// 3. open, data: map zeros where nothing needs sentinels, else the file of
//    sentinels copy-on-write. With keys map one file twice and close the
//    program's mapping.
// 4. open, tags: make all tags Invalid, for known threads, for strangers and of
//    settled tags. Whole pages of tags are mapped from the file, the ends are
//    written. Summaries refuse everything. Then note the chunks' kind.
// 5. permit and protect: with keys, settled tags follow the tags, and the
//    page's key permits the accesses that all its blocks permit.
// 6. hidden, hide and unhide keep the records of hidden pages.
//
//===----------------------------------------------------------------------===//

#include "Memory/Region.h"
#include "Base/Copy.h"
#include "Errors/Error.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace graupel::dsm {

namespace {

/// Tags of this many bytes are mapped at once from one file.
constexpr size_t TagFileBytes = size_t(2) << 20;

/// A file in memory that starts with `Bytes` bytes, written by `Fill`.
template <class Filler>
int fileFullOf(const char *Name, size_t Bytes, Filler Fill) {
  int File = memfd_create(Name, MFD_CLOEXEC);
  void *P = MAP_FAILED;
  if (File >= 0 && ftruncate(File, static_cast<off_t>(Bytes)) == 0)
    P = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_SHARED, File, 0);
  if (P == MAP_FAILED)
    fail("cannot make a file of %zu KiB in memory (%s); free some memory",
         Bytes >> 10, strerror(errno));
  Fill(P);
  munmap(P, Bytes);
  return File;
}

/// Zeroed memory that costs nothing until it is used.
template <class T> T *sparseArray(size_t Count) {
  void *P = mmap(nullptr, Count * sizeof(T), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (P == MAP_FAILED)
    fail("cannot reserve tables of %zu MiB of addresses (%s); allow that with "
         "`ulimit -v unlimited`",
         Count * sizeof(T) >> 20, strerror(errno));
  madvise(P, Count * sizeof(T), MADV_DONTDUMP);
  return static_cast<T *>(P);
}

} // namespace

uintptr_t Region::candidate(unsigned I) { return FirstRegion + I * RegionStep; }

std::string Region::fits() {
  std::string Answer;
  for (unsigned I = 0; I != Candidates; ++I) {
    auto *Wanted = reinterpret_cast<void *>(candidate(I));
    void *P =
        mmap(Wanted, RegionBytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
             -1, 0);
    Answer += P == Wanted ? '1' : '0';
    if (P != MAP_FAILED)
      munmap(P, RegionBytes);
  }
  return Answer;
}

void Region::reserve(unsigned I, const TagTable &Tags,
                     const TagTable &Strangers, bool Remote) {
  auto *Wanted = reinterpret_cast<void *>(candidate(I));
  void *P = mmap(
      Wanted, RegionBytes, PROT_NONE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (P != Wanted)
    fail("cannot reserve the shared region of %zu GiB at %p: %s",
         RegionBytes >> 30, Wanted, strerror(errno));
  Start = Addresses.RegionStart = candidate(I);
  this->Tags = &Tags;
  this->Strangers = &Strangers;
  this->Remote = Remote;
  if (Protection)
    reserveSecond();
  // A forked child must not see what could not be coherent.
  madvise(P, RegionBytes, MADV_DONTFORK);
  // Summaries are written, a few bytes here and there: no huge pages of them.
  for (const TagTable *T : {&Tags, &Strangers})
    madvise(T->summary(end() - 1), RegionBytes / PageBytes, MADV_NOHUGEPAGE);

  Chunks = sparseArray<Chunk>(RegionChunks);
  Pages = sparseArray<Page>(RegionBytes / PageBytes);
  InvalidTags = fileFullOf("graupel-dsm-tags", TagFileBytes, [](void *P) {
    memset(P, GRAUPEL_DSM_TAG_INVALID, TagFileBytes);
  });
  if (Remote)
    Sentinels = fileFullOf("graupel-dsm-sentinels", ChunkBytes,
                           [](void *P) { fillWithSentinel(P, ChunkBytes); });
}

void Region::reserveSecond() {
  Backing = memfd_create("graupel-dsm-shared", MFD_CLOEXEC);
  void *P = MAP_FAILED;
  if (Backing >= 0 && ftruncate(Backing, off_t(RegionBytes)) == 0)
    P = mmap(nullptr, RegionBytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (P == MAP_FAILED)
    fail("cannot reserve a second mapping of shared memory (%s); allow more "
         "addresses and larger files (`ulimit -v unlimited -f unlimited`)",
         strerror(errno));
  madvise(P, RegionBytes, MADV_DONTFORK);
  Second = reinterpret_cast<uintptr_t>(P) - Start;
}

void Region::open(const ChunkRun &Run, bool AtHome) {
  uintptr_t First = Start + Run.First * ChunkBytes;
  size_t Bytes = Run.Count * ChunkBytes;
  Chunk Kind = Run.Kind;
  Kind.Zeros = !Remote || AtHome;
  if (Protection)
    openTwice(First, Bytes, Kind.Zeros);
  else
    openData(First, Bytes, Kind.Zeros);
  openTags(*Tags, First, Bytes);
  openTags(*Strangers, First, Bytes);
  if (Settled)
    openTags(*Settled, First, Bytes);
  std::fill_n(Chunks + Run.First, Run.Count, Kind);
}

/// Whole pages of tags are mapped, what is before and behind is written.
void Region::openTags(const TagTable &Table, uintptr_t First, size_t Bytes) {
  constexpr uintptr_t Whole = PageBytes * GranuleBytes;
  uintptr_t Begin = (First + Whole - 1) & -Whole;
  size_t Before = std::min<size_t>(Begin - First, Bytes);
  size_t Behind = (Bytes - Before) % Whole;
  writeTags(Table, First, Before);
  writeTags(Table, First + Bytes - Behind, Behind);
  mapTags(Table, First + Before, Bytes - Before - Behind);
  memset(Table.summary(First + Bytes - 1), GRAUPEL_DSM_TAG_INVALID,
         Bytes / PageBytes);
}

void Region::writeTags(const TagTable &Table, uintptr_t First, size_t Bytes) {
  memset(Table.tag(First), GRAUPEL_DSM_TAG_INVALID, Bytes / GranuleBytes);
}

void Region::mapTags(const TagTable &Table, uintptr_t First, size_t Bytes) {
  for (size_t Done = 0, Part; Done != Bytes; Done += Part) {
    Part = std::min(Bytes - Done, TagFileBytes * GranuleBytes);
    void *At = Table.tag(First + Done);
    if (mmap(At, Part / GranuleBytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, InvalidTags, 0) != At)
      fail("cannot map tags for %zu MiB of shared memory (%s); raise "
           "vm.max_map_count or free some memory",
           Bytes >> 20, strerror(errno));
    madvise(At, Part / GranuleBytes, MADV_DONTDUMP);
  }
}

void Region::openData(uintptr_t First, size_t Bytes, bool Zeros) {
  auto *At = reinterpret_cast<void *>(First);
  bool Mapped;
  if (Zeros) {
    Mapped = mmap(At, Bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1,
                  0) == At;
    // One large array: fewer faults and TLB misses. Not for the small ones,
    // which would pay for pages that they do not use.
    if (Mapped && Bytes >= 4 * ChunkBytes)
      madvise(At, Bytes, MADV_HUGEPAGE);
  } else {
    Mapped = true;
    for (size_t Done = 0; Done != Bytes && Mapped; Done += ChunkBytes) {
      auto *Part = static_cast<char *>(At) + Done;
      Mapped =
          mmap(Part, ChunkBytes, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, Sentinels, 0) == Part;
    }
  }
  if (!Mapped)
    fail("cannot map %zu MiB of shared memory (%s); raise vm.max_map_count or "
         "free some memory",
         Bytes >> 20, strerror(errno));
  madvise(At, Bytes, MADV_DONTFORK);
}

/// A page that was never touched must hold the sentinel, too, for checked code
/// may look at it.
void Region::openTwice(uintptr_t First, size_t Bytes, bool Zeros) {
  auto Offset = static_cast<off_t>(First - Start);
  for (void *At :
       {reinterpret_cast<void *>(First), static_cast<void *>(view(First))})
    if (mmap(At, Bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, Backing,
             Offset) != At)
      fail("cannot map %zu MiB of shared memory twice (%s); raise "
           "vm.max_map_count or free some memory",
           Bytes >> 20, strerror(errno));
  if (!Zeros)
    fillWithSentinel(view(First), Bytes);
  Protection->set(reinterpret_cast<void *>(First), Bytes, Keys::Nothing);
  madvise(reinterpret_cast<void *>(First), Bytes, MADV_DONTFORK);
}

void Region::permit(uintptr_t A, size_t Granules, uint8_t Tag) const {
  for (size_t I = 0; Settled && I != Granules; ++I)
    __atomic_store_n(Settled->tag(A) + I, Tag, __ATOMIC_RELAXED);
}

void Region::protect(uintptr_t A) {
  if (!Protection)
    return;
  A &= -PageBytes;
  for (unsigned I = 0; I != GranulesPerPage; ++I)
    __atomic_store_n(Settled->tag(A) + I, Tags->tag(A)[I], __ATOMIC_RELAXED);
  Page &P = page(A);
  bool Closed = !P.Mapped || P.Hidden || P.LoadsRefused;
  auto Now = Closed            ? Keys::Nothing
             : P.StoresRefused ? Keys::Loads
                               : Keys::Everything;
  if (P.Permitted == Now)
    return;
  P.Permitted = Now;
  Protection->set(reinterpret_cast<void *>(A), PageBytes, Now);
}

HiddenPage &Region::hidden(uintptr_t A) {
  return *HiddenPages.at(A & -PageBytes);
}

HiddenPage &Region::hide(uintptr_t A) {
  page(A).Hidden = 1;
  return *(HiddenPages[A & -PageBytes] = std::make_unique<HiddenPage>());
}

void Region::unhide(uintptr_t A) {
  page(A).Hidden = 0;
  HiddenPages.erase(A & -PageBytes);
}

} // namespace graupel::dsm
