/*===- runtime.c - What strips promise, checked --------------------------===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Linked to programs that StripCheck instrumented. Fails if
|*   - a covered access lies outside of its range, or its range was not announced
|*     since the last call that may have polled, or allows loads only;
|*   - a range was announced of which more than 32 bytes in one piece were not
|*     accessed (or not stored to) before the next one: a block fetched for nothing,
|*     unless the code has asked whether the range is valid anyway;
|*   - a range is longer than it may be, or there are too many accesses in a row
|*     without a poll.
|* Prints how many accesses were covered and how many were not.
|*
\*===----------------------------------------------------------------------===*/

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 64, IDS = 512, LONGEST = 4096,
       LONGEST_AREA = 8192, GAP = 32 };

static struct range {
  const char *start;
  uint64_t bytes;
  bool store, alive, announced, area;
  unsigned char touched[LONGEST_AREA];
} ranges[FUNCTIONS][IDS];

static uint64_t covered, uncovered, announced, polls;

static void fail(const char *what, uint64_t function, uint64_t id,
                 const void *p, uint64_t bytes) {
  const struct range *r = &ranges[function][id];
  fflush(stdout);
  fprintf(stderr,
          "strip-check: %s: function %lu range %lu [%p, +%lu), access [%p, +%lu)\n",
          what, (unsigned long)function, (unsigned long)id, (void *)r->start,
          (unsigned long)r->bytes, p, (unsigned long)bytes);
  _Exit(70);
}

static void finish(uint64_t function, uint64_t id) {
  struct range *r = &ranges[function][id];
  uint64_t run = 0;
  if (!r->announced || r->area)
    return;
  for (uint64_t i = 0; i != r->bytes; ++i) {
    run = r->touched[i] ? 0 : run + 1;
    if (run > GAP)
      fail("fetched for nothing", function, id, r->start + i, 1);
  }
  r->announced = false;
}

void strip_range(const void *start, uint64_t bytes, bool store, uint64_t id,
                 uint64_t function) {
  if (function >= FUNCTIONS || id >= IDS)
    abort();
  finish(function, id);
  struct range *r = &ranges[function][id];
  r->start = start;
  r->bytes = bytes;
  r->store = store;
  r->alive = r->announced = true;
  if (bytes == 0 || bytes > (r->area ? LONGEST_AREA : LONGEST))
    fail("range too long", function, id, start, bytes);
  memset(r->touched, 0, bytes);
  ++announced;
}

/** Whether the range is not valid at the moment; for a change it is. */
bool strip_refused(const void *start, uint64_t bytes, bool store, uint64_t id,
                   uint64_t function) {
  static uint64_t turn;
  (void)start, (void)bytes, (void)store;
  if (function >= FUNCTIONS || id >= IDS)
    abort();
  ranges[function][id].area = true;
  return ++turn % 3 == 0;
}

void strip_access(const void *p, uint64_t bytes, bool store, uint64_t id,
                  uint64_t function) {
  if (!id) {
    ++uncovered;
    return;
  }
  ++covered;
  struct range *r = &ranges[function][id];
  uint64_t offset = (const char *)p - r->start;
  if (!r->alive)
    fail("range is not valid any more", function, id, p, bytes);
  if (store && !r->store)
    fail("store to a range for loads", function, id, p, bytes);
  if (offset > r->bytes || bytes > r->bytes - offset)
    fail("access outside of its range", function, id, p, bytes);
  if (store || !r->store)
    memset(r->touched + offset, 1, bytes);
}

void strip_poll(void) { ++polls; }

/** The programs' call that may poll. */
double outside(double x) {
  static double t;
  for (unsigned f = 0; f != FUNCTIONS; ++f)
    for (unsigned i = 0; i != IDS; ++i)
      ranges[f][i].alive = false;
  return t = t * 0.5 + x;
}

static void __attribute__((destructor)) end(void) {
  for (unsigned f = 0; f != FUNCTIONS; ++f)
    for (unsigned i = 0; i != IDS; ++i)
      finish(f, i);
  fprintf(stderr, "strip-check: covered %lu uncovered %lu ranges %lu polls %lu\n",
          (unsigned long)covered, (unsigned long)uncovered,
          (unsigned long)announced, (unsigned long)polls);
}
