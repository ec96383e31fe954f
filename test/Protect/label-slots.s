# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Pieces of code of one size behind a label of their own function, entered at
# label + 16 * n. Nothing says how: by a call, by a return, by a jump, or by who
# is given the address. BOLT updates the label, but moves the pieces.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t
# RUN: %t
# RUN: graupel-bolt %t -o %t.plain -verify -print-protected | FileCheck %s --implicit-check-not="main left" --implicit-check-not="{{enter|from_elsewhere}} left"
# CHECK-DAG: by_call left as it is: a code address inside it escapes
# CHECK-DAG: by_copy left as it is: a code address inside it escapes
# CHECK-DAG: by_return left as it is: a code address inside it escapes
# CHECK-DAG: by_frame left as it is: a code address inside it escapes
# CHECK-DAG: by_memory left as it is: a code address inside it escapes
# CHECK-DAG: for_caller left as it is: a code address inside it escapes
# CHECK-DAG: for_callee left as it is: a code address inside it escapes
# CHECK-DAG: by_jump left as it is: it may compute jumps from differences of labels
# CHECK-DAG: by_both left as it is: a code address inside it escapes
# CHECK-DAG: from_beginning left as it is: a code address inside it escapes
# CHECK-DAG: falling left as it is: it is an element of an array of code
# RUN: %t.plain
#
# The label as a number.
# RUN: gcc %s -Wa,--defsym,FIXED=1 -no-pie -Wl,--emit-relocs -o %t.fixed
# RUN: %t.fixed
# RUN: graupel-bolt %t.fixed -o %t.o -verify -print-protected | FileCheck %s --implicit-check-not="main left" --implicit-check-not="{{enter|from_elsewhere}} left"
# RUN: %t.o
#
# RUN: rm -f %t.gprofile && graupel-bolt %t -o %t.counted -instrument -instrumentation-file=%t.gprofile
# RUN: %t.counted
# RUN: graupel-bolt %t -o %t.hot -data=%t.gprofile -hco -hco-growth=1000 && %t.hot

# The place of the piece with the number in %edi.
        .macro place Label=1f
        .ifdef FIXED
        movl $\Label, %edx
        .else
        leaq \Label(%rip), %rdx
        .endif
        shll $4, %edi
        addq %rdi, %rdx
        .endm

        .macro begin Name
        .globl \Name
        .type \Name, @function
        .p2align 4
\Name:
        .endm

        .macro end Name
        .size \Name, . - \Name
        .endm

# Four of 16 bytes.
        .macro pieces Name
        .p2align 4
1:
        .irp Result, 0, 10, 20, 30
        movl $\Result, %eax
        ret
        .p2align 4
        .endr
        end \Name
        .endm

        .text
        begin by_call
        place
        call *%rdx
        ret
        pieces by_call

        begin by_copy
        place
        movq %rdx, %rax
        call *%rax
        ret
        pieces by_copy

        begin by_return
        place
        pushq %rdx
        ret
        pieces by_return

        begin by_frame
        place
        subq $8, %rsp
        movq %rdx, (%rsp)
        ret
        pieces by_frame

        begin by_memory
        place
        movq %rdx, target(%rip)
        call *target(%rip)
        ret
        pieces by_memory

        begin by_jump
        place
        jmp *%rdx
        pieces by_jump

# Has a jump that is understood, too.
        begin by_both
        testl %edi, %edi
        js 2f
        place
        call *%rdx
        ret
2:      leaq enter(%rip), %rax
        jmp *%rax
        pieces by_both

# Somebody else goes there.
        begin for_caller
        place
        movq %rdx, %rax
        ret
        pieces for_caller

        begin by_caller
        subq $8, %rsp
        call for_caller
        addq $8, %rsp
        jmp *%rax
        end by_caller

        begin for_callee
        place
        subq $8, %rsp
        call enter
        addq $8, %rsp
        ret
        pieces for_callee

        begin enter
        jmp *%rdx
        end enter

# Counted from the beginning, into code that control seems to run into.
        begin from_beginning
        movl $30, %eax
        leaq from_beginning(%rip), %rdx
        leal (%rdi,%rdi,2), %edi
        leaq 1f-from_beginning(%rdx,%rdi), %rdx
        call *%rdx
        cmpl $30, %eax
        jbe 2f
        .p2align 4
1:      subl $10, %eax
        subl $10, %eax
        subl $10, %eax
2:      ret
        end from_beginning

# The same from another function.
        begin from_elsewhere
        movl $30, %eax
        leaq falling(%rip), %rdx
        leal (%rdi,%rdi,2), %edi
        addq %rdi, %rdx
        addq $16, %rdx
        jmp *%rdx
        end from_elsewhere

        begin falling
        jmp 1f
        .p2align 4
1:      subl $10, %eax
        subl $10, %eax
        subl $10, %eax
        ret
        end falling

        .macro check Name
        .irp Number, 0, 1, 2, 3
        movl $\Number, %edi
        call \Name
        cmpl $10 * \Number, %eax
        jne fail
        .endr
        .endm

        begin main
        subq $8, %rsp
        check by_call
        check by_copy
        check by_return
        check by_frame
        check by_memory
        check by_jump
        check by_both
        check by_caller
        check for_callee
        check from_beginning
        check from_elsewhere
        xorl %eax, %eax
        addq $8, %rsp
        ret
        end main

        begin fail
        movl $1, %edi
        call exit
        hlt
        end fail

        .bss
        .p2align 3
target: .zero 8
        .section .note.GNU-stack, "", @progbits
