//===- profile/Start.cpp - The image begins to count into its profile -----===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fork.h"
#include "Message.h"
#include "Owner.h"
#include "ProcFile.h"
#include "Slot.h"
#include "Threads.h"
#include <linux/auxvec.h>

using namespace graupel;

namespace {

constexpr uint64_t HWCAP2FSGSBase = 2;

/// Adds the counts from before the start, by resolvers of indirect functions
/// and the like.
void addEarlyCounts(const Image &I, char *To) {
  const uint64_t *Early = countersOf(I.region(), I.header().site_count);
  uint64_t *Counters = countersOf(To, I.header().site_count);
  for (uint64_t C = 0; C < I.header().counter_count; ++C)
    if (Early[C])
      Counters[C] += Early[C];
}

int beginCounting(const Image &I, ProfileFile &File) {
  if (int Error = File.open(I, true))
    return Error;
  MappedSlot Slot;
  if (int Error = takeSlot(I, File, SlotFor::NewImage, Slot))
    return Error;
  addEarlyCounts(I, Slot.Region);
  const int Error = mapOverImage(I, File, Slot);
  if (Error)
    dropSlot(I, File, Slot);
  return Error;
}

} // namespace

extern "C" GRAUPEL_HIDDEN void graupelStart() {
  const Image I;
  Runtime &R = I.runtime();
  if (R.Recording || I.state().version != GRAUPEL_PROFILE_VERSION)
    return;
  identify(R);
  R.HasWriteGSBase = auxiliaryValue(AT_HWCAP2) & HWCAP2FSGSBase;

  int Error = choosePath(I);
  if (!Error) {
    ProfileFile File;
    Error = beginCounting(I, File);
  }
  if (Error) {
    resetControl(I, I.control(), nullptr);
    sayNotRecorded(R.Path, Error);
    return;
  }
  R.Recording = true;
  const LinkMap *Modules = loadedModules();
  watchForks(I, Modules);
  if (I.has(GRAUPEL_STATE_THREADS))
    watchThreads(I, Modules);
}
