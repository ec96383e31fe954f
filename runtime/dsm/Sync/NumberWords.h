//===- NumberWords.h - A table of words that numbers share ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Locks and semaphores are numbers. At their home each has a word of a fixed
// table, which threads of the home change with one atomic instruction each,
// without the protocol lock. The word tells all there is to know:
//
//   0                   nothing of this word is in use
//   USED|value|number   this one is, and only threads of the home want it
//   QUEUED|count        so many numbers of this word are in queues elsewhere,
//                       which then know all about each of them
//
//   1. 0 to USED, USED to another value, and back to 0: any thread, online.
//   2. Whoever finds anything else takes the protocol lock and calls close():
//      0 or USED become QUEUED, and the queues learn of what was in use. From
//      here on the word changes under the protocol lock alone, so nobody
//      overtakes those that queue.
//   3. When the queues have no number of the word left, open() makes it 0.
//
// A word belongs to no number: nothing is ever inserted, and what is not in use
// takes no room. Two numbers of one word that are in use at a time just queue.
// Numbers are spread over words by a multiplication that can be undone, so the
// rest of the product tells which number it is.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_SYNC_NUMBERWORDS_H
#define GRAUPEL_DSM_SYNC_NUMBERWORDS_H

#include <atomic>
#include <cassert>
#include <cstdint>

namespace graupel::dsm {

class NumberWords {
public:
  static constexpr unsigned IndexBits = 13, ValueBits = 10;
  static constexpr uint64_t MaxValue = (uint64_t(1) << ValueBits) - 1;

  // --- Under the protocol lock.

  /// Nothing of Number's word changes here any more, until open().
  /// OnUsed(number, value) is told of what was in use, which is counted.
  template <class F> void close(uint64_t Number, F OnUsed) {
    std::atomic<uint64_t> &W = word(Number);
    uint64_t Now = W.load(std::memory_order_acquire);
    while (!(Now & Queued)) {
      uint64_t Next = Queued | (Now & Used ? One : 0);
      if (!W.compare_exchange_weak(Now, Next, std::memory_order_acq_rel,
                                   std::memory_order_acquire))
        continue;
      if (Now & Used)
        OnUsed(numberOf(index(Number), Now), valueOf(Now));
      return;
    }
  }

  /// The queues know of one number more, or less; the word is closed.
  void add(uint64_t Number) { change(Number, One); }
  void remove(uint64_t Number) { change(Number, -One); }

  /// If the queues know of no number of the word.
  void open(uint64_t Number) {
    uint64_t Now = word(Number).load(std::memory_order_relaxed);
    if (Now == Queued)
      word(Number).store(0, std::memory_order_release);
  }

  /// F(number, value) for all that are in use.
  template <class F> void forEachUsed(F Visit) {
    for (uint64_t I = 0; I != Count; ++I) {
      uint64_t Now = Words[I].load(std::memory_order_relaxed);
      if (Now & Used)
        Visit(numberOf(I, Now), valueOf(Now));
    }
  }

protected:
  static uint64_t used(uint64_t Number, uint64_t Value) {
    return Number * Factor << IndexBits | Value << ValueShift | Used;
  }
  static uint64_t valueOf(uint64_t Word) {
    return Word >> ValueShift & MaxValue;
  }
  /// Whether a word tells of a number that is in use.
  static bool isOf(uint64_t Word, uint64_t Number) {
    return (Word & ~(MaxValue << ValueShift)) == used(Number, 0);
  }
  std::atomic<uint64_t> &word(uint64_t Number) { return Words[index(Number)]; }

private:
  static constexpr uint64_t Count = uint64_t(1) << IndexBits;
  static constexpr uint64_t Used = 1, Queued = 2;
  static constexpr unsigned ValueShift = 3;
  static constexpr uint64_t One = uint64_t(1) << IndexBits;
  static_assert(ValueShift + ValueBits == IndexBits,
                "what is left of the product fits above the value");

  static constexpr uint64_t Factor = 0x9e3779b97f4a7c15;
  static constexpr uint64_t Inverse = 0xf1de83e19937733d;
  static_assert(Factor * Inverse == 1);

  static uint64_t index(uint64_t Number) {
    return Number * Factor >> (64 - IndexBits);
  }
  static uint64_t numberOf(uint64_t Index, uint64_t Word) {
    return (Index << (64 - IndexBits) | Word >> IndexBits) * Inverse;
  }
  void change(uint64_t Number, uint64_t By) {
    std::atomic<uint64_t> &W = word(Number);
    assert(W.load(std::memory_order_relaxed) & Queued);
    W.store(W.load(std::memory_order_relaxed) + By, std::memory_order_relaxed);
  }

  std::atomic<uint64_t> Words[Count] = {};
};

} // namespace graupel::dsm

#endif
