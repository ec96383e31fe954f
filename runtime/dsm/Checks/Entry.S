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
//      (Look.cpp). That mostly suffices.
//   2. If not, vector registers and x87 are saved, as much as the program uses of
//      them, and Work.cpp does the rest. Moves take a quarter of the time that
//      xsave and xrstor take, which are the way out on processors that do not
//      tell what is in use.
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
        ENTRY   graupel_dsm_acquire_set, graupelDsmLookAcquireSet, graupelDsmAcquireSet
        ENTRY   graupel_dsm_poll, graupelDsmLookPoll, graupelDsmPoll
        ENTRY   graupel_dsm_poll_acquire, graupelDsmLookPollAcquire, graupelDsmPollAcquire
        ENTRY   graupel_dsm_poll_acquire_set, graupelDsmLookPollAcquireSet, graupelDsmPollAcquireSet

// Calls R8 with RDI, RSI and, as the third argument, the return address of the
// entry whose frame RBP is; preserves vector registers, MXCSR and x87 by the
// method of Vectors.h. With moves, RBX has the states in use: 2: the upper halves
// of ymm, 5 to 7: what AVX-512 adds. Its bit 0 is set if the x87 stack has values:
// compiled code pushes them from an empty stack, whose top is 0. Its bit 1 is set
// if one of the first 16 registers has more than 16 bytes of value: a processor
// may say that upper halves are in use long after they have been cleared, and
// writing zeros into them would make each SSE instruction of the program depend
// on the former value of what it overwrites, until the next vzeroupper. Other
// states (tiles, say) are touched by nothing that may run here.
        .set    MASKS, 32 * 64
        .set    CONTROL, MASKS + 8 * 8
        .set    X87, CONTROL + 64
        .set    MOVE_BYTES, X87 + 512

        .macro  SAVE move, class, width, registers:vararg
        .irp    number, \registers
        \move   [rsp + \number * \width], \class\number
        .endr
        .endm
        .macro  RESTORE move, class, width, registers:vararg
        .irp    number, \registers
        \move   \class\number, [rsp + \number * \width]
        .endr
        .endm
        .macro  COLLECT operation, class, width, registers:vararg
        .irp    number, \registers
        \operation \class\()0, \class\()0, \class\number
        .endr
        .endm
        .macro  LOWER what, move, class, width
        \what   \move, \class, \width, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        .endm
        // All of LOWER but for the first.
        .macro  OTHER what, move, class, width
        \what   \move, \class, \width, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        .endm
        .macro  UPPER what, move, class, width
        \what   \move, \class, \width, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        .endm

        // With the first of LOWER saved, and the zero flag set if all of them have
        // no more than 16 bytes of value: saves the others, and calls.
        .macro  SAVE_AND_CALL move, class, width
        jnz     1f
        OTHER   SAVE, movdqa, xmm, \width
        jmp     2f
1:      or      ebx, 2
        OTHER   SAVE, \move, \class, \width
2:      vzeroupper
        mov     rdx, r9
        call    r8
        .endm
        // And back, then to the label `next`.
        .macro  RESTORE_LOWER move, class, width, next
        test    bl, 2
        jz      1f
        LOWER   RESTORE, \move, \class, \width
        jmp     \next
1:      vzeroupper
        LOWER   RESTORE, movdqa, xmm, \width
        jmp     \next
        .endm

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
        cmp     dword ptr [rip + graupelDsmVectorMethod], 1
        je      20f
        jb      30f

        // Moves.
        sub     rsp, MOVE_BYTES
        and     rsp, -64
        mov     ecx, 1
        xgetbv
        mov     ebx, eax
        stmxcsr [rsp + CONTROL]
        and     ebx, -4
        fnstsw  ax
        test    ah, 0x38
        jnz     13f
10:     test    bl, 0xe0
        jz      11f
        UPPER   SAVE, vmovdqa64, zmm, 64
        .irp    number, 0, 1, 2, 3, 4, 5, 6, 7
        kmovq   [rsp + MASKS + \number * 8], k\number
        .endr
        vmovdqa64 [rsp], zmm0
        OTHER   COLLECT, vporq, zmm, 64
        vptestmq k1, zmm0, zmm0
        kmovw   eax, k1
        test    al, 0xfc // All but the lower 16 bytes.
        SAVE_AND_CALL vmovdqa64, zmm, 64
        .irp    number, 0, 1, 2, 3, 4, 5, 6, 7
        kmovq   k\number, [rsp + MASKS + \number * 8]
        .endr
        UPPER   RESTORE, vmovdqa64, zmm, 64
        RESTORE_LOWER vmovdqa64, zmm, 64, 15f
11:     test    bl, 4
        jz      12f
        vmovdqa [rsp], ymm0
        OTHER   COLLECT, vorps, ymm, 32
        vextractf128 xmm0, ymm0, 1
        vptest  xmm0, xmm0
        SAVE_AND_CALL vmovdqa, ymm, 32
        RESTORE_LOWER vmovdqa, ymm, 32, 15f
12:     LOWER   SAVE, movdqa, xmm, 16
        mov     rdx, r9
        call    r8
        test    dword ptr [rip + graupelDsmHasAvx], -1
        jz      14f
        vzeroupper // As it was, should the call have used them.
14:     LOWER   RESTORE, movdqa, xmm, 16
        jmp     15f
13:     fxsave64 [rsp + X87]
        fninit
        or      ebx, 1
        jmp     10b
15:     ldmxcsr [rsp + CONTROL]
        test    bl, 1
        jz      40f
        // Restores the lower parts of vector registers once more.
        fxrstor64 [rsp + X87]
        jmp     40f

        // xsave.
20:     sub     rsp, [rip + graupelDsmVectorBytes]
        and     rsp, -64
        // xrstor wants zeros in what xsave leaves of the header.
        xor     ecx, ecx
        .irp    word, 0, 1, 2, 3, 4, 5, 6, 7
        mov     [rsp + 512 + \word * 8], rcx
        .endr
        mov     eax, [rip + graupelDsmVectorMask]
        mov     edx, [rip + graupelDsmVectorMask + 4]
        xsave64 [rsp]
        mov     rdx, r9
        call    r8
        mov     eax, [rip + graupelDsmVectorMask]
        mov     edx, [rip + graupelDsmVectorMask + 4]
        xrstor64 [rsp]
        jmp     40f

        // fxsave.
30:     sub     rsp, 512
        and     rsp, -64
        fxsave64 [rsp]
        mov     rdx, r9
        call    r8
        fxrstor64 [rsp]

40:     mov     rbx, [rbp - 8]
        leave
        .cfi_def_cfa rsp, 8
        ret
        .cfi_endproc
        .size   graupelDsmWithVectors, . - graupelDsmWithVectors

        .section .note.GNU-stack, "", @progbits
