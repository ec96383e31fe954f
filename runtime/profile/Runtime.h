//===- profile/Runtime.h - State of the runtime in its image ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime has no variables: it is read-only and there is one copy of it in
// every instrumented image. Everything that changes is in the image's state.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_RUNTIME_H
#define GRAUPEL_PROFILE_RUNTIME_H

#include "Lock.h"
#include "graupel/profile.h"
#include <stddef.h>
#include <stdint.h>

#define GRAUPEL_HIDDEN __attribute__((visibility("hidden")))

extern "C" {
// Filled in by graupel-bolt, so nothing may be concluded from how it is
// defined.
extern const volatile int64_t graupel_rt_state_slot GRAUPEL_HIDDEN;
}

namespace graupel {

constexpr uint64_t PageSize = GRAUPEL_PROFILE_PAGE;
constexpr size_t PathCapacity = 4352;

struct MirrorChunk;
struct StartNode;
using CreateThread = int (*)(void *Handle, const void *Attributes,
                             void *Function, void *Argument);
using CreateC11Thread = int (*)(void *Handle, void *Function, void *Argument);

/// Everything that changes, in graupel_image_state::runtime.
struct Runtime {
  /// Guards all but StartNodes.
  Lock Busy;
  bool Recording;
  bool HasWriteGSBase;
  /// /proc names processes as getpid() does.
  bool ProcIsOurs;
  /// This process as the owner of slots; tid and region are set with each.
  graupel_slot_owner Self;
  /// Slots before this one were found busy.
  uint64_t SlotHint;

  /// Zero in a process that has its memory by fork; nullptr if the C library
  /// tells us of forks.
  uint32_t *SameMemory;
  void (*Finalize)(void *Handle);

  Lock StartNodesBusy;
  StartNode *StartNodes;
  MirrorChunk *Mirrors;
  CreateThread PthreadCreate;
  CreateC11Thread ThrdCreate;
  /// The C library's own, if something stands in front of it.
  CreateThread LastPthreadCreate;
  CreateC11Thread LastThrdCreate;

  /// The profile's path: as asked for, then as found, which may have a suffix.
  size_t BaseLength;
  char Path[PathCapacity];
};
static_assert(sizeof(Runtime) <= sizeof(graupel_image_state::runtime));

/// The image this copy of the runtime is part of.
class Image {
public:
  Image()
      : State(reinterpret_cast<graupel_image_state *>(
            reinterpret_cast<uintptr_t>(&graupel_rt_state_slot) +
            static_cast<uintptr_t>(graupel_rt_state_slot))) {}

  graupel_image_state &state() const { return *State; }
  Runtime &runtime() const {
    return *reinterpret_cast<Runtime *>(State->runtime);
  }
  bool has(uint64_t Flag) const { return State->flags & Flag; }
  const graupel_profile_header &header() const {
    return *reinterpret_cast<const graupel_profile_header *>(head());
  }
  /// The first slots_offset bytes of a new profile.
  const char *head() const {
    return reinterpret_cast<const char *>(State) + State->head_offset;
  }
  char *region() const {
    return reinterpret_cast<char *>(State) + State->region_offset;
  }
  /// The size of the control in front of each region in memory.
  uint64_t controlSize() const { return State->region_offset - sizeof(*State); }
  graupel_thread_control &control() const { return controlBefore(region()); }
  graupel_thread_control &controlBefore(char *Region) const {
    return *reinterpret_cast<graupel_thread_control *>(Region - controlSize());
  }
  char *regionBehind(graupel_thread_control &Control) const {
    return reinterpret_cast<char *>(&Control) + controlSize();
  }
  uint64_t tableSize() const {
    return header().slot_size - PageSize - header().region_size;
  }

private:
  graupel_image_state *State;
};

inline graupel_region_control &controlOf(char *Region) {
  return *reinterpret_cast<graupel_region_control *>(Region);
}
inline uint64_t *countersOf(char *Region, uint64_t SiteCount) {
  return reinterpret_cast<uint64_t *>(Region + sizeof(graupel_region_control) +
                                      SiteCount * sizeof(graupel_site));
}
inline graupel_site *sitesOf(graupel_thread_control &Control) {
  return reinterpret_cast<graupel_site *>(&Control + 1);
}

} // namespace graupel

#endif // GRAUPEL_PROFILE_RUNTIME_H
