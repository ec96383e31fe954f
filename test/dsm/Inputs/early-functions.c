/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Code that the loader calls before the runtime is there: -DCLONES, -DINDIRECT, -DBEFORE, and with
   -DALLOCATOR the program's own malloc, of which libraries are the first callers. */
#include <graupel/dsm.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if CLONES
__attribute__((target_clones("avx2", "default")))
#endif
long sum(const int *a, int n)
#if INDIRECT
    __attribute__((ifunc("pick")));
typedef long function(const int *, int);
static int versions;
static long plain(const int *a, int n)
#endif
{
  long s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}
#if INDIRECT
__attribute__((noinline)) static int find(const char *name, char c) {
  int at = 0;
  while (name[at] != c)
    at++;
  return at;
}
static function *pick(void) {
  versions += find("plain", 'n');
  return plain;
}
#endif

#if BEFORE
static volatile long length;
static long length_of(const char *s) {
  long n = 0;
  while (s[n])
    n++;
  return n;
}
static void before(int argc, char **argv, char **environment) {
  for (int i = 0; environment[i]; i++)
    length += length_of(environment[i]);
}
__attribute__((section(".preinit_array"), used)) static void (*run)(int, char **, char **) = before;
#endif

#if ALLOCATOR
static char pool[64 << 20] __attribute__((aligned(16)));
static size_t used;
struct header {
  size_t size, unused;
};
void *malloc(size_t n) {
  n = (n + 31) & ~15ul;
  size_t at = __atomic_fetch_add(&used, n + 16, __ATOMIC_RELAXED);
  if (at + n + 16 > sizeof pool)
    return NULL;
  struct header *h = (struct header *)(pool + at);
  h->size = n;
  return h + 1;
}
void free(void *p) {}
void *calloc(size_t count, size_t size) {
  char *p = malloc(count * size);
  for (size_t i = 0; p && i < count * size; i++)
    p[i] = 0;
  return p;
}
void *realloc(void *old, size_t n) {
  char *p = malloc(n);
  if (old && p) {
    size_t size = ((struct header *)old - 1)->size;
    for (size_t i = 0; i < size && i < n; i++)
      p[i] = ((char *)old)[i];
  }
  return p;
}
void *aligned_alloc(size_t alignment, size_t n) {
  char *p = malloc(n + alignment);
  return (void *)(((size_t)p + alignment - 1) & -alignment);
}
void *memalign(size_t alignment, size_t n) { return aligned_alloc(alignment, n); }
int posix_memalign(void **result, size_t alignment, size_t n) {
  *result = aligned_alloc(alignment, n);
  return 0;
}
#endif

static int *a;

static void work(void *unused) {
  if (gdsm_node() == 0)
    for (int i = 0; i < 5000; i++)
      a[i] = i;
  gdsm_barrier();
  char *text = strdup("text");
  text = realloc(text, 100000);
  printf("%ld %s\n", sum(a, 5000), text);
  free(text);
  gdsm_barrier();
}

int main(void) {
#if BEFORE
  if (length == 0)
    return 1;
#endif
#if INDIRECT
  if (versions == 0)
    return 1;
#endif
  if (gdsm_node() == 0)
    a = gdsm_alloc(5000 * sizeof *a, 0, 0);
  gdsm_broadcast(&a, sizeof a, 0);
  gdsm_parallel(work, NULL);
}
