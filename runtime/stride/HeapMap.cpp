//===- stride/HeapMap.cpp -------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps the table of pages that HeapMap.h describes.
//
// 1. entryOf finds a page's entry in a table of two levels; windowOf finds the
//    memory for numbers of objects. Both make their memory where it is missing,
//    under the lock.
// 2. insert gives a block that lies on one page with small blocks its number
//    there, and returns. Otherwise it fills pieces of the block's first and
//    last pages, and has its whole pages lead to the block. A page that has
//    pieces keeps pieces.
// 3. remove clears the entries of a block that is alone on its pages, and its
//    pieces on the first and last one. forget clears all pages of a range.
// 4. Whenever an entry changes that was in use, the epoch does, too.
// 5. find reads the entry: the object of the piece, the block, or the page's
//    object.
//
//===----------------------------------------------------------------------===//

#include "HeapMap.h"
#include <algorithm>

namespace graupel::stride::heap {

std::atomic<Object *> *Objects;

std::atomic<Window *> Windows[1 << (47 - WindowBits)];

namespace {

constexpr unsigned LeafBits = 18, RootBits = 17;
constexpr unsigned Granule = 1 << GranuleBits;

/// Kinds of a page's entry, in its lowest bits. Small blocks are never removed.
enum : uintptr_t { IsPieces = 1, IsBlock = 2, IsPage = 3, Tag = 3 };

struct Leaf {
  std::atomic<uintptr_t> Pages[1 << LeafBits];
};

std::atomic<Leaf *> Root[1 << RootBits];

struct Block {
  uint64_t Begin, End;
  Object *Obj;
  Block *NextFree;
};

std::atomic<uint64_t> Epoch;
Lock Mutex;
Block *FreeBlocks;

std::atomic<uintptr_t> *entryOf(uint64_t Address, bool Make) {
  uint64_t Top = Address >> (PageBits + LeafBits);
  if (Top >> RootBits)
    return nullptr;
  Leaf *L = Root[Top].load(std::memory_order_acquire);
  if (!L) {
    if (!Make)
      return nullptr;
    Guard G(Mutex);
    L = Root[Top].load(std::memory_order_relaxed);
    if (!L) {
      L = static_cast<Leaf *>(reserve(sizeof(Leaf)));
      Root[Top].store(L, std::memory_order_release);
    }
  }
  return &L->Pages[Address >> PageBits & ((1 << LeafBits) - 1)];
}

template <class T> T *as(uintptr_t Entry) {
  return reinterpret_cast<T *>(Entry & ~uintptr_t(Tag));
}

uint32_t ObjectCount;

uint32_t numberOf(Object *Obj) {
  uint32_t Number = __atomic_load_n(&Obj->HeapNumber, __ATOMIC_ACQUIRE);
  if (Number)
    return Number;
  Guard G(Mutex);
  if (Obj->HeapNumber)
    return Obj->HeapNumber;
  if (!Objects)
    Objects = static_cast<std::atomic<Object *> *>(
        reserve(MaxNumbers * sizeof(*Objects)));
  // Objects beyond the limit share the last number.
  if (ObjectCount < MaxNumbers - 1)
    Objects[++ObjectCount].store(Obj, std::memory_order_release);
  __atomic_store_n(&Obj->HeapNumber, ObjectCount, __ATOMIC_RELEASE);
  return ObjectCount;
}

Object *pieceOf(uint64_t Address) {
  uint32_t Number = numberAt(Address);
  return Number ? objectOf(Number) : nullptr;
}

Window *windowOf(uint64_t Address) {
  std::atomic<Window *> &Entry = Windows[Address >> WindowBits];
  Window *W = Entry.load(std::memory_order_acquire);
  if (W)
    return W;
  Guard G(Mutex);
  W = Entry.load(std::memory_order_relaxed);
  if (!W)
    Entry.store(W = static_cast<Window *>(reserve(sizeof(Window))),
                std::memory_order_release);
  return W;
}

Object *objectAt(uint64_t Address) {
  auto *Entry = entryOf(Address, false);
  uintptr_t E = Entry ? Entry->load(std::memory_order_acquire) : 0;
  switch (E & Tag) {
  case IsPieces:
    return pieceOf(Address);
  case IsBlock:
    return as<Block>(E)->Obj;
  default:
    return nullptr;
  }
}

// Calls Do(address) for one address of each granule or whole page.
template <class Function>
bool anyPart(uint64_t Begin, uint64_t End, Function Do) {
  for (uint64_t At = Begin; At < End;) {
    if (Do(At))
      return true;
    bool Whole = At % Page == 0 && End - At >= Page;
    At = Whole ? At + Page : (At / Granule + 1) * Granule;
  }
  return false;
}

/// The range is within one page.
void setPieces(uint64_t Begin, uint64_t End, uint32_t Number) {
  Window *W = windowOf(Begin);
  for (uint64_t At = Begin; At < End; At = (At / Granule + 1) * Granule)
    W->Number[static_cast<uint32_t>(At) >> GranuleBits].store(
        Number, std::memory_order_relaxed);
}

void fillPieces(uint64_t Begin, uint64_t End, Object *Obj) {
  auto *Entry = entryOf(Begin, true);
  if (!Entry)
    return;
  setPieces(Begin, End, numberOf(Obj));
  uintptr_t E = Entry->load(std::memory_order_acquire);
  if (E == IsPieces)
    return;
  if (E)
    ++Epoch;
  Entry->store(IsPieces, std::memory_order_release);
}

Block *newBlock(uint64_t Begin, uint64_t End, Object *Obj) {
  Guard G(Mutex);
  Block *B = FreeBlocks;
  if (B)
    FreeBlocks = B->NextFree;
  else
    B = static_cast<Block *>(allocate(sizeof(Block)));
  *B = {Begin, End, Obj, nullptr};
  return B;
}

} // namespace

bool wasOthers(uint64_t Address, uint64_t Bytes, const Object *Obj) {
  return anyPart(Address, Address + Bytes, [&](uint64_t At) {
    Object *Was = objectAt(At);
    return Was && Was != Obj;
  });
}

/// Inserts a block into a page that already has small blocks.
static bool insertAmongSmall(uint64_t Address, uint64_t Bytes,
                             uint32_t Number) {
  uint64_t Last = Address + Bytes - 1;
  if (!Number || (Address ^ Last) >> PageBits || !numberAt(Address))
    return false;
  setPieces(Address, Last + 1, Number);
  return true;
}

void insert(uint64_t Address, uint64_t Bytes, Object *Obj) {
  if (insertAmongSmall(Address, Bytes,
                       __atomic_load_n(&Obj->HeapNumber, __ATOMIC_ACQUIRE)))
    return;
  uint64_t End = Address + Bytes;
  uint64_t FirstWhole = (Address + Page - 1) & -Page, LastWhole = End & -Page;
  if (FirstWhole >= LastWhole) {
    uint64_t Middle = FirstWhole < End ? FirstWhole : End;
    fillPieces(Address, Middle, Obj);
    if (Middle < End)
      fillPieces(Middle, End, Obj);
    return;
  }
  if (Address < FirstWhole)
    fillPieces(Address, FirstWhole, Obj);
  if (LastWhole < End)
    fillPieces(LastWhole, End, Obj);
  Block *B = nullptr;
  for (uint64_t At = FirstWhole; At < LastWhole; At += Page) {
    auto *Entry = entryOf(At, true);
    if (!Entry)
      return;
    uintptr_t Was = Entry->load(std::memory_order_relaxed);
    if ((Was & Tag) == IsPieces) {
      fillPieces(At, At + Page, Obj);
      continue;
    }
    if ((Was & Tag) == IsBlock) {
      Block *Old = as<Block>(Was);
      if (Old->Begin == Address && Old->End == End && Old->Obj == Obj)
        continue;
    }
    if (Was)
      ++Epoch;
    if (!B)
      B = newBlock(Address, End, Obj);
    Entry->store(reinterpret_cast<uintptr_t>(B) | IsBlock,
                 std::memory_order_release);
  }
}

void remove(uint64_t Address) {
  auto *Entry = entryOf((Address + Page - 1) & -Page, false);
  uintptr_t E = Entry ? Entry->load(std::memory_order_acquire) : 0;
  if ((E & Tag) != IsBlock || as<Block>(E)->Begin != Address)
    return;
  Block *B = as<Block>(E);
  // Its first and its last page may have other blocks.
  for (uint64_t At = Address; At < B->End; At = (At & -Page) + Page) {
    auto *Each = entryOf(At, false);
    uintptr_t Was = Each ? Each->load(std::memory_order_acquire) : 0;
    if (Was == IsPieces)
      setPieces(At, std::min(B->End, (At & -Page) + Page), 0);
    else if (Was == E)
      Each->store(0, std::memory_order_release);
  }
  ++Epoch;
  Guard G(Mutex);
  B->NextFree = FreeBlocks;
  FreeBlocks = B;
}

void forget(uint64_t Address, uint64_t Bytes) {
  for (uint64_t At = Address; At < Address + Bytes; At += Page) {
    auto *Entry = entryOf(At, false);
    uintptr_t Was = Entry ? Entry->exchange(0) : 0;
    if (Was == IsPieces)
      setPieces(At, At + Page, 0);
    Epoch += Was != 0;
  }
}

Place find(uint64_t Address) {
  auto *Entry = entryOf(Address, false);
  uintptr_t E = Entry ? Entry->load(std::memory_order_acquire) : 0;
  switch (E & Tag) {
  case IsPieces:
    return {pieceOf(Address), numberAt(Address), 0};
  case IsBlock: {
    Block *B = as<Block>(E);
    return {B->Obj, B->Begin, B->End - B->Begin};
  }
  case IsPage:
    return {as<Object>(E), Address & -Page, Page};
  default:
    return {nullptr, Address, 0};
  }
}

bool inOneObject(uint64_t Address, uint64_t Bytes, const Object *Obj) {
  return !anyPart(Address, Address + Bytes,
                  [&](uint64_t At) { return objectAt(At) != Obj; });
}

uint64_t epoch() { return Epoch.load(std::memory_order_relaxed); }

void insertPage(uint64_t Address, Object *Obj) {
  uintptr_t Nothing = 0;
  if (auto *Entry = entryOf(Address, true))
    Entry->compare_exchange_strong(Nothing,
                                   reinterpret_cast<uintptr_t>(Obj) | IsPage);
}

} // namespace graupel::stride::heap

void graupel::stride::lockHeapMap(bool Take) {
  Take ? heap::Mutex.lock() : heap::Mutex.unlock();
}
