// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// forever: works, and prints what came of it.
// forever FIFO: leaves a daemon behind that works, too, says so through FIFO, and
// lives until somebody has read that and written to it.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile long done;

__attribute__((noinline)) static long work(long rounds) {
  long sum = 0;
  ++done;
  for (long i = 0; i < rounds; ++i)
    sum += i % 3 ? i : -i;
  return sum;
}

int main(int argc, char **argv) {
  if (argc < 2) {
#ifdef OTHER
    printf("other\n");
#else
    printf("%ld\n", work(1000));
#endif
    return 0;
  }
  if (fork())
    _exit(0);
  setsid();
  long sum = work(1000);
  int file = open(argv[1], O_WRONLY);
  dprintf(file, "%ld\n", sum);
  close(file);
  close(0), close(1), close(2);
  file = open(argv[1], O_RDONLY);
  char byte;
  read(file, &byte, 1);
  work(1000);
  _exit(0);
}
