/*===- graupel/numa_copies.h - Code that can read copies ----------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* What code compiled with graupel-numa.cfg and the runtime agree on. Memory that
|* may be replicated is in a window at a fixed address, or the program's
|* variables; the mapping of node N's copy is (index of N + 1) windows behind it.
|* A load whose base address is there adds the thread's distance to its node's
|* mapping; stores do not.
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_NUMA_COPIES_H
#define GRAUPEL_NUMA_COPIES_H

#include <stdint.h>

#define GRAUPEL_NUMA_WINDOW_SHIFT 36
#define GRAUPEL_NUMA_WINDOW_NUMBER 0x2a0 /* address >> shift */

/* Of the calling thread, bytes; 0: it reads what is written. */
#define GRAUPEL_NUMA_DISTANCE "graupel_numa_distance"

/* Where variables are that may have copies, a graupel_numa_range; no bytes if
   none may. Does not change after the program's first constructor. */
#define GRAUPEL_NUMA_DATA "graupel_numa_data"
typedef struct {
  uint64_t start, bytes;
} graupel_numa_range;
/* A variable with fewer bytes, as far as code can tell, reads what is written. */
#define GRAUPEL_NUMA_LEAST_DATA 16384

#endif
