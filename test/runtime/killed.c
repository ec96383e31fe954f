// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
// kill -9 loses nothing: the profile has what each process said it had counted,
// or the one more that it was about to say.
//
// RUN: rm -f %t.*
// RUN: %runtime-build %s -o %t.prog
// RUN: %t.prog > %t.counted && %profile %t.prog.profile > %t.sums
// RUN: %python -c "p=int(open(r'%t.counted').read()); n=int(open(r'%t.sums').read().split()[2]); assert p <= n <= p + 160, (p, n)"

#include "image.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { Rounds = 40, Width = 4 };

int main(int Count, char **Arguments) {
  volatile uint64_t *Said =
      mmap(NULL, 8 * Rounds * Width, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  uint64_t Sum = 0;
  for (int I = 0; I < Rounds * Width; I += Width) {
    pid_t Children[Width];
    for (int J = 0; J < Width; ++J)
      if ((Children[J] = fork()) == 0)
        while (1) {
          COUNT(0);
          ++Said[I + J];
        }
    // At random times, which may be before a child has its slot.
    for (int J = 0; J < Width; ++J) {
      usleep(rand() % 2000);
      kill(Children[J], SIGKILL);
    }
    for (int J = 0; J < Width; ++J) {
      waitpid(Children[J], NULL, 0);
      Sum += Said[I + J];
    }
  }
  printf("%llu\n", (unsigned long long)Sum);
  return 0;
}
