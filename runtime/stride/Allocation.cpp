//===- stride/Allocation.cpp - malloc and its family ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interposes malloc, its family and operator new, to remember which code asked
// for a block. Blocks are the allocator's own.
//
// 1. Next finds the real function by dlsym. Meanwhile calloc takes blocks from
//    the array Early, which are never given back.
// 2. An allocating function calls the real one, then enter.
// 3. enter finds the object of the code that asked: the caller of operator new,
//    if that runs, or the return address. If that is code that allocates for
//    its caller, the object is that caller's. It counts the block and enters
//    its addresses.
// 4. A block where another object was is entered after the references that wait
//    in the thread's buffer have been counted (enterBlock).
// 5. free and realloc call leave before the real function. It removes a block
//    that may have pages of its own.
// 6. operator new notes its caller, and calls the real one; where there is
//    none, it calls malloc or aligned_alloc.
//
//===----------------------------------------------------------------------===//

#include "Callers.h"
#include "HeapMap.h"
#include "Process.h"
#include "common/NextFunction.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>

using namespace graupel::stride;

namespace {

/// dlsym may call calloc while it looks for it.
__thread bool Looking __attribute__((tls_model("initial-exec")));
alignas(16) char Early[4096];
std::atomic<size_t> EarlyBytes;

bool isEarly(const void *Block) {
  return static_cast<size_t>(static_cast<const char *>(Block) - Early) <
         sizeof(Early);
}

void *early(size_t Bytes) {
  size_t At = EarlyBytes.fetch_add((Bytes + 15) & -16);
  return At + Bytes <= sizeof(Early) ? Early + At : nullptr;
}

struct LookingGuard {
  Inside I;
  bool Before = Looking;
  LookingGuard() { Looking = true; }
  ~LookingGuard() { Looking = Before; }
};

template <class Function>
using Next = graupel::NextFunction<Function, LookingGuard>;

/// operator new calls malloc; the allocation site is the caller of operator
/// new.
__thread uint64_t Caller __attribute__((tls_model("initial-exec")));

void enter(void *Block, size_t Bytes, void *ReturnAddress) {
  if (!Block || !Bytes || Inside::here() || isOver())
    return;
  Inside I;
  auto Address = reinterpret_cast<uint64_t>(Block);
  Object *Obj =
      heapObject(Caller ? Caller : reinterpret_cast<uint64_t>(ReturnAddress));
  if (Obj->FromAllocator)
    if (uint64_t Real = callerOfAllocator())
      Obj = heapObject(Real);
  countBlock(Obj, Bytes);
  enterBlock(Address, Bytes, Obj);
}

/// A block with pages of its own may give them back to the system.
void leave(void *Block) {
  if ((reinterpret_cast<uint64_t>(Block) & 4095) != 16 || Inside::here() ||
      isOver())
    return;
  Inside I;
  leaveBlock(reinterpret_cast<uint64_t>(Block));
}

} // namespace

#define CALLER __builtin_return_address(0)
#define EXPORT extern "C" __attribute__((visibility("default")))

static Next<void *(size_t)> NextMalloc("malloc");
static Next<void(void *)> NextFree("free");
static Next<void *(size_t, size_t)> NextCalloc("calloc");
static Next<void *(void *, size_t)> NextRealloc("realloc");
static Next<void *(size_t, size_t)> NextMemalign("memalign");
static Next<void *(size_t, size_t)> NextAlignedAlloc("aligned_alloc");
static Next<int(void **, size_t, size_t)> NextPosixMemalign("posix_memalign");
static Next<void *(size_t)> NextValloc("valloc");

EXPORT void *malloc(size_t Bytes) {
  void *Block = (*NextMalloc)(Bytes);
  enter(Block, Bytes, CALLER);
  return Block;
}

EXPORT void free(void *Block) {
  if (!Block || isEarly(Block))
    return;
  leave(Block);
  (*NextFree)(Block);
}

EXPORT void *calloc(size_t Count, size_t Bytes) {
  if (__builtin_expect(Looking, false))
    return early(Count * Bytes);
  void *Block = (*NextCalloc)(Count, Bytes);
  enter(Block, Count * Bytes, CALLER);
  return Block;
}

