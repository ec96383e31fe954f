// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A signal that comes while the hot version has its variables in the red zone:
// handlers leave that alone, and nothing below it. The load faults each time, so
// that the handler is sure to run just there.
//
// REQUIRES: x86_64, gcc
// RUN: %hot-program %s %t "400 0" "100 7" "50 1" | FileCheck %s
// CHECK-LABEL: hot version of work
// CHECK-NEXT: hot
// CHECK-NEXT: movq %rdi, -0x
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define NOINLINE __attribute__((noipa))

long Rare, Signals, *Page;

NOINLINE long note(long X) {
  Rare += X;
  return X * 3 + 1;
}
NOINLINE void handle(int Signal) {
  volatile char Spoilt[2000];
  memset((char *)Spoilt, 0x5a, sizeof(Spoilt));
  ++Signals;
  mprotect(Page, 4096, PROT_READ | PROT_WRITE);
}

long work(long X, long IsRare, long *From);
__asm__(".text\n.type work, @function\nwork:\n.cfi_startproc\n"
        "pushq %rbx\n.cfi_def_cfa_offset 16\n.cfi_offset %rbx, -16\n"
        "subq $48, %rsp\n.cfi_def_cfa_offset 64\n"
        "movq %rdi, 8(%rsp)\n"
        "movq %rdi, 40(%rsp)\n"
        "movq (%rdx), %rax\n" // Faults.
        "addq 8(%rsp), %rax\n"
        "testq %rsi, %rsi\njne 1f\n"
        "addq 40(%rsp), %rax\n"
        "addq $48, %rsp\n.cfi_def_cfa_offset 16\n"
        "popq %rbx\n.cfi_def_cfa_offset 8\nretq\n"
        "1:\n.cfi_def_cfa_offset 64\n"
        "movq %rax, %rbx\n"
        "callq note\n"
        "addq %rbx, %rax\naddq 40(%rsp), %rax\n"
        "addq $48, %rsp\n.cfi_def_cfa_offset 16\n"
        "popq %rbx\n.cfi_def_cfa_offset 8\nretq\n"
        ".cfi_endproc\n.size work, .-work\n");

int main(int Argc, char **Argv) {
  const long Times = atol(Argv[1]), Every = atol(Argv[2]);
  long Sum = 0;
  Page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  signal(SIGSEGV, handle);
  for (long I = 1; I <= Times; ++I) {
    Page[0] = I;
    mprotect(Page, 4096, PROT_NONE);
    Sum = Sum * 31 + work(I, Every && I % Every == 0, Page);
  }
  printf("%ld %ld %ld\n", Sum, Rare, Signals);
}
