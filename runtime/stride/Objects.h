//===- stride/Objects.h - Objects by address --------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Objects by address: blocks of the heap first (HeapMap), then symbols of
// loaded files (Modules), then the class of the page.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_OBJECTS_H
#define GRAUPEL_STRIDE_OBJECTS_H

#include "Base/RecordFile.h"

namespace graupel::stride {

struct Object {
  ObjectKind Kind;
  const char *Name; ///< May be null for heap.
  uint64_t Address = 0, Bytes = 0;
  uint64_t Caller = 0; ///< For the heap: the return address.
  /// For the heap: Caller is in code that allocates for its caller.
  bool FromAllocator = false;
  /// The object's number in the record; NoNumber while it is not there.
  uint32_t Number = NoNumber;
  bool Selected = true;
  uint64_t Blocks = 0, BlockBytes = 0;
  uint32_t Allocator = 0; ///< As in HeapCounts.
  /// See HeapMap; 0 as long as it has no small block.
  uint32_t HeapNumber = 0;
  /// The counters of blocks and bytes once they are in the record.
  HeapCounts *Counts = nullptr;
};

/// An object, and the addresses around the one asked for that belong to it; no
/// bytes if that may change soon.
struct Place {
  Object *Obj;
  uint64_t Begin, Bytes;
};

/// Thread-safe. `StackBegin` and `StackEnd` are the bounds of the calling
/// thread's stack.
Place findObject(uint64_t Address, uint64_t StackBegin, uint64_t StackEnd);
/// The same for a reference by a site, which may know its variable.
Place findObjectOf(uint32_t Site, uint64_t Address, uint64_t StackBegin,
                   uint64_t StackEnd);
/// Whether all of [Address, Address + Bytes) is in one object.
bool inOneObject(uint64_t Address, uint64_t Bytes, Object *Obj);

/// The object of a site that knows it.
Object *knownVariable(ObjectKind Kind, const char *Name);
/// The object of an allocation site.
Object *heapObject(uint64_t ReturnAddress);
void countBlock(Object *Obj, uint64_t Bytes);

/// Gives an object its number in the record. Thread-safe.
uint32_t enterObject(RecordFile &File, Object *Obj);
/// Forgets the objects' numbers: a new record has no objects yet.
void forgetNumbers();
void initObjects(bool (*IsSelected)(const Object &));
/// Takes or releases the lock, which is held over a fork.
void lockObjects(bool Take);

} // namespace graupel::stride

#endif
