//===- numa/Run/Allocation.cpp - malloc and its family --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interposes malloc, its family and operator new. Blocks of a site that the
// placement names are an arena's, all others the program's own allocator's.
//
// 1. malloc asks arenaFor for an arena by its return address and the size, and
//    allocates there. Without an arena it calls the next malloc. memalign and
//    its like do the same.
// 2. free and malloc_usable_size ask Arena::of whether a block is an arena's.
// 3. calloc takes blocks from the array Early while dlsym looks for the real
//    functions. These blocks are never given back.
// 4. realloc leaves an arena's block in its arena, in its place if the new size
//    is a quarter of the block or more and fits. A block of the program's
//    allocator moves to the arena of the caller, if there is one (moveBlock).
// 5. operator new calls the real one if the arena has no memory or there is no
//    arena. Without a C++ library, ownNew takes the block from the next malloc
//    or memalign.
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "Next.h"
#include "Sites.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>

using namespace graupel::numa;

__thread bool graupel::numa::Looking __attribute__((tls_model("initial-exec")));

namespace {

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

Next<void *(size_t)> NextMalloc("malloc");
Next<void(void *)> NextFree("free");
Next<void *(size_t, size_t)> NextCalloc("calloc");
Next<void *(void *, size_t)> NextRealloc("realloc");
Next<void *(size_t, size_t)> NextMemalign("memalign");
Next<void *(size_t, size_t)> NextAlignedAlloc("aligned_alloc");
Next<void *(size_t)> NextValloc("valloc");
Next<int(void **, size_t, size_t)> NextPosixMemalign("posix_memalign");
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
/// A tail call without anything to clean up: tools that count blocks by their
/// callers find the program's code, not this.
#define ON_BEHALF [[clang::musttail]]
#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT void *malloc(size_t Bytes) {
  if (arenaFor(CALLER, Bytes))
    return given(arenaFor(CALLER, Bytes)->allocate(Bytes, 16));
  ON_BEHALF return (*NextMalloc)(Bytes);
}

EXPORT void free(void *Block) {
  if (!Block || isEarly(Block))
    return;
  if (Arena *A = Arena::of(Block))
    return A->release(Block);
  (*NextFree)(Block);
}

static void *callocIn(Arena *A, size_t Count, size_t Bytes) {
  size_t All = 0;
  if (__builtin_mul_overflow(Count, Bytes, &All))
    return given(nullptr);
  return given(A->allocateZero(All));
}

EXPORT void *calloc(size_t Count, size_t Bytes) {
  if (__builtin_expect(Looking, false))
    return early(Count * Bytes);
  if (arenaFor(CALLER, Count * Bytes))
    return callocIn(arenaFor(CALLER, Count * Bytes), Count, Bytes);
  ON_BEHALF return (*NextCalloc)(Count, Bytes);
}

/// A block stays in its arena, or moves to the arena of the caller.
static void *moveBlock(void *Block, size_t Bytes, Arena *From, Arena *To) {
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

EXPORT void *realloc(void *Block, size_t Bytes) {
  if (Block && (Arena::of(Block) || isEarly(Block)))
    return moveBlock(Block, Bytes, Arena::of(Block), Arena::of(Block));
  if (arenaFor(CALLER, Bytes))
    return moveBlock(Block, Bytes, nullptr, arenaFor(CALLER, Bytes));
  ON_BEHALF return (*NextRealloc)(Block, Bytes);
}

EXPORT void *memalign(size_t Alignment, size_t Bytes) {
  if (isPower(Alignment) && arenaFor(CALLER, Bytes))
    return given(arenaFor(CALLER, Bytes)->allocate(Bytes, Alignment));
  ON_BEHALF return (*NextMemalign)(Alignment, Bytes);
}

EXPORT void *aligned_alloc(size_t Alignment, size_t Bytes) {
  if (isPower(Alignment) && arenaFor(CALLER, Bytes))
    return given(arenaFor(CALLER, Bytes)->allocate(Bytes, Alignment));
  ON_BEHALF return (*NextAlignedAlloc)(Alignment, Bytes);
}

EXPORT void *valloc(size_t Bytes) {
  if (arenaFor(CALLER, Bytes))
    return given(arenaFor(CALLER, Bytes)->allocate(Bytes, PageBytes));
  ON_BEHALF return (*NextValloc)(Bytes);
}

static int alignedIn(Arena *A, void **Block, size_t Alignment, size_t Bytes) {
  int Before = errno;
  void *New = A->allocate(Bytes, Alignment);
  errno = Before;
  if (!New)
    return ENOMEM;
  *Block = New;
  return 0;
}

EXPORT int posix_memalign(void **Block, size_t Alignment, size_t Bytes) {
  if (!isPower(Alignment) || Alignment % sizeof(void *))
    return EINVAL;
  if (arenaFor(CALLER, Bytes))
    return alignedIn(arenaFor(CALLER, Bytes), Block, Alignment, Bytes);
  ON_BEHALF return (*NextPosixMemalign)(Block, Alignment, Bytes);
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
// If an arena has no memory, the real operator handles that.
using Size = size_t;
#define LIST(...) __VA_ARGS__
#define NEW(NAME, ALIGNMENT, ARGUMENTS, ...)                                   \
  static Next<void *(__VA_ARGS__)> Next##NAME(#NAME);                          \
  static void *NAME##In(Arena *A, __VA_ARGS__) {                               \
    if (void *Block = A ? A->allocate(Bytes, ALIGNMENT) : nullptr)             \
      return Block;                                                            \
    return *Next##NAME ? (*Next##NAME)ARGUMENTS : ownNew(Bytes, ALIGNMENT);    \
  }                                                                            \
  EXPORT void *NAME(__VA_ARGS__) {                                             \
    if (arenaFor(CALLER, Bytes) || !*Next##NAME)                               \
      return NAME##In(arenaFor(CALLER, Bytes), LIST ARGUMENTS);                \
    ON_BEHALF return (*Next##NAME)ARGUMENTS;                                   \
  }

NEW(_Znwm, 16, (Bytes), Size Bytes)
NEW(_Znam, 16, (Bytes), Size Bytes)
NEW(_ZnwmRKSt9nothrow_t, 16, (Bytes, Tag), Size Bytes, const void *Tag)
NEW(_ZnamRKSt9nothrow_t, 16, (Bytes, Tag), Size Bytes, const void *Tag)
NEW(_ZnwmSt11align_val_t, Alignment, (Bytes, Alignment), Size Bytes,
    Size Alignment)
NEW(_ZnamSt11align_val_t, Alignment, (Bytes, Alignment), Size Bytes,
    Size Alignment)
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, Alignment, (Bytes, Alignment, Tag),
    Size Bytes, Size Alignment, const void *Tag)
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, Alignment, (Bytes, Alignment, Tag),
    Size Bytes, Size Alignment, const void *Tag)
