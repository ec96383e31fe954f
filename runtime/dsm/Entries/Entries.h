//===- Entries.h - Functions that Entry.S calls -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks return 0 if nothing is left to be done; they are compiled for general
// registers only. The work has all registers and the entry's return address.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_ENTRIES_ENTRIES_H
#define GRAUPEL_DSM_ENTRIES_ENTRIES_H

#include "Base/SharedAddresses.h"
#include "Memory/TagTable.h"
#include "Vectors.h"
#include "graupel/dsm_checks.h"

namespace graupel::dsm {

/// The state that looks need, with constant addresses.
struct LookState {
  TagTable Tags;
  SharedAddresses Shared;
  /// Whether a thread runs handlers or waits for something.
  const bool *ProtocolLocked = nullptr;
  /// Accesses that find nothing to do are told to the report (Trace/), too.
  bool Reported = false;
};
GRAUPEL_DSM_INTERNAL extern LookState Look;

/// Whether code is of this library.
bool isOurs(uintptr_t Pc);

/// The slow part of an entry, for code that calls none.
void acquireFor(const graupel_dsm_range *, uint64_t Count, uintptr_t Pc);

} // namespace graupel::dsm

extern "C" {
GRAUPEL_DSM_INTERNAL int graupelDsmLookLoad(const void *, uint64_t Size);
GRAUPEL_DSM_INTERNAL int graupelDsmLookStore(void *, uint64_t Size);
GRAUPEL_DSM_INTERNAL int graupelDsmLookAcquireSet(const uint64_t *Words,
                                                  const graupel_dsm_set *);
GRAUPEL_DSM_INTERNAL int graupelDsmLookPoll();
GRAUPEL_DSM_INTERNAL int graupelDsmLookPollAcquire(const graupel_dsm_range *,
                                                   uint64_t Count);
GRAUPEL_DSM_INTERNAL int graupelDsmLookPollAcquireSet(const uint64_t *Words,
                                                      const graupel_dsm_set *);

GRAUPEL_DSM_INTERNAL void graupelDsmLoad(const void *, uint64_t Size,
                                         uintptr_t Pc);
GRAUPEL_DSM_INTERNAL void graupelDsmStore(void *, uint64_t Size, uintptr_t Pc);
GRAUPEL_DSM_INTERNAL void graupelDsmAcquireSet(const uint64_t *Words,
                                               const graupel_dsm_set *,
                                               uintptr_t Pc);
GRAUPEL_DSM_INTERNAL void graupelDsmPoll(uint64_t, uint64_t, uintptr_t Pc);
GRAUPEL_DSM_INTERNAL void graupelDsmPollAcquire(const graupel_dsm_range *,
                                                uint64_t Count, uintptr_t Pc);
GRAUPEL_DSM_INTERNAL void graupelDsmPollAcquireSet(const uint64_t *Words,
                                                   const graupel_dsm_set *,
                                                   uintptr_t Pc);
}

#endif
