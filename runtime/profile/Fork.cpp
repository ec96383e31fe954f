//===- profile/Fork.cpp - Children count into slots of their own ----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fork.h"
#include "Owner.h"
#include "Slot.h"
#include "Threads.h"

using namespace graupel;

namespace {

using RegisterAtFork = int (*)(void (*Prepare)(), void (*Parent)(),
                               void (*Child)(), void *Handle);
using PthreadAtFork = int (*)(void (*Prepare)(), void (*Parent)(),
                              void (*Child)());

void *handleOf(const Image &I) { return &I.state(); }

/// Without a slot of its own, the child goes on counting into its parent's:
/// counts may get lost, but users are not to blame and are not told.
void claimForChild() {
  const Image I;
  Runtime &R = I.runtime();
  R.Busy.forget();
  R.StartNodesBusy.forget();
  if (!R.Recording)
    return;
  identify(R);
  R.SlotHint = 0;

  ProfileFile File;
  MappedSlot Slot;
  const uint64_t OldTable = I.control().targets;
  if (File.open(I, false) == 0 &&
      takeSlot(I, File, SlotFor::Child, Slot) == 0) {
    if (mapOverImage(I, File, Slot) != 0) {
      dropSlot(I, File, Slot);
    } else {
      setThreadRegion(I, I.region());
      unmapMirrors(I);
      if (OldTable)
        sys::munmap(reinterpret_cast<void *>(OldTable), I.tableSize());
    }
  }
  // They belong to threads of the parent.
  R.Mirrors = nullptr;
}

} // namespace

void graupel::watchForks(const Image &I, const LinkMap *Modules) {
  Runtime &R = I.runtime();
  if (auto Register = reinterpret_cast<RegisterAtFork>(
          findFunction(Modules, "__register_atfork"))) {
    R.Finalize = reinterpret_cast<void (*)(void *)>(
        findFunction(Modules, "__cxa_finalize"));
    Register(nullptr, nullptr, claimForChild, handleOf(I));
    return;
  }
  // musl never unloads libraries, so nothing has to be undone.
  if (auto Register = reinterpret_cast<PthreadAtFork>(
          findFunction(Modules, "pthread_atfork"))) {
    Register(nullptr, nullptr, claimForChild);
    return;
  }
  // This is how a child of fork is told from one of vfork, which has its
  // parent's memory and must leave it alone.
  void *Page = sys::allocate(PageSize);
  if (!Page)
    return;
  if (sys::call(__NR_madvise, sys::word(Page), PageSize, MADV_WIPEONFORK)) {
    sys::munmap(Page, PageSize);
    return;
  }
  R.SameMemory = static_cast<uint32_t *>(Page);
  *R.SameMemory = 1;
}

/// Runs in the new task after a system call: in a process with a copy of our
/// memory, a thread, or a process that shares our memory until it becomes
/// another program.
extern "C" GRAUPEL_HIDDEN void graupelAfterSystemCall() {
  const Image I;
  Runtime &R = I.runtime();
  if (R.SameMemory && !*R.SameMemory) {
    *R.SameMemory = 1;
    claimForChild();
  } else if (static_cast<uint64_t>(sys::getpid()) == R.Self.pid) {
    attachThread(I);
  }
}

extern "C" GRAUPEL_HIDDEN void graupelFinish() {
  const Image I;
  if (I.runtime().Finalize)
    I.runtime().Finalize(handleOf(I));
}
