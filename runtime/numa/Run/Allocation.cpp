//===- numa/Run/Allocation.cpp - malloc and its family --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of a site that the placement names are an arena's, all others the
// program's own allocator's.
//
//===----------------------------------------------------------------------===//

#include "Sites.h"
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace graupel::numa;

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
  size_t At = EarlyBytes.fetch_add((Bytes + 15) & -size_t(16));
  return At + Bytes <= sizeof(Early) ? Early + At : nullptr;
}

template <class Function> class Next {
public:
  explicit constexpr Next(const char *Name) : Name(Name) {}
  Function *operator*() {
    Function *F = Known.load(std::memory_order_relaxed);
    if (__builtin_expect(!F, false)) {
      bool Before = Looking;
      Looking = true;
      F = reinterpret_cast<Function *>(dlsym(RTLD_NEXT, Name));
      Looking = Before;
      Known.store(F, std::memory_order_relaxed);
    }
    return F;
  }

private:
  const char *Name;
  std::atomic<Function *> Known{nullptr};
};

Next<void *(size_t)> NextMalloc("malloc");
Next<void(void *)> NextFree("free");
Next<void *(size_t, size_t)> NextCalloc("calloc");
Next<void *(void *, size_t)> NextRealloc("realloc");
Next<void *(size_t, size_t)> NextMemalign("memalign");
Next<size_t(void *)> NextUsable("malloc_usable_size");

/// As the C library: not null, or ENOMEM.
void *given(void *Block) {
  if (!Block)
    errno = ENOMEM;
  return Block;
}

bool isPower(size_t N) { return N && !(N & (N - 1)); }

} // namespace

#define CALLER __builtin_return_address(0)
#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT void *malloc(size_t Bytes) {
  if (Arena *A = arenaFor(CALLER))
    return given(A->allocate(Bytes, 16));
  return (*NextMalloc)(Bytes);
}

EXPORT void free(void *Block) {
  if (!Block || isEarly(Block))
    return;
  if (Arena *A = Arena::of(Block))
    return A->release(Block);
  (*NextFree)(Block);
}

EXPORT void *calloc(size_t Count, size_t Bytes) {
  if (__builtin_expect(Looking, false))
    return early(Count * Bytes);
  Arena *A = arenaFor(CALLER);
  if (!A)
    return (*NextCalloc)(Count, Bytes);
  size_t All = 0;
  if (__builtin_mul_overflow(Count, Bytes, &All))
    return given(nullptr);
  return given(A->allocateZero(All));
}

/// A block stays in the arena it is in, or comes to that of who asks.
EXPORT void *realloc(void *Block, size_t Bytes) {
  Arena *From = Block ? Arena::of(Block) : nullptr;
  Arena *To = From ? From : arenaFor(CALLER);
  if (!To && !(Block && isEarly(Block)))
    return (*NextRealloc)(Block, Bytes);
  if (Block && !Bytes) {
    free(Block);
    return nullptr;
  }
  size_t Old = From     ? Arena::bytesOf(Block)
               : !Block ? 0
               : isEarly(Block)
                   ? size_t(Early + sizeof(Early) - static_cast<char *>(Block))
                   : (*NextUsable)(Block);
  if (From && Bytes <= Old && Bytes >= Old / 4)
    return Block;
  void *New = given(To ? To->allocate(Bytes, 16) : (*NextMalloc)(Bytes));
  if (New && Block) {
    memcpy(New, Block, Old < Bytes ? Old : Bytes);
    free(Block);
  }
  return New;
}

static void *aligned(size_t Alignment, size_t Bytes, const void *Caller) {
  if (Arena *A = isPower(Alignment) ? arenaFor(Caller) : nullptr)
    return given(A->allocate(Bytes, Alignment));
  return (*NextMemalign)(Alignment, Bytes);
}

EXPORT void *memalign(size_t Alignment, size_t Bytes) {
  return aligned(Alignment, Bytes, CALLER);
}

EXPORT void *aligned_alloc(size_t Alignment, size_t Bytes) {
  return aligned(Alignment, Bytes, CALLER);
}

EXPORT void *valloc(size_t Bytes) { return aligned(4096, Bytes, CALLER); }

EXPORT int posix_memalign(void **Block, size_t Alignment, size_t Bytes) {
  if (!isPower(Alignment) || Alignment % sizeof(void *))
    return EINVAL;
  int Before = errno;
  void *New = aligned(Alignment, Bytes, CALLER);
  errno = Before;
  if (!New)
    return ENOMEM;
  *Block = New;
  return 0;
}

EXPORT size_t malloc_usable_size(void *Block) {
  if (Block && Arena::of(Block))
    return Arena::bytesOf(Block);
  return Block && !isEarly(Block) ? (*NextUsable)(Block) : 0;
}

/// For this library itself in a program that has no C++ library. Nothing of it
/// goes on without memory.
static void *ownNew(size_t Bytes, size_t Alignment) {
  void *Block = Alignment > 16 ? (*NextMemalign)(Alignment, Bytes)
                               : (*NextMalloc)(Bytes ? Bytes : 1);
  return Block ? Block : (abort(), nullptr);
}

// The mangled names of operator new and new[]: plain, nothrow, aligned, both.
// When an arena has no memory the real one decides what happens.
using Size = size_t;
#define NEW(NAME, PARAMETERS, ARGUMENTS, ALIGNMENT)                            \
  EXPORT void *NAME PARAMETERS {                                               \
    static Next<void *PARAMETERS> Real(#NAME);                                 \
    if (Arena *A = arenaFor(CALLER))                                           \
      if (void *Block = A->allocate(Bytes, ALIGNMENT))                         \
        return Block;                                                          \
    auto *Function = *Real;                                                    \
    return Function ? Function ARGUMENTS : ownNew(Bytes, ALIGNMENT);           \
  }

NEW(_Znwm, (Size Bytes), (Bytes), 16)
NEW(_Znam, (Size Bytes), (Bytes), 16)
NEW(_ZnwmRKSt9nothrow_t, (Size Bytes, const void *Tag), (Bytes, Tag), 16)
NEW(_ZnamRKSt9nothrow_t, (Size Bytes, const void *Tag), (Bytes, Tag), 16)
NEW(_ZnwmSt11align_val_t, (Size Bytes, Size Alignment), (Bytes, Alignment),
    Alignment)
NEW(_ZnamSt11align_val_t, (Size Bytes, Size Alignment), (Bytes, Alignment),
    Alignment)
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t,
    (Size Bytes, Size Alignment, const void *Tag), (Bytes, Alignment, Tag),
    Alignment)
NEW(_ZnamSt11align_val_tRKSt9nothrow_t,
    (Size Bytes, Size Alignment, const void *Tag), (Bytes, Alignment, Tag),
    Alignment)
