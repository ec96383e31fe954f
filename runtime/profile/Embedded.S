//===- profile/Embedded.S - The runtime as data of graupel-bolt -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

        .section .rodata
        .p2align 6
        .globl graupel_profile_runtime_elf
        .hidden graupel_profile_runtime_elf
graupel_profile_runtime_elf:
        .incbin GRAUPEL_PROFILE_RUNTIME
        .globl graupel_profile_runtime_elf_end
        .hidden graupel_profile_runtime_elf_end
graupel_profile_runtime_elf_end:

        .section .note.GNU-stack, "", @progbits
