/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>
#include <string.h>
static int calls;
__attribute__((constructor)) static void start(void) { calls = 1; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int library_sum(const char *text) {
  int letters[64], n = 0, sum = 0;
  for (size_t i = 0; i < strlen(text) && n < 64; ++i)
    if (text[i] != ' ')
      letters[n++] = text[i];
  qsort(letters, n, sizeof(int), compare);
  for (int i = 0; i < n; ++i)
    sum += letters[i] * i;
  return sum + calls++;
}
