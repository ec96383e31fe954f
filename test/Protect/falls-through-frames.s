# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Control that runs past the end of a function with something on the stack, as
# libgcc's __morestack_non_split does. The unwind records of such code are often
# wrong: of "pushing" and of the function behind it they differ.
#
# REQUIRES: x86_64, gcc
# RUN: %differential %s --out %t --compilers gcc --must-split 0 --flags="-O2" --flags="-no-pie"
# RUN: gcc %s -Wl,--emit-relocs -o %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s --implicit-check-not="runs past its end"
# CHECK-DAG: pushing{{.*}} left as it is: control runs past its end
# CHECK-DAG: adjusting{{.*}} left as it is: control runs past its end
# CHECK-DAG: calling{{.*}} left as it is: control runs past its end
        .text
        .globl main
        .type main, @function
main:
        .cfi_startproc
        pushq %rbx
        .cfi_def_cfa_offset 16
        .cfi_offset %rbx, -16
        movl $5, %edi
        callq pushing
        movl %eax, %ebx
        movl $3, %edi
        callq adjusting
        addl %eax, %ebx
        movl $4, %edi
        callq calling
        addl %eax, %ebx
        xorl %eax, %eax
        cmpl $43, %ebx
        setne %al
        popq %rbx
        .cfi_def_cfa_offset 8
        retq
        .cfi_endproc
        .size main, . - main

# The next record forgets what was pushed.
        .type pushing, @function
pushing:
        .cfi_startproc
        pushq %rbx
        .cfi_adjust_cfa_offset 8
        movl %edi, %ebx
        .cfi_endproc
        .size pushing, . - pushing
        .type popping, @function
popping:
        .cfi_startproc
        leal 7(%rbx,%rbx), %eax
        popq %rbx
        retq
        .cfi_endproc
        .size popping, . - popping

# Both records have another return address on the stack; this one loses it.
        .type adjusting, @function
adjusting:
        .cfi_startproc
        .cfi_def_cfa_offset 16
        pushq %rax
        .cfi_adjust_cfa_offset 8
        popq %rax
        .cfi_adjust_cfa_offset -8
        .cfi_adjust_cfa_offset -8
        addl $1, %edi
        .cfi_endproc
        .size adjusting, . - adjusting
        .type adjusted, @function
adjusted:
        .cfi_startproc
        .cfi_def_cfa_offset 16
        leal 2(%rdi,%rdi), %eax
        retq
        .cfi_endproc
        .size adjusted, . - adjusted

# A call, behind which the next function goes on with the same frame.
        .type calling, @function
calling:
        .cfi_startproc
        pushq %rbx
        .cfi_adjust_cfa_offset 8
        callq popping_next
        .cfi_endproc
        .size calling, . - calling
        .type called, @function
called:
        .cfi_startproc
        .cfi_def_cfa_offset 16
        popq %rbx
        .cfi_adjust_cfa_offset -8
        addl $12, %eax
        retq
        .cfi_endproc
        .size called, . - called

        .type popping_next, @function
popping_next:
        .cfi_startproc
        leal (%rdi), %eax
        retq
        .cfi_endproc
        .size popping_next, . - popping_next
        .section .note.GNU-stack, "", @progbits
