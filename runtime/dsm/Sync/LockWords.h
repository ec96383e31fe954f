//===- LockWords.h - Locks that only threads of their home want -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table of words at which threads of a lock's home take and release it with
// one atomic instruction each. A lock has a word by its number; the word tells
// all there is to know:
//
//   0                   nobody has a lock of this word
//   HELD|owner|number   a thread has this one, and nobody else wants it
//   QUEUED|count        so many locks of this word are in the queues of
//                       Locks.cpp, which then knows all about each of them
//
//   1. take(): 0 to HELD. release(): HELD to 0. Any thread, online.
//   2. Whoever finds anything else takes the protocol lock and calls close():
//      0 or HELD become QUEUED, and the queues learn of the lock that was held.
//      From here on the word changes under the protocol lock alone, so nobody
//      overtakes those that queue.
//   3. When the queues have no lock of the word left, open() makes it 0.
//
// A word belongs to no lock: nothing is ever inserted, and a lock that is not
// in use takes no room. Two locks of one word that are in use at a time just
// queue. Numbers are spread over words by a multiplication that can be undone,
// so the rest of the product tells which lock it is.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_SYNC_LOCKWORDS_H
#define GRAUPEL_DSM_SYNC_LOCKWORDS_H

#include <atomic>
#include <cassert>
#include <cstdint>

namespace graupel::dsm {

class LockWords {
public:
  static constexpr unsigned IndexBits = 13, OwnerBits = 10;

  /// False if it is anything but free; nothing has changed then.
  bool take(uint64_t Number, unsigned Owner) {
    uint64_t Free = 0;
    return word(Number).compare_exchange_strong(Free, held(Number, Owner),
                                                std::memory_order_acquire,
                                                std::memory_order_relaxed);
  }

  /// False if Owner has not taken it here, or it is in the queues meanwhile.
  bool release(uint64_t Number, unsigned Owner) {
    uint64_t Held = held(Number, Owner);
    return word(Number).compare_exchange_strong(
        Held, 0, std::memory_order_release, std::memory_order_relaxed);
  }

  // --- Under the protocol lock.

  /// No lock of Number's word is taken or released here any more, until open().
  /// OnHeld(number, owner) is told of the one that was held, which is counted.
  template <class F> void close(uint64_t Number, F OnHeld) {
    std::atomic<uint64_t> &W = word(Number);
    uint64_t Now = W.load(std::memory_order_acquire);
    while (!(Now & Queued)) {
      uint64_t Next = Queued | (Now & Held ? One : 0);
      if (!W.compare_exchange_weak(Now, Next, std::memory_order_acq_rel,
                                   std::memory_order_acquire))
        continue;
      if (Now & Held)
        OnHeld(numberOf(index(Number), Now), ownerOf(Now));
      return;
    }
  }

  /// The queues know of one lock more, or less; the word is closed.
  void add(uint64_t Number) { change(Number, One); }
  void remove(uint64_t Number) { change(Number, -One); }

  /// If the queues know of no lock of the word.
  void open(uint64_t Number) {
    uint64_t Now = word(Number).load(std::memory_order_relaxed);
    if (Now == Queued)
      word(Number).store(0, std::memory_order_release);
  }

  /// F(number) for all that Owner, which is the calling thread, has taken.
  template <class F> void forEachHeldBy(unsigned Owner, F Visit) {
    for (uint64_t I = 0; I != Count; ++I) {
      uint64_t Now = Words[I].load(std::memory_order_relaxed);
      if ((Now & Held) && ownerOf(Now) == Owner)
        Visit(numberOf(I, Now));
    }
  }

private:
  static constexpr uint64_t Count = uint64_t(1) << IndexBits;
  static constexpr uint64_t Held = 1, Queued = 2;
  static constexpr unsigned OwnerShift = 3;
  static constexpr uint64_t OwnerMask = (uint64_t(1) << OwnerBits) - 1;
  static constexpr uint64_t One = uint64_t(1) << IndexBits;
  static_assert(OwnerShift + OwnerBits == IndexBits,
                "what is left of the product fits above the owner");

  static constexpr uint64_t Factor = 0x9e3779b97f4a7c15;
  static constexpr uint64_t Inverse = 0xf1de83e19937733d;
  static_assert(Factor * Inverse == 1);

  static uint64_t index(uint64_t Number) {
    return Number * Factor >> (64 - IndexBits);
  }
  static uint64_t held(uint64_t Number, unsigned Owner) {
    return Number * Factor << IndexBits | uint64_t(Owner) << OwnerShift | Held;
  }
  static uint64_t numberOf(uint64_t Index, uint64_t Word) {
    return (Index << (64 - IndexBits) | Word >> IndexBits) * Inverse;
  }
  static unsigned ownerOf(uint64_t Word) {
    return static_cast<unsigned>(Word >> OwnerShift & OwnerMask);
  }
  std::atomic<uint64_t> &word(uint64_t Number) { return Words[index(Number)]; }
  void change(uint64_t Number, uint64_t By) {
    std::atomic<uint64_t> &W = word(Number);
    assert(W.load(std::memory_order_relaxed) & Queued);
    W.store(W.load(std::memory_order_relaxed) + By, std::memory_order_relaxed);
  }

  std::atomic<uint64_t> Words[Count] = {};
};

} // namespace graupel::dsm

#endif
