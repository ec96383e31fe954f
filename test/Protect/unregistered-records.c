// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GCC's startup code for -static refers to .eh_frame in each program, but registers
// it only where the function for that was linked. Where it was not, nothing can be
// unwound, and the program need not be refused.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -static -nostdlib -nostartfiles -l:crtbeginT.o %s -l:crtend.o -o %t.exe
// RUN: llvm-nm %t.exe | FileCheck %s --check-prefix=WEAK
// WEAK-NOT: T __register_frame_info
// WEAK: __EH_FRAME_BEGIN__
// WEAK-NOT: T __register_frame_info
// RUN: graupel-bolt %t.exe -o %t.o -verify && %t.o
// RUN: strip %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -verify -allow-stripped && %t.o
//
// Here it is there.
// RUN: gcc -O2 -static -DREGISTRY -nostdlib -nostartfiles -l:crtbeginT.o %s -l:crtend.o -o %t.exe
// RUN: mkdir -p %t.refused
// RUN: %refuse graupel-bolt %t.exe -o %t.refused/o | FileCheck %s
// RUN: strip %t.exe
// RUN: %refuse graupel-bolt %t.exe -o %t.refused/o -allow-stripped | FileCheck %s
// CHECK: registers .eh_frame, which cannot be replaced without relocations; link with -Wl,--emit-relocs or -static-pie

#ifdef REGISTRY
const void *Registered;
void __register_frame_info(const void *Records, void *Object) {
  Registered = Records;
}
void *__deregister_frame_info(const void *Records) { return 0; }
#endif

__attribute__((noinline)) static int twice(volatile int *X) { return *X + *X; }

void _start(void) {
  volatile int Zero = 0;
  __asm__ volatile("syscall" ::"a"(60), "D"(twice(&Zero)) : "rcx", "r11");
}
