# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which edges are counted, and with which instructions.
#
# REQUIRES: x86_64
# RUN: rm -f %t.*.gprofile
# RUN: %link-asm %s %t
# RUN: graupel-bolt %t -instrument -o %t.i -print-counters > %t.said && FileCheck %s --check-prefix=PLAN < %t.said
# RUN: llvm-objdump -d --no-show-raw-insn --no-addresses %t.i > %t.dis && FileCheck %s --check-prefix=CODE < %t.dis
# RUN: %python %tools/exit-code.py 42 %t.i
# RUN: graupel-bolt export %t.i.gprofile | FileCheck %s --check-prefix=COUNTS
#
# A graph of B blocks and E edges, closed through the outside, needs E - B
# counters. The loop's back edge and the branch around the addition are free.
# PLAN:      _start: 1 blocks, 2 edges, 1 counters
# PLAN-NEXT:   .L{{.*}} -> outside, weight 1000, in its source
# PLAN-NEXT: loop: 5 blocks, 8 edges, 3 counters
# PLAN-NEXT:   [[HEAD:.L[^ ]+]] -> [[LATCH:.L[^ ]+]], weight {{[0-9]+}}, between
# PLAN-NEXT:   [[ODD:.L[^ ]+]] -> [[LATCH]], weight {{[0-9]+}}, in its source
# PLAN-NEXT:   .L{{.*}} -> outside, weight 0, in its source
# PLAN-NEXT: carry: 6 blocks, 9 edges, 3 counters
# PLAN:      pointers: 1 blocks, 2 edges, 1 counters
# PLAN:      target: 1 blocks, 2 edges, 1 counters
# PLAN-NOT:  unknown
# PLAN:      GRAUPEL-INFO: instrumented 5 functions: 9 counters for 23 edges, 2 with the flags saved; 3 indirect calls
# PLAN-NEXT: GRAUPEL-INFO: not instrumented: 1 functions: llvm-bolt ignores them
#
# The critical edge has a block of its own. Flags are saved where they live, with
# one increment that no signal handler can interrupt, beyond the red zone.
# CODE-LABEL: <loop>:
# CODE-NEXT: xorl
# CODE-NEXT: testl $0x1, %edi
# CODE-NEXT: jne
# CODE-NEXT: leaq -0x80(%rsp), %rsp
# CODE-NEXT: pushq %rax
# CODE-NEXT: lahf
# CODE-NEXT: seto %al
# CODE-NEXT: incq %gs:{{.*}}(%rip)
# CODE-NEXT: addb $0x7f, %al
# CODE-NEXT: sahf
# CODE-NEXT: popq %rax
# CODE-NEXT: leaq 0x80(%rsp), %rsp
# CODE-NEXT: jmp
# CODE-NEXT: incq %gs:
# CODE-NEXT: addl $0x2, %eax
# CODE-NEXT: decl %edi
# CODE-NEXT: jne
# CODE-NEXT: incq %gs:
# CODE-NEXT: retq
#
# The two sides of the second branch count each other's; so do the ends.
# CODE-LABEL: <carry>:
# CODE-NEXT: cmpl
# CODE-NEXT: jp
# CODE-NEXT: leal 0x1(%rdx), %edx
# CODE-NEXT: jmp
# CODE:      lahf
# CODE-COUNT-1: incq %gs:
# CODE:      leal 0x2(%rdx), %edx
# CODE-NEXT: jb
# CODE-NEXT: incq %gs:
# CODE-NEXT: retq
# CODE-NEXT: incq %gs:
# CODE-NEXT: leal 0x4(%rdx), %edx
# CODE-NEXT: retq
#
# Indirect calls and tail calls hand their target over first; %r11 is kept.
# CODE-LABEL: <pointers>:
# CODE-NEXT: incq %gs:
# CODE-NEXT: leaq {{.*}}, %rax
# CODE-NEXT: pushq %r11
# CODE-NEXT: pushq %rax
# CODE-NEXT: leaq {{.*}}, %r11
# CODE-NEXT: callq
# CODE-NEXT: popq %r11
# CODE-NEXT: callq *%rax
# CODE-NEXT: leaq {{.*}}, %r11
# CODE-NEXT: pushq %r11
# CODE-NEXT: pushq %r11
# CODE-NEXT: leaq {{.*}}, %r11
# CODE-NEXT: callq
# CODE-NEXT: popq %r11
# CODE-NEXT: callq *%r11
# CODE-NEXT: leaq -0x80(%rsp), %rsp
# CODE-NEXT: pushq %r11
# CODE-NEXT: pushq {{.*}}(%rip)
# CODE-NEXT: leaq {{.*}}, %r11
# CODE-NEXT: callq
# CODE-NEXT: popq %r11
# CODE-NEXT: leaq 0x80(%rsp), %rsp
# CODE-NEXT: jmpq *{{.*}}(%rip)
#
# COUNTS:      1 _start 5 1 loop 0 0 1
# COUNTS-NEXT: 1 _start 14 1 carry 0 0 1
# COUNTS-NEXT: 1 _start 19 1 pointers 0 0 1
# COUNTS-NEXT: 1 loop 0 1 loop 2 0 1
# COUNTS-NEXT: 1 loop 8 1 loop d 0 500
# COUNTS-NEXT: 1 loop 8 1 loop a 0 500
# COUNTS-NEXT: 1 loop a 1 loop d 0 500
# COUNTS-NEXT: 1 loop f 1 loop 2 0 999
# COUNTS-NEXT: 1 loop f 1 loop 11 0 1
# COUNTS-NEXT: 1 carry 2 1 carry 9 0 1
# COUNTS-NEXT: 1 carry 9 1 carry c 0 1
# COUNTS-NEXT: 1 carry c 1 carry f 0 1
# COUNTS-NEXT: 1 pointers 7 1 target 0 0 1
# COUNTS-NEXT: 1 pointers 10 1 target 0 0 1
# COUNTS-NEXT: 1 pointers 13 1 target 0 0 1
# COUNTS-NEXT: 0 [unknown] 0 1 _start 0 0 1
#
# -atomic counts with a lock, in one place for all threads.
# RUN: graupel-bolt %t -instrument -o %t.a -atomic && llvm-objdump -d --no-show-raw-insn --no-addresses %t.a > %t.dis
# RUN: FileCheck %s --check-prefix=ATOMIC --implicit-check-not='incq %gs:' < %t.dis
# RUN: %python %tools/exit-code.py 42 %t.a
# RUN: graupel-bolt export %t.a.gprofile | FileCheck %s --check-prefix=COUNTS
# ATOMIC-LABEL: <loop>:
# ATOMIC: lahf
# ATOMIC-NEXT: seto %al
# ATOMIC-NEXT: lock
# ATOMIC-NEXT: incq {{[^%]*}}(%rip)
# ATOMIC-NEXT: addb
# ATOMIC-LABEL: <carry>:
#
# Without the targets of indirect calls.
# RUN: graupel-bolt -v=1 %t -instrument -o %t.n -instrument-calls=false | FileCheck %s --check-prefix=NOCALLS
# RUN: llvm-objdump -d --no-show-raw-insn --no-addresses --disassemble-symbols=pointers %t.n | FileCheck %s --check-prefix=NOCODE
# RUN: %python %tools/exit-code.py 42 %t.n
# RUN: graupel-bolt export %t.n.gprofile | FileCheck %s --check-prefix=NOCOUNTS
# NOCALLS: instrumented 5 functions: 9 counters for 23 edges, 2 with the flags saved; 0 indirect calls
# NOCODE-LABEL: <pointers>:
# NOCODE-NEXT: incq
# NOCODE-NEXT: leaq {{.*}}, %rax
# NOCODE-NEXT: callq *%rax
# NOCODE-NEXT: leaq {{.*}}, %r11
# NOCODE-NEXT: callq *%r11
# NOCODE-NEXT: jmpq *
# NOCOUNTS-NOT: 1 pointers {{.*}} target
# NOCOUNTS: 0 [unknown] 0 1 target 0 0 3
#
# An older profile has the weights; an edge with a block of its own weighs a
# quarter more.
# RUN: graupel-bolt %t -instrument -o %t.w -data=%t.fdata -print-counters > %t.said && FileCheck %s --check-prefix=WEIGHTS < %t.said
# RUN: %python %tools/exit-code.py 42 %t.w
# RUN: graupel-bolt export %t.w.gprofile | FileCheck %s --check-prefix=COUNTS
# WEIGHTS:      loop: 5 blocks, 8 edges, 3 counters
# WEIGHTS-NEXT:   {{.*}}, weight 0, in its source
# WEIGHTS-NEXT:   {{.*}}, weight 1247, between
# WEIGHTS-NEXT:   {{.*}}, weight 2, in its source
#
# -instrument-hot-only leaves out what the older profile does not name.
# RUN: graupel-bolt -v=1 %t -instrument -o %t.h -data=%t.fdata -instrument-hot-only | FileCheck %s --check-prefix=HOT
# RUN: %python %tools/exit-code.py 42 %t.h
# RUN: graupel-bolt export %t.h.gprofile | FileCheck %s --check-prefix=HOTCOUNTS --implicit-check-not=carry
# HOT: instrumented 1 functions: 3 counters for 8 edges
# HOT: not instrumented: 4 functions: the profile does not name them
# HOTCOUNTS: 1 loop 8 1 loop d 0 500
#
# FDATA: 1 _start 5 1 loop 0 0 1
# FDATA: 1 loop #Ltest# 1 loop #Llatch# 0 998
# FDATA: 1 loop #Ltest# 1 loop #Lodd# 0 2
# FDATA: 1 loop #Lodd# 1 loop #Llatch# 0 2
# FDATA: 1 loop #Lagain# 1 loop #Lhead# 0 999
# FDATA: 1 loop #Lagain# 1 loop #Lend# 0 1

        .globl _start, loop, carry, pointers, unknown, target, callee
        .text
        .type _start, @function
