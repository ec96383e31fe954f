// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For programs linked with -nostartfiles: the C library's start files have
// indirect tail calls that would be counted among the recovered functions.

// BOLT writes the profile from _fini.
void _init(void) {}
void _fini(void) {}
__asm__(".globl _start\n"
        ".type _start,@function\n"
        "_start:\n"
        "  xorl %ebp, %ebp\n"
        "  movq %rdx, %r9\n"
        "  popq %rsi\n"
        "  movq %rsp, %rdx\n"
        "  andq $-16, %rsp\n"
        "  pushq %rax\n"
        "  pushq %rsp\n"
        "  xorl %ecx, %ecx\n"
        "  xorl %r8d, %r8d\n"
        "  leaq main(%rip), %rdi\n"
        "  call *__libc_start_main@GOTPCREL(%rip)\n"
        "  hlt\n"
        ".size _start, .-_start\n");
