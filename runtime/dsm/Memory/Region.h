//===- Region.h - The shared region, its chunks and pages -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One range of addresses, the same on all nodes. It is opened in runs of
// chunks; a chunk has one block size and one home policy, which every node
// knows before an address of it is handed out (docs/design/fgdsm.md). Memory
// that is open and not mapped by the protocol reads as the sentinel and has
// Invalid tags, so nothing of the region ever traps in the kernel but wild
// pointers.
//
// Shared globals are more such memory, in runs of pages elsewhere
// (docs/design/dsm-globals.md), which are opened once.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_MEMORY_REGION_H
#define GRAUPEL_DSM_MEMORY_REGION_H

#include "Base/SharedAddresses.h"
#include "Memory/Keys.h"
#include "Memory/TagTable.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace graupel::dsm {

/// The state of a chunk that all nodes know. Block is 0 if it is not open.
struct Chunk {
  uint32_t Block;
  int16_t Home;  ///< A node or a GDSM_HOME_ policy.
  int16_t Owner; ///< The node whose allocator divides it.
  /// Whether untouched memory of it holds zeros here, and not the sentinel.
  bool Zeros;
};

/// Consecutive chunks of one allocator.
struct ChunkRun {
  uint32_t First, Count;
  Chunk Kind;
};

/// A run of pages of shared globals, before it is opened.
struct GlobalRun : Run {
  bool Zeros; ///< Variables without an initializer.
};

/// Tags and data that a page's protection hides; see
/// tempest_set_page_protection.
struct HiddenPage {
  uint8_t Tags[GranulesPerPage];
  alignas(16) uint8_t Data[PageBytes];
};

/// This node's state of a page. Zero bytes: not mapped.
struct Page {
  void *User;
  int16_t Home;
  uint8_t Mode;
  uint8_t Mapped : 1;
  uint8_t Touched : 1;   ///< Has been mapped once.
  uint8_t Hidden : 1;    ///< Tags and data are in Region::hidden().
  uint8_t Permitted : 2; ///< To code without checks, if pages are protected.
  /// Granules whose tags refuse loads and stores; make the summary exact.
  uint8_t LoadsRefused, StoresRefused;
};
static_assert(sizeof(Page) == 16, "64 Mi of them are reserved");

class Region {
public:
  /// Addresses to try, the same on all nodes and in the same order.
  static constexpr unsigned Candidates = 16;
  static uintptr_t candidate(unsigned I);
  /// For each candidate '1' if this process could have it, else '0'.
  static std::string fits();

  /// Pages that refuse anything will be protected by keys. `Settled` are the
  /// tags that threads may rely on still: a refusing one appears there when
  /// none does any more. Before reserve().
  void protectBy(const Keys &K, const TagTable &Settled) {
    Protection = &K;
    this->Settled = &Settled;
  }

  /// Reserves candidate I. Without `Remote` nodes memory needs no sentinels,
  /// because what is not mapped yet holds zeros for everybody.
  /// `Strangers` refuses everything of open chunks, for ever.
  void reserve(unsigned I, const TagTable &Tags, const TagTable &Strangers,
               bool Remote);

  uintptr_t start() const { return Start; }
  uintptr_t end() const { return Start + RegionBytes; }
  const SharedAddresses &addresses() const { return Addresses; }
  /// Open or not.
  bool contains(const void *P) const {
    return Addresses.contains(reinterpret_cast<uintptr_t>(P));
  }

  /// Opens chunks. `AtHome`: every page of them is at home here. Ends the
  /// process with a message if memory does not suffice.
  void open(const ChunkRun &, bool AtHome);

  /// Opens all runs of globals, disjoint and ascending, once. Their values
  /// become the initial contents of their pages.
  void openGlobals(const std::vector<GlobalRun> &, uint32_t Block, int Home);

