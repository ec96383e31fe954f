// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// below() and over() have no size, and share a return as hand-written assembly
// does; clang -O0 jumps from ends() to behind its end.
__asm__(".text\n"
        ".type below, @function\n"
        ".globl below\n"
        "below:\n"
        "  cmpl $3, %edi\n"
        "  jge 1f\n"
        "0: movl %edi, %eax\n"
        "  rep; ret\n"
        "  .p2align 4\n"
        ".type over, @function\n"
        ".globl over\n"
        "over:\n"
        "  incl %edi\n"
        "  cmpl $9, %edi\n"
        "  jl 0b\n"
        "1: movl $4, %eax\n"
        "  ret\n"
        ".type label, @notype\n"
        "  .p2align 5\n"
        ".globl label\n"
        "label:\n"
        "  leal 1(%rdi), %eax\n"
        "  ret\n");
int below(int), over(int), label(int);
int (*volatile Pointer)(int) = label;

__attribute__((noinline)) static int ends(int X) {
  if (X > 5)
    return 2;
  __builtin_unreachable();
}

int main(int argc, char **argv) {
  return below(argc) + over(argc) + Pointer(argc) + ends(argc + 10) != 7;
}
