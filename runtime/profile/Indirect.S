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

// Offsets in graupel_thread_control, which is behind the state.
#define STATE_SIZE 24576
#define CONTROL_SELF 24
#define CONTROL_TARGETS 0
#define CONTROL_MASK 8
#define CONTROL_SIZE 64
#define SITE_SIZE 16
#define SITE_SHIFT 4
#define TARGET_SHIFT 4
#define TARGET_BITS 40
// Indirect.cpp checks all of the above, and uses these:
#define HASH_FACTOR 0x9e3779b97f4a7c15
// The most frequent target is looked for at each 256th count.
#define ADAPT_MASK 255

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

// One comparison with the most frequent target. Then, for calls that have many,
// one look at the place of the target table where the pair of site and target
// belongs; every so often, and when the pair is not there, the rest is done in
// Indirect.cpp, which computes the same key.
.macro count_target segment
        pushq %rax
        movq 16(%rsp), %rax
        cmpq \segment (%r11), %rax
        jne 1f
        movq \segment 8(%r11), %rax
        incq (%rax)
        popq %rax
        retq $8
1:      pushq %rcx
        pushq %rdx
        pushq %rsi
        leaq graupel_rt_state_slot(%rip), %rdx
        addq (%rdx), %rdx
        // The distance of the target, and whether 40 bits hold it.
        movq %rax, %rcx
        subq %rdx, %rcx
        movq %rcx, %rsi
        sarq $(TARGET_BITS - 1), %rsi
        addq $1, %rsi
        cmpq $1, %rsi
        ja 2f
        shlq $(64 - TARGET_BITS), %rcx
        shrq $(64 - TARGET_BITS), %rcx
        // The index of the site, plus 1, above it.
        addq $STATE_SIZE, %rdx
        movq %r11, %rsi
        subq %rdx, %rsi
        subq $(CONTROL_SIZE - SITE_SIZE), %rsi
        shlq $(TARGET_BITS - SITE_SHIFT), %rsi
        orq %rsi, %rcx
        movabsq $HASH_FACTOR, %rsi
        imulq %rcx, %rsi
        shrq $32, %rsi
        andq \segment CONTROL_MASK(%rdx), %rsi
        shlq $TARGET_SHIFT, %rsi
        movq \segment CONTROL_TARGETS(%rdx), %rdx
        testq %rdx, %rdx
        jz 2f
        cmpq %rcx, (%rdx,%rsi)
        jne 2f
        testl $ADAPT_MASK, 8(%rdx,%rsi)
        jz 2f
        incq 8(%rdx,%rsi)
        popq %rsi
        popq %rdx
        popq %rcx
        popq %rax
        retq $8
2:      popq %rsi
        popq %rdx
        popq %rcx
        save_registers
        leaq graupel_rt_state_slot(%rip), %rax
        addq (%rax), %rax
        movq \segment STATE_SIZE + CONTROL_SELF(%rax), %rdx
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