  /// The chunk of an address that is contained.
  const Chunk &chunk(uintptr_t A) const {
    if (A - Start >= RegionBytes) [[unlikely]]
      return globals(A).Kind;
    return Chunks[(A - Start) / ChunkBytes];
  }
  Page &page(uintptr_t A) const {
    if (A - Start >= RegionBytes) [[unlikely]]
      return globals(A).page(A);
    return Pages[(A - Start) / PageBytes];
  }

  /// Calls Use(run) for the open memory, a chunk or run of globals at a time.
  template <class Function> void forEachOpen(Function Use) const {
    for (size_t C = 0; C != RegionBytes / ChunkBytes; ++C)
      if (Chunks[C].Block)
        Use(Run{Start + C * ChunkBytes, Start + (C + 1) * ChunkBytes});
    for (const Run &Globals : GlobalRuns)
      Use(Globals);
  }

  /// Where the runtime itself gets at the data of an address: the same, or a
  /// second mapping that is not protected.
  uint8_t *view(uintptr_t A) const {
    uintptr_t Apart = Second;
    if (A - Start >= RegionBytes && Protection) [[unlikely]]
      Apart = globals(A).Second;
    return reinterpret_cast<uint8_t *>(A + Apart);
  }

  /// The contents of a page that nobody has written to.
  const uint8_t *initial(uintptr_t PageStart) const;

  /// Number of the `Most` bytes from A that are open memory, up to the end of a
  /// chunk or more.
  size_t openBytes(uintptr_t A, size_t Most) const;

  /// Before a tag permits anything more.
  void permit(uintptr_t A, size_t Granules, uint8_t Tag) const;

  /// Gives code without checks of a page what the tags of all its blocks
  /// permit. For less, no thread may rely on more.
  void protect(uintptr_t A);

  /// The hidden part of a page whose Hidden is set.
  HiddenPage &hidden(uintptr_t A);
  HiddenPage &hide(uintptr_t A);
  void unhide(uintptr_t A);

private:
  /// An open run of globals.
  struct OpenGlobals {
    uintptr_t Start;
    Chunk Kind;
    Page *Pages;
    uintptr_t Second;
    const uint8_t *Contents; ///< At first. Null: zeros.

    Page &page(uintptr_t A) const { return Pages[(A - Start) / PageBytes]; }
  };
  const OpenGlobals &globals(uintptr_t A) const {
    return Opened[Addresses.indexBehind(A)];
  }

  void openRun(const GlobalRun &, OpenGlobals &);
  void fillGlobals(const GlobalRun &);
  static void smallPages(uint8_t *First, size_t Bytes);
  uintptr_t mapGlobalsTwice(const GlobalRun &);
  void reserveSecond();
  void openTags(const TagTable &, uintptr_t First, size_t Bytes);
  void writeTags(const TagTable &, uintptr_t First, size_t Bytes);
  void mapTags(const TagTable &, uintptr_t First, size_t Bytes);
  void openData(uintptr_t First, size_t Bytes, bool Zeros);
  void openTwice(uintptr_t First, size_t Bytes, bool Zeros);

  SharedAddresses Addresses;
  std::vector<Run> GlobalRuns;
  /// One for each of Addresses.Globals.
  std::vector<OpenGlobals> Opened;

  uintptr_t Start = 0;
  const TagTable *Tags = nullptr, *Strangers = nullptr;
  bool Remote = true;
  const Keys *Protection = nullptr;
  const TagTable *Settled = nullptr;
  /// The file of both mappings, and the distance from one to the other.
  int Backing = -1;
  uintptr_t Second = 0;
  Chunk *Chunks = nullptr;
  Page *Pages = nullptr;
  /// Files full of Invalid tags and of sentinels, mapped copy-on-write.
  int InvalidTags = -1, Sentinels = -1;
  std::unordered_map<uintptr_t, std::unique_ptr<HiddenPage>> HiddenPages;
};

} // namespace graupel::dsm

#endif
