// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Something of everything that has a section: calls of libraries, constants,
// initialized and other data, data of threads, a switch, constructors.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

int table[1000];
static char large[100000];
static __thread int ofThread = 3;
int (*chosen)(const void *, const void *) = compare;

__attribute__((constructor)) static void prepare(void) { ofThread += 4; }

__attribute__((noinline)) int mixed(int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; ++i)
    switch ((i * 7) % 9) {
    case 0: sum += i; break;
    case 1: sum ^= i; break;
    case 2: sum -= 3; break;
    case 3: sum *= 3; break;
    case 4: sum += 5; break;
    case 5: sum |= 1; break;
    case 6: sum += 11; break;
    default: --sum;
    }
  return sum;
}

int main(int argc, char **argv) {
  for (int i = 0; i < 1000; ++i)
    table[i] = (i * 7919) % 1000;
  qsort(table, 1000, sizeof(int), chosen);
  memset(large, 7, sizeof large);
  printf("%d %d %d %d\n", table[5], mixed(1000), large[77], ofThread);
  return 0;
}
