//===- stride/Objects.cpp -------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells which object an address belongs to, and enters objects into the record.
//
// 1. findObject asks for the thread's stack, the blocks of the heap, the
//    symbols of loaded files, and at last for the mapping in /proc/self/maps.
//    It remembers that answer for the page.
// 2. findObjectOf returns the variable of a site that knows it, else the same.
// 3. heapObject finds or makes the object of a return address. Each thread
//    remembers the last ones. countBlock counts blocks and bytes, and notes
//    whether one thread or several allocate.
// 4. enterObject writes an object into the record once, with its module. An
//    object of the heap gets counters there, which countBlock uses from then
//    on.
// 5. forgetNumbers begins anew, for the record of a forked child.
//
//===----------------------------------------------------------------------===//

#include "Objects.h"
#include "HeapMap.h"
#include "Modules.h"
#include "Tables.h"
#include "ThreadNumber.h"
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <sys/single_threaded.h>

namespace graupel::stride {

static Lock Mutex;
static Array<Object *> Entered; ///< In the order of their numbers.
static bool (*IsSelected)(const Object &);

void initObjects(bool (*Selected)(const Object &)) { IsSelected = Selected; }

bool isObjectSelected(const Object &Obj) {
  return !IsSelected || IsSelected(Obj);
}

//===--- Classes of pages -------------------------------------------------===//

/// The name of the mapping that has an address, as /proc/self/maps tells it.
static void nameOfMapping(uint64_t Address, char *Name, size_t Bytes) {
  snprintf(Name, Bytes, "[anonymous]");
  int File = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return;
  char Buffer[8192];
  size_t Have = 0;
  ssize_t Got;
  while ((Got = read(File, Buffer + Have, sizeof(Buffer) - 1 - Have)) > 0) {
    Have += Got;
    Buffer[Have] = 0;
    char *Line = Buffer, *End;
    for (; (End = strchr(Line, '\n')); Line = End + 1) {
      uint64_t Low, High;
      int PathAt = 0;
      *End = 0;
      if (sscanf(Line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %n", &Low,
                 &High, &PathAt) < 2 ||
          Address < Low || Address >= High)
        continue;
      const char *Path = PathAt ? Line + PathAt : "";
      const char *Slash = strrchr(Path, '/');
      if (*Path == '[')
        snprintf(Name, Bytes, "%s", Path);
      else if (*Path)
        snprintf(Name, Bytes, "[file %s]", Slash ? Slash + 1 : Path);
      close(File);
      return;
    }
    Have -= Line - Buffer;
    memmove(Buffer, Line, Have);
    if (Have == sizeof(Buffer) - 1)
      Have = 0;
  }
  close(File);
}

Object *knownVariable(ObjectKind Kind, const char *Name) {
  static Table<Object> Known;
  uint64_t Key = hashText(Name) * 8 + static_cast<unsigned>(Kind);
  Guard G(Mutex);
  Object *Obj = Known.find(Key);
  if (!Obj) {
    size_t Bytes = strlen(Name) + 1;
    Obj = make<Object>(
        Kind, static_cast<const char *>(memcpy(allocate(Bytes), Name, Bytes)));
    Obj->Selected = isObjectSelected(*Obj);
    Known.insert(Key, Obj);
  }
  return Obj;
}

Place findObject(uint64_t Address, uint64_t StackBegin, uint64_t StackEnd) {
  if (Address - StackBegin < StackEnd - StackBegin)
    return {knownVariable(ObjectKind::Pages, "[stack]"), StackBegin,
            StackEnd - StackBegin};
  Place P = heap::find(Address);
  if (P.Obj)
    return P;
  if (Module *M = findModule(Address))
    return M->find(Address);
  char Name[512];
  nameOfMapping(Address, Name, sizeof(Name));
  Object *Obj = knownVariable(ObjectKind::Pages, Name);
  heap::insertPage(Address, Obj);
  return {Obj, Address, 0};
}

Place findObjectOf(uint32_t Site, uint64_t Address, uint64_t StackBegin,
                   uint64_t StackEnd) {
  const SiteInfo &Info = Sites[Site];
  if (!Info.Variable)
    return findObject(Address, StackBegin, StackEnd);
  bool OnStack = Info.Entry->object_kind == GRAUPEL_STRIDE_STACK;
  return {knownVariable(OnStack ? ObjectKind::Stack : ObjectKind::ThreadLocal,
                        Info.Variable),
          0, ~uint64_t(0)};
}

bool inOneObject(uint64_t Address, uint64_t Bytes, Object *Obj) {
  return Obj->Kind == ObjectKind::Heap &&
         heap::inOneObject(Address, Bytes, Obj);
}

//===--- The heap ---------------------------------------------------------===//

static Object *findHeapObject(uint64_t ReturnAddress) {
  static Table<Object> Known;
  {
    Guard G(Mutex);
    if (Object *Obj = Known.find(ReturnAddress))
      return Obj;
  }
  bool FromAllocator = isInAllocator(ReturnAddress);
  Guard G(Mutex);
  Object *Obj = Known.find(ReturnAddress);
  if (!Obj) {
    Obj = make<Object>(ObjectKind::Heap, nullptr);
    Obj->FromAllocator = FromAllocator;
    Obj->Caller = ReturnAddress;
    Obj->Selected = isObjectSelected(*Obj);
    Known.insert(ReturnAddress, Obj);
  }
  return Obj;
}

// Each thread caches the objects of recent return addresses.
Object *heapObject(uint64_t ReturnAddress) {
  struct CacheEntry {
    uint64_t Caller;
    Object *Obj;
  };
  static __thread CacheEntry Cache[16]
      __attribute__((tls_model("initial-exec")));
  CacheEntry &E =
      Cache[(ReturnAddress ^ ReturnAddress >> 4) % std::size(Cache)];
  if (E.Caller != ReturnAddress)
    E = {ReturnAddress, findHeapObject(ReturnAddress)};
  return E.Obj;
}

/// Notes whether one thread or several allocate.
static void noteAllocator(Object *Obj) {
  const auto Own = static_cast<uint32_t>(creationNumber() + 1);
  uint32_t Before = __atomic_load_n(&Obj->Allocator, __ATOMIC_RELAXED);
  if (Before == Own || Before == NoNumber)
    return;
  Before = Before ? NoNumber : Own;
  __atomic_store_n(&Obj->Allocator, Before, __ATOMIC_RELAXED);
  if (HeapCounts *C = __atomic_load_n(&Obj->Counts, __ATOMIC_ACQUIRE))
    __atomic_store_n(&C->Allocator, Before, __ATOMIC_RELAXED);
}

void countBlock(Object *Obj, uint64_t Bytes) {
  noteAllocator(Obj);
  HeapCounts *C = __atomic_load_n(&Obj->Counts, __ATOMIC_ACQUIRE);
  auto Add = [](uint64_t *To, uint64_t Count) {
    if (__libc_single_threaded)
      __atomic_store_n(To, *To + Count, __ATOMIC_RELAXED);
    else
      __atomic_fetch_add(To, Count, __ATOMIC_RELAXED);
  };
  Add(C ? &C->Blocks : &Obj->Blocks, 1);
  Add(C ? &C->Bytes : &Obj->BlockBytes, Bytes);
}

//===--- The record -------------------------------------------------------===//

static void enterHeapCounts(RecordFile &File, Object *Obj, uint32_t Number) {
  auto *C = static_cast<HeapCounts *>(
      File.append(ChunkKind::HeapCounts, sizeof(HeapCounts), true));
  if (!C)
    return;
  C->Object = Number;
  C->Blocks = Obj->Blocks;
  C->Bytes = Obj->BlockBytes;
  C->Allocator = Obj->Allocator;
  File.commit(C);
  __atomic_store_n(&Obj->Counts, C, __ATOMIC_RELEASE);
}

uint32_t enterObject(RecordFile &File, Object *Obj) {
  if (uint32_t Known = __atomic_load_n(&Obj->Number, __ATOMIC_ACQUIRE);
      Known != NoNumber)
    return Known;
  uint64_t Code = Obj->Kind == ObjectKind::Heap ? Obj->Caller : Obj->Address;
  Module *M = Code ? findModule(Code) : nullptr;
  uint32_t Where = M ? enterModule(File, M) : NoNumber;
  Guard G(Mutex);
  if (Obj->Number != NoNumber)
    return Obj->Number;
  uint32_t NameBytes = Obj->Name ? strlen(Obj->Name) : 0;
  auto *R = static_cast<ObjectRecord *>(
      File.append(ChunkKind::Object, sizeof(ObjectRecord) + NameBytes, false));
  if (!R)
    return NoNumber;
  *R = {Obj->Kind,
        Where,
        Obj->Address,
        Obj->Bytes,
        Obj->Kind == ObjectKind::Heap && M ? Obj->Caller - M->Base
                                           : Obj->Caller,
        {sizeof(ObjectRecord), NameBytes}};
  if (NameBytes)
    memcpy(R + 1, Obj->Name, NameBytes);
  File.commit(R);
  const auto Number = static_cast<uint32_t>(Entered.size());
  Entered.push(Obj);
  if (Obj->Kind == ObjectKind::Heap)
    enterHeapCounts(File, Obj, Number);
  __atomic_store_n(&Obj->Number, Number, __ATOMIC_RELEASE);
  return Number;
}

void forgetNumbers() {
  for (Object *Obj : Entered) {
    Obj->Number = NoNumber;
    Obj->Counts = nullptr;
    Obj->Blocks = Obj->BlockBytes = 0;
  }
  Entered.clear();
}

void lockObjects(bool Take) { Take ? Mutex.lock() : Mutex.unlock(); }

} // namespace graupel::stride
