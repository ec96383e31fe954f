// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc
// A library has a profile of its own, and can be unloaded, also before a fork.
//
// RUN: rm -f %t.*
// RUN: %runtime-build %s -o %t.so --library -- -DLIBRARY
// RUN: %runtime-build %s -o %t.prog -- -ldl
// RUN: %t.prog %t.so && %profile %t.prog.profile --slots | FileCheck %s -check-prefix PROGRAM
// RUN: %profile %t.so.profile --slots | FileCheck %s -check-prefix LIBRARY
// PROGRAM:      counter 0 1
// PROGRAM-NEXT: counter 7 1
// PROGRAM-NEXT: slots 2
// LIBRARY:      counter 1 303
// LIBRARY-NEXT: counter 2 303
// LIBRARY-NEXT: counter 3 302
// LIBRARY-NEXT: site 0 302
// LIBRARY-NEXT: slots 2
//
// Loaded with the program, by a program that was not instrumented.
// RUN: rm %t.so.profile
// RUN: gcc -DPLAIN %s -o %t.plain %t.so
// RUN: %t.plain && %profile %t.so.profile --slots | FileCheck %s -check-prefix PLAIN
// PLAIN:      counter 1 1
// PLAIN-NEXT: counter 2 1
// PLAIN-NEXT: counter 3 2
// PLAIN-NEXT: site 0 2
// PLAIN-NEXT: slots 2

#define _GNU_SOURCE
#ifdef LIBRARY
#include "image.h"

__attribute__((constructor)) static void construct(void) { COUNT(1); }
__attribute__((destructor)) static void destruct(void) { COUNT(2); }
void use(void) {
  COUNT(3);
  COUNT_TARGET(0, use);
}

#elif defined(PLAIN)
#include <sys/wait.h>
#include <unistd.h>
void use(void);

int main(void) {
  use();
  pid_t Child = fork();
  if (Child == 0) {
    use();
    _exit(0);
  }
  int Status;
  return waitpid(Child, &Status, 0) != Child || Status;
}

#else
#include "image.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int countMappings(void) {
  char Line[4400];
  int Lines = 0;
  FILE *Maps = fopen("/proc/self/maps", "r");
  while (fgets(Line, sizeof(Line), Maps))
    if (strstr(Line, ".so.profile"))
      ++Lines;
  fclose(Maps);
  return Lines;
}

static void loadAndUse(const char *Path) {
  void *Library = dlopen(Path, RTLD_NOW);
  if (!Library) {
    puts(dlerror());
    exit(1);
  }
  ((void (*)(void))dlsym(Library, "use"))();
  if (dlclose(Library))
    exit(1);
}

int main(int Count, char **Arguments) {
  COUNT(0);
  for (int I = 0; I < 300; ++I)
    loadAndUse(Arguments[1]);
  if (countMappings() > 2)
    return 2;

  // The handler of an unloaded library must not be called.
  pid_t Child = fork();
  if (Child == 0) {
    COUNT(7);
    loadAndUse(Arguments[1]);
    _exit(0);
  }
  int Status;
  if (waitpid(Child, &Status, 0) != Child || Status)
    return 3;

  // Two copies of the library at once.
  void *One = dlopen(Arguments[1], RTLD_NOW);
  void *Two = dlmopen(LM_ID_NEWLM, Arguments[1], RTLD_NOW);
  if (!One || !Two)
    return 4;
  ((void (*)(void))dlsym(One, "use"))();
  return dlclose(One);
}
#endif
