//===- profile/Indirect.cpp - Counts of indirect targets ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

using namespace graupel;

// Indirect.S knows them.
static_assert(sizeof(graupel_image_state) == 24576);
static_assert(offsetof(graupel_thread_control, self) == 24);
static_assert(offsetof(graupel_site, counter) == 8);
static_assert(offsetof(graupel_thread_control, targets) == 0);
static_assert(offsetof(graupel_thread_control, target_mask) == 8);
static_assert(sizeof(graupel_thread_control) == 64);
static_assert(sizeof(graupel_site) == 16 && sizeof(graupel_target) == 16);
static_assert(offsetof(graupel_target, count) == 8);
static_assert(GRAUPEL_TARGET_BITS == 40);

namespace {

constexpr unsigned MaxProbes = 64;

uint64_t keyOf(const Image &I, uint64_t SiteIndex, uint64_t Target) {
  const uint64_t Distance = Target - reinterpret_cast<uintptr_t>(&I.state());
  const bool Far = Distance + GRAUPEL_TARGET_FAR >= 2 * GRAUPEL_TARGET_FAR;
  const uint64_t Low =
      Far ? GRAUPEL_TARGET_FAR
          : Distance & ((UINT64_C(1) << GRAUPEL_TARGET_BITS) - 1);
  return (SiteIndex + 1) << GRAUPEL_TARGET_BITS | Low;
}

/// The place of Key in the table, claimed if it was not there; nullptr if there
/// is no room. Threads and signal handlers may be doing the same.
graupel_target *findTarget(const graupel_thread_control &Control,
                           uint64_t Key) {
  auto *Table = reinterpret_cast<graupel_target *>(Control.targets);
  uint64_t Place = (Key * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
  for (unsigned Probe = 0; Probe < MaxProbes; ++Probe, ++Place) {
    graupel_target &T = Table[Place & Control.target_mask];
    uint64_t Found = __atomic_load_n(&T.key, __ATOMIC_RELAXED);
    if (Found == 0 &&
        __atomic_compare_exchange_n(&T.key, &Found, Key, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return &T;
    if (Found == Key)
      return &T;
  }
  return nullptr;
}

// In one instruction each, for the sake of signal handlers.
void increment(uint64_t &Count) { asm volatile("incq %0" : "+m"(Count)); }
void incrementLocked(uint64_t &Count) {
  asm volatile("lock incq %0" : "+m"(Count));
}

/// Gives the fast path the most frequent target. A signal handler that comes
/// between must not leave one target with the count of another.
void remember(volatile graupel_site &Site, uint64_t Target,
              graupel_target &Entry) {
  const auto Counter = reinterpret_cast<uintptr_t>(&Entry.count);
  Site.target = 0;
  Site.counter = Counter;
  Site.target = Target;
  if (Site.counter != Counter)
    Site.target = 0;
}

uint64_t indexOf(const Image &I, const graupel_site *Site) {
  return static_cast<uint64_t>(Site - sitesOf(I.control()));
}

} // namespace

/// Site is the image's; Control is the thread's, or nullptr before the start.
extern "C" GRAUPEL_HIDDEN void
graupelCountTarget(graupel_site *Site, uint64_t Target,
                   graupel_thread_control *Control) {
  if (!Control || !Control->targets)
    return;
  const Image I;
  const uint64_t Index = indexOf(I, Site);
  graupel_target *Entry = findTarget(*Control, keyOf(I, Index, Target));
  if (!Entry) {
    increment(controlOf(I.regionBehind(*Control)).dropped);
    return;
  }
  increment(Entry->count);
  graupel_site &Cached = sitesOf(*Control)[Index];
  if (!Cached.target ||
      Entry->count > *reinterpret_cast<uint64_t *>(Cached.counter))
    remember(Cached, Target, *Entry);
}

extern "C" GRAUPEL_HIDDEN void graupelCountTargetLocked(graupel_site *Site,
                                                        uint64_t Target) {
  const Image I;
  if (!I.control().targets)
    return;
  graupel_target *Entry =
      findTarget(I.control(), keyOf(I, indexOf(I, Site), Target));
  incrementLocked(Entry ? Entry->count : controlOf(I.region()).dropped);
}
