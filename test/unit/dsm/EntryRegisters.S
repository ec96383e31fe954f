//===- EntryRegisters.S - Calls an entry with known registers --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// void callEntry(void (*entry)(), const uint64_t in[14], uint64_t out[14],
//                const void *vectorsIn, void *vectorsOut)
// Registers in the order rax rbx rcx rdx rsi rdi rbp r8 r9 r10 r12 r13 r14 r15;
// vectors as xsave writes them.

        .intel_syntax noprefix
        .text
        .globl  callEntry
        .type   callEntry, @function
callEntry:
        push    rbx
        push    rbp
        push    r12
        push    r13
        push    r14
        push    r15
        sub     rsp, 40
        mov     [rsp], rdi
        mov     [rsp + 8], rdx
        mov     [rsp + 16], r8
        mov     r11, rsi
        mov     eax, -1
        mov     edx, -1
        xrstor64 [rcx]
        mov     rax, [r11]
        mov     rbx, [r11 + 8]
        mov     rcx, [r11 + 16]
        mov     rdx, [r11 + 24]
        mov     rsi, [r11 + 32]
        mov     rdi, [r11 + 40]
        mov     rbp, [r11 + 48]
        mov     r8, [r11 + 56]
        mov     r9, [r11 + 64]
        mov     r10, [r11 + 72]
        mov     r12, [r11 + 80]
        mov     r13, [r11 + 88]
        mov     r14, [r11 + 96]
        mov     r15, [r11 + 104]
        call    [rsp]
        mov     r11, [rsp + 8]
        mov     [r11], rax
        mov     [r11 + 8], rbx
        mov     [r11 + 16], rcx
        mov     [r11 + 24], rdx
        mov     [r11 + 32], rsi
        mov     [r11 + 40], rdi
        mov     [r11 + 48], rbp
        mov     [r11 + 56], r8
        mov     [r11 + 64], r9
        mov     [r11 + 72], r10
        mov     [r11 + 80], r12
        mov     [r11 + 88], r13
        mov     [r11 + 96], r14
        mov     [r11 + 104], r15
        mov     rcx, [rsp + 16]
        mov     eax, -1
        mov     edx, -1
        xsave64 [rcx]
        fninit
        add     rsp, 40
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     rbp
        pop     rbx
        ret
        .size   callEntry, . - callEntry
        .section .note.GNU-stack, "", @progbits
