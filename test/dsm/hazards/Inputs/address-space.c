// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* See ../h-12-address-space.test. */
#include "checked.h"
#include <sys/mman.h>

/* Every mapping larger than any memory is left out of core dumps. */
static void dumps(void) {
  FILE *f = fopen("/proc/self/smaps", "r");
  char line[512];
  unsigned long start, end, huge = 0, dumped = 0, size = 0;
  char access[5] = "";
  while (fgets(line, sizeof line, f)) {
    if (sscanf(line, "%lx-%lx %4s", &start, &end, access) == 3)
      size = end - start;
    if (strncmp(line, "VmFlags:", 8) == 0 && size >= 1ul << 32 &&
        access[0] == 'r') {
      ++huge;
      dumped += !strstr(line, " dd");
    }
  }
  fclose(f);
  CHECK(huge > 0 && dumped == 0);
}

static void maps(void) {
  char *shared = (char *)gdsm_alloc(1 << 20, 64, GDSM_HOME_ROUND_ROBIN);
  STORE(shared, 1);
  for (int i = 0; i < 100; ++i) {
    size_t size = (size_t)(i % 7 + 1) << 20;
    char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(p != MAP_FAILED);
    for (size_t at = 0; at < size; at += 4096)
      STORE(&p[at], 1);
    p = mremap(p, size, 2 * size, MREMAP_MAYMOVE);
    CHECK(p != MAP_FAILED && LOAD(&p[size - 4096]) == 1);
    CHECK(mprotect(p, size, PROT_READ) == 0 && LOAD(p) == 1);
    CHECK(munmap(p, 2 * size) == 0);
  }
  char *grown = malloc(100);
  STORE(&grown[99], 5);
  grown = realloc(grown, 10 << 20);
  CHECK(LOAD(&grown[99]) == 5);
  free(grown);
  CHECK(LOAD(shared) == 1);
}

int main(int argc, char **argv) {
  (void)argc;
  if (strcmp(argv[1], "maps") == 0) {
    maps();
    dumps();
  } else {
    char *shared = (char *)gdsm_malloc(100);
    STORE(shared + ((size_t)9 << 30), 1);
  }
  gdsm_barrier();
  return 0;
}
