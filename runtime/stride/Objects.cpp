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

bool isObjectSelected(const Object &Of) {
  return !IsSelected || IsSelected(Of);
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
  Object *Of = Known.find(Key);
  if (!Of) {
    size_t Bytes = strlen(Name) + 1;
    Of = make<Object>(
        Kind, static_cast<const char *>(memcpy(allocate(Bytes), Name, Bytes)));
    Of->Selected = isObjectSelected(*Of);
    Known.insert(Key, Of);
  }
  return Of;
}

Place findObject(uint64_t Address, uint64_t StackBegin, uint64_t StackEnd) {
  if (Address - StackBegin < StackEnd - StackBegin)
    return {knownVariable(ObjectKind::Pages, "[stack]"), StackBegin,
            StackEnd - StackBegin};
  Place P = heap::find(Address);
  if (P.Of)
    return P;
  if (Module *M = findModule(Address))
    return M->find(Address);
  char Name[512];
  nameOfMapping(Address, Name, sizeof(Name));
  Object *Of = knownVariable(ObjectKind::Pages, Name);
  heap::insertPage(Address, Of);
  return {Of, Address, 0};
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

bool inOneObject(uint64_t Address, uint64_t Bytes, Object *Of) {
  return Of->Kind == ObjectKind::Heap && heap::inOneObject(Address, Bytes, Of);
}

//===--- The heap ---------------------------------------------------------===//

static Object *findHeapObject(uint64_t ReturnAddress) {
  static Table<Object> Known;
  {
    Guard G(Mutex);
    if (Object *Of = Known.find(ReturnAddress))
      return Of;
  }
  bool FromAllocator = isInAllocator(ReturnAddress);
  Guard G(Mutex);
  Object *Of = Known.find(ReturnAddress);
  if (!Of) {
    Of = make<Object>(ObjectKind::Heap, nullptr);
    Of->FromAllocator = FromAllocator;
    Of->Caller = ReturnAddress;
    Of->Selected = isObjectSelected(*Of);
    Known.insert(ReturnAddress, Of);
  }
  return Of;
}

// Who asked lately asks again.
Object *heapObject(uint64_t ReturnAddress) {
  struct Asked {
    uint64_t By;
    Object *Of;
  };
  static __thread Asked Lately[16] __attribute__((tls_model("initial-exec")));
  Asked &A = Lately[(ReturnAddress ^ ReturnAddress >> 4) % std::size(Lately)];
  if (A.By != ReturnAddress)
    A = {ReturnAddress, findHeapObject(ReturnAddress)};
  return A.Of;
}

/// One thread, or several.
static void noteAllocator(Object *Of) {
  const auto Own = static_cast<uint32_t>(creationNumber() + 1);
  uint32_t Before = __atomic_load_n(&Of->Allocator, __ATOMIC_RELAXED);
  if (Before == Own || Before == NoNumber)
    return;
  Before = Before ? NoNumber : Own;
  __atomic_store_n(&Of->Allocator, Before, __ATOMIC_RELAXED);
  if (HeapCounts *C = __atomic_load_n(&Of->Counts, __ATOMIC_ACQUIRE))
    __atomic_store_n(&C->Allocator, Before, __ATOMIC_RELAXED);
}

void countBlock(Object *Of, uint64_t Bytes) {
  noteAllocator(Of);
  HeapCounts *C = __atomic_load_n(&Of->Counts, __ATOMIC_ACQUIRE);
  auto Add = [](uint64_t *To, uint64_t Count) {
    if (__libc_single_threaded)
      __atomic_store_n(To, *To + Count, __ATOMIC_RELAXED);
    else
      __atomic_fetch_add(To, Count, __ATOMIC_RELAXED);
  };
  Add(C ? &C->Blocks : &Of->Blocks, 1);
  Add(C ? &C->Bytes : &Of->BlockBytes, Bytes);
}

//===--- The record -------------------------------------------------------===//

static void enterHeapCounts(RecordFile &File, Object *Of, uint32_t Number) {
  auto *C = static_cast<HeapCounts *>(
      File.append(ChunkKind::HeapCounts, sizeof(HeapCounts), true));
  if (!C)
    return;
  C->Object = Number;
  C->Blocks = Of->Blocks;
  C->Bytes = Of->BlockBytes;
  C->Allocator = Of->Allocator;
  File.commit(C);
  __atomic_store_n(&Of->Counts, C, __ATOMIC_RELEASE);
}

uint32_t enterObject(RecordFile &File, Object *Of) {
  if (uint32_t Known = __atomic_load_n(&Of->Number, __ATOMIC_ACQUIRE);
      Known != NoNumber)
    return Known;
  uint64_t Code = Of->Kind == ObjectKind::Heap ? Of->Caller : Of->Address;
  Module *M = Code ? findModule(Code) : nullptr;
  uint32_t Where = M ? enterModule(File, M) : NoNumber;
  Guard G(Mutex);
  if (Of->Number != NoNumber)
    return Of->Number;
  uint32_t NameBytes = Of->Name ? strlen(Of->Name) : 0;
  auto *R = static_cast<ObjectRecord *>(
      File.append(ChunkKind::Object, sizeof(ObjectRecord) + NameBytes, false));
  if (!R)
    return NoNumber;
  *R = {Of->Kind,
        Where,
        Of->Address,
        Of->Bytes,
        Of->Kind == ObjectKind::Heap && M ? Of->Caller - M->Base : Of->Caller,
        {sizeof(ObjectRecord), NameBytes}};
  if (NameBytes)
    memcpy(R + 1, Of->Name, NameBytes);
  File.commit(R);
  const auto Number = static_cast<uint32_t>(Entered.size());
  Entered.push(Of);
  if (Of->Kind == ObjectKind::Heap)
    enterHeapCounts(File, Of, Number);
  __atomic_store_n(&Of->Number, Number, __ATOMIC_RELEASE);
  return Number;
}

void forgetNumbers() {
  for (Object *Of : Entered) {
    Of->Number = NoNumber;
    Of->Counts = nullptr;
    Of->Blocks = Of->BlockBytes = 0;
  }
  Entered.clear();
}

void lockObjects(bool Take) { Take ? Mutex.lock() : Mutex.unlock(); }

} // namespace graupel::stride
