// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-2: code that is not compiled with checks and gets a pointer that may be shared. The
   common functions of the C library are replaced; other calls are diagnosed, and with
   -fgdsm-strict are errors; so is assembly. What was replaced works on what another node
   has.
   Breaks if LibraryCalls.cpp forgets a name, or its wrapper passes the pointer on.

   REQUIRES: graupel-dsm
   RUN: clang --config=%graupel-build/share/graupel/graupel-dsm.cfg -O2 %s -o %t
   RUN: %dsm-run -n 2 %t | FileCheck %s
   RUN: clang --config=%graupel-build/share/graupel/graupel-dsm.cfg -O2 -DBAD -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=BAD
   RUN: not clang --config=%graupel-build/share/graupel/graupel-dsm.cfg -O2 -DBAD -mllvm -fgdsm-strict -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=BAD
   CHECK: a line of node 1
   BAD-DAG: call of 'setvbuf' with a pointer that may be shared
   BAD-DAG: inline assembly with a pointer that may be shared
*/
#include "graupel/dsm.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef BAD
int bad(const char *p) {
  __asm__ volatile("movb $1, (%0)" : : "r"(p) : "memory");
  setvbuf(stdout, (char *)p, _IOFBF, 100);
  return 0;
}
#endif

int main(void) {
  char *line = NULL;
  if (gdsm_node() == 0)
    line = (char *)gdsm_alloc(100, 32, 1);
  gdsm_broadcast(&line, sizeof line, 0);
  if (gdsm_node() == 1)
    strcpy(line, "a line of node 1");
  gdsm_barrier();
  int wrong = gdsm_node() == 0 &&
              (strlen(line) != 16 || strcmp(line, "a line of node 1") != 0 || puts(line) < 0);
  gdsm_barrier();
  return wrong;
}
