// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc, clang
// Libraries have profiles of their own, beside that of the program, whether they
// come with the program or are loaded, unloaded and loaded again.
//
// RUN: rm -rf %t && mkdir %t
// RUN: gcc -O2 -w -I %S/Inputs -DLIBRARY=one -fPIC -shared -Wl,--emit-relocs %s -o %t/one.plain
// RUN: clang -O2 -w -I %S/Inputs -DLIBRARY=two -fPIC -shared -Wl,--emit-relocs %s -o %t/two.plain
// RUN: graupel-bolt %t/one.plain -instrument -o %t/one.so
// RUN: graupel-bolt %t/two.plain -instrument -o %t/two.so
// RUN: gcc -O2 -w -I %S/Inputs %s -Wl,--emit-relocs -o %t/plain -pthread %t/one.so %t/two.so
// RUN: graupel-bolt %t/plain -instrument -o %t/prog
//
// RUN: %t/prog %t/one.so %t/two.so
// RUN: %counts %t/prog.gprofile main=1 inProgram=100 inChild=10
// The program has them, and they stay.
// RUN: %counts %t/one.so.gprofile one_use=312 one_construct=1 one_destruct=2 one_called=312
// RUN: %counts %t/two.so.gprofile two_use=312 two_construct=1 two_destruct=2 two_called=312
//
// A program that was not instrumented loads and unloads them.
// RUN: rm %t/one.so.gprofile %t/two.so.gprofile
// RUN: gcc -O2 -w -I %S/Inputs -DLOADER %s -o %t/loader -pthread
// RUN: %t/loader %t/one.so %t/two.so
// RUN: %counts %t/one.so.gprofile one_use=312 one_construct=102 one_destruct=102 one_called=312
// RUN: %counts %t/two.so.gprofile two_use=312 two_construct=102 two_destruct=102 two_called=312
//
// All of them in one folder, and in one file, which the first makes its own.
// RUN: mkdir %t/all && env GRAUPEL_PROFILE=%t/all %t/prog %t/one.so %t/two.so
// RUN: %counts %t/all/prog.gprofile main=1 && %counts %t/all/one.so.gprofile one_use=312 && %counts %t/all/two.so.gprofile two_use=312
// RUN: env GRAUPEL_PROFILE=%t/all/one %t/prog %t/one.so %t/two.so 2>&1 | FileCheck %s -check-prefix ONE
// ONE: graupel: the profile {{.*}}all/one is of something else; counting into {{.*}}all/one.[[PLAN:[0-9a-f]+]] instead
// RUN: %python -c "import glob; assert len(glob.glob(r'%t/all/one.????????????????')) == 2"
//
// With -atomic, counts of threads in libraries are exact.
// RUN: rm %t/one.so.gprofile
// RUN: graupel-bolt %t/one.plain -instrument -atomic -o %t/one.so
// RUN: %t/loader %t/one.so %t/two.so threads
// RUN: %counts %t/one.so.gprofile one_use=4000000 one_construct=1 one_destruct=1 one_called=4000000

#define _GNU_SOURCE
#include "units.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef LIBRARY
#define JOIN2(A, B) A##_##B
#define JOIN(A, B) JOIN2(A, B)
#define NAME(B) JOIN(LIBRARY, B)

UNIT(NAME(called), 1)
static void (*volatile Pointer)(void) = NAME(called);
KEPT void NAME(use)(void) { Pointer(); }
__attribute__((constructor)) KEPT void NAME(construct)(void) {
  asm volatile("");
}
__attribute__((destructor)) KEPT void NAME(destruct)(void) {
  asm volatile("nop");
}

#else
#ifndef LOADER
void one_use(void);
void two_use(void);
UNIT(inProgram, 1)
UNIT(inChild, 2)
void *linked[] = {one_use, two_use};
#else
#define inProgram()
#define inChild()
#endif

static void *load(const char *Path, void (**Use)(void)) {
  char Symbol[] = "one_use";
  if (Path[strlen(Path) - 5] == 'w')
    memcpy(Symbol, "two", 3);
  void *Library = dlopen(Path, RTLD_NOW);
  if (!Library || !(*(void **)Use = dlsym(Library, Symbol)))
    abort();
  return Library;
}

static void loadAndUse(char **Paths) {
  for (int I = 0; I < 2; ++I) {
    void (*Use)(void);
    void *Library = load(Paths[I], &Use);
    Use();
    Use();
    Use();
    dlclose(Library);
  }
}

static void *useMuch(void *Use) {
  for (int I = 0; I < 1000000; ++I)
    ((void (*)(void))Use)();
  return Use;
}

static int useInThreads(char **Paths) {
  pthread_t Threads[4];
  void (*Use)(void);
  void *Library = load(Paths[0], &Use);
  for (int I = 0; I < 4; ++I)
    pthread_create(&Threads[I], NULL, useMuch, (void *)Use);
  for (int I = 0; I < 4; ++I)
    pthread_join(Threads[I], NULL);
  return dlclose(Library);
}

static void inChildDo(char **Paths) {
  int Status;
  pid_t Child = fork();
  if (Child == 0) {
    for (int I = 0; I < 10; ++I)
      inChild();
    loadAndUse(Paths);
    exit(0);
  }
  if (waitpid(Child, &Status, 0) != Child || Status)
    abort();
}

int main(int Count, char **Paths) {
  if (Count > 3)
    return useInThreads(Paths + 1);
  for (int I = 0; I < 100; ++I) {
    inProgram();
    loadAndUse(Paths + 1);
  }
  // Nothing of them is left that a fork could call.
  inChildDo(Paths + 1);
  // And now while they are loaded.
  void (*Use)(void);
  void *One = load(Paths[1], &Use), *Two = load(Paths[2], &Use);
  pid_t Child = fork();
  if (Child == 0) {
    loadAndUse(Paths + 1);
    loadAndUse(Paths + 1);
    loadAndUse(Paths + 1);
    _exit(0);
  }
  int Status;
  if (waitpid(Child, &Status, 0) != Child || Status)
    return 1;
  dlclose(One);
  dlclose(Two);
  return 0;
}
#endif
