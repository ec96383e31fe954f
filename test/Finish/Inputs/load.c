// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads the library that the argument names and calls its function main.
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library)
    return fprintf(stderr, "%s\n", dlerror()), 1;
  int (*run)(int, char **) = (int (*)(int, char **))dlsym(library, "main");
  return run(argc, argv);
}
