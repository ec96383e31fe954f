// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// run TIMES EVERY: the sum of what work() returns and stores. Each EVERYth call
// is a rare one. Calls check what a callee has to preserve.
#include <stdio.h>
#include <stdlib.h>

long work(long X, long IsRare, long *Out);

// work(X, IsRare, Out) with known values in the registers that it must not
// change. Its second result says whether it kept them.
struct Result {
  long Value, Kept;
} guarded(long X, long IsRare, long *Out);

// Writes what a callee may: who calls it leaves no value there.
#define SPOIL                                                                  \
  __asm__ volatile("xorl %%ecx, %%ecx\n movl %%ecx, %%edx\n"                   \
                   "movl %%ecx, %%esi\n movl %%ecx, %%edi\n"                   \
                   "movl %%ecx, %%r8d\n movl %%ecx, %%r9d\n"                   \
                   "movl %%ecx, %%r10d\n movl %%ecx, %%r11d"                   \
                   :                                                           \
                   :                                                           \
                   : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11")

long Rare;
__attribute__((noinline)) long note(long X) {
  SPOIL;
  Rare += X;
  return X * 3 + 1;
}
__attribute__((noinline)) long twice(long X) {
  __asm__ volatile("" : "+r"(X) : : "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11");
  return 2 * X;
}

int main(int Argc, char **Argv) {
  const long Times = atol(Argv[1]), Every = atol(Argv[2]);
  long Sum = 0, Out[4] = {0}, Kept = 1;
  for (long I = 1; I <= Times; ++I) {
    struct Result R = guarded(I, Every && I % Every == 0, Out);
    Sum = (Sum * 31 + R.Value + Out[0] + 7 * Out[1]) % 1000000007;
    Kept &= R.Kept;
  }
  printf("%ld %ld%s\n", Sum, Rare, Kept ? "" : ", registers changed");
  return !Kept;
}

__asm__(".text\n"
        ".type guarded, @function\n"
        "guarded:\n"
        ".cfi_startproc\n"
        "pushq %rbx\n.cfi_def_cfa_offset 16\n.cfi_offset %rbx, -16\n"
        "pushq %rbp\n.cfi_def_cfa_offset 24\n.cfi_offset %rbp, -24\n"
        "pushq %r12\n.cfi_def_cfa_offset 32\n.cfi_offset %r12, -32\n"
        "pushq %r13\n.cfi_def_cfa_offset 40\n.cfi_offset %r13, -40\n"
        "pushq %r14\n.cfi_def_cfa_offset 48\n.cfi_offset %r14, -48\n"
        "pushq %r15\n.cfi_def_cfa_offset 56\n.cfi_offset %r15, -56\n"
        "subq $8, %rsp\n.cfi_def_cfa_offset 64\n"
        "movq $1001, %rbx\n"
        "movq $1002, %rbp\n"
        "movq $1003, %r12\n"
        "movq $1004, %r13\n"
        "movq $1005, %r14\n"
        "movq %rsp, %r15\n"
        "callq work\n"
        "xorl %edx, %edx\n"
        "cmpq $1001, %rbx\n jne 1f\n"
        "cmpq $1002, %rbp\n jne 1f\n"
        "cmpq $1003, %r12\n jne 1f\n"
        "cmpq $1004, %r13\n jne 1f\n"
        "cmpq $1005, %r14\n jne 1f\n"
        "cmpq %rsp, %r15\n jne 1f\n"
        "incl %edx\n"
        "1: movq %r15, %rsp\n"
        "addq $8, %rsp\n.cfi_def_cfa_offset 56\n"
        "popq %r15\n.cfi_def_cfa_offset 48\n"
        "popq %r14\n.cfi_def_cfa_offset 40\n"
        "popq %r13\n.cfi_def_cfa_offset 32\n"
        "popq %r12\n.cfi_def_cfa_offset 24\n"
        "popq %rbp\n.cfi_def_cfa_offset 16\n"
        "popq %rbx\n.cfi_def_cfa_offset 8\n"
        "retq\n"
        ".cfi_endproc\n"
        ".size guarded, .-guarded\n");
