// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two large blocks; where their pages are.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { Pages = 64, PageBytes = 4096 };

static void show(const char *name, char *block) {
  int on[4] = {0};
  // The pages at its ends may be others', too.
  char *first = (char *)(((unsigned long)block + PageBytes - 1) & -PageBytes);
  for (int n = 0; n < Pages - 1; ++n) {
    void *page = first + n * PageBytes;
    int node = -1;
    syscall(SYS_move_pages, 0, 1ul, &page, NULL, &node, 0);
    if (node >= 0 && node < 4)
      ++on[node];
  }
  printf("%s: %d %d %d %d\n", name, on[0], on[1], on[2], on[3]);
}

int main(void) {
  char *first = malloc(Pages * PageBytes); // FIRST
  char *second = malloc(Pages * PageBytes); // SECOND
  memset(first, 1, Pages * PageBytes);
  memset(second, 2, Pages * PageBytes);
  show("first", first);
  show("second", second);
  free(first);
  free(second);
  return 0;
}
