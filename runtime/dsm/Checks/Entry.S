//===- Entry.S - What checked code calls -----------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entries of dsm_checks.h preserve everything but R11 and the flags:
//
//   1. General registers are saved, and code that uses no others looks first
//      (Fast.cpp). That mostly suffices.
//   2. If not, vector registers and x87 are saved, as much as the program uses
//      of them (xsavec leaves out what is in its initial state), and Slow.cpp
//      does the work.
//
// All registers have CFI, so debuggers see the caller's values.
//
//===----------------------------------------------------------------------===//

        .intel_syntax noprefix
        .text

        .macro  PUSH register, offset
        push    \register
        .cfi_offset \register, \offset
        .endm

        .macro  ENTRY name, look, work
        .globl  \name
        .type   \name, @function
        .p2align 4
\name:
        .cfi_startproc
        endbr64
        push    rbp
        .cfi_def_cfa_offset 16
        .cfi_offset rbp, -16
        mov     rbp, rsp
        .cfi_def_cfa_register rbp
        PUSH    rax, -24
        PUSH    rcx, -32
        PUSH    rdx, -40
        PUSH    rsi, -48
        PUSH    rdi, -56
        PUSH    r8, -64
        PUSH    r9, -72
        PUSH    r10, -80
        and     rsp, -16
        call    \look
        test    eax, eax
        jnz     1f
2:      lea     rsp, [rbp - 64]
        pop     r10
        pop     r9
        pop     r8
        pop     rdi
        pop     rsi
        pop     rdx
        pop     rcx
        pop     rax
        pop     rbp
        .cfi_remember_state
        .cfi_def_cfa rsp, 8
        .cfi_restore rbp
        ret
        .cfi_restore_state
1:      mov     rdi, [rbp - 40]
        mov     rsi, [rbp - 32]
        lea     r8, [rip + \work]
        call    graupelDsmWithVectors
        jmp     2b
        .cfi_endproc
        .size   \name, . - \name
        .endm

        ENTRY   graupel_dsm_load, graupelDsmLookLoad, graupelDsmLoad
        ENTRY   graupel_dsm_store, graupelDsmLookStore, graupelDsmStore
        ENTRY   graupel_dsm_acquire, graupelDsmLookAcquire, graupelDsmAcquire
        ENTRY   graupel_dsm_poll, graupelDsmLookPoll, graupelDsmPoll
        ENTRY   graupel_dsm_poll_acquire, graupelDsmLookPollAcquire, graupelDsmPollAcquire

// Calls R8 with RDI, RSI and, as the third argument, the return address of the
// entry whose frame RBP is. Saves all that xsave, or without it fxsave, knows.
        .type   graupelDsmWithVectors, @function
        .p2align 4
graupelDsmWithVectors:
        .cfi_startproc
        push    rbp
        .cfi_def_cfa_offset 16
        .cfi_offset rbp, -16
        mov     r9, [rbp + 8]
        mov     rbp, rsp
        .cfi_def_cfa_register rbp
        push    rbx
        .cfi_offset rbx, -24
        sub     rsp, [rip + graupelDsmVectorBytes]
        and     rsp, -64
        mov     ebx, [rip + graupelDsmVectorMethod]
        mov     eax, [rip + graupelDsmVectorMask]
        mov     edx, [rip + graupelDsmVectorMask + 4]
        test    ebx, ebx
        jz      10f
        // xrstor wants zeros in what xsave leaves of the header.
        xor     ecx, ecx
        mov     [rsp + 512], rcx
        mov     [rsp + 520], rcx
        mov     [rsp + 528], rcx
        mov     [rsp + 536], rcx
        mov     [rsp + 544], rcx
        mov     [rsp + 552], rcx
        mov     [rsp + 560], rcx
        mov     [rsp + 568], rcx
        cmp     ebx, 1
        je      11f
        xsavec64 [rsp]
        jmp     12f
10:     fxsave64 [rsp]
        jmp     12f
11:     xsave64 [rsp]
12:     mov     rdx, r9
        call    r8
        test    ebx, ebx
        jz      13f
        mov     eax, [rip + graupelDsmVectorMask]
        mov     edx, [rip + graupelDsmVectorMask + 4]
        xrstor64 [rsp]
        jmp     14f
13:     fxrstor64 [rsp]
14:     mov     rbx, [rbp - 8]
        leave
        .cfi_def_cfa rsp, 8
        ret
        .cfi_endproc
        .size   graupelDsmWithVectors, . - graupelDsmWithVectors

        .section .note.GNU-stack, "", @progbits
