//===- numa/NextTouch.cpp - Pages follow the next thread ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Protects ranges of memory, and moves each unit of them to the node of the
// thread that touches it next.
//
// 1. watchTouches forgets earlier watches of the range. It checks in
//    /proc/self/maps that all of the range can be read and written, cuts its
//    large pages, marks all units as waiting and protects the range.
// 2. A touch faults. handle finds the range, and touch takes the range's lock
//    to see whether the unit still waits.
// 3. touch allows reading, moves the unit's pages to this thread's node, allows
//    writing and stores the node. If the process has too many mappings for
//    that, unprotect makes the whole range accessible, and its waiting units
//    stay where they are.
// 4. A fault in a unit that does not wait is retried. After 1000 faults at the
//    same address it is left to other handlers.
// 5. forgetTouches unprotects the waiting units of a range and marks all its
//    units as staying.
//
// A unit that waits cannot be accessed, and not be written while it moves: no
// write is lost. Ranges are never freed: a thread may have faulted just before
// its range was forgotten, and has to learn that it may try again.
//
//===----------------------------------------------------------------------===//

#include "NextTouch.h"
#include "Faults.h"
#include "Numa/Topology/Text.h"
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>

using namespace graupel::numa;

namespace {

struct Range {
  uint64_t Start, End, Unit;
  /// By unit: 0 waits, 1 to 64 moved to that node and one, else below.
  std::atomic<uint8_t> *State;
  FaultLock Lock;
  Range *Next;
};
constexpr uint8_t Waits = 0, Stays = 255;

std::atomic<Range *> First;

/// Number of times a thread has faulted again at an address that is not
/// protected any more: after many, the fault is not ours.
struct Repeats {
  uint64_t Address;
  unsigned Count;
};
__thread Repeats Again __attribute__((tls_model("initial-exec")));

void unprotect(uint64_t Start, uint64_t End, Range &R) {
  if (mprotect(reinterpret_cast<void *>(Start), End - Start,
               PROT_READ | PROT_WRITE) == 0)
    return;
  // Too many mappings. The whole range is one again.
  for (uint64_t Unit = 0; Unit * R.Unit < R.End - R.Start; ++Unit) {
    uint8_t Expected = Waits;
    R.State[Unit].compare_exchange_strong(Expected, Stays);
  }
  mprotect(reinterpret_cast<void *>(R.Start), R.End - R.Start,
           PROT_READ | PROT_WRITE);
}

/// False if the unit does not wait. Checks under the lock, so that a change by
/// another thread is complete.
bool touch(Range &R, uint64_t Unit) {
  std::lock_guard Hold(R.Lock);
  if (R.State[Unit] != Waits)
    return false;
  uint64_t Start = R.Start + Unit * R.Unit;
  uint64_t End = std::min(Start + R.Unit, R.End);
  int Node = currentNode();
  // Linux 6.1 to 6.5 move no pages that may not be read. Meanwhile reads of
  // other threads see the old contents, and writes fault and come here.
  mprotect(reinterpret_cast<void *>(Start), End - Start, PROT_READ);
  movePages(Start, (End - Start) / PageBytes, &Node, 0, nullptr);
  unprotect(Start, End, R);
  R.State[Unit] = uint8_t(Node + 1);
  return true;
}

bool isRepeat(uint64_t Address) {
  constexpr unsigned Patience = 1000;
  if (Again.Address != Address)
    Again = {Address, 0};
  return ++Again.Count > Patience;
}

bool handle(uint64_t Address) {
  bool Known = false;
  for (Range *R = First.load(std::memory_order_acquire); R; R = R->Next) {
    if (Address < R->Start || Address >= R->End)
      continue;
    uint64_t Unit = (Address - R->Start) / R->Unit;
    Known = true;
    if (touch(*R, Unit)) {
      Again.Count = 0;
      return true;
    }
  }
  return Known && !isRepeat(Address);
}

void afterFork() {
  for (Range *R = First.load(); R; R = R->Next)
    R->Lock.forget();
}

/// Whether all of a range is mapped, readable and writable.
bool isOrdinary(uint64_t Start, uint64_t End) {
  auto Maps = readFile("/proc/self/maps");
  if (!Maps)
    return false;
  for (std::string_view Text = *Maps; !Text.empty();) {
    size_t Length = std::min(Text.find('\n'), Text.size());
    std::string_view Line = Text.substr(0, Length);
    Text.remove_prefix(std::min(Length + 1, Text.size()));
    uint64_t From = 0, To = 0;
    const char *Ends = Line.data() + Line.size();
    auto Dash = std::from_chars(Line.data(), Ends, From, 16);
    auto Blank = std::from_chars(Dash.ptr + 1, Ends, To, 16);
    if (To <= Start || From > Start)
      continue;
    std::string_view Rights = Line.substr(size_t(Blank.ptr - Line.data()) + 1);
    if (!Rights.starts_with("rw"))
      return false;
    Start = To;
    if (Start >= End)
      return true;
  }
  return false;
}

} // namespace

