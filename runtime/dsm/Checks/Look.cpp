//===- Look.cpp - Entries that find nothing to do ---------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled without vector registers: the program's are live here. Reading tags
// is what checked code does itself, so it needs no handshake; a thread that the
// runtime does not know yet has to be made known first, though.
//
//===----------------------------------------------------------------------===//

#include "Base/Futex.h"
#include "Base/ThreadLook.h"
#include "Entries/Entries.h"
#include "Node/Ranges.h"

using namespace graupel::dsm;

LookState graupel::dsm::Look;
HandshakeBell graupel::dsm::TheHandshakeBell;

void HandshakeBell::wake() {
  __atomic_store_n(&Sleeps, 0, __ATOMIC_RELAXED);
  futexWake(Sleeps, 1);
}

namespace {

inline bool permitted(const graupel_dsm_range &R) {
  return firstRefused(Look.Tags, Look.Shared, R) == NoAddress;
}

inline int lookAt(const graupel_dsm_range *Ranges, uint64_t Count) {
  if (!SelfLook)
    return 1;
  for (uint64_t I = 0; I != Count; ++I)
    if (!permitted(Ranges[I]))
      return 1;
  return Look.Reported;
}

inline int lookAt(const uint64_t *Words, const graupel_dsm_set &Set) {
  if (!SelfLook)
    return 1;
  for (uint32_t I = 0; I != Set.count; ++I)
    if (!permitted(rangeOf(Words, Set, I)))
      return 1;
  return Look.Reported;
}

} // namespace

int graupelDsmLookLoad(const void *P, uint64_t Size) {
  graupel_dsm_range R = {P, Size << 1};
  if (!SelfLook || !permitted(R))
    return 1;
  // Checked code came here because the data looked like the sentinel.
  ThreadLook::count(SelfLook->FalseMatches);
  return Look.Reported;
}

int graupelDsmLookStore(void *P, uint64_t Size) {
  graupel_dsm_range R = {P, Size << 1 | 1};
  return lookAt(&R, 1);
}

int graupelDsmLookAcquireSet(const uint64_t *Words,
                             const graupel_dsm_set *Set) {
  return lookAt(Words, *Set);
}

int graupelDsmLookPoll() {
  const uint8_t *Flag = Look.Tags.base() + GRAUPEL_DSM_POLL_OFFSET;
  if (!SelfLook)
    return 1;
  // In gdsm_blocking nobody waits for this thread.
  if (!(SelfLook->State & 1))
    return 0;
  if (!__atomic_load_n(Flag, __ATOMIC_RELAXED))
    return __atomic_load_n(Flag + GRAUPEL_DSM_REST_OFFSET, __ATOMIC_RELAXED) &&
           !SelfLook->Handlers;
  // The code that the handler has interrupted relies on tags; others wait until
  // it ends.
  if (SelfLook->Handlers)
    return 0;
  // Pinned memory has to be valid behind the handshake.
  if (SelfLook->PinCount)
    return 1;
  // Whoever has the lock may wait for a thread that has no processor.
  if (!__atomic_load_n(Look.ProtocolLocked, __ATOMIC_RELAXED) ||
      __atomic_load_n(Flag + GRAUPEL_DSM_REST_OFFSET, __ATOMIC_RELAXED))
    return 1;
  // Somebody else is at it, and may be waiting for this thread.
  SelfLook->acknowledge();
  return 0;
}

int graupelDsmLookPollAcquire(const graupel_dsm_range *Ranges, uint64_t Count) {
  return graupelDsmLookPoll() || lookAt(Ranges, Count);
}

int graupelDsmLookPollAcquireSet(const uint64_t *Words,
                                 const graupel_dsm_set *Set) {
  return graupelDsmLookPoll() || lookAt(Words, *Set);
}
