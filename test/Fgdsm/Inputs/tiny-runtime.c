/*===- tiny-runtime.c - A hostile runtime for one process ------------------===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*\
|*
|* Implements graupel/dsm_checks.h without any other node. At each handshake
|* point it takes away what it may: blocks outside of the set that it is handed
|* are overwritten with the sentinel, and come back when they are asked for. Code
|* with a missing check, or with a set that lacks a range, computes nonsense or
|* stores where it may not, which is found out.
|*
|*   GDSM_TINY=hostile   all that may be taken is taken, each poll is made
|*            =random    some of it, some of them (GDSM_TINY_SEED)
|*            =calm      nothing; all memory is always valid
|*   GDSM_TINY_BLOCK=N   bytes of a block, 32 to 4096; 32
|*   GDSM_TINY_REPORT=1  counts, at the end, on stderr
|*
|* To be compiled with clang -O2 -mgeneral-regs-only -fno-builtin: the entries
|* may change no register.
|*
\*===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include "graupel/dsm.h"
#include "graupel/dsm_checks.h"
#include <asm/prctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The header declares the entries without their calling convention. */
#define ENTRY __attribute__((preserve_all))
#define GRANULE 32ul
#define PAGE 4096ul
#define HEAP 0x1000000000ul
#define HEAP_BYTES (16ul << 20)

/* Memory that is taken away: the heap, and the globals if they are shared. */
struct region {
  unsigned char *start;
  size_t blocks;
  unsigned char *copy;  /* Contents of what is not valid. */
  uint64_t *asked;      /* By block: the last handshake that asked for it. */
  unsigned char *store; /* And whether for stores. */
};

extern char __start_gdsm_globals[] __attribute__((weak));
extern char __stop_gdsm_globals[] __attribute__((weak));

static struct region regions[2];
static unsigned nregions;
static unsigned char *tags;
static size_t block = GRANULE;
static int hostile = 1, reported;
static uint64_t seed = 1, handshake;
static size_t heap_used;
/* Blocks that are valid now. */
static struct held {
  struct region *region;
  size_t index;
} *held;
static size_t nheld;
static uint64_t loads, stores, acquires, polls, taken, given;

static void die(const char *what, const void *address) {
  fprintf(stderr, "tiny runtime: %s at %p\n", what, address);
  fflush(stderr);
  _exit(99);
}

static uint64_t draw(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return seed;
}

/* One in n. */
static int chance(unsigned n) { return hostile == 1 || draw() % n == 0; }

static unsigned char *address(struct region *r, size_t index) {
  return r->start + index * block;
}

static unsigned char *tag_of(const void *p) {
  return tags + ((uintptr_t)p >> GRAUPEL_DSM_GRANULE_SHIFT);
}

static void set_summary(uintptr_t page) {
  unsigned char summary = GRAUPEL_DSM_TAG_READ_WRITE;
  for (size_t at = 0; at < PAGE; at += GRANULE) {
    unsigned char tag = *tag_of((void *)(page + at));
    if (tag & 0x80)
      summary = GRAUPEL_DSM_TAG_INVALID;
    else if (tag && !summary)
      summary = GRAUPEL_DSM_TAG_READ_ONLY;
  }
  tags[~(intptr_t)page >> GRAUPEL_DSM_PAGE_SHIFT] = summary;
}

static void set_tag(struct region *r, size_t index, unsigned char tag) {
  unsigned char *p = address(r, index);
  for (size_t at = 0; at < block; at += GRANULE)
    *tag_of(p + at) = tag;
  set_summary((uintptr_t)p & -PAGE);
}

static int same(const unsigned char *a, const unsigned char *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (((volatile const unsigned char *)a)[i] != b[i])
      return 0;
  return 1;
}

static void copy(unsigned char *to, const unsigned char *from, size_t n) {
  for (size_t i = 0; i < n; i++)
    ((volatile unsigned char *)to)[i] = from[i];
}

static void overwrite(unsigned char *p) {
  for (size_t at = 0; at < block; at += 4)
    *(volatile uint32_t *)(p + at) = GRAUPEL_DSM_SENTINEL;
}

static void take(struct region *r, size_t index, int all) {
  unsigned char *p = address(r, index);
  if (*tag_of(p) == GRAUPEL_DSM_TAG_READ_WRITE)
    copy(r->copy + index * block, p, block);
  else if (!same(p, r->copy + index * block, block))
    die("a store into read-only memory", p);
  taken++;
  if (!all) {
    set_tag(r, index, GRAUPEL_DSM_TAG_READ_ONLY);
    return;
  }
  set_tag(r, index, GRAUPEL_DSM_TAG_INVALID);
  overwrite(p);
}

