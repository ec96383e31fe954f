// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-2: code that is not compiled with checks and gets a pointer that is shared. The
   common functions of the C library are replaced; other calls, and assembly, end the
   job with a message if the memory is shared (test/dsm/unknown-code.test has more).
   What was replaced works on what another node has.
   Breaks if LibraryCalls.cpp forgets a name, or its wrapper passes the pointer on.

   REQUIRES: graupel-dsm
   RUN: clang --config=%graupel-build/share/graupel/graupel-dsm.cfg -O2 %s -o %t
   RUN: %dsm-run -n 2 %t | FileCheck %s
   RUN: not %dsm-run -n 2 %t buffer 2>&1 | FileCheck %s --check-prefix=BUFFER
   RUN: not %dsm-run -n 2 %t assembly 2>&1 | FileCheck %s --check-prefix=ASSEMBLY
   CHECK: a line of node 1
   BUFFER: shared memory ({{.*}}) to 'setvbuf'{{.*}}, which is not made for it: a stream's buffer must be private
   ASSEMBLY: gives inline assembly shared memory
*/
#include "graupel/dsm.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void bad(char *p, const char *way) {
  if (strcmp(way, "buffer") == 0)
    setvbuf(stdout, p, _IOFBF, 100);
  else
    __asm__ volatile("movb $1, (%0)" : : "r"(p) : "memory");
}

int main(int argc, char **argv) {
  char *line = NULL;
  if (gdsm_node() == 0)
    line = (char *)gdsm_alloc(100, 32, 1);
  gdsm_broadcast(&line, sizeof line, 0);
  if (argc > 1)
    bad(line, argv[1]);
  if (gdsm_node() == 1)
    strcpy(line, "a line of node 1");
  gdsm_barrier();
  int wrong = gdsm_node() == 0 &&
              (strlen(line) != 16 || strcmp(line, "a line of node 1") != 0 || puts(line) < 0);
  gdsm_barrier();
  return wrong;
}
