//===- Work.cpp - Entries that have something to do -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Entries/Entries.h"
#include "Errors/Error.h"
#include "Foreign/Missed.h"
#include "Node/Node.h"
#include "Node/Ranges.h"
#include <algorithm>
#include <cerrno>

using namespace graupel::dsm;

// Bounds of this library, by the linker.
extern "C" GRAUPEL_DSM_INTERNAL const char __ehdr_start, etext;

bool graupel::dsm::isOurs(uintptr_t Pc) {
  return Pc >= reinterpret_cast<uintptr_t>(&__ehdr_start) &&
         Pc < reinterpret_cast<uintptr_t>(&etext);
}

namespace {

bool permitted(const graupel_dsm_range *Ranges, uint64_t Count) {
  for (uint64_t I = 0; I != Count; ++I)
    if (firstRefused(Look.Tags, Look.Shared, Ranges[I]) != NoAddress)
      return false;
  return true;
}

/// Where the program called a wrapper, if one called the entry. All frames from
/// here to there are the library's, which has frame pointers here, in Entry.S
/// and in Wrappers/.
uintptr_t programsPc(uintptr_t Pc) {
  if (!isOurs(Pc)) [[likely]]
    return Pc;
  auto *Frame = static_cast<const uintptr_t *>(__builtin_frame_address(0));
  for (unsigned I = 0; I != 16; ++I) {
    if (!isOurs(Frame[1]))
      return Frame[1];
    // In a test all code is the library's, and callers may have no frames.
    constexpr size_t LargestFrame = 1 << 17;
    size_t Size = Frame[0] - reinterpret_cast<uintptr_t>(Frame);
    if (Size == 0 || Size > LargestFrame)
      break;
    Frame += Size / sizeof(*Frame);
  }
  return Pc;
}

void acquire(const graupel_dsm_range *Ranges, uint64_t Count, uintptr_t Pc,
             Turn First) {
  Node &N = nodeFor("checked code");
  ThreadRecord &T = thisThread(N);
  if (T.Handlers && permitted(Ranges, Count)) [[unlikely]]
    return;
  if (T.Handlers || !(T.state() & 1))
    fail("shared memory is accessed %s, where it must not be; copy what is "
         "needed there to private memory before, or do it afterwards",
         Dispatcher::inHandler()
             ? "by a handler of the protocol, not through tempest.h,"
             : "in gdsm_blocking or in a signal handler");
  bool Open = checksMissed() && (isOurs(Pc) || T.PinCount);
  Pc = programsPc(Pc);
  // To the program this is a load or a store, which leaves errno alone.
  int Errno = errno;
  if (First == Turn::Poll)
    ThreadLook::count(T.Polls);
  if (T.PinCount || Open) [[unlikely]] {
    auto *All = static_cast<graupel_dsm_range *>(
        __builtin_alloca((Count + T.PinCount) * sizeof(graupel_dsm_range)));
    std::copy_n(T.Pins, T.PinCount, std::copy_n(Ranges, Count, All));
    Ranges = All;
    Count += T.PinCount;
    if (Open)
      std::transform(All, All + Count, All, opened);
  }
  N.Refused.acquire(T, {Ranges, Count, Pc}, First);
  errno = Errno;
}

void acquire(const uint64_t *Words, const graupel_dsm_set &Set, uintptr_t Pc,
             Turn First) {
  auto *Ranges = static_cast<graupel_dsm_range *>(
      __builtin_alloca(Set.count * sizeof(graupel_dsm_range)));
  for (uint32_t I = 0; I != Set.count; ++I)
    Ranges[I] = rangeOf(Words, Set, I);
  acquire(Ranges, Set.count, Pc, First);
}

} // namespace

void graupel::dsm::acquireFor(const graupel_dsm_range *Ranges, uint64_t Count,
                              uintptr_t Pc) {
  acquire(Ranges, Count, Pc, Turn::None);
}

namespace {

/// The purpose of a poll. One of an ordinary loop may find that another thread
/// has just polled, and rests a moment for nothing.
Turn turn() {
  const uint8_t *Flag = Look.Tags.base() + GRAUPEL_DSM_POLL_OFFSET;
  if (__atomic_load_n(Flag, __ATOMIC_RELAXED))
    return Turn::Poll;
  Flag = Look.Tags.base() + GRAUPEL_DSM_REST_OFFSET;
  return __atomic_load_n(Flag, __ATOMIC_RELAXED) ? Turn::Rest : Turn::None;
}

} // namespace

void graupelDsmLoad(const void *P, uint64_t Size, uintptr_t Pc) {
  graupel_dsm_range R = {P, Size << 1};
  acquire(&R, 1, Pc, Turn::None);
}

void graupelDsmStore(void *P, uint64_t Size, uintptr_t Pc) {
  graupel_dsm_range R = {P, Size << 1 | 1};
  acquire(&R, 1, Pc, Turn::None);
}

void graupelDsmAcquireSet(const uint64_t *Words, const graupel_dsm_set *Set,
                          uintptr_t Pc) {
  acquire(Words, *Set, Pc, Turn::None);
}

void graupelDsmPoll(uint64_t, uint64_t, uintptr_t Pc) {
  acquire(nullptr, 0, Pc, turn());
}

void graupelDsmPollAcquire(const graupel_dsm_range *Ranges, uint64_t Count,
                           uintptr_t Pc) {
  acquire(Ranges, Count, Pc, turn());
}

void graupelDsmPollAcquireSet(const uint64_t *Words, const graupel_dsm_set *Set,
                              uintptr_t Pc) {
  acquire(Words, *Set, Pc, turn());
}
