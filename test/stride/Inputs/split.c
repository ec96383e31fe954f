// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array of structures of which one loop uses two members, and another one,
// seldom, two more. With -DSPLIT the two first have an array of their own.

#include <stdio.h>
#include <stdlib.h>

#define KERNEL __attribute__((noinline))
#define BODIES 20000L

#ifdef SPLIT
struct Hot {
  double x, mass;
};
struct Body {
  double vx, vy, name[4];
};
static struct Hot *hot;
#define HOT(i) hot[i]
#else
struct Body {
  double x, vx, vy, mass, name[4];
};
#define HOT(i) bodies[i]
#endif
static struct Body *bodies;

KERNEL void begin(long n) {
  for (long i = 0; i < n; ++i) {
    HOT(i).x = (double)i;
    HOT(i).mass = 2;
  }
}

KERNEL double pull(long n) {
  double s = 0;
  __asm__ volatile("" ::: "memory"); // Each round does it again.
  for (long i = 0; i < n; ++i)
    s += HOT(i).x * HOT(i).mass;
  return s;
}

KERNEL double energy(long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += bodies[i].vx * bodies[i].vx + bodies[i].vy;
  return s;
}

int main(void) {
  bodies = calloc(BODIES, sizeof *bodies);
#ifdef SPLIT
  hot = calloc(BODIES, sizeof *hot);
#endif
  double s = 0;
  begin(BODIES);
  for (int round = 0; round < 20; ++round)
    s += pull(BODIES);
  s += energy(BODIES);
  printf("%.0f\n", s);
  return 0;
}
