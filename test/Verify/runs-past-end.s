# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Control that runs past the end of a function must come to the next one in the
# output, too. The faults are a return or padding between the two.
#
# REQUIRES: x86_64, gcc
# DEFINE: %{end} =
# DEFINE: %{fault} =
# DEFINE: %{check} = \
# DEFINE:   gcc -Wa,--defsym,%{end}=1 %s -Wl,--emit-relocs,--build-id=none -o %t.exe && %t.exe && \
# DEFINE:   graupel-bolt %t.exe -o %t.o -verify && %t.o && \
# DEFINE:   gcc -Wa,--defsym,%{end}=1,--defsym,%{fault}=1 %s -Wl,--emit-relocs,--build-id=none -o %t.bad && \
# DEFINE:   not elf-verify %t.exe %t.bad | FileCheck %s
# CHECK: behind ({{.*}}) is run into past the end of the function before it, but not in the output
# REDEFINE: %{fault} = RETURN
# REDEFINE: %{end} = PLAIN
# RUN: %{check}
# REDEFINE: %{end} = BRANCH
# RUN: %{check}
# REDEFINE: %{end} = CALL
# RUN: %{check}
# REDEFINE: %{end} = SYSTEM
# RUN: %{check}
# REDEFINE: %{fault} = PADDING
# RUN: %{check}
# REDEFINE: %{end} = PLAIN
# RUN: %{check}
#
# What does not go on may be followed by anything.
# RUN: gcc -Wa,--defsym,LAST=1 %s -Wl,--emit-relocs,--build-id=none -o %t.exe
# RUN: gcc -Wa,--defsym,LAST=1,--defsym,RETURN=1 %s -Wl,--emit-relocs,--build-id=none -o %t.other
# RUN: elf-verify %t.exe %t.other
        .text
        .p2align 4
        .globl main
        .type main, @function
main:   .cfi_startproc
        subq $8, %rsp
        .cfi_def_cfa_offset 16
        movl $4, %edi
        callq runsOn
        subl $17, %eax
        addq $8, %rsp
        .cfi_def_cfa_offset 8
        retq
        .cfi_endproc
        .size main, . - main

        .type returns, @function
returns:
        .cfi_startproc
        movl %r8d, %ecx
        retq
        .cfi_endproc
        .size returns, . - returns

        .p2align 6
        # The old place of what is behind may hold it yet.
        .ifdef RETURN
        .skip 64, 0xcc
        .endif
        .ifdef PADDING
        .skip 64, 0xcc
        .endif
        .globl runsOn
        .type runsOn, @function
runsOn: .cfi_startproc
        leal 1(%rdi), %r8d
        testl %edi, %edi
        jne 1f
        xorl %eax, %eax
        retq
1:
        .ifdef PLAIN
        pushq %r8
        .cfi_def_cfa_offset 16
        popq %r8
        # The author forgot that the frame is as before.
        .endif
        .ifdef BRANCH
        cmpl $9, %edi
        ja behind
        .endif
        .ifdef CALL
        callq returns
        .endif
        .ifdef SYSTEM
        movl $39, %eax
        syscall
        .endif
        .ifdef LAST
        movl $60, %eax
        xorl %edi, %edi
        syscall
        .endif
        .cfi_endproc
        .size runsOn, . - runsOn
        .ifdef RETURN
        retq
        .endif
        .ifdef PADDING
        .skip 4, 0xcc
        .endif
        .globl behind
        .type behind, @function
behind: .cfi_startproc
        leal 7(%r8,%r8), %eax
        retq
        .cfi_endproc
        .size behind, . - behind
        .p2align 8
        .section .note.GNU-stack, "", @progbits
