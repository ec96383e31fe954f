//===- stride/System.h - Locks and memory of the runtime -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime interposes malloc, so it has memory of its own, which is never
// given back, and needs nothing of libstdc++.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_BASE_SYSTEM_H
#define GRAUPEL_STRIDE_BASE_SYSTEM_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <linux/futex.h>
#include <new>
#include <sys/syscall.h>
#include <unistd.h>

/// Part of Thread::count, which is compiled for several processors; a function
/// apart would be for the least of them.
#define GRAUPEL_HOT __attribute__((always_inline)) inline

namespace graupel::stride {

class Lock {
public:
  void lock() {
    uint32_t Expected = 0;
    if (Word.compare_exchange_strong(Expected, 1, std::memory_order_acquire))
      return;
    while (Word.exchange(2, std::memory_order_acquire) != 0)
      syscall(SYS_futex, &Word, FUTEX_WAIT_PRIVATE, 2, nullptr, nullptr, 0);
  }
  void unlock() {
    if (Word.exchange(0, std::memory_order_release) == 2)
      syscall(SYS_futex, &Word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }
  /// In the child of a fork, where the thread that held it does not exist.
  void forget() { Word.store(0, std::memory_order_relaxed); }

private:
  std::atomic<uint32_t> Word{0};
};

class Guard {
public:
  explicit Guard(Lock &L) : L(L) { L.lock(); }
  ~Guard() { L.unlock(); }
  Guard(const Guard &) = delete;

private:
  Lock &L;
};

/// Zeroed address space that takes memory where it is touched. Never null: ends
/// the recording otherwise (see Process.h).
void *reserve(size_t Bytes);
/// Zeroed; aligned to 64 bytes if it is at least as large. Thread-safe.
void *allocate(size_t Bytes);

template <class T, class... Arguments> T *make(Arguments &&...A) {
  return new (allocate(sizeof(T))) T(static_cast<Arguments &&>(A)...);
}

/// An array that grows; not thread-safe. Old memory is lost, but that is less
/// than the memory in use.
template <class T> class Array {
public:
  T *begin() { return Data; }
  T *end() { return Data + Count; }
  const T *begin() const { return Data; }
  const T *end() const { return Data + Count; }
  size_t size() const { return Count; }
  T &operator[](size_t N) { return Data[N]; }
  const T &operator[](size_t N) const { return Data[N]; }
  void clear() { Count = 0; }
  T &push(const T &Value) {
    if (Count == Capacity) {
      size_t Larger = Capacity ? 2 * Capacity : 16;
      T *New = static_cast<T *>(allocate(Larger * sizeof(T)));
      for (size_t N = 0; N < Count; ++N)
        New[N] = Data[N];
      Data = New;
      Capacity = Larger;
    }
    return Data[Count++] = Value;
  }

private:
  T *Data = nullptr;
  size_t Count = 0, Capacity = 0;
};

/// From 64-bit numbers to pointers; not thread-safe.
template <class T> class Table {
public:
  T *find(uint64_t Key) const {
    if (!Slots)
      return nullptr;
    for (size_t N = place(Key);; N = (N + 1) & Mask) {
      if (!Slots[N].Value)
        return nullptr;
      if (Slots[N].Key == Key)
        return Slots[N].Value;
    }
  }
  void insert(uint64_t Key, T *Value) {
    if (!Slots || 2 * ++Used > Mask)
      grow();
    put(Key, Value);
  }

private:
  struct Slot {
    uint64_t Key;
    T *Value;
  };
  size_t place(uint64_t Key) const {
    // The highest bits depend on all of the key's.
    return (Key * 0x9e3779b97f4a7c15 >> 40) & Mask;
  }
  void put(uint64_t Key, T *Value) {
    size_t N = place(Key);
    while (Slots[N].Value)
      N = (N + 1) & Mask;
    Slots[N] = {Key, Value};
  }
  void grow() {
    Slot *Old = Slots;
    size_t OldSize = Old ? Mask + 1 : 0;
    size_t New = OldSize ? 2 * OldSize : 64;
    Slots = static_cast<Slot *>(allocate(New * sizeof(Slot)));
    Mask = New - 1;
    for (size_t N = 0; N < OldSize; ++N)
      if (Old[N].Value)
        put(Old[N].Key, Old[N].Value);
  }

  Slot *Slots = nullptr;
  size_t Mask = 0, Used = 0;
};

/// `graupel stride: error: ` and a line, with printf's formats, on standard
/// error.
__attribute__((format(printf, 1, 2))) void complain(const char *Format, ...);
/// Ends the process with status 1, whatever locks are held.
[[noreturn]] void die();

/// Since some time in the past.
inline uint64_t nanoseconds() {
  timespec Time;
  clock_gettime(CLOCK_MONOTONIC, &Time);
  return uint64_t(Time.tv_sec) * 1000000000 + Time.tv_nsec;
}

/// FNV-1a goes on over a string's bytes.
uint64_t hashText(const char *Text);
/// Held over a fork.
void lockMemory(bool Take);

} // namespace graupel::stride

#endif
