// REQUIRES: x86_64, gcc
// kill -9 loses nothing: the profile has what each process said it had counted,
// or the one more that it was about to say.
//
// RUN: rm -f %t.*
// RUN: %runtime-build %s -o %t.prog
// RUN: %t.prog > %t.counted && %profile %t.prog.profile > %t.sums
// RUN: %python -c "p=int(open(r'%t.counted').read()); n=int(open(r'%t.sums').read().split()[2]); assert p <= n <= p + 60, (p, n)"

#include "image.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { Rounds = 60 };

int main(int Count, char **Arguments) {
  volatile uint64_t *Said = mmap(NULL, 8 * Rounds, PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  uint64_t Sum = 0;
  for (int I = 0; I < Rounds; ++I) {
    pid_t Child = fork();
    if (Child == 0)
      while (1) {
        COUNT(0);
        ++Said[I];
      }
    // At a random time, which may be before the child has a slot.
    usleep(rand() % 5000);
    kill(Child, SIGKILL);
    waitpid(Child, NULL, 0);
    Sum += Said[I];
  }
  printf("%llu\n", (unsigned long long)Sum);
  return 0;
}
