// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls both versions of a symbol of the library that is named.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

int main(int Argc, char **Argv) {
  (void)Argc;
  void *Library = dlopen(Argv[1], RTLD_NOW);
  int (*First)(int) = (int (*)(int))dlvsym(Library, "number", "FIRST");
  int (*Second)(int) = (int (*)(int))dlsym(Library, "number");
  printf("%d %d\n", First(1), Second(1));
  return 0;
}
