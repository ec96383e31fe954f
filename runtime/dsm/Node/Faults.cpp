//===- Faults.cpp - From a refused access to a permitted one ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Node/Faults.h"
#include "Node/Error.h"
#include "Node/Ranges.h"
#include <algorithm>

namespace graupel::dsm {

namespace {
/// So often others may take away what was obtained before the thread holds.
constexpr unsigned MaxThefts = 3;
} // namespace

void Faults::attach(const TagTable &Tags, Region &Shared, Threads &Team,
                    Dispatcher &Dispatch) {
  this->Tags = &Tags;
  this->Shared = &Shared;
  this->Team = &Team;
  this->Dispatch = &Dispatch;
}

void Faults::setBlockHandler(int Mode, tempest_tag Tag, bool Store,
                             tempest_block_fault_handler H) {
  if (Mode < 0 || Mode >= TEMPEST_MODES)
    fail("a protocol uses page mode %d; modes are 0 to %d", Mode,
         TEMPEST_MODES - 1);
  BlockHandlers[Mode][tagIndex(Tag)][Store] = H;
}

Faults::Refusal Faults::find(const Wanted &W) const {
  for (uint64_t I = 0; I != W.Count; ++I) {
    uintptr_t A = firstRefused(*Tags, Shared->start(), W.Ranges[I]);
    if (A != NoAddress)
      return {A, I};
  }
  return {};
}

void Faults::acquire(ThreadRecord &T, const Wanted &W, bool Poll) {
  T.goOffline();
  bool HasLock = false;
  if (Poll && Dispatch->tryLock()) {
    Dispatch->burst();
    HasLock = true;
  }
  trace::SlowPath Path(W.Ranges, W.Count, W.Pc);
  Refusal Last;
  unsigned Thefts = 0;
  for (;;) {
    Refusal R = isRefused(W, Last) ? Last : find(W);
    if (R.Address == NoAddress) {
      // Online first. With the lock nothing can have changed; without it, a
      // downgrade that did not see this thread online has set its tags before.
      T.goOnline();
      if (HasLock) {
        Dispatch->unlock();
        return report(Path, W, Poll);
      }
      if (find(W).Address == NoAddress)
        return report(Path, W, Poll);
      T.goOffline();
      continue;
    }
    if (!HasLock) {
      Dispatch->lock();
      HasLock = true;
      continue;
    }
    // Looking goes from the first range to the last, so what is refused at or
    // before the place of the last fault was permitted meanwhile.
    bool Before = R.Range < Last.Range ||
                  (R.Range == Last.Range && R.Address <= Last.Address);
    if (Last.Address != NoAddress && Before && ++Thefts > MaxThefts)
      return hold(T, W, Path);
    Last = R;
    HasLock = fetch(T, W.Pc, R.Address, isStore(W.Ranges[R.Range]), Path);
  }
}

/// Whether an access that was fetched is refused again.
bool Faults::isRefused(const Wanted &W, const Refusal &R) const {
  return R.Address != NoAddress &&
         refuses(*Tags->tag(R.Address), isStore(W.Ranges[R.Range]));
}

/// Raises a fault and waits until it is resumed with a tag that permits the
/// access; until then the protocol may have a request under way for it. Returns
/// whether the thread has the protocol lock then; it has it before.
bool Faults::fetch(ThreadRecord &T, uintptr_t Pc, uintptr_t Address, bool Store,
                   trace::SlowPath &Path) {
  if (Path.recording()) [[unlikely]]
    Path.misses(blockOf(Address), Shared->chunk(Address).Block, Store,
                !refuses(*Tags->tag(Address), false));
  bool HasLock = true;
  do {
    if (!HasLock)
      Dispatch->lock();
    raise(T, Address, Store, Pc);
    HasLock = awaitResume(T);
  } while (!T.Granted);
  if (Path.recording()) [[unlikely]] {
    const Page &P = Shared->page(Address);
    Path.got(P.Mapped ? P.Home : -1, !refuses(*Tags->tag(Address), Store));
  }
  return HasLock;
}

/// An access that is told of although it missed nothing.
void Faults::report(trace::SlowPath &Path, const Wanted &W, bool Poll) const {
  if (!Path.recording() || Poll) [[likely]]
    return;
  bool In = Shared->contains(W.Ranges[0].start);
  auto A = reinterpret_cast<uintptr_t>(W.Ranges[0].start);
  uint32_t Size = In ? Shared->chunk(A).Block : 0;
  Path.done(Size ? blockOf(A) : 0, Size);
}

void Faults::raise(ThreadRecord &T, uintptr_t Address, bool Store,
                   uintptr_t Pc) {
  ThreadLook::count(Store ? T.StoreFaults : T.LoadFaults);
  T.FaultAddress = Address;
  T.FaultStore = Store;
  T.Waiting.store(true, std::memory_order_relaxed);

  auto *Where = reinterpret_cast<void *>(Address);
  const Page &P = Shared->page(Address);
  if (!P.Mapped || P.Hidden) {
    if (!PageHandler)
      fail("page fault at %p, and the protocol has no handler for it", Where);
    return Dispatch->handle([&] { PageHandler(Where, Pc, Store); });
  }
  uint8_t Tag = *Tags->tag(Address);
  auto H = BlockHandlers[P.Mode][tagIndex(Tag)][Store];
  if (!H)
    fail("block fault (%s) at %p with tag 0x%02x in a page of mode %d, and the "
         "protocol has no handler for it",
         Store ? "store" : "load", Where, Tag, P.Mode);
  Dispatch->handle([&] { H(Where, P.User, P.Home); });
}

/// With the lock; returns whether the thread still has it.
bool Faults::awaitResume(ThreadRecord &T) {
  auto Resumed = [&T] { return !T.Waiting.load(std::memory_order_acquire); };
  return Resumed() || Dispatch->await(true, Resumed);
}

/// The lowest address that any range is refused, and what the block needs in
/// all.
bool Faults::findLowest(const Wanted &W, uintptr_t &Address,
                        bool &Store) const {
  Address = NoAddress;
  for (uint64_t I = 0; I != W.Count; ++I)
    Address =
        std::min(Address, firstRefused(*Tags, Shared->start(), W.Ranges[I]));
  if (Address == NoAddress)
    return false;
  uintptr_t End = blockEnd(Address), Start = End - Shared->chunk(Address).Block;
  Store = false;
  for (uint64_t I = 0; I != W.Count; ++I)
    Store |= isStore(W.Ranges[I]) && overlaps(W.Ranges[I], Start, End);
  return true;
}

void Faults::hold(ThreadRecord &T, const Wanted &W, trace::SlowPath &Path) {
  T.Held = W.Ranges;
  T.HeldCount = W.Count;
  T.HeldEnd = 0;
  ++Holding;
  bool HasLock = true;
  for (;;) {
    if (!HasLock)
      Dispatch->lock();
    uintptr_t Address;
    bool Store;
    if (!findLowest(W, Address, Store))
      break;
    // All below is permitted, and is not taken from here on.
    T.HeldEnd = blockOf(Address);
    HasLock = fetch(T, W.Pc, Address, Store, Path);
  }
  T.goOnline();
  T.Held = nullptr;
  --Holding;
  // Not now: what was waited for has to be used first. Whoever runs the handler
  // waits for this thread before anything is taken away.
  if (ReleaseHandler)
    Dispatch->runLater(ReleaseHandler);
  Dispatch->unlock();
}

bool Faults::isHeld(uintptr_t Block) const {
  if (!Holding)
    return false;
  uintptr_t End = blockEnd(Block), Start = End - Shared->chunk(Block).Block;
  bool Held = false;
  Team->forEach([&](const ThreadRecord &T) {
    if (!T.Held || End > T.HeldEnd)
      return;
    for (uint64_t I = 0; I != T.HeldCount; ++I)
      Held |= overlaps(T.Held[I], Start, End);
  });
  return Held;
}

void Faults::resume(uintptr_t A, size_t Length) {
  bool Others = false;
  Team->forEach([&](ThreadRecord &T) {
    if (!T.Waiting.load(std::memory_order_relaxed) ||
        T.FaultAddress - A >= Length)
      return;
    T.Granted = !refuses(*Tags->tag(T.FaultAddress), T.FaultStore);
    // A block that it got is held at once; the thread may notice much later.
    if (T.Held && T.Granted)
      T.HeldEnd = blockEnd(T.FaultAddress);
    T.Waiting.store(false, std::memory_order_release);
    Others |= &T != self();
  });
  if (Others)
    Dispatch->signal();
}

} // namespace graupel::dsm
