// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An allocator for LD_PRELOAD that replaces all of malloc's family and of
// operator new's, glibc's other names as well if FAMILY is defined, and ends the
// program when it is to free or measure what it has not allocated.
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MARK 0x6e6f74206f757273ULL

struct header {
  size_t size;
  uint64_t mark;
};

static char *arena, *arena_end;
static int lock;

static void complain(void) {
  static const char text[] = "strict-allocator: not my object\n";
  write(2, text, sizeof text - 1);
  _exit(86);
}

static void *allocate(size_t alignment, size_t size) {
  while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE))
    ;
  if (alignment < 16)
    alignment = 16;
  char *object = (char *)(((uintptr_t)arena + sizeof(struct header) + alignment - 1) &
                          -(uintptr_t)alignment);
  if (!arena || object + size > arena_end) {
    const size_t room = (size + alignment + (64 << 20)) & -(size_t)4096;
    arena = mmap(0, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
    if (arena == MAP_FAILED)
      _exit(87);
    arena_end = arena + room;
    object = (char *)(((uintptr_t)arena + sizeof(struct header) + alignment - 1) &
                      -(uintptr_t)alignment);
  }
  struct header *head = (struct header *)object - 1;
  head->size = size;
  head->mark = MARK;
  arena = object + size;
  __atomic_clear(&lock, __ATOMIC_RELEASE);
  return object;
}

static size_t size_of(void *object) {
  struct header *head = (struct header *)object - 1;
  if (head->mark != MARK)
    complain();
  return head->size;
}

static void release(void *object) {
  if (object)
    size_of(object);
}

static void *zeroed(size_t n, size_t size) { return allocate(16, n * size); }

static void *resize(void *object, size_t size) {
  void *moved = allocate(16, size);
  if (object)
    memcpy(moved, object, size_of(object) < size ? size_of(object) : size);
  return moved;
}

void *malloc(size_t size) { return allocate(16, size); }
void *calloc(size_t n, size_t size) { return zeroed(n, size); }
void *realloc(void *object, size_t size) { return resize(object, size); }
void *reallocarray(void *object, size_t n, size_t size) { return resize(object, n * size); }
void *memalign(size_t alignment, size_t size) { return allocate(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return allocate(alignment, size); }
void *valloc(size_t size) { return allocate(4096, size); }
void *pvalloc(size_t size) { return allocate(4096, size); }
int posix_memalign(void **object, size_t alignment, size_t size) {
  *object = allocate(alignment, size);
  return 0;
}
void free(void *object) { release(object); }
size_t malloc_usable_size(void *object) { return object ? size_of(object) : 0; }

// operator new and delete, by their mangled names.
void *_Znwm(size_t size) { return allocate(16, size); }
void *_Znam(size_t size) { return allocate(16, size); }
void *_ZnwmRKSt9nothrow_t(size_t size, void *no) { return allocate(16, size); }
void *_ZnamRKSt9nothrow_t(size_t size, void *no) { return allocate(16, size); }
void *_ZnwmSt11align_val_t(size_t size, size_t alignment) { return allocate(alignment, size); }
void *_ZnamSt11align_val_t(size_t size, size_t alignment) { return allocate(alignment, size); }
void *_ZnwmSt11align_val_tRKSt9nothrow_t(size_t size, size_t alignment, void *no) {
  return allocate(alignment, size);
}
void *_ZnamSt11align_val_tRKSt9nothrow_t(size_t size, size_t alignment, void *no) {
  return allocate(alignment, size);
}
void _ZdlPv(void *object) { release(object); }
void _ZdaPv(void *object) { release(object); }
void _ZdlPvm(void *object, size_t size) { release(object); }
void _ZdaPvm(void *object, size_t size) { release(object); }
void _ZdlPvRKSt9nothrow_t(void *object, void *no) { release(object); }
void _ZdaPvRKSt9nothrow_t(void *object, void *no) { release(object); }
void _ZdlPvSt11align_val_t(void *object, size_t alignment) { release(object); }
void _ZdaPvSt11align_val_t(void *object, size_t alignment) { release(object); }
void _ZdlPvmSt11align_val_t(void *object, size_t size, size_t alignment) { release(object); }
void _ZdaPvmSt11align_val_t(void *object, size_t size, size_t alignment) { release(object); }

#ifdef FAMILY
void *__libc_malloc(size_t size) { return allocate(16, size); }
void *__libc_calloc(size_t n, size_t size) { return zeroed(n, size); }
void *__libc_realloc(void *object, size_t size) { return resize(object, size); }
void *__libc_memalign(size_t alignment, size_t size) { return allocate(alignment, size); }
void __libc_free(void *object) { release(object); }
#endif
