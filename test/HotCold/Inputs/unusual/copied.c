// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that is copied by an inlined memcpy, and called there.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
typedef long (*fn)(long, long);
__attribute__((noinline)) long work(long a, long b) {
  long r = a;
  for (long i = 0; i < b; i++) {
    if (__builtin_expect((r & 1023) == 7, 0)) r = r * 5 - b + (r >> 3);
    r = r * 3 + i;
  }
  return r;
}
__attribute__((noinline)) long work_end(long a) { return a + 1; }
int main(int argc, char **argv) {
  char *room = mmap(0, 4096, PROT_READ|PROT_WRITE|PROT_EXEC, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0);
  memcpy(room, (void *)work, 256);   /* inlined: rep movs */
  long s = work_end(1);
  for (int i = 0; i < 1000; i++) s += work(i, i % 17);
  for (int i = 0; i < 1000; i++) s += ((fn)room)(i, i % 17);
  printf("%ld\n", s);
}
