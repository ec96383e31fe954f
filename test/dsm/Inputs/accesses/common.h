/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What operations of generate.py are made of; PREFIX is shared_ or plain_. */
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

typedef unsigned v16 __attribute__((vector_size(16)));
typedef unsigned v32 __attribute__((vector_size(32)));
typedef unsigned v64 __attribute__((vector_size(64)));
typedef v16 v16u __attribute__((aligned(1)));
typedef v32 v32u __attribute__((aligned(1)));
typedef v64 v64u __attribute__((aligned(1)));
#define PACKED(t) typedef struct { t v; } __attribute__((packed)) t##p
PACKED(uint8_t);
PACKED(uint16_t);
PACKED(uint32_t);
PACKED(uint64_t);

static inline uint64_t digest(const void *p, long n) {
  uint64_t d = 0xcbf29ce484222325u;
  for (long i = 0; i < n; ++i)
    d = (d ^ ((const uint8_t *)p)[i]) * 0x100000001b3u;
  return d;
}
/* A number that the compiler does not know. */
static inline long var(long n) {
  __asm__("" : "+r"(n));
  return n;
}

#define PASTE(a, b) a##b
#define PASTE2(a, b) PASTE(a, b)
#define N(name) PASTE2(PREFIX, name)
#define DB(p, n) (d = d * 31 + digest(p, n))
#define D(x) \
  do { \
    __typeof__(x) read_ = (x); \
    DB(&read_, sizeof read_); \
  } while (0)
