// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How parts of a program see where they are. MARK says which build runs: it
// goes to standard error, and all that must not differ to standard output.
#ifndef VIEWS_H
#define VIEWS_H

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef MARK
#define MARK "original"
#endif

static void say_address(const char *who, void *inside) {
  Dl_info info;
  if (dladdr(inside, &info))
    printf("%s dladdr %s\n", who, info.dli_fname);
  fprintf(stderr, "%s %s\n", who, MARK);
}

#endif
