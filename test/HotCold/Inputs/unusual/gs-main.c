// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <pthread.h>
#include <sys/syscall.h>
long getgs(long); 
static void *th(void *p) {
  long *b = calloc(1, 1 << 20); b[1] = 7; b[2] = (long)p; syscall(SYS_arch_prctl, 0x1001, b);
  unsigned long r = 0; for (int i = 0; i < 3000; i++) r = r * 3 + getgs(i & 1);
  for (int i = 3; i < (1 << 17); i++) if (b[i]) { printf("corrupt %d %ld\n", i, b[i]); break; }
  return (void *)r; }
int main() { pthread_t t; void *v; pthread_create(&t, 0, th, (void *)5); pthread_join(t, &v); printf("%ld %ld\n", (long)th((void *)9), (long)v); }
