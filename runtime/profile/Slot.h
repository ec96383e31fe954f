//===- profile/Slot.h - Taking slots of the profile -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_SLOT_H
#define GRAUPEL_PROFILE_SLOT_H

#include "ProfileFile.h"

namespace graupel {

enum class SlotFor {
  NewImage, ///< Takes over what exec or dlclose left of this process.
  Child,    ///< Of a fork.
  Thread,
};

/// Where an owned slot is mapped: its region, then its target table.
struct MappedSlot {
  char *Region = nullptr;
  uint64_t FileOffset = 0; ///< Of the region.
};

/// Takes a slot for this process and maps it; a new one if none is free. The
/// region is as its last owner left it except for control and sites, which will
/// be right once the region is at RegionAddress, or where it is if that is
/// nullptr. Returns 0 or a negated errno.
int takeSlot(const Image &I, ProfileFile &File, SlotFor Use,
             char *RegionAddress, MappedSlot &Out);

/// Gives up a slot that could not be used after all.
void dropSlot(const Image &I, ProfileFile &File, const MappedSlot &Slot);

/// Puts the slot over the image's own region.
int mapOverImage(const Image &I, ProfileFile &File, const MappedSlot &Slot);

/// Makes sites point to nothing, as fast paths expect it.
void resetSites(const Image &I, char *Region, char *RegionAddress);

} // namespace graupel

#endif // GRAUPEL_PROFILE_SLOT_H
