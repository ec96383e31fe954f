// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, gcc, clang
// Libraries without the compiler's start files: the runtime takes the place of
// the first constructor and of the first destructor, whether they are in symbols'
// names or not, so that nothing calls a library that is gone.
//
// DEFINE: %{library} = gcc -O2 -w -I %S/Inputs -DLIBRARY -fPIC -shared -nostartfiles -Wl,--emit-relocs %s
// RUN: rm -rf %t && mkdir %t
// RUN: gcc -O2 -w -DLOADER -I %S/Inputs %s -o %t/loader
//
// RUN: %{library} -DSCOPE= -o %t/plain
// RUN: graupel-bolt %t/plain -instrument -o %t/global && %t/loader %t/global
// RUN: %counts %t/global.gprofile construct=3 destruct=3 use=6
// RUN: %{library} -DSCOPE=static -o %t/plain
// RUN: graupel-bolt %t/plain -instrument -o %t/local && %t/loader %t/local
// RUN: %counts %t/local.gprofile construct=3 destruct=3 use=6
// RUN: %{library} -DSCOPE=static -Wl,-z,pack-relative-relocs -o %t/plain
// RUN: graupel-bolt %t/plain -instrument -o %t/packed && %t/loader %t/packed
// RUN: %counts %t/packed.gprofile construct=3 destruct=3 use=6
// RUN: %{library} -DSCOPE= -Wl,-init=use -o %t/plain
// RUN: graupel-bolt %t/plain -instrument -o %t/init && %t/loader %t/init
// RUN: %counts %t/init.gprofile construct=3 destruct=3 use=9
// RUN: %{library} -DSCOPE= -Wl,-fini=use -o %t/plain
// RUN: graupel-bolt %t/plain -instrument -o %t/fini && %t/loader %t/fini
// RUN: %counts %t/fini.gprofile construct=3 destruct=3 use=9
// A library that can be run, too, as the C library can.
// RUN: %{library} -DSCOPE= -DRUNNABLE -Wl,-soname,runnable -o %t/plain
// RUN: graupel-bolt %t/plain -instrument -o %t/runnable && %t/loader %t/runnable
// RUN: %counts %t/runnable.gprofile construct=3 destruct=3 use=6
//
// Without a function that runs when it is unloaded, or loaded, the dynamic
// section gets an entry for it if it has room.
// RUN: %{library} -DSCOPE= -DNODESTRUCTOR -o %t/plain
// RUN: graupel-bolt %t/plain -instrument -o %t/construct && %t/loader %t/construct
// RUN: %counts %t/construct.gprofile construct=3 use=6
// RUN: %{library} -DSCOPE= -DNOCONSTRUCTOR -o %t/plain
// RUN: graupel-bolt %t/plain -instrument -o %t/destruct && %t/loader %t/destruct
// RUN: %counts %t/destruct.gprofile destruct=3 use=6
// RUN: %{library} -DSCOPE= -DNOCONSTRUCTOR -DNODESTRUCTOR -o %t/plain
// RUN: graupel-bolt %t/plain -instrument -verify -o %t/neither && %t/loader %t/neither
// RUN: %counts %t/neither.gprofile use=6
// RUN: %{library} -DNOCONSTRUCTOR -DNODESTRUCTOR -Wl,--spare-dynamic-tags=1 -o %t/plain
// RUN: %refuse graupel-bolt %t/plain -instrument -o %t/refused | FileCheck %s -check-prefix ROOM
// ROOM: graupel-bolt: error: {{.*}}plain: no function runs when the library is loaded or unloaded, and its dynamic section has no room
//
// Programs end with their processes, and need neither.
// RUN: gcc -O2 -w -DPROGRAM -I %S/Inputs -nostartfiles -pie -fPIE -Wl,--emit-relocs %s -o %t/plain
// RUN: graupel-bolt %t/plain -instrument -o %t/program && %t/program
// RUN: %counts %t/program.gprofile use=3
//
// -runtime-lib-init-hook is for llvm-bolt's runtime.
// RUN: graupel-bolt %t/plain -instrument -runtime-lib-init-hook=init_array -o %t/hook 2>&1 | FileCheck %s -check-prefix HOOK
// HOOK: warning: -runtime-lib-init-hook has no effect
// RUN: %t/hook && %counts %t/hook.gprofile use=3

#include "units.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

UNIT(called, 1)
KEPT void use(void) {
  called();
  asm volatile("");
}

#if defined(LIBRARY)
#ifdef RUNNABLE
const char Interpreter[] __attribute__((section(".interp"))) =
    "/lib64/ld-linux-x86-64.so.2";
#endif
#ifndef NOCONSTRUCTOR
__attribute__((constructor)) SCOPE KEPT void construct(void) {
  asm volatile("");
}
#endif
#ifndef NODESTRUCTOR
__attribute__((destructor)) SCOPE KEPT void destruct(void) {
  asm volatile("nop");
}
#endif

#elif defined(PROGRAM)
void _start(void) {
  for (int I = 0; I < 3; ++I)
    use();
  _exit(0);
}

#else
int main(int Count, char **Arguments) {
  for (int I = 0; I < 3; ++I) {
    void *Library = dlopen(Arguments[1], RTLD_NOW);
    if (!Library)
      return 1;
    void (*Use)(void) = (void (*)(void))dlsym(Library, "use");
    Use();
    Use();
    dlclose(Library);
    // A handler that was left behind would be called.
    pid_t Child = fork();
    if (Child == 0)
      _exit(0);
    int Status;
    if (waitpid(Child, &Status, 0) != Child || Status)
      return 2;
  }
  return 0;
}
#endif
