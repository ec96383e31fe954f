//===- Faults.cpp - From a refused access to a permitted one ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a thread's set of ranges valid together.
//
// 1. acquireAll: go offline. A thread that polls handles a burst of messages
//    first. In a waiting loop, or if the lock is taken, it rests instead.
// 2. If all ranges are permitted, go online. Without the lock look again, since
//    tags may have changed meanwhile; then return.
// 3. Else take the lock and fetch: raise a fault for each refused block,
//    ascending within each range, until AtATime are under way (addFaults,
//    raise).
// 4. Wait for all faults, or for half of them if there are more to raise
//    (await). Handlers answer faults through resume. A fault that got less than
//    it needs is raised again (settle).
// 5. If blocks are taken away again and again, hold: fetch one block after the
//    other in ascending order. Blocks below are held until all are permitted;
//    then the release handler runs.
// 6. isHeld answers handlers whether a thread holds a block.
//
//===----------------------------------------------------------------------===//

#include "Node/Faults.h"
#include "Errors/Error.h"
#include "Node/Ranges.h"
#include <algorithm>

namespace graupel::dsm {

namespace {
/// So often others may take away some of what was obtained before the thread
/// holds.
constexpr unsigned MaxThefts = 3;
} // namespace

void Faults::attach(const TagTable &Tags, Region &Shared, Threads &Team,
                    Dispatcher &Dispatch, unsigned AtATime) {
  this->AtATime = AtATime;
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

bool Faults::isPermitted(const Wanted &W) const {
  for (uint64_t I = 0; I != W.Count; ++I)
    if (firstRefused(*Tags, Shared->addresses(), W.Ranges[I]) != NoAddress)
      return false;
  return true;
}

void Faults::acquire(ThreadRecord &T, const Wanted &W, Turn First) {
  T.Note.set(WaitNote::Memory, nullptr, reinterpret_cast<void *>(W.Pc),
             W.Count ? reinterpret_cast<uintptr_t>(W.Ranges[0].start) : 0);
  T.Acquires = true;
  acquireAll(T, W, First);
  T.Acquires = false;
  T.Note.clear();
}

void Faults::acquireAll(ThreadRecord &T, const Wanted &W, Turn First) {
  T.goOffline();
  bool HasLock = false;
  if (First == Turn::Poll && Dispatch->tryLock()) {
    Dispatch->burst();
    HasLock = true;
  } else if (First != Turn::None) {
    // Or who has the lock may have no processor.
    Dispatch->rest(T, W.Pc);
  }
  trace::SlowPath Path(W.Ranges, W.Count, W.Pc);
  // Ranges refused after the first round were permitted in the last one.
  for (unsigned Thefts = 0;;) {
    if (isPermitted(W)) {
      // Offline: the recorder's lock may have to be waited for.
      report(Path, W, First);
      // Online first. With the lock nothing can have changed; without it, a
      // downgrade that did not see this thread online has set its tags before.
      T.goOnline();
      if (HasLock)
        return Dispatch->unlock();
      if (isPermitted(W))
        return;
      T.goOffline();
    } else if (!HasLock) {
      Dispatch->lock();
      HasLock = true;
    } else if (Thefts++ > MaxThefts) {
      return hold(T, W, Path);
    } else {
      HasLock = fetch(T, W, Path);
    }
  }
}

/// One round through a set: raises faults for the blocks that are refused and
/// waits until each has been resumed with a tag that permitted the access; as
/// long as a fault is not over, the protocol may have a request under way for
/// it. Returns whether the thread has the protocol lock then; it has it before.
bool Faults::fetch(ThreadRecord &T, const Wanted &W, trace::SlowPath &Path) {
  FaultList L;
  Position Next;
  for (;;) {
    T.Faults = &L;
    bool More;
    do {
      settle(T, W.Pc, Path);
      More = addFaults(T, W, Next, Path);
    } while (L.Waiting != L.Count);
    if (!L.Count) {
      T.Faults = nullptr;
      return true;
    }
    bool HasLock = await(T, More, Path);
    if (!T.Faults && !More) {
      for (unsigned I = 0; I != L.Count; ++I)
        tellGranted(L.All[I], Path);
      return HasLock;
    }
    if (!HasLock)
      Dispatch->lock();
  }
}

/// Raises faults, ascending within each range, until as many wait as may.
/// Returns whether there may be more to come.
bool Faults::addFaults(ThreadRecord &T, const Wanted &W, Position &Next,
                       trace::SlowPath &Path) {
  FaultList &L = *T.Faults;
  for (; Next.Range != W.Count; ++Next.Range, Next.Address = 0) {
    const graupel_dsm_range &R = W.Ranges[Next.Range];
    for (;;) {
      uintptr_t From =
          std::max(reinterpret_cast<uintptr_t>(R.start), Next.Address);
      uintptr_t A =
          firstRefused(*Tags, Shared->addresses(), From, endOf(R), isStore(R));
      if (A == NoAddress)
        break;
      if (!isAskedFor(W, Next.Range, A)) {
        if (L.Count == AtATime)
          return true;
        Fault &F = L.All[L.Count++];
        F = {A, nullptr, isStore(R) || needsStore(W, A), Fault::Waits};
        if (Path.recording()) [[unlikely]]
          F.Missed = Path.misses(blockOf(A), Shared->chunk(A).Block, F.Store,
                                 !refuses(*Tags->tag(A), false));
        ++L.Waiting;
        raise(T, F, W.Pc);
      }
      Next.Address = blockEnd(A);
    }
  }
  return false;
}

/// Whether a range before has asked for the block of a refused address, or has
/// found it permitted in this round; then it has been taken away since.
bool Faults::isAskedFor(const Wanted &W, uint64_t Range,
                        uintptr_t Address) const {
  bool Unreadable = refuses(*Tags->tag(Address), false);
  uintptr_t End = blockEnd(Address), Start = blockOf(Address);
  for (uint64_t I = 0; I != Range; ++I)
    if ((Unreadable || isStore(W.Ranges[I])) &&
        overlaps(W.Ranges[I], Start, End))
      return true;
  return false;
}

/// Whether the set stores to the block, so that it is not asked for twice.
bool Faults::needsStore(const Wanted &W, uintptr_t Address) const {
  uintptr_t End = blockEnd(Address), Start = blockOf(Address);
  for (uint64_t I = 0; I != W.Count; ++I)
    if (isStore(W.Ranges[I]) && overlaps(W.Ranges[I], Start, End))
      return true;
  return false;
}

/// Granted faults leave the list; those resumed with less are raised once more.
void Faults::settle(ThreadRecord &T, uintptr_t Pc, trace::SlowPath &Path) {
  FaultList &L = *T.Faults;
  unsigned Kept = 0;
  for (unsigned I = 0; I != L.Count; ++I)
    if (L.All[I].State == Fault::Granted)
      tellGranted(L.All[I], Path);
    else
      L.All[Kept++] = L.All[I];
  L.Count = Kept;
  L.AnyRefused = false;
  for (unsigned I = 0; I != L.Count; ++I)
    if (Fault &F = L.All[I]; F.State == Fault::Refused) {
      F.State = Fault::Waits;
      ++L.Waiting;
      raise(T, F, Pc);
    }
}

/// Waits for all faults, or, if more are to be raised, for half of them.
/// Returns whether the thread still has the lock. T.Faults is null if none is
/// left.
bool Faults::await(ThreadRecord &T, bool More, trace::SlowPath &Path) {
  FaultList &L = *T.Faults;
  L.Enough = More ? L.Count / 2 : 0;
  if (Path.recording()) [[unlikely]]
    L.Enough = L.Waiting - 1; // To see when each was granted.
  T.Waiting.store(true, std::memory_order_relaxed);
  return Dispatch->await(
      true, [&T] { return !T.Waiting.load(std::memory_order_acquire); });
}

void Faults::tellGranted(const Fault &F, trace::SlowPath &Path) const {
  if (!F.Missed) [[likely]]
    return;
  const Page &P = Shared->page(F.Address);
  Path.got(F.Missed, P.Mapped ? P.Home : -1,
           !refuses(*Tags->tag(F.Address), F.Store));
}

/// An access that is told of although it missed nothing.
void Faults::report(trace::SlowPath &Path, const Wanted &W, Turn First) const {
  if (!Path.recording() || First != Turn::None) [[likely]]
    return;
  bool In = Shared->contains(W.Ranges[0].start);
  auto A = reinterpret_cast<uintptr_t>(W.Ranges[0].start);
  uint32_t Size = In ? Shared->chunk(A).Block : 0;
  Path.done(Size ? blockOf(A) : 0, Size);
}

void Faults::raise(ThreadRecord &T, Fault &F, uintptr_t Pc) {
  ThreadLook::count(F.Store ? T.StoreFaults : T.LoadFaults);
  auto *Where = reinterpret_cast<void *>(F.Address);
  bool Store = F.Store;
  const Page &P = Shared->page(F.Address);
  if (!P.Mapped || P.Hidden) {
    if (!PageHandler)
      fail("page fault at %p, and the protocol has no handler for it", Where);
    return Dispatch->handle([&] { PageHandler(Where, Pc, Store); });
  }
  uint8_t Tag = *Tags->tag(F.Address);
  auto H = BlockHandlers[P.Mode][tagIndex(Tag)][Store];
  if (!H)
    fail("block fault (%s) at %p with tag 0x%02x in a page of mode %d, and the "
         "protocol has no handler for it",
         Store ? "store" : "load", Where, Tag, P.Mode);
  Dispatch->handle([&] { H(Where, P.User, P.Home); });
}

/// The lowest address that any range is refused.
uintptr_t Faults::findLowest(const Wanted &W) const {
  uintptr_t Lowest = NoAddress;
  for (uint64_t I = 0; I != W.Count; ++I)
    Lowest =
        std::min(Lowest, firstRefused(*Tags, Shared->addresses(), W.Ranges[I]));
  return Lowest;
}

void Faults::hold(ThreadRecord &T, const Wanted &W, trace::SlowPath &Path) {
  T.Held = W.Ranges;
  T.HeldCount = W.Count;
  T.HeldEnd = 0;
  ++Holding;
  for (uintptr_t A; (A = findLowest(W)) != NoAddress;) {
    // All below is permitted, and is not taken from here on.
    T.HeldEnd = blockOf(A);
    graupel_dsm_range One = {reinterpret_cast<void *>(A),
                             1 << 1 | uint64_t(needsStore(W, A))};
    if (!fetch(T, {&One, 1, W.Pc}, Path))
      Dispatch->lock();
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
    if (!T.Faults || !answer(T, A, Length))
      return;
    T.Waiting.store(false, std::memory_order_release);
    Others |= &T != self();
  });
  if (Others)
    Dispatch->signal();
}

/// Ends a thread's faults in a range. Returns whether to wake it; if it has got
/// all, its list may be gone then.
bool Faults::answer(ThreadRecord &T, uintptr_t A, size_t Length) {
  FaultList &L = *T.Faults;
  for (unsigned I = 0; I != L.Count; ++I) {
    Fault &F = L.All[I];
    if (F.State != Fault::Waits || F.Address - A >= Length)
      continue;
    bool Granted = !refuses(*Tags->tag(F.Address), F.Store);
    F.State = Granted ? Fault::Granted : Fault::Refused;
    L.AnyRefused |= !Granted;
    --L.Waiting;
    // A block that it got is held at once; the thread may notice much later.
    if (T.Held && Granted)
      T.HeldEnd = blockEnd(F.Address);
  }
  bool Wake = T.Waiting.load(std::memory_order_relaxed) &&
              (L.AnyRefused || L.Waiting <= L.Enough);
  if (Wake && !L.AnyRefused && !L.Waiting)
    T.Faults = nullptr;
  return Wake;
}

} // namespace graupel::dsm
