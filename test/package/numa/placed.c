/* Interleaves memory and asks where it is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include <graupel/numa.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  struct graupel_numa_policy policy = {.kind = GRAUPEL_NUMA_INTERLEAVE};
  struct graupel_numa_report report;
  size_t bytes = 64 * 4096;
  char *memory = graupel_numa_alloc(bytes, &policy);
  if (!memory) {
    fprintf(stderr, "%s\n", graupel_numa_message());
    return 1;
  }
  memset(memory, 1, bytes);
  int result = graupel_numa_verify(memory, bytes, &report, NULL, NULL);
  printf("%zu of %zu pages right%s\n", report.right, report.pages,
         result == GRAUPEL_NUMA_TRIVIAL ? " (trivial)" : "");
  graupel_numa_free(memory, bytes);
  return result < 0;
}
