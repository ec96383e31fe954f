// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An application of four libraries: three are linked, one is opened.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned first(unsigned), second(unsigned), third(unsigned);

static unsigned opened(const char *Program, unsigned X) {
  char Path[4096];
  char *Slash = strrchr(Program, '/');
  snprintf(Path, sizeof(Path), "%.*s/../lib/libfourth.so",
           (int)(Slash ? Slash - Program : 1), Slash ? Program : ".");
  void *Library = dlopen(Path, RTLD_NOW);
  if (!Library) {
    fprintf(stderr, "%s\n", dlerror());
    exit(3);
  }
  unsigned (*Fourth)(unsigned);
  *(void **)&Fourth = dlsym(Library, "fourth");
  return Fourth(X);
}

int main(int Argc, char **Argv) {
  unsigned Sum = 0, Count = Argc > 1 ? (unsigned)atoi(Argv[1]) : 1000;
  for (unsigned I = 0; I < Count; ++I)
    Sum += first(I) ^ second(I) ^ third(I);
  printf("%u %u\n", Sum, opened(Argv[0], Count));
  return 0;
}
