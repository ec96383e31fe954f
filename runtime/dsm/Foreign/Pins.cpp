//===- Pins.cpp - Ranges held for code without checks -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Foreign/Pins.h"
#include "Errors/Error.h"
#include "Foreign/Missed.h"
#include "Foreign/ReadHolds.h"
#include "Node/Node.h"
#include "graupel/dsm.h"
#include <algorithm>
#include <cerrno>
#include <cstring>

namespace graupel::dsm {

namespace {

/// The holds of this thread's Pins.
thread_local ReadHold Holds[MaxPins];

/// All of them together; the thread is online.
void acquirePins(Node &N, ThreadRecord &T, uintptr_t Pc) {
  int Errno = errno;
  graupel_dsm_range All[MaxPins];
  std::transform(T.Pins, T.Pins + T.PinCount, All, opened);
  N.Refused.acquire(T, {All, T.PinCount, Pc}, Turn::None);
  errno = Errno;
}

size_t sizeOf(const graupel_dsm_range &R) { return R.size_and_store >> 1; }

/// Whether this thread holds the byte at P, at least for that.
bool isHeld(const void *P, bool ToWrite) {
  ThreadRecord *T = self();
  auto A = reinterpret_cast<uintptr_t>(P);
  return T && std::any_of(T->Pins, T->Pins + T->PinCount,
                          [&](const graupel_dsm_range &R) {
                            return (R.size_and_store & 1 || !ToWrite) &&
                                   A - reinterpret_cast<uintptr_t>(R.start) <
                                       sizeOf(R);
                          });
}

} // namespace

void returnToPins(ThreadRecord &T) {
  if (!TheNode)
    return;
  acquirePins(*TheNode, T, 0);
  for (uint64_t I = 0; I != T.PinCount; ++I)
    Holds[I].renew();
}

bool isPinned(const void *P) { return isHeld(P, /*ToWrite=*/false); }

bool isPinnedToWrite(const void *P) { return isHeld(P, /*ToWrite=*/true); }

void requireNoPins(const char *Caller) {
  ThreadRecord *T = self();
  if (T && T->PinCount)
    fail("%s by a thread that holds %zu bytes at %p by gdsm_fetch; call "
         "gdsm_release before",
         Caller, sizeOf(T->Pins[0]), T->Pins[0].start);
}

} // namespace graupel::dsm

using namespace graupel::dsm;

void gdsm_fetch(const void *Memory, size_t Size, enum gdsm_mode Mode) {
  Node &N = nodeFor("gdsm_fetch");
  ThreadRecord &T = thisThread(N);
  requireOrdinaryCode(T, "gdsm_fetch");
  if (Mode != GDSM_READ && Mode != GDSM_WRITE)
    fail("gdsm_fetch got mode %d; there are GDSM_READ and GDSM_WRITE",
         static_cast<int>(Mode));
  if (T.PinCount == MaxPins)
    fail("a thread holds %u ranges by gdsm_fetch, and wants another; release "
         "some by gdsm_release",
         MaxPins);
  T.Pins[T.PinCount] = {Memory, Size << 1 | (Mode == GDSM_WRITE)};
  const auto Pc = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  ++T.PinCount;
  acquirePins(N, T, Pc);
  Holds[T.PinCount - 1].begin(T.Pins[T.PinCount - 1], Pc);
}

void gdsm_release(const void *Memory, size_t Size) {
  ThreadRecord &T = thisThread(nodeFor("gdsm_release"));
  for (uint64_t I = T.PinCount; I--;)
    if (T.Pins[I].start == Memory && sizeOf(T.Pins[I]) == Size) {
      Holds[I].end();
      std::move(Holds + I + 1, Holds + T.PinCount, Holds + I);
      memmove(T.Pins + I, T.Pins + I + 1,
              (T.PinCount - I - 1) * sizeof(*T.Pins));
      --T.PinCount;
      return;
    }
  fail("gdsm_release of %zu bytes at %p, which this thread has not got by "
       "gdsm_fetch; give it the same address and size",
       Size, Memory);
}