static void give(struct region *r, size_t index, int store) {
  unsigned char *p = address(r, index), tag = *tag_of(p);
  if (tag == GRAUPEL_DSM_TAG_READ_WRITE ||
      (tag == GRAUPEL_DSM_TAG_READ_ONLY && !store))
    return;
  given++;
  if (tag == GRAUPEL_DSM_TAG_READ_ONLY) {
    if (!same(p, r->copy + index * block, block))
      die("a store into read-only memory", p);
  } else {
    for (size_t at = 0; at < block; at += 4)
      if (*(uint32_t *)(p + at) != GRAUPEL_DSM_SENTINEL)
        die("a store into invalid memory", p + at);
    copy(p, r->copy + index * block, block);
    held[nheld].region = r;
    held[nheld++].index = index;
  }
  set_tag(r, index,
          store ? GRAUPEL_DSM_TAG_READ_WRITE : GRAUPEL_DSM_TAG_READ_ONLY);
}

/* All of the ranges are valid at the end; nothing else is. */
static void shake(const struct graupel_dsm_range *ranges, uint64_t count) {
  if (!hostile)
    return;
  handshake++;
  for (int giving = 0; giving < 2; giving++) {
    for (uint64_t i = 0; i < count; i++) {
      uintptr_t from = (uintptr_t)ranges[i].start;
      uintptr_t to = from + (ranges[i].size_and_store >> 1);
      int store = ranges[i].size_and_store & 1;
      for (unsigned n = 0; n < nregions; n++) {
        struct region *r = &regions[n];
        uintptr_t start = (uintptr_t)r->start, end = start + r->blocks * block;
        uintptr_t first = from < start ? start : from;
        uintptr_t last = to < end ? to : end;
        for (uintptr_t p = first & -block; first < last && p < last; p += block) {
          size_t index = (p - start) / block;
          if (giving) {
            give(r, index, r->store[index]);
            continue;
          }
          if (r->asked[index] != handshake)
            r->store[index] = 0;
          r->asked[index] = handshake;
          r->store[index] |= store;
        }
      }
    }
    if (giving)
      break;
    size_t kept = 0;
    for (size_t i = 0; i < nheld; i++) {
      struct region *r = held[i].region;
      size_t index = held[i].index;
      int asked = r->asked[index] == handshake;
      if (!asked && chance(8)) {
        take(r, index, 1);
        continue;
      }
      if (asked && !r->store[index] && chance(8) &&
          *tag_of(address(r, index)) == GRAUPEL_DSM_TAG_READ_WRITE)
        take(r, index, 0);
      held[kept++] = held[i];
    }
    nheld = kept;
  }
  tags[GRAUPEL_DSM_POLL_OFFSET] = chance(2);
  tags[GRAUPEL_DSM_REST_OFFSET] = chance(2);
}

ENTRY void tiny_load(const void *p, uint64_t size) __asm__("graupel_dsm_load");
void tiny_load(const void *p, uint64_t size) {
  loads++;
  struct graupel_dsm_range range = {p, size << 1};
  shake(&range, 1);
}

ENTRY void tiny_store(void *p, uint64_t size) __asm__("graupel_dsm_store");
void tiny_store(void *p, uint64_t size) {
  stores++;
  struct graupel_dsm_range range = {p, size << 1 | 1};
  shake(&range, 1);
}

/* More than code has. */
static struct graupel_dsm_range expanded[256];

static void expand(const uint64_t *words, const struct graupel_dsm_set *set) {
  if (set->count > sizeof expanded / sizeof *expanded)
    die("a large set", set);
  const struct graupel_dsm_described *d = set->ranges;
  for (uint32_t i = 0; i < set->count; i++, d++) {
    expanded[i].start = (const void *)words[i];
    expanded[i].size_and_store =
        d->size_and_store + (d->per_unit ? words[d->unit] * d->per_unit : 0);
  }
}

ENTRY void tiny_acquire_set(const uint64_t *words, const struct graupel_dsm_set *set) __asm__("graupel_dsm_acquire_set");
void tiny_acquire_set(const uint64_t *words, const struct graupel_dsm_set *set) {
  acquires++;
  expand(words, set);
  shake(expanded, set->count);
}

ENTRY void tiny_poll(void) __asm__("graupel_dsm_poll");
void tiny_poll(void) {
  polls++;
  shake(0, 0);
}

ENTRY void tiny_poll_acquire(const struct graupel_dsm_range *ranges, uint64_t count) __asm__("graupel_dsm_poll_acquire");
void tiny_poll_acquire(const struct graupel_dsm_range *ranges, uint64_t count) {
  polls++;
  shake(ranges, count);
}

