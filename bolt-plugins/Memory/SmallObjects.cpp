//===- Memory/SmallObjects.cpp - Memory for small objects -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The heap for small objects, by the steps of the header and with their
// numbers. Nothing here may allocate, or have to be constructed before it is
// used: the first object is asked for before any constructor has run.
//
// 1. classFor() looks a size up in tables that the compiler computes.
// 2. SpanHeap reserves addresses for all spans at once and makes them
//    accessible as they are needed. ClassHeap hands out the objects of one
//    class: first those that were taken back, then those that were never out.
// 3. allocate() takes an object from the thread's list, which fill() fills.
//    deallocate() puts it there, and drain() empties the list by a batch when
//    it has two. AtThreadEnd gives back what is left.
//
//===----------------------------------------------------------------------===//

#include "SmallObjects.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>

using namespace graupel::memory;

namespace {

//===----------------------------------------------------------------------===//
// Step 1: classes of sizes
//===----------------------------------------------------------------------===//

constexpr size_t Granule = 16;

/// The sizes of the classes: one of 8, steps of 16 up to 256, then eight steps
/// to each power of two.
constexpr size_t NumClasses = 1 + 16 + 8 * 5;
constexpr auto ClassSizes = [] {
  std::array<uint16_t, NumClasses> Sizes{8};
  size_t Size = 0;
  for (size_t I = 1; I < NumClasses; ++I)
    Sizes[I] = Size += std::max(Granule, std::bit_floor(Size) / 8);
  return Sizes;
}();
static_assert(ClassSizes.back() == MaxSmall);

/// The class of each number of granules.
constexpr auto ClassOfGranules = [] {
  std::array<uint8_t, MaxSmall / Granule + 1> Classes{};
  uint8_t Class = 1;
  for (size_t I = 1; I < Classes.size(); ++I) {
    if (I * Granule > ClassSizes[Class])
      ++Class;
    Classes[I] = Class;
  }
  return Classes;
}();

unsigned classFor(size_t Size) {
  return Size <= 8 ? 0 : ClassOfGranules[(Size + Granule - 1) / Granule];
}

//===----------------------------------------------------------------------===//
// Step 2: spans
//===----------------------------------------------------------------------===//

constexpr size_t SpanSize = size_t(64) << 10;
/// Addresses are set aside for all there will ever be, which costs nothing; how
/// much of it can be used depends on the system.
constexpr size_t MaxSpans = size_t(1) << 21;
/// Spans are made accessible by so many at a time.
constexpr size_t SpansAtATime = 64;
/// Empty spans that are not given back to the system: one of so many that were
/// ever in use, but not less or more than this (4 and 64 MB).
constexpr size_t KeptShare = 16, KeptAtLeast = 64, KeptAtMost = 1024;
/// From this number on spans get all their pages at once, which is cheaper: a
/// process that has taken so many takes more (256 MB).
constexpr size_t ManySpans = 4096;

struct Object {
  Object *Next;
};

struct Span {
  Object *Free;   ///< Objects that were taken back.
  Span *Previous; ///< In its list: of a class, spans that have something free;
  Span *Next;     ///< or of empty spans.
  uint16_t Used;  ///< Objects that are out, those in threads' lists included.
  uint16_t Fresh; ///< Objects that were never out, at the end.
  uint8_t Class;
};

/// A doubly linked list.
class SpanList {
public:
  Span *first() const { return First; }
  void push(Span &S) {
    S.Previous = nullptr;
    S.Next = First;
    if (First)
      First->Previous = &S;
    First = &S;
  }
  void remove(Span &S) {
    (S.Previous ? S.Previous->Next : First) = S.Next;
    if (S.Next)
      S.Next->Previous = S.Previous;
  }

private:
  Span *First = nullptr;
};

/// All spans there are, and those without an object.
class SpanHeap {
public:
  bool contains(const void *P) const {
    const uintptr_t At = reinterpret_cast<uintptr_t>(P);
    // Before the first span there is neither an address nor a distance.
    return At - Base.load(std::memory_order_relaxed) <
           Reserved.load(std::memory_order_relaxed);
  }

