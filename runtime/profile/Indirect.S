//===- profile/Indirect.S - Counts of indirect targets --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Called just before an indirect call or jump with its target on top of the
// stack, which is popped, and the address of its site in the image in r11. Only
// r11 and flags change.

#define FUNCTION(NAME)                                                         \
        .globl NAME; .hidden NAME; .type NAME, @function; .p2align 6; NAME:
#define END(NAME) .size NAME, . - NAME

        .text

// Offsets in graupel_image_state and graupel_region_control.
#define REGION_OFFSET 24
#define CONTROL_SELF 24

// rax is already saved and has the target.
.macro save_registers
        pushq %rcx
        pushq %rdx
        pushq %rsi
        pushq %rdi
        pushq %r8
        pushq %r9
        pushq %r10
        movq %r11, %rdi
        movq %rax, %rsi
.endm

.macro restore_registers
        popq %r10
        popq %r9
        popq %r8
        popq %rdi
        popq %rsi
        popq %rdx
        popq %rcx
        popq %rax
        retq $8
.endm

// The fast path: one comparison with the most frequent target.
.macro count_target segment
        pushq %rax
        movq 16(%rsp), %rax
        cmpq \segment (%r11), %rax
        jne 1f
        movq \segment 8(%r11), %rax
        incq (%rax)
        popq %rax
        retq $8
1:      save_registers
        leaq graupel_rt_state_slot(%rip), %rax
        addq (%rax), %rax
        addq REGION_OFFSET(%rax), %rax
        movq \segment CONTROL_SELF(%rax), %rdx
        callq graupelCountTarget
        restore_registers
.endm

FUNCTION(graupel_rt_indirect)
        count_target
END(graupel_rt_indirect)

FUNCTION(graupel_rt_indirect_gs)
        count_target %gs:
END(graupel_rt_indirect_gs)

FUNCTION(graupel_rt_indirect_atomic)
        pushq %rax
        movq 16(%rsp), %rax
        save_registers
        callq graupelCountTargetLocked
        restore_registers
END(graupel_rt_indirect_atomic)

        .section .note.GNU-stack, "", @progbits
