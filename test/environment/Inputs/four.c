// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An application with four libraries, of which the last is loaded by dlopen.
// Compiled once for each of them (LIBRARY is its letter) and for the program.
#ifdef LIBRARY
#define NAME(LETTER) NAME_(LETTER)
#define NAME_(LETTER) work_##LETTER
int NAME(LIBRARY)(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    if (i % 100 == 0)
      sum += i;
  return sum;
}
#else
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int work_p(int), work_q(int), work_r(int);

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  void *library = dlopen("libs.so", RTLD_NOW);
  if (!library)
    return fprintf(stderr, "%s\n", dlerror()), 1;
  int (*work_s)(int) = (int (*)(int))dlsym(library, "work_s");
  printf("%d\n", work_p(n) + work_q(n) + work_r(n) + work_s(n));
  return argc > 2 ? atoi(argv[2]) : 0;
}
#endif
