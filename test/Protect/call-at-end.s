# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Assembly may end a function in a call that returns, and run into the next one:
# "set up on the first call". Compilers end functions in calls that do not return.
#
# REQUIRES: x86_64, gcc
# RUN: %differential %s --out %t --compilers gcc --must-split 0 --flags="-O2" --flags="-no-pie"
# RUN: gcc %s -Wl,--emit-relocs -o %t.exe
# RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s --implicit-check-not="left as it is"
# CHECK-DAG: first{{.*}} left as it is: control runs past its end
# CHECK-DAG: second{{.*}} left as it is: control runs into it from the function before it
# CHECK-DAG: throughTable{{.*}} left as it is: control runs past its end
# CHECK-DAG: behindTable{{.*}} left as it is: control runs into it from the function before it
# CHECK-DAG: withRecord{{.*}} left as it is: control runs past its end
# CHECK-DAG: behindRecord{{.*}} left as it is: control runs into it from the function before it
# CHECK: GRAUPEL-INFO: 6 functions left as they are: 3 run past their ends, 3 are run into from the functions before them
# RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile && %t.i
# RUN: graupel-bolt %t.exe -o %t.p -data=%t.gprofile && %t.p
        .text
        .globl main
        .type main, @function
main:
        .cfi_startproc
        pushq %rbx
        .cfi_def_cfa_offset 16
        .cfi_offset %rbx, -16
        movl $100, %ebx
.Lagain:
        movl %ebx, %edi
        callq second
        decl %eax
        cmpl %ebx, %eax
        jne .Lwrong
        movl %ebx, %edi
        callq throughTable
        cmpl %ebx, %eax
        jne .Lwrong
        movl %ebx, %edi
        callq withRecord
        cmpl %ebx, %eax
        jne .Lwrong
        decl %ebx
        jne .Lagain
        xorl %eax, %eax
        popq %rbx
        .cfi_remember_state
        .cfi_def_cfa_offset 8
        retq
.Lwrong:
        .cfi_restore_state
        movl $1, %edi
        callq stopping
        .cfi_endproc
        .size main, . - main

# No unwind record. The first call of second comes here.
        .type first, @function
first:
        callq init
        .size first, . - first
        .type second, @function
second:
        jmp *implementation(%rip)
        .size second, . - second

        .type init, @function
init:
        pushq %rax
        leaq real(%rip), %rax
        movq %rax, implementation(%rip)
        popq %rax
        retq
        .size init, . - init
        .type real, @function
real:
        leal 1(%rdi), %eax
        retq
        .size real, . - real

# Nothing is known of what is called.
        .type throughTable, @function
throughTable:
        callq *none(%rip)
        nop
        .size throughTable, . - throughTable
        .p2align 4
        .type behindTable, @function
behindTable:
        leal (%rdi), %eax
        retq
        .size behindTable, . - behindTable
        .type returns, @function
returns:
        retq
        .size returns, . - returns

# What is called returns by a tail call.
        .type withRecord, @function
withRecord:
        .cfi_startproc
        callq passing
        .cfi_endproc
        .size withRecord, . - withRecord
        .type behindRecord, @function
behindRecord:
        .cfi_startproc
        movl %edi, %eax
        retq
        .cfi_endproc
        .size behindRecord, . - behindRecord
        .type passing, @function
passing:
        .cfi_startproc
        jmp returns
        .cfi_endproc
        .size passing, . - passing

# These never return: by name, since what they call never does, by the trap
# behind the call, or since the stack is not that of a function's beginning.
        .type stopping, @function
stopping:
        callq exit@PLT
        .size stopping, . - stopping
        .type jumping, @function
jumping:
        testl %edi, %edi
        jne stopping
.Lforever:
        jmp .Lforever
        .size jumping, . - jumping
        .type callsJumping, @function
callsJumping:
        callq jumping
        .size callsJumping, . - callsJumping
        .type trapBehind, @function
trapBehind:
        callq *none(%rip)
        .size trapBehind, . - trapBehind
        int3
        .type compiled, @function
compiled:
        .cfi_startproc
        pushq %rax
        .cfi_def_cfa_offset 16
        callq *none(%rip)
        .cfi_endproc
        .size compiled, . - compiled
        .type last, @function
last:
        .cfi_startproc
        retq
        .cfi_endproc
        .size last, . - last

        .data
        .balign 8
implementation:
        .quad first
none:
        .quad returns
        .section .note.GNU-stack, "", @progbits
