# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# No step is to blame where llvm-bolt's own pipeline breaks the function, too. The
# verdict says what to add, and whether that is enough: pieces of code are entered
# at label + 16 * n, and llvm-bolt moves them.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t
# RUN: %graupel-bisect --test '{}' -- graupel-bolt %t -o %t.o -stock-pipeline | FileCheck %s
# CHECK: -skip-funcs=pieces\.of\.code: works
# CHECK: verdict: pieces.of.code is broken, whatever is turned off; until that is fixed, use '-skip-funcs=pieces\.of\.code'{{$}}
#
# RUN: gcc %s -Wa,--defsym,TWO=1 -Wl,--emit-relocs -o %t.two
# RUN: %graupel-bisect --test '{}' -- graupel-bolt %t.two -o %t.o -stock-pipeline | FileCheck %s --check-prefix=TWO
# TWO: verdict: {{pieces.of.code|more}} is broken, whatever is turned off; until that is fixed, use {{.*}}; the program does not work yet: run graupel-bisect again with that
# RUN: %graupel-bisect --test '{}' -- graupel-bolt %t.two -o %t.o -stock-pipeline -skip-funcs='pieces\.of\.code' | FileCheck %s --check-prefix=AGAIN
# AGAIN: verdict: more {{.*}}is broken, whatever is turned off; until that is fixed, use -skip-funcs=more{{$}}
        .macro enter Name
        .globl \Name
        .type \Name, @function
        .p2align 4
\Name:
        leaq 1f(%rip), %rdx
        shll $4, %edi
        addq %rdi, %rdx
        call *%rdx
        ret
        .p2align 4
1:
        .irp Result, 0, 10, 20, 30
        movl $\Result, %eax
        ret
        .p2align 4
        .endr
        .size \Name, . - \Name
        .endm

        .macro check Name
        movl $3, %edi
        call \Name
        cmpl $30, %eax
        jne fail
        .endm

        .text
        enter pieces.of.code
        .ifdef TWO
        enter more
        .endif

        .globl main
        .type main, @function
main:   subq $8, %rsp
        check pieces.of.code
        .ifdef TWO
        check more
        .endif
        xorl %eax, %eax
        addq $8, %rsp
        ret
fail:   movl $1, %eax
        addq $8, %rsp
        ret
        .size main, . - main
        .section .note.GNU-stack, "", @progbits