ENTRY void tiny_poll_acquire_set(const uint64_t *words, const struct graupel_dsm_set *set) __asm__("graupel_dsm_poll_acquire_set");
void tiny_poll_acquire_set(const uint64_t *words, const struct graupel_dsm_set *set) {
  polls++;
  expand(words, set);
  shake(expanded, set->count);
}

/* Everything that is called here has checks, or gets what it may have. */
void tiny_guard(void) __asm__("graupel_dsm_guard");
void tiny_guard(void) {}

/* The section with shared globals is taken as it is. */
void tiny_check_globals(void) __asm__("graupel_dsm_check_globals");
void tiny_check_globals(void) {}

/*===-- The program's side -------------------------------------------------===*/

void *gdsm_alloc(size_t size, size_t unit, int home) {
  shake(0, 0);
  size_t align = unit < block ? block : unit;
  heap_used = (heap_used + align - 1) & -align;
  void *p = (void *)(HEAP + heap_used);
  heap_used += size;
  if (heap_used > HEAP_BYTES)
    die("out of memory", p);
  return p;
}

void *gdsm_malloc(size_t size) { return gdsm_alloc(size, 0, 0); }
void gdsm_free(void *memory) { shake(0, 0); }
int gdsm_node(void) { return 0; }
int gdsm_nodes(void) { return 1; }
int gdsm_thread(void) { return 0; }
int gdsm_threads(void) { return 1; }
void gdsm_barrier(void) { shake(0, 0); }

static void *map(void *at, size_t size) {
  void *p = mmap(at, size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
                     (at ? MAP_FIXED_NOREPLACE : 0),
                 -1, 0);
  if (p == MAP_FAILED)
    die("no memory", at);
  return p;
}

static void add_region(unsigned char *start, size_t size) {
  struct region *r = &regions[nregions++];
  r->start = start;
  r->blocks = size / block;
  r->copy = map(0, size + PAGE);
  r->asked = map(0, r->blocks * sizeof *r->asked + PAGE);
  r->store = map(0, r->blocks + PAGE);
}

static void report(void) {
  if (!reported++ && getenv("GDSM_TINY_REPORT"))
    fprintf(stderr,
            "loads %lu stores %lu acquires %lu polls %lu taken %lu given %lu\n",
            loads, stores, acquires, polls, taken, given);
}

__attribute__((constructor(101))) static void start(void) {
  const char *mode = getenv("GDSM_TINY"), *value;
  if (mode)
    hostile = !strcmp(mode, "hostile") ? 1 : !strcmp(mode, "random") ? 2 : 0;
  if ((value = getenv("GDSM_TINY_SEED")))
    seed = strtoul(value, 0, 0) * 0x9e3779b97f4a7c15ul | 1;
  if ((value = getenv("GDSM_TINY_BLOCK")))
    block = strtoul(value, 0, 0);

  size_t below = 1ul << (47 - GRAUPEL_DSM_PAGE_SHIFT);
  size_t above = 1ul << (47 - GRAUPEL_DSM_GRANULE_SHIFT);
  tags = (unsigned char *)map(0, below + above + PAGE) + below;
  if (syscall(SYS_arch_prctl, ARCH_SET_GS, tags))
    die("GS cannot be set", tags);
  atexit(report);
  map((void *)HEAP, HEAP_BYTES);
  if (!hostile)
    return;

  add_region((unsigned char *)HEAP, HEAP_BYTES);
  /* Whole blocks of the globals; they have their contents. */
  uintptr_t from = ((uintptr_t)__start_gdsm_globals + block - 1) & -block;
  uintptr_t to = (uintptr_t)__stop_gdsm_globals & -block;
  if (from < to)
    add_region((unsigned char *)from, to - from);
  size_t all = 0;
  for (unsigned n = 0; n < nregions; n++)
    all += regions[n].blocks;
  held = map(0, all * sizeof *held);
  for (size_t i = 0; nregions > 1 && i < regions[1].blocks; i++) {
    held[nheld].region = &regions[1];
    held[nheld++].index = i;
  }
  tags[GRAUPEL_DSM_POLL_OFFSET] = 1;
  tags[GRAUPEL_DSM_REST_OFFSET] = 1;
  /* The heap is invalid. */
  size_t heap = HEAP_BYTES;
  for (size_t at = 0; at < heap / block; at++) {
    unsigned char *p = address(&regions[0], at);
    for (size_t part = 0; part < block; part += GRANULE)
      *tag_of(p + part) = GRAUPEL_DSM_TAG_INVALID;
    overwrite(p);
  }
  for (size_t page = 0; page < heap; page += PAGE)
    tags[~(intptr_t)(HEAP + page) >> GRAUPEL_DSM_PAGE_SHIFT] =
        GRAUPEL_DSM_TAG_INVALID;
}
