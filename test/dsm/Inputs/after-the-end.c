/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * at_end() has checks and waits in a loop. The destructor of a library that knows
 * nothing of Graupel calls it, when the node has finished. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef LIBRARY
void at_end(void);
__attribute__((destructor)) static void last(void) { at_end(); }
void nothing(void) {}
#elif defined(OUTER)
void nothing(void);
void outer(void) { nothing(); }
#else
#include <graupel/dsm.h>
void outer(void);

static char name[] = "flag-XXXXXX";
static volatile char *flag;

void at_end(void) {
  char command[80];
  snprintf(command, sizeof command, "(sleep 0.1; printf x 1<>%s) &", name);
  if (system(command))
    return;
  while (!*flag)
    __builtin_ia32_pause();
  unlink(name);
  printf("ended\n");
}

int main(void) {
  int file = mkstemp(name);
  if (file < 0 || ftruncate(file, 1))
    return 1;
  flag = mmap(NULL, 1, PROT_READ, MAP_SHARED, file, 0);
  outer();
  gdsm_barrier();
  return 0;
}
#endif