/// The same range if it was forgotten before, or a new one.
static Range *rangeFor(uint64_t Start, uint64_t End, uint64_t Unit) {
  for (Range *R = First.load(); R; R = R->Next)
    if (R->Start == Start && R->End == End && R->Unit == Unit)
      return R;
  size_t Units = (End - Start + Unit - 1) / Unit;
  auto *R = new (std::nothrow) Range{Start, End, Unit, nullptr, {}, nullptr};
  if (R)
    R->State = new (std::nothrow) std::atomic<uint8_t>[Units];
  if (!R || !R->State) {
    delete R;
    return nullptr;
  }
  for (size_t N = 0; N < Units; ++N)
    R->State[N] = Stays;
  R->Next = First.load();
  First.store(R, std::memory_order_release);
  return R;
}

int graupel::numa::watchTouches(uint64_t Start, uint64_t End, uint64_t Unit) {
  forgetTouches(Start, End);
  if (!isOrdinary(Start, End))
    return -EACCES;
  Range *R = rangeFor(Start, End, Unit);
  if (!R)
    return -ENOMEM;
  addFaultHandler(handle);
  static std::once_flag Forks;
  std::call_once(Forks, [] { pthread_atfork(nullptr, nullptr, afterFork); });
  cutHugePages(Start, End);
  std::lock_guard Hold(R->Lock);
  for (uint64_t At = Start; At < End; At += Unit)
    R->State[(At - Start) / Unit] = Waits;
  if (mprotect(reinterpret_cast<void *>(Start), End - Start, PROT_NONE) == 0)
    return 0;
  int Error = -errno;
  for (uint64_t At = Start; At < End; At += Unit)
    R->State[(At - Start) / Unit] = Stays;
  return Error;
}

void graupel::numa::forgetTouches(uint64_t Start, uint64_t End) {
  for (Range *R = First.load(); R; R = R->Next) {
    uint64_t From = std::max(Start, R->Start), To = std::min(End, R->End);
    if (From >= To)
      continue;
    std::lock_guard Hold(R->Lock);
    for (uint64_t At = (From - R->Start) / R->Unit * R->Unit + R->Start;
         At < To; At += R->Unit) {
      uint64_t Unit = (At - R->Start) / R->Unit;
      bool Waited = R->State[Unit] == Waits;
      if (Waited)
        unprotect(At, std::min(At + R->Unit, R->End), *R);
      R->State[Unit] = Stays;
    }
  }
}

int graupel::numa::nodeOfTouch(uint64_t Page) {
  for (Range *R = First.load(); R; R = R->Next)
    if (Page >= R->Start && Page < R->End) {
      uint8_t State = R->State[(Page - R->Start) / R->Unit];
      if (State != Waits && State != Stays)
        return State - 1;
    }
  return -1;
}
