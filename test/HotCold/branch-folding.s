# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Callees test their arguments. Inlined where these are known, they need not: the
# address of something in the frame is never 0, and constants decide by themselves.
# What flags are needed for later is still computed.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t -hco-growth=100 -hco-report -hco-report-file=%t.txt | FileCheck %s
# RUN: llvm-objdump -d --no-show-raw-insn --disassemble-symbols=work %t.o | FileCheck %s --check-prefix=CODE
# RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.txt
# CHECK: work: je never taken, testq %rcx, %rcx not needed: in the frame (3000)
# CHECK-NEXT: work: jne always taken, cmpq $0x0, %r9 not needed: in the frame, 0x0 (3000)
# CHECK-NEXT: work: jl never taken, cmpl $-0x5, %r8d not needed: 0xfffffffd, 0xfffffffffffffffb (3000)
# CHECK-NEXT: work: ja always taken, cmpb $0x1, %r8b not needed: 0xfffffffd, 0x1 (3000)
# CHECK-NEXT: work: je never taken, testw %r8w, %r8w not needed: 0xfffffffd (3000)
# CHECK-NEXT: work: js always taken, testl %r8d, %r8d not needed: 0xfffffffd (3000)
# CHECK-NEXT: work: jne never taken, testl %r10d, %r10d still needed: 0x0 (3000)
# CODE-LABEL: <work>:
# CODE-NOT: call
# CODE-NOT: {{(cmp|test)}}
# CODE: movq %rdi, 0x8(%rsp)
# CODE-NOT: {{(cmp|test)}}
# CODE: addq $0x11, %rax
# CODE-NOT: {{(cmp|test)}}
# CODE: xorl %r10d, %r10d
# CODE-NEXT: testl %r10d, %r10d
# CODE-NEXT: sete %r11b
# CODE-NOT: {{(cmp|test)[bwlq] .*%r(8|9|10|cx)}}
# CODE: retq
# REPORT: {{^ *}}folded branches{{ +[1-9]}}
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 24
	movq %rdi, %rbx
	movq %rdx, %rbp
	leaq 8(%rsp), %rax
	movq %rax, %rcx
	movq %rcx, %r9
	movl $-3, %r8d
	callq store
	callq compare
	callq signs
	xorl %r10d, %r10d
	callq flags
	addq 8(%rsp), %rax
	movzbl %r11b, %r11d
	addq %r11, %rax
	movq %rax, (%rbp)
	testq %rsi, %rsi
	jne .Lrare
	shrink 24
	restore rbp
	restore rbx
	retq
.Lrare:
	again 48
	movq %rax, %rdi
	callq note@PLT
	addq %rbx, %rax
	shrink 24
	restore rbp
	restore rbx
	retq
	.cfi_endproc
	.size work, .-work
	.type store, @function
store:
	.cfi_startproc
	leaq 7(%rdi), %rax
	testq %rcx, %rcx
	je .Lnowhere
	movq %rdi, (%rcx)
.Lnowhere:
	cmpq $0, %r9
	jne .Lthere
	leaq 9(%rdi), %rax
.Lthere:
	retq
	.cfi_endproc
	.size store, .-store
	.type compare, @function
compare:
	.cfi_startproc
	cmpl $-5, %r8d
	jl .Lless
	addq $17, %rax
.Lless:
	cmpb $1, %r8b
	ja .Labove
	addq $19, %rax
.Labove:
	retq
	.cfi_endproc
	.size compare, .-compare
	.type signs, @function
signs:
	.cfi_startproc
	testw %r8w, %r8w
	je .Lzero
	incq %rax
.Lzero:
	testl %r8d, %r8d
	js .Lnegative
	addq $23, %rax
.Lnegative:
	retq
	.cfi_endproc
	.size signs, .-signs
	.type flags, @function
flags:
	.cfi_startproc
	testl %r10d, %r10d
	jne .Lother
	sete %r11b
	retq
.Lother:
	movl $5, %r11d
	retq
	.cfi_endproc
	.size flags, .-flags
	.section .note.GNU-stack,"",@progbits
