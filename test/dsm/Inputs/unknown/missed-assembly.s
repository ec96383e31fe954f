# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds the pointer by itself.
        .globl from_assembly
        .type from_assembly, @function
from_assembly:
        movq asm_global@GOTPCREL(%rip), %rdx
        movq (%rdx), %rdx
        xorl %eax, %eax
        xorl %ecx, %ecx
1:      addq (%rdx,%rcx,8), %rax                # from_assembly
        incq %rcx
        cmpq $64, %rcx
        jne 1b
        ret
        .size from_assembly, .-from_assembly
        .section .note.GNU-stack,"",@progbits
