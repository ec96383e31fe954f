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
  NewImage, ///< Takes over slots that exec or dlclose left of this process.
  Child,    ///< The child of a fork.
  Thread,
};

/// The mapping of an owned slot: its region, then its target table.
struct MappedSlot {
  char *Region = nullptr;
  char *Table = nullptr;
  uint64_t FileOffset = 0; ///< The region's offset in the profile.
};

/// Takes a slot for this process and maps it; a new one if none is free. The
/// counts are as its last owner left them. That of a thread is ready for use.
/// Returns 0 or a negated errno.
int takeSlot(const Image &I, ProfileFile &File, SlotFor Use, MappedSlot &Out);

/// Gives up a slot that could not be used after all; not a thread's.
void dropSlot(const Image &I, ProfileFile &File, const MappedSlot &Slot);

/// Puts the slot over the image's own region, and has the image count there.
int mapOverImage(const Image &I, ProfileFile &File, const MappedSlot &Slot);

/// Makes sites point to nothing, as fast paths expect it. Targets are counted
/// in Table, if it is not nullptr.
void resetControl(const Image &I, graupel_thread_control &Control, char *Table);

/// Unmaps a thread's slot and the control in front of it.
void unmapThread(const Image &I, char *Region);

} // namespace graupel

#endif // GRAUPEL_PROFILE_SLOT_H
