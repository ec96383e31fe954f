//===- Memory/Malloc.cpp - Our heap in the place of the C library's -------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small objects of the whole process come from SmallObjects, everything else
// from glibc, which allows a program to define these functions ("Replacing
// malloc" in its manual) and offers its own by other names. With a sanitizer or
// another C library this file is empty.
//
// 1. malloc() and calloc() ask SmallObjects for up to MaxSmall bytes. glibc
//    serves larger objects, and all of them when SmallObjects has no memory
//    left.
// 2. free(), realloc() and malloc_usable_size() ask owns() whose object it is.
//    realloc() leaves an object in place if it still fits and does not shrink
//    to half of its room.
// 3. memalign() and its relatives: alignments up to 16 are those of malloc(),
//    larger ones are glibc's.
// 4. operator new calls the new handler until there is memory. Without a
//    handler it ends the process; the forms with std::nothrow return null.
//    operator delete is free().
//
// The family is replaced as a whole: a library that is loaded before the C
// library (LD_PRELOAD) may have its own version of a function that is missing
// here, and neither heap can free the objects of the other. Such a library may
// also have taken the other names of glibc's functions. Then it serves large
// objects, all of them.
//
//===----------------------------------------------------------------------===//

#include "SmallObjects.h"
#include "llvm/Support/Compiler.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <new>

#if defined(__GLIBC__) && !LLVM_ADDRESS_SANITIZER_BUILD &&                     \
    !LLVM_THREAD_SANITIZER_BUILD && !LLVM_MEMORY_SANITIZER_BUILD

using namespace graupel::memory;

extern "C" {

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

/// The alignment of every object, of glibc and of ours.
static constexpr size_t Always = 16;
static constexpr size_t PageSize = 4096;

void *malloc(size_t Size) {
  if (Size <= MaxSmall)
    if (void *Object = allocate(Size))
      return Object;
  return __libc_malloc(Size);
}

void free(void *Object) {
  if (owns(Object))
    return deallocate(Object);
  __libc_free(Object);
}

void *calloc(size_t N, size_t Size) {
  size_t Total;
  if (!__builtin_mul_overflow(N, Size, &Total) && Total <= MaxSmall)
    if (void *Object = allocate(Total))
      return std::memset(Object, 0, Total);
  return __libc_calloc(N, Size);
}

void *realloc(void *Object, size_t Size) {
  if (!Object)
    return malloc(Size);
  if (!owns(Object))
    return __libc_realloc(Object, Size);
  if (!Size) {
    deallocate(Object);
    return nullptr;
  }
  const size_t Room = roomOf(Object);
  // Shrinking is worth a move if it gives back half of it.
  if (Size <= Room && Size > Room / 2)
    return Object;
  void *Moved = malloc(Size);
  if (!Moved)
    return nullptr;
  std::memcpy(Moved, Object, std::min(Room, Size));
  deallocate(Object);
  return Moved;
}

void *memalign(size_t Alignment, size_t Size) {
  return Alignment <= Always ? malloc(std::max(Size, Alignment))
                             : __libc_memalign(Alignment, Size);
}

void *aligned_alloc(size_t Alignment, size_t Size) {
  return memalign(Alignment, Size);
}

int posix_memalign(void **Object, size_t Alignment, size_t Size) {
  if (Alignment % sizeof(void *) || (Alignment & (Alignment - 1)) || !Alignment)
    return EINVAL;
  void *New = memalign(Alignment, Size);
  if (!New)
    return ENOMEM;
  *Object = New;
  return 0;
}

void *valloc(size_t Size) { return memalign(PageSize, Size); }

void *pvalloc(size_t Size) {
  if (Size <= SIZE_MAX - PageSize)
    return memalign(PageSize, (Size + PageSize - 1) & ~(PageSize - 1));
  errno = ENOMEM;
  return nullptr;
}

void *reallocarray(void *Object, size_t N, size_t Size) {
  size_t Total;
  if (!__builtin_mul_overflow(N, Size, &Total))
    return realloc(Object, Total);
  errno = ENOMEM;
  return nullptr;
}

using SizeFunction = size_t (*)(void *);

/// malloc_usable_size() of the library that has __libc_malloc(): the only one
/// that has no other name.
static SizeFunction sizeFunction() {
  Dl_info Provider;
  void *Library = nullptr;
  if (dladdr(reinterpret_cast<void *>(__libc_malloc), &Provider))
    Library = dlopen(Provider.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  return reinterpret_cast<SizeFunction>(
      dlsym(Library ? Library : RTLD_NEXT, "malloc_usable_size"));
}

size_t malloc_usable_size(void *Object) {
  if (owns(Object))
    return roomOf(Object);
  static const SizeFunction Next = sizeFunction();
  return Next(Object);
}
}

/// Calls \p Allocate until it succeeds or there is nothing left to free.
template <typename Action> static void *insist(Action Allocate) {
  for (;;) {
    if (void *Object = Allocate())
      return Object;
    const std::new_handler Handler = std::get_new_handler();
    if (!Handler)
      return nullptr;
    Handler();
  }
}

static void *orAbort(void *Object) {
  if (!Object)
    std::abort(); // Compiled without exceptions, as LLVM is.
  return Object;
}

static void *newAligned(size_t Size, std::align_val_t Alignment) {
  return insist([=] {
    return memalign(static_cast<size_t>(Alignment), std::max<size_t>(Size, 1));
  });
}

// Those of the C++ library would do the same, behind a few more calls.
void *operator new(size_t Size) {
  if (Size <= MaxSmall)
    if (void *Object = allocate(Size))
      return Object;
  return orAbort(insist([=] { return __libc_malloc(Size ? Size : 1); }));
}
void *operator new(size_t Size, const std::nothrow_t &) noexcept {
  return insist([=] { return malloc(std::max<size_t>(Size, 1)); });
}
void *operator new(size_t Size, std::align_val_t Alignment) {
  return orAbort(newAligned(Size, Alignment));
}
void *operator new(size_t Size, std::align_val_t Alignment,
                   const std::nothrow_t &) noexcept {
  return newAligned(Size, Alignment);
}

void *operator new[](size_t Size) { return operator new(Size); }
void *operator new[](size_t Size, const std::nothrow_t &No) noexcept {
  return operator new(Size, No);
}
void *operator new[](size_t Size, std::align_val_t Alignment) {
  return operator new(Size, Alignment);
}
void *operator new[](size_t Size, std::align_val_t Alignment,
                     const std::nothrow_t &No) noexcept {
  return operator new(Size, Alignment, No);
}

#define GRAUPEL_DELETE(...)                                                    \
  void operator delete(void *Object, ##__VA_ARGS__) noexcept { free(Object); } \
  void operator delete[](void *Object, ##__VA_ARGS__) noexcept { free(Object); }
GRAUPEL_DELETE()
GRAUPEL_DELETE(size_t)
GRAUPEL_DELETE(const std::nothrow_t &)
GRAUPEL_DELETE(std::align_val_t)
GRAUPEL_DELETE(size_t, std::align_val_t)
GRAUPEL_DELETE(std::align_val_t, const std::nothrow_t &)
#undef GRAUPEL_DELETE

#endif