_start:
        movl $1000, %edi
        callq loop
        movl $1, %edi
        movl $2, %esi
        callq carry
        callq pointers
        movl $60, %eax
        movl $42, %edi
        syscall
        .size _start, .-_start

        .type loop, @function
loop:
        xorl %eax, %eax
Lhead:  testl $1, %edi
Ltest:  je Llatch
Lodd:   addl $2, %eax
Llatch: decl %edi
Lagain: jne Lhead
Lend:   retq
        .size loop, .-loop

        .type carry, @function
carry:
        cmpl %esi, %edi
        jp Lparity
        leal 1(%rdx), %edx
        jmp Ljoin
Lparity:
        leal 2(%rdx), %edx
Ljoin:  jb Lbelow
        retq
Lbelow: leal 4(%rdx), %edx
        retq
        .size carry, .-carry

        .type pointers, @function
pointers:
        leaq target(%rip), %rax
        callq *%rax
        leaq target(%rip), %r11
        callq *%r11
        jmpq *pointer(%rip)
        .size pointers, .-pointers

        .type target, @function
target:
        retq
        .size target, .-target

        .type unknown, @function
unknown:
        leaq Lsomewhere(%rip), %rax
        addq %rdi, %rax
        jmpq *%rax
Lsomewhere:
        nop
        retq
        .size unknown, .-unknown

        .data
pointer: .quad target