  Span &spanOf(const void *P) const {
    const uintptr_t At = reinterpret_cast<uintptr_t>(P);
    return Spans[(At - Base.load(std::memory_order_relaxed)) / SpanSize];
  }

  char *memoryOf(const Span &S) const {
    return reinterpret_cast<char *>(Base.load(std::memory_order_relaxed)) +
           (&S - Spans) * SpanSize;
  }

  /// Returns null if there is no memory left.
  Span *take() {
    std::lock_guard<std::mutex> Locked(Lock);
    for (SpanList *List : {&Kept, &GivenBack})
      if (Span *S = List->first()) {
        List->remove(*S);
        NumKept -= List == &Kept;
        return S;
      }
    if (NumMade == NumUsable && !extend())
      return nullptr;
    return &Spans[NumMade++];
  }

  void putBack(Span &S) {
    std::lock_guard<std::mutex> Locked(Lock);
    if (NumKept < std::clamp(NumMade / KeptShare, KeptAtLeast, KeptAtMost)) {
      ++NumKept;
      Kept.push(S);
      return;
    }
    madvise(memoryOf(S), SpanSize, MADV_DONTNEED);
    GivenBack.push(S);
  }

private:
  std::mutex Lock;
  SpanList Kept, GivenBack;
  size_t NumKept = 0, NumMade = 0, NumUsable = 0;
  Span *Spans = nullptr;
  std::atomic<uintptr_t> Base = 0;
  std::atomic<size_t> Reserved = 0;
  bool Tried = false;

  /// The descriptions of spans come behind the spans.
  void reserve() {
    Tried = true;
    constexpr size_t Size = MaxSpans * (SpanSize + sizeof(Span));
    void *At = mmap(nullptr, Size + SpanSize, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (At == MAP_FAILED)
      return;
    const uintptr_t Begin =
        (reinterpret_cast<uintptr_t>(At) + SpanSize - 1) & -SpanSize;
    Spans = reinterpret_cast<Span *>(Begin + MaxSpans * SpanSize);
    Base = Begin;
    Reserved = MaxSpans * SpanSize;
  }

  bool extend() {
    if (!Tried)
      reserve();
    if (!Reserved || NumUsable + SpansAtATime > MaxSpans)
      return false;
    if (!makeUsable(memoryOf(Spans[NumUsable]), SpansAtATime * SpanSize) ||
        !makeUsable(reinterpret_cast<char *>(&Spans[NumUsable]),
                    SpansAtATime * sizeof(Span)))
      return false;
#ifdef MADV_POPULATE_WRITE
    if (NumUsable >= ManySpans)
      madvise(memoryOf(Spans[NumUsable]), SpansAtATime * SpanSize,
              MADV_POPULATE_WRITE);
#endif
    NumUsable += SpansAtATime;
    return true;
  }

  static bool makeUsable(char *Begin, size_t Size) {
    constexpr uintptr_t Page = 4096;
    const uintptr_t From = reinterpret_cast<uintptr_t>(Begin) & -Page;
    return !mprotect(reinterpret_cast<void *>(From),
                     reinterpret_cast<uintptr_t>(Begin) + Size - From,
                     PROT_READ | PROT_WRITE);
  }
};

constinit SpanHeap Heap;

/// A list of objects, of one class.
struct ObjectList {
  Object *First = nullptr;
  uint32_t Size = 0;

  void push(Object *O) {
    O->Next = First;
    First = O;
    ++Size;
  }
  Object *pop() {
    Object *O = First;
    First = O->Next;
    --Size;
    return O;
  }
};

/// The spans of one class that have something free.
class ClassHeap {
public:
  /// Adds up to \p N objects of class \p Class to \p To.
  void take(unsigned Class, uint32_t N, ObjectList &To) {
    std::lock_guard<std::mutex> Locked(Lock);
    while (N) {
      Span *S = WithRoom.first();
      if (!S && !(S = makeSpan(Class)))
        return;
      for (; N && (S->Free || S->Fresh); --N, ++S->Used)
        To.push(takeFrom(*S));
      if (!S->Free && !S->Fresh)
        WithRoom.remove(*S);
    }
  }

