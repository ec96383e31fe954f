//===- profile/Entry.S - Where programs enter the runtime -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The C++ parts are called with all registers saved that they may change. They
// touch no vector registers.

#define HIDDEN(NAME) .globl NAME; .hidden NAME
#define FUNCTION(NAME) HIDDEN(NAME); .type NAME, @function; .p2align 4; NAME:
#define END(NAME) .size NAME, . - NAME

        .text

// Distances from the slots themselves; 0: there is none.
#define SLOT(NAME) HIDDEN(NAME); .type NAME, @object; NAME: .quad 0; END(NAME)
        .p2align 6
SLOT(graupel_rt_state_slot)
SLOT(graupel_rt_original_start_slot)
SLOT(graupel_rt_original_fini_slot)

.macro save_registers
        pushq %rbp
        movq %rsp, %rbp
        pushfq
        pushq %rax
        pushq %rcx
        pushq %rdx
        pushq %rsi
        pushq %rdi
        pushq %r8
        pushq %r9
        pushq %r10
        pushq %r11
        cld
        andq $-16, %rsp
.endm

.macro restore_registers
        leaq -80(%rbp), %rsp
        popq %r11
        popq %r10
        popq %r9
        popq %r8
        popq %rdi
        popq %rsi
        popq %rdx
        popq %rcx
        popq %rax
        popfq
        popq %rbp
.endm

// To the function of the slot as if we had not been here, else back.
.macro continue_at slot
        leaq \slot(%rip), %r11
        cmpq $0, (%r11)
        je 1f
        addq (%r11), %r11
        jmpq *%r11
1:      retq
.endm

FUNCTION(graupel_rt_start)
        save_registers
        callq graupelStart
        restore_registers
        continue_at graupel_rt_original_start_slot
END(graupel_rt_start)

FUNCTION(graupel_rt_fini)
        save_registers
        callq graupelFinish
        restore_registers
        continue_at graupel_rt_original_fini_slot
END(graupel_rt_fini)

// After a system call that returns 0 in the child or thread it makes.
FUNCTION(graupel_rt_forked)
        pushfq
        testq %rax, %rax
        jz 1f
        popfq
        retq
1:      save_registers
        callq graupelAfterSystemCall
        restore_registers
        popfq
        retq
END(graupel_rt_forked)

// What the C library starts instead of the program's function. Nothing of ours
// stays on the stack, so that unwinding ends where it did.
FUNCTION(graupelThreadEntry)
        subq $8, %rsp
        callq graupelThreadBegins
        addq $8, %rsp
        movq %rdx, %rdi
        jmpq *%rax
END(graupelThreadEntry)

        .section .note.GNU-stack, "", @progbits
