/*===- graupel/numa_copies.h - Code that can read copies ----------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* What code compiled with graupel-numa.cfg and the runtime agree on. Memory that
|* may be replicated is in a window at a fixed address; the mapping of node N's
|* copy is (index of N + 1) windows behind it. A load whose base address is in
|* the window adds the thread's distance to its node's mapping; stores do not.
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_NUMA_COPIES_H
#define GRAUPEL_NUMA_COPIES_H

#define GRAUPEL_NUMA_WINDOW_SHIFT 36
#define GRAUPEL_NUMA_WINDOW_NUMBER 0x2a0 /* address >> shift */

/* Of the calling thread, bytes; 0: it reads what is written. */
#define GRAUPEL_NUMA_DISTANCE "graupel_numa_distance"

#endif