  /// Takes back \p N objects of \p From.
  void putBack(uint32_t N, ObjectList &From) {
    std::lock_guard<std::mutex> Locked(Lock);
    for (; N; --N) {
      Object *O = From.pop();
      Span &S = Heap.spanOf(O);
      if (!S.Free && !S.Fresh)
        WithRoom.push(S);
      O->Next = S.Free;
      S.Free = O;
      if (--S.Used)
        continue;
      WithRoom.remove(S);
      Heap.putBack(S);
    }
  }

private:
  std::mutex Lock;
  SpanList WithRoom;

  Span *makeSpan(unsigned Class) {
    Span *S = Heap.take();
    if (!S)
      return nullptr;
    S->Free = nullptr;
    S->Used = 0;
    S->Fresh = SpanSize / ClassSizes[Class];
    S->Class = Class;
    WithRoom.push(*S);
    return S;
  }

  static Object *takeFrom(Span &S) {
    if (Object *O = S.Free) {
      S.Free = O->Next;
      return O;
    }
    const size_t Size = ClassSizes[S.Class];
    const size_t Index = SpanSize / Size - S.Fresh--;
    return reinterpret_cast<Object *>(Heap.memoryOf(S) + Index * Size);
  }
};

constinit std::array<ClassHeap, NumClasses> Classes;

//===----------------------------------------------------------------------===//
// Step 3: threads
//===----------------------------------------------------------------------===//

/// The number of objects that go between a thread and the spans at once. A
/// thread keeps up to twice as many.
constexpr uint32_t batch(unsigned Class) {
  return std::clamp<uint32_t>(8192 / ClassSizes[Class], 2, 64);
}

constinit thread_local std::array<ObjectList, NumClasses> Free;

/// Gives a thread's objects back when it ends.
class AtThreadEnd {
public:
  static void watch() {
    // A value that is not null has the destructor called. Setting it may itself
    // allocate: Watched is true by then.
    if (Watched)
      return;
    Watched = true;
    std::call_once(Once, [] { pthread_key_create(&Key, putBack); });
    pthread_setspecific(Key, &Watched);
  }

private:
  static constinit thread_local bool Watched;
  static constinit std::once_flag Once;
  static pthread_key_t Key;

  static void putBack(void *) {
    for (unsigned Class = 0; Class < NumClasses; ++Class)
      Classes[Class].putBack(Free[Class].Size, Free[Class]);
    Watched = false; // Other destructors may allocate again.
  }
};

constinit thread_local bool AtThreadEnd::Watched = false;
constinit std::once_flag AtThreadEnd::Once;
pthread_key_t AtThreadEnd::Key;

/// Out of line, since it is rare.
[[gnu::noinline]] bool fill(unsigned Class) {
  AtThreadEnd::watch();
  Classes[Class].take(Class, batch(Class), Free[Class]);
  return Free[Class].First;
}

[[gnu::noinline]] void drain(unsigned Class) {
  AtThreadEnd::watch();
  Classes[Class].putBack(batch(Class), Free[Class]);
}

} // namespace

void *graupel::memory::allocate(size_t Size) {
  const unsigned Class = classFor(Size);
  if (!Free[Class].First && !fill(Class))
    return nullptr;
  return Free[Class].pop();
}

bool graupel::memory::owns(const void *Object) { return Heap.contains(Object); }

void graupel::memory::deallocate(void *Pointer) {
  const unsigned Class = Heap.spanOf(Pointer).Class;
  ObjectList &List = Free[Class];
  List.push(static_cast<Object *>(Pointer));
  if (List.Size >= 2 * batch(Class))
    drain(Class);
}

size_t graupel::memory::roomOf(const void *Object) {
  return ClassSizes[Heap.spanOf(Object).Class];
}
