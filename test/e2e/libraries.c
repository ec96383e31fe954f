// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shared library loaded with dlopen, once as it is and once optimized: exported
// and hidden functions, constructors, calls through the PLT and back into the
// program.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --library %S/Inputs/plugin.c --dlopen --libs="-ldl" --out %t --train 0 --test 1 --test 2 --flags="-O2 -rdynamic" --flags="-O2 -rdynamic -fno-plt -no-pie"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int hostFunction(int X) { return X % 3 ? X * 2 : -X; }

int main(int Argc, char **Argv) {
  const int Mode = atoi(Argv[1]);
  void *Library = dlopen(getenv("LIBRARY"), RTLD_NOW);
  if (!Library) {
    puts(dlerror());
    return 9;
  }
  int (*Process)(int, int) = (int (*)(int, int))dlsym(Library, "process");
  int (*const *Table)(int) = (int (*const *)(int))dlsym(Library, "Table");
  unsigned Sum = 0;
  for (int I = 0; I < 60; ++I)
    Sum = Sum * 5 + Process(I, Mode) + Table[I % (Mode + 1)](I);
  printf("%u\n", Sum);
  return dlclose(Library);
}
