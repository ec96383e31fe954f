// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A file that was compiled without the configuration, as a whole: it starts
   threads with its own function, or, with -DGLOBAL, defines a shared variable. */
#include <graupel/dsm.h>

#ifdef GLOBAL
GDSM_GLOBAL long sum;
#endif

static void work(void *unused) {}

void start(void) { gdsm_parallel(work, 0); }
