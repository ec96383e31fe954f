//===- Memory/Malloc.cpp - Our heap in the place of the C library's -------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small objects of the whole process come from SmallObjects, everything else
// from glibc, which allows a program to define these functions ("Replacing
// malloc" in its manual) and offers its own by other names. Whoever has them
// checked (a sanitizer), or another C library, keeps what it has.
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

/// What every object of glibc and of ours is aligned to.
static constexpr size_t Always = 16;

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

size_t malloc_usable_size(void *Object) {
  if (owns(Object))
    return roomOf(Object);
  // The only one that glibc does not offer by another name.
  static const auto Next = reinterpret_cast<size_t (*)(void *)>(
      dlsym(RTLD_NEXT, "malloc_usable_size"));
  return Next(Object);
}
}

// Those of the C++ library would do the same, behind a few more calls.
void *operator new(size_t Size) {
  if (Size <= MaxSmall)
    if (void *Object = allocate(Size))
      return Object;
  for (;;) {
    if (void *Object = __libc_malloc(Size ? Size : 1))
      return Object;
    const std::new_handler Handler = std::get_new_handler();
    if (!Handler)
      std::abort(); // Compiled without exceptions, as LLVM is.
    Handler();
  }
}

void *operator new[](size_t Size) { return operator new(Size); }
void operator delete(void *Object) noexcept { free(Object); }
void operator delete[](void *Object) noexcept { free(Object); }
void operator delete(void *Object, size_t) noexcept { free(Object); }
void operator delete[](void *Object, size_t) noexcept { free(Object); }

#endif
