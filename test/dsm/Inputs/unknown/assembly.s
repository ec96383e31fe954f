# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
        .globl asm_sum
        .type asm_sum, @function
asm_sum:
        xorl %eax, %eax
        xorl %ecx, %ecx
1:      addq (%rdi,%rcx,8), %rax
        incq %rcx
        cmpq $64, %rcx
        jne 1b
        ret
        .size asm_sum, .-asm_sum
        .section .note.GNU-stack,"",@progbits
