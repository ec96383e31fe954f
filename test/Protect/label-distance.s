# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Relocations of kind PC32 on numbers that do not count from the next instruction
# but from a label, whose address is in a register. The linker's result is right
# as long as the label stays; so do the functions with such operands, and the
# one whose beginning one of them counts from. The same displacement behind %rip
# is no reason.
#
# REQUIRES: x86_64, gcc
# RUN: %differential %s --out %t --compilers gcc --must-split 0 --flags="-O2" --flags="-no-pie"
# RUN: gcc %s -Wl,--emit-relocs -o %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s --implicit-check-not="plain left" --implicit-check-not="main left"
# CHECK-DAG: GRAUPEL-INFO: own left as it is: an operand counts from a label in it
# CHECK-DAG: GRAUPEL-INFO: local left as it is: an operand counts from a label in it
# CHECK-DAG: GRAUPEL-INFO: alike left as it is: an operand counts from a label in it
# CHECK-DAG: GRAUPEL-INFO: immediate left as it is: an operand counts from a label in it
# CHECK-DAG: GRAUPEL-INFO: others left as it is: an operand counts from a label in it
# CHECK-DAG: GRAUPEL-INFO: origin left as it is: a code address inside it escapes
# CHECK: GRAUPEL-INFO: 6 functions left as they are: 1 has a code address that escapes, 5 have operands that count from a label
# RUN: %t.o
        .text
        .globl plain
        .type plain, @function
plain:                          # What BOLT does right.
        leaq Table(%rip), %rax
        movzbl (%rax,%rdi), %eax
        addb Table+3(%rip), %al
        cmpb $7, Table+1(%rip)
        retq
        .size plain, . - plain

        .globl own
        .type own, @function
own:    leaq own(%rip), %rdx
        movzbl Table-own(%rdx,%rdi), %eax
        retq
        .size own, . - own

        .globl local
        .type local, @function
local:  pushq %rbx
.Lhere: leaq .Lhere(%rip), %rbx
        movzbl .Lprivate-.Lhere(%rbx,%rdi,2), %eax
        popq %rbx
        retq
        .size local, . - local

# With these registers the byte before the displacement is that of a jump, or
# of a displacement that is relative.
        .globl alike
        .type alike, @function
alike:  pushq %rbp
        leaq alike(%rip), %rbp
        xorl %eax, %eax
        movzbl Table-alike(%rbp,%rax), %ecx
        movq %rbp, %rax
        shlq $3, %rdi
        xchgq %rbp, %rdi
        shrq $3, %rbp
        movzbl Table-alike(%rax,%rbp), %eax
        addl %ecx, %eax
        popq %rbp
        retq
        .size alike, . - alike

        .globl immediate
        .type immediate, @function
immediate:
        leaq immediate(%rip), %rdx
        movq $Table-immediate, %rax
        addq %rdx, %rax
        movzbl (%rax,%rdi), %eax
        retq
        .size immediate, . - immediate

        .globl origin
        .type origin, @function
origin: movl $3, %eax
        retq
        .size origin, . - origin

        .globl others
        .type others, @function
others: leaq origin(%rip), %rdx
        movzbl Table-origin(%rdx,%rdi), %eax
        retq
        .size others, . - others

        .globl main
        .type main, @function
main:   pushq %rbx
        movl $2, %edi
        callq plain
        movl %eax, %ebx
        movl $1, %edi
        callq own
        addl %eax, %ebx
        movl $1, %edi
        callq local
        addl %eax, %ebx
        movl $3, %edi
        callq alike
        addl %eax, %ebx
        movl $2, %edi
        callq immediate
        addl %eax, %ebx
        callq origin
        addl %eax, %ebx
        movl $3, %edi
        callq others
        addl %eax, %ebx
        xorl %eax, %eax
        cmpl $(11+13 + 7 + 29 + 5+13 + 11 + 3 + 13), %ebx
        setne %al
        popq %rbx
        retq
        .size main, . - main

        .section .rodata
        .byte 17, 19
.Lprivate:
        .byte 23, 0, 29
        .globl Table
Table:  .byte 5, 7, 11, 13
        .section .note.GNU-stack, "", @progbits
