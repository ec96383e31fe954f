//===- profile/Slot.cpp - Taking slots of the profile ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes a slot of the profile for an image, a child or a thread, and maps it.
// The caller has the profile open and locked.
//
// 1. freeAbandoned looks for slots of this process whose region is not mapped
//    any more, since dlclose or exec took it away. It unmaps their tables and
//    frees them. This is for new images.
// 2. find takes the first slot whose owner does not live. Threads begin at a
//    hint, behind slots that were busy before. Without a free slot the file
//    grows by one.
// 3. takeSlot maps the slot's region and table, and writes this thread as the
//    owner.
// 4. mapOverImage maps the slot over the image's own region. dropSlot gives up
//    a slot that could not be used.
// 5. resetControl has all sites point to the sink, and new targets counted in
//    the slot's table. The counts stay.
//
//===----------------------------------------------------------------------===//

#include "Slot.h"
#include "Owner.h"
#include "ProcFile.h"
#include "Text.h"

using namespace graupel;

namespace {

class SlotSearch {
public:
  SlotSearch(const Image &I, ProfileFile &File, SlotFor Use)
      : I(I), R(I.runtime()), File(File), Use(Use), Judge(R) {}

  /// Finds or makes a free slot.
  int find(uint64_t &Index);

private:
  uint64_t offset(uint64_t Index) const {
    return I.header().slots_offset + Index * I.header().slot_size;
  }
  bool readOwner(uint64_t Index, graupel_slot_owner &Owner) const;
  bool isFree(uint64_t Index);
  void freeAbandoned(uint64_t Count);
  bool isAbandoned(uint64_t Index, const graupel_slot_owner &Owner) const;

  const Image &I;
  Runtime &R;
  ProfileFile &File;
  SlotFor Use;
  OwnerJudge Judge;
};

int SlotSearch::find(uint64_t &Index) {
  const uint64_t Count =
      (File.size() - I.header().slots_offset) / I.header().slot_size;
  if (Use == SlotFor::NewImage)
    freeAbandoned(Count);
  // Threads come by the thousand, and busy slots mostly still are. The hint may
  // be from another file, with more slots.
  Index = Use != SlotFor::Thread ? 0 : R.SlotHint < Count ? R.SlotHint : Count;
  while (Index < Count && !isFree(Index))
    ++Index;
  if (Index < Count)
    return File.reserve(offset(Index), I.header().slot_size);
  return File.grow(offset(Index + 1));
}

bool SlotSearch::readOwner(uint64_t Index, graupel_slot_owner &Owner) const {
  return sys::pread(File.descriptor(), &Owner, sizeof(Owner), offset(Index)) ==
         sizeof(Owner);
}

bool SlotSearch::isFree(uint64_t Index) {
  graupel_slot_owner Owner;
  return readOwner(Index, Owner) && Judge.isFree(Owner);
}

/// A process that becomes the same program again and again must not leave more
/// slots behind each time.
void SlotSearch::freeAbandoned(uint64_t Count) {
  const graupel_slot_owner Nobody = {};
  for (uint64_t Index = 0; Index < Count; ++Index) {
    graupel_slot_owner Owner;
    if (readOwner(Index, Owner) && Owner.pid && Judge.isOurs(Owner) &&
        isAbandoned(Index, Owner))
      sys::pwrite(File.descriptor(), &Nobody, sizeof(Nobody), offset(Index));
  }
}

/// Whether dlclose or exec took away the region of a slot of this process. If
/// so, unmaps the parts of the slot that dlclose left.
bool SlotSearch::isAbandoned(uint64_t Index,
                             const graupel_slot_owner &Owner) const {
  const uint64_t Region = offset(Index) + PageSize;
  const uint64_t Table = Region + I.header().region_size;
  graupel_region_control Control;
  if (sys::pread(File.descriptor(), &Control, sizeof(Control), Region) !=
      sizeof(Control))
    return false;

  bool TableMapped = false;
  Mapping M;
  for (Mappings Maps; Maps.next(M);) {
    if (!M.Shared)
      continue;
    // The kernel merges neighbors.
    const auto Holds = [&M](uint64_t Address, uint64_t Offset) {
      return Address >= M.Begin && Address < M.End &&
             Address - M.Begin + M.Offset == Offset;
    };
    if (Holds(Owner.region, Region))
      return false;
    // Some file systems say different inodes here and there; better leave the
    // table than take something else.
    TableMapped |= M.Inode == File.inode() && Holds(Control.targets, Table);
  }
  if (TableMapped)
    sys::munmap(reinterpret_cast<void *>(Control.targets), I.tableSize());
  return true;
}

/// Maps a region and its table, at Offset of the profile. A thread gets a
/// control in front of them. Returns the address of the region, or an error.
void *mapSlot(const Image &I, const ProfileFile &File, SlotFor Use,
              uint64_t Offset) {
  const uint64_t Size = I.header().slot_size - PageSize;
  char *Place = nullptr;
  if (Use == SlotFor::Thread) {
    Place = static_cast<char *>(sys::allocate(I.controlSize() + Size));
    if (!Place)
      return reinterpret_cast<void *>(-ENOMEM);
    Place += I.controlSize();
  }
  void *Region = sys::mmap(Place, Size, PROT_READ | PROT_WRITE,
                           MAP_SHARED | (Place ? MAP_FIXED : 0),
                           File.descriptor(), Offset);
  if (sys::isError(Region) && Place)
    unmapThread(I, Place);
  return Region;
}

} // namespace

