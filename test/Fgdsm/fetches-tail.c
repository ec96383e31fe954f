// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What GDSM_FETCHES holds is released behind the call, which a call that must be the
   function's last thing does not allow.

   RUN: not clang -O2 -g -I%graupel-source/runtime/include -fpass-plugin=%passes -c %s -o %t.o 2>&1 | FileCheck %s
   RUN: clang -O2 -DORDINARY -I%graupel-source/runtime/include -fpass-plugin=%passes -c %s -o %t.o
*/
#include <graupel/dsm.h>
#ifdef ORDINARY
#define musttail
#else
#define musttail __attribute__((musttail))
#endif
GDSM_FETCHES int fetched(int *p);
// CHECK: fetches-tail.c:[[#@LINE+1]]:{{.*}}'fetched' is GDSM_FETCHES, so its memory is released behind the call, which {{\[\[}}clang::musttail{{\]\]}} does not allow; take the attribute away, or call gdsm_fetch and gdsm_release around the call
int last(int *p) { musttail return fetched(p); }
