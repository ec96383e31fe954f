# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A file without a symbol table is checked by its unwind records: each is code of a
# function, and nothing else is. What is between them must be as it was. A string at
# the end of a function, whose bytes look like a jump, is not followed.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -s -rdynamic -o %t && %t
# RUN: graupel-bolt %t -allow-stripped -o %t.o -reorder-blocks=reverse -verify | FileCheck %s
# RUN: %t.o
# CHECK: graupel-bolt: verified: {{[5-9]|[1-9][0-9]}} functions, {{[2-9]|[1-9][0-9]}} branches
#
# What was written is found.
# RUN: %python -c "import sys; d = open(sys.argv[1], 'rb').read(); assert d.count(b'BETWEEN') == 1; open(sys.argv[2], 'wb').write(d.replace(b'BETWEEN', b'BETWIXT'))" %t.o %t.bad
# RUN: not elf-verify %t %t.bad | FileCheck %s --check-prefix=GAP
# GAP: what is between functions, at 0x{{[0-9a-f]+}}, is not that of the input
# RUN: %python -c "import sys; d = open(sys.argv[1], 'rb').read(); b = bytes.fromhex('b878563412'); assert d.count(b) == 1; open(sys.argv[2], 'wb').write(d.replace(b, b[:4] + b'\x13'))" %t.o %t.bad
# RUN: not elf-verify %t %t.bad | FileCheck %s --check-prefix=CODE
# CODE: the code of function 0x{{[0-9a-f]+}} {{.*}} is not that of the input's function 0x
	.text
	.p2align 5
	.globl main
	.type main, @function
main:
	.cfi_startproc
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	leaq string(%rip), %rax
	cmpb $'I', (%rax)
	jne .Lbad
	movl $3, %edi
	callq *pointer(%rip)
	xorl $0x12345678, %eax
	jne .Lbad
	xorl %eax, %eax
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	retq
.Lbad:
	.cfi_adjust_cfa_offset 8
	movl $1, %eax
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	retq
	.cfi_endproc

	.p2align 5
first:
	.cfi_startproc
	xorl %eax, %eax
	retq
	.cfi_endproc
# Another way to write this padding would be one that does not begin there.
	.byte 0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0
padding:
	.byte 0x0f, 0x1f, 0x00
	.p2align 4

	.type hidden, @function
hidden:
	.cfi_startproc
	testl %edi, %edi
	je .Lzero
	movl $0x12345678, %eax
	retq
.Lzero:
	xorl %eax, %eax
	retq
	.cfi_endproc
	.ascii "BETWEEN"
	.p2align 4, 0

	.globl exported
	.type exported, @function
exported:
	.cfi_startproc
	movl $5, %eax
	retq
	.cfi_endproc
string:
	.ascii "INSIDE"
	.byte 0x72, padding - . - 1, 0x06
	.size exported, . - exported
	.p2align 4

last:
	.cfi_startproc
	movl $1, %eax
	retq
	.cfi_endproc

	.section .data.rel.ro, "aw"
	.p2align 3
pointer:
	.quad hidden
	.section .note.GNU-stack, "", @progbits