/// A block of Early is not the allocator's.
static void *moveEarly(const void *Block, size_t Bytes) {
  const size_t Most = Early + sizeof(Early) - static_cast<const char *>(Block);
  void *New = (*NextMalloc)(Bytes);
  return New ? memcpy(New, Block, std::min(Bytes, Most)) : nullptr;
}

EXPORT void *realloc(void *Block, size_t Bytes) {
  if (Block)
    leave(Block);
  void *New =
      isEarly(Block) ? moveEarly(Block, Bytes) : (*NextRealloc)(Block, Bytes);
  enter(New, Bytes, CALLER);
  return New;
}

EXPORT void *memalign(size_t Alignment, size_t Bytes) {
  void *Block = (*NextMemalign)(Alignment, Bytes);
  enter(Block, Bytes, CALLER);
  return Block;
}

EXPORT void *aligned_alloc(size_t Alignment, size_t Bytes) {
  void *Block = (*NextAlignedAlloc)(Alignment, Bytes);
  enter(Block, Bytes, CALLER);
  return Block;
}

EXPORT int posix_memalign(void **Block, size_t Alignment, size_t Bytes) {
  int Error = (*NextPosixMemalign)(Block, Alignment, Bytes);
  if (!Error)
    enter(*Block, Bytes, CALLER);
  return Error;
}

EXPORT void *valloc(size_t Bytes) {
  void *Block = (*NextValloc)(Bytes);
  enter(Block, Bytes, CALLER);
  return Block;
}

//===--- C++ --------------------------------------------------------------===//

namespace {

/// While operator new runs, malloc is called for its caller.
class For {
public:
  explicit For(void *ReturnAddress) : Before(Caller) {
    if (!Caller)
      Caller = reinterpret_cast<uint64_t>(ReturnAddress);
  }
  ~For() { Caller = Before; }

private:
  uint64_t Before;
};

using Size = size_t;

// Used if no C++ library was loaded with the program: code that it opens later
// finds this library's operator new, and this library finds no other.
void *newBlock(Size Bytes, const void * /*NoThrow*/) { return malloc(Bytes); }
void *newBlock(Size Bytes, Size Alignment, const void * /*NoThrow*/) {
  return aligned_alloc(Alignment, (Bytes + Alignment - 1) & -Alignment);
}
/// Nothing can be thrown from here.
void *orEnd(void *Block) {
  if (!Block)
    abort();
  return Block;
}
void *newBlock(Size Bytes) { return orEnd(newBlock(Bytes, nullptr)); }
void *newBlock(Size Bytes, Size Alignment) {
  return orEnd(newBlock(Bytes, Alignment, nullptr));
}

} // namespace

// The mangled names of operator new and new[]: plain, nothrow, aligned, both.
#define NEW(NAME, PARAMETERS, ARGUMENTS)                                       \
  EXPORT void *NAME PARAMETERS {                                               \
    static Next<void *PARAMETERS> Real(#NAME);                                 \
    For F(CALLER);                                                             \
    auto *Behind = *Real;                                                      \
    return Behind ? Behind ARGUMENTS : newBlock ARGUMENTS;                     \
  }

NEW(_Znwm, (Size Bytes), (Bytes))
NEW(_Znam, (Size Bytes), (Bytes))
NEW(_ZnwmRKSt9nothrow_t, (Size Bytes, const void *Tag), (Bytes, Tag))
NEW(_ZnamRKSt9nothrow_t, (Size Bytes, const void *Tag), (Bytes, Tag))
NEW(_ZnwmSt11align_val_t, (Size Bytes, Size Alignment), (Bytes, Alignment))
NEW(_ZnamSt11align_val_t, (Size Bytes, Size Alignment), (Bytes, Alignment))
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t,
    (Size Bytes, Size Alignment, const void *Tag), (Bytes, Alignment, Tag))
NEW(_ZnamSt11align_val_tRKSt9nothrow_t,
    (Size Bytes, Size Alignment, const void *Tag), (Bytes, Alignment, Tag))
