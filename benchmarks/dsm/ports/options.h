/*===- options.h - What programs of this folder are asked for -----*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_DSM_PORTS_OPTIONS_H
#define GRAUPEL_DSM_PORTS_OPTIONS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Whether the input is to be the larger one; ends the program if it is asked
    for anything else. */
static inline int is_middle(int argc, char **argv) {
  int middle = 0;
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "--size=middle")) {
      middle = 1;
    } else if (strcmp(argv[i], "--size=small")) {
      fprintf(stderr, "usage: %s [--size=small|middle]\n", argv[0]);
      exit(1);
    }
  return middle;
}

#endif
