//===- stride/Entry.S - What recording code calls --------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// graupel_stride_drain(cursor), graupel_stride_begin(references) and
// graupel_stride_large(site, address, bytes) preserve all registers but RAX and
// R11. Vector registers and x87 are saved by xsave, or fxsave where there is nothing else:
// once a buffer, so that time does not count.
//
//===----------------------------------------------------------------------===//

        .intel_syntax noprefix
        .text
        .macro  entry name, target
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
        push    rbx
        .cfi_offset rbx, -24
        push    rcx
        push    rdx
        push    rsi
        push    rdi
        push    r8
        push    r9
        push    r10
        mov     rbx, [rip + graupelStrideSaveBytes]
        test    rbx, rbx
        jnz     1f
        and     rsp, -16
        call    graupelStrideFindSaveBytes
        mov     rbx, rax
1:      lea     rsp, [rbp - 64]
        sub     rsp, rbx
        and     rsp, -64
        cmp     rbx, 512
        je      2f
        // The header of the area must be zero.
        xor     eax, eax
        mov     [rsp + 512], rax
        mov     [rsp + 520], rax
        mov     [rsp + 528], rax
        mov     [rsp + 536], rax
        mov     [rsp + 544], rax
        mov     [rsp + 552], rax
        mov     [rsp + 560], rax
        mov     [rsp + 568], rax
        mov     eax, 0xe7
        xor     edx, edx
        xsave   [rsp]
        jmp     3f
2:      fxsave  [rsp]
3:      mov     rdi, [rbp - 40]
        mov     rsi, [rbp - 32]
        mov     rdx, [rbp - 24]
        cld
        call    \target
        mov     r11, rax
        cmp     rbx, 512
        je      4f
        mov     eax, 0xe7
        xor     edx, edx
        xrstor  [rsp]
        jmp     5f
4:      fxrstor [rsp]
5:      mov     rax, r11
        lea     rsp, [rbp - 64]
        pop     r10
        pop     r9
        pop     r8
        pop     rdi
        pop     rsi
        pop     rdx
        pop     rcx
        pop     rbx
        pop     rbp
        .cfi_def_cfa rsp, 8
        ret
        .cfi_endproc
        .size   \name, . - \name

        .endm

        entry   graupel_stride_drain, graupelStrideDrain
        entry   graupel_stride_begin, graupelStrideBegin
        entry   graupel_stride_large, graupelStrideLarge

        .section .note.GNU-stack, "", @progbits
