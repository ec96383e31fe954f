//===- Globals.cpp - Shared globals as memory of the region ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens the pages of shared globals (docs/design/dsm-globals.md):
//
// 1. Their contents are kept aside, unless they are zeros, or there is one
//    node, which goes on with them. Pages that should be zeros may have been
//    written by code that ran too early; it would be lost.
// 2. They get the sentinel as contents; if pages are protected, they become two
//    mappings of a file, as the region is.
// 3. Their tags get Invalid.
// 4. From now on looks and the protocol know them.
//
//===----------------------------------------------------------------------===//

#include "Base/Copy.h"
#include "Errors/Error.h"
#include "Memory/Region.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace graupel::dsm {

static size_t bytesOf(const Run &R) { return R.End - R.Start; }

static void *startOf(const Run &R) { return reinterpret_cast<void *>(R.Start); }

/// Pages that nobody has touched are zeros; looking at them would make them
/// memory.
static void refuseWritten(const Run &R) {
  static constexpr uint8_t Zeros[PageBytes] = {};
  std::vector<unsigned char> Touched(bytesOf(R) / PageBytes, 1);
  mincore(startOf(R), bytesOf(R), Touched.data());
  for (size_t I = 0; I != Touched.size(); ++I) {
    auto *Page = static_cast<const uint8_t *>(startOf(R)) + I * PageBytes;
    if ((Touched[I] & 1) && memcmp(Page, Zeros, PageBytes) != 0)
      fail("a shared global at %p was written before the job began; no "
           "function of .preinit_array may do that",
           static_cast<const void *>(Page));
  }
}

void Region::openGlobals(const std::vector<GlobalRun> &Runs, uint32_t Block,
                         int Home) {
  if (Runs.empty())
    return;
  for (const GlobalRun &R : Runs) {
    OpenGlobals O = {};
    O.Start = R.Start;
    O.Kind = {Block, static_cast<int16_t>(Home), 0, !Remote};
    openRun(R, O);
    GlobalRuns.push_back(R);
    Opened.push_back(O);
  }
  Addresses.Globals = GlobalRuns.data();
  Addresses.Count = GlobalRuns.size();
}

void Region::openRun(const GlobalRun &R, OpenGlobals &O) {
  size_t Bytes = bytesOf(R);
  O.Pages = static_cast<Page *>(calloc(Bytes / PageBytes, sizeof(Page)));
  uint8_t *Contents = R.Zeros ? nullptr : static_cast<uint8_t *>(malloc(Bytes));
  if (!O.Pages || (!R.Zeros && !Contents))
    fail("out of memory for %zu KiB of shared globals", Bytes >> 10);
  if (Contents)
    memcpy(Contents, startOf(R), Bytes);
  O.Contents = Contents;
  if (R.Zeros)
    refuseWritten(R);
  if (Protection) {
    O.Second = mapGlobalsTwice(R);
    auto *View = reinterpret_cast<uint8_t *>(R.Start + O.Second);
    if (Remote)
      fillWithSentinel(View, Bytes);
    else if (Contents)
      memcpy(View, Contents, Bytes);
    Protection->set(startOf(R), Bytes, Keys::Nothing);
  } else if (Remote) {
    fillGlobals(R);
  }
  madvise(startOf(R), Bytes, MADV_DONTFORK);
  for (const TagTable *T : {Tags, Strangers, Settled}) {
    if (!T)
      continue;
    smallPages(T->tag(R.Start), Bytes / GranuleBytes);
    smallPages(T->summary(R.End - 1), Bytes / PageBytes);
    openTags(*T, R.Start, Bytes);
  }
}

/// Few bytes are written among much that is only read.
void Region::smallPages(uint8_t *First, size_t Bytes) {
  auto A = reinterpret_cast<uintptr_t>(First) & -PageBytes;
  auto End = reinterpret_cast<uintptr_t>(First) + Bytes;
  madvise(reinterpret_cast<void *>(A), End - A, MADV_NOHUGEPAGE);
}

/// Zeros are replaced by a file, which takes no memory until they are used.
void Region::fillGlobals(const GlobalRun &R) {
  if (!R.Zeros)
    return fillWithSentinel(startOf(R), bytesOf(R));
  for (uintptr_t A = R.Start, Part; A != R.End; A += Part) {
    Part = std::min<size_t>(ChunkBytes, R.End - A);
    auto *At = reinterpret_cast<void *>(A);
    if (mmap(At, Part, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, Sentinels, 0) != At)
      fail("cannot map %zu KiB of shared globals (%s); raise vm.max_map_count "
           "or free some memory",
           bytesOf(R) >> 10, strerror(errno));
  }
}

/// Returns how far the second mapping is from the first. Contents are zeros.
uintptr_t Region::mapGlobalsTwice(const GlobalRun &R) {
  size_t Bytes = bytesOf(R);
  int File = memfd_create("graupel-dsm-globals", MFD_CLOEXEC);
  void *View = MAP_FAILED;
  if (File >= 0 && ftruncate(File, static_cast<off_t>(Bytes)) == 0 &&
      mmap(startOf(R), Bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
           File, 0) == startOf(R))
    View = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_SHARED, File, 0);
  if (View == MAP_FAILED)
    fail("cannot map %zu KiB of shared globals twice (%s); raise "
         "vm.max_map_count or free some memory",
         Bytes >> 10, strerror(errno));
  close(File);
  madvise(View, Bytes, MADV_DONTFORK);
  return reinterpret_cast<uintptr_t>(View) - R.Start;
}

const uint8_t *Region::initial(uintptr_t PageStart) const {
  static constexpr uint8_t Zeros[PageBytes] = {};
  if (PageStart - Start < RegionBytes)
    return Zeros;
  const OpenGlobals &O = globals(PageStart);
  return O.Contents ? O.Contents + (PageStart - O.Start) : Zeros;
}

size_t Region::openBytes(uintptr_t A, size_t Most) const {
  uintptr_t End = A;
  if (Addresses.isGlobal(A))
    return GlobalRuns[Addresses.indexBehind(A)].End - A;
  while (End - A < Most && End < end() && chunk(End).Block)
    End = (End | (ChunkBytes - 1)) + 1;
  return End - A;
}

} // namespace graupel::dsm