void graupel::unmapThread(const Image &I, char *Region) {
  sys::munmap(Region - I.controlSize(),
              I.controlSize() + I.header().slot_size - PageSize);
}

void graupel::resetControl(const Image &I, graupel_thread_control &Control,
                           char *Table) {
  const auto Sink = reinterpret_cast<uintptr_t>(&Control.sink);
  graupel_site *Sites = sitesOf(Control);
  for (uint64_t S = 0; S < I.header().site_count; ++S)
    Sites[S] = {0, Sink};
  Control.target_mask = I.header().target_count - 1;
  Control.targets =
      I.header().target_count ? reinterpret_cast<uintptr_t>(Table) : 0;
  Control.self = reinterpret_cast<uintptr_t>(&Control);
}

int graupel::takeSlot(const Image &I, ProfileFile &File, SlotFor Use,
                      MappedSlot &Out) {
  Runtime &R = I.runtime();
  uint64_t Index;
  if (int Error = SlotSearch(I, File, Use).find(Index))
    return Error;
  const uint64_t Offset =
      I.header().slots_offset + Index * I.header().slot_size;
  void *Memory = mapSlot(I, File, Use, Offset + PageSize);
  if (sys::isError(Memory))
    return static_cast<int>(sys::word(Memory));
  Out.Region = static_cast<char *>(Memory);
  Out.Table = Out.Region + I.header().region_size;
  Out.FileOffset = Offset + PageSize;
  const bool IsThread = Use == SlotFor::Thread;

  graupel_slot_owner Owner = R.Self;
  Owner.tid = static_cast<uint64_t>(sys::gettid());
  Owner.region =
      reinterpret_cast<uintptr_t>(IsThread ? Out.Region : I.region());
  const long Written =
      sys::pwrite(File.descriptor(), &Owner, sizeof(Owner), Offset);
  if (Written != sizeof(Owner)) {
    if (IsThread)
      unmapThread(I, Out.Region);
    else
      sys::munmap(Memory, I.header().slot_size - PageSize);
    return Written < 0 ? static_cast<int>(Written) : -EIO;
  }
  controlOf(Out.Region).targets =
      I.header().target_count ? reinterpret_cast<uintptr_t>(Out.Table) : 0;
  if (IsThread)
    resetControl(I, I.controlBefore(Out.Region), Out.Table);
  if (R.SlotHint <= Index)
    R.SlotHint = Index + 1;
  return 0;
}

void graupel::dropSlot(const Image &I, ProfileFile &File,
                       const MappedSlot &Slot) {
  const graupel_slot_owner Nobody = {};
  sys::pwrite(File.descriptor(), &Nobody, sizeof(Nobody),
              Slot.FileOffset - PageSize);
  sys::munmap(Slot.Region, I.header().slot_size - PageSize);
}

int graupel::mapOverImage(const Image &I, ProfileFile &File,
                          const MappedSlot &Slot) {
  void *Mapped =
      sys::mmap(I.region(), I.header().region_size, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_FIXED, File.descriptor(), Slot.FileOffset);
  if (sys::isError(Mapped))
    return static_cast<int>(sys::word(Mapped));
  sys::munmap(Slot.Region, I.header().region_size);
  resetControl(I, I.control(), Slot.Table);
  return 0;
}
