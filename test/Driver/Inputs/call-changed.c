// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls entry() of the library that the argument names.
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *library = dlopen(argv[1], RTLD_NOW);
  int (*entry)(int) = library ? (int (*)(int))dlsym(library, "entry") : 0;
  if (!entry)
    return puts(dlerror()), 1;
  return printf("%d %d\n", entry(3), entry(8)) < 0;
}
