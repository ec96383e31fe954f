# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Where a jump table ends is proved from the code: a comparison bounds the index on
# each path to the jump. What is not proved stays.
#
# REQUIRES: x86_64
# RUN: %link-asm %s %t --build-id
# RUN: %python %tools/exit-code.py 101 %t
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -copies=always -v=1 -verify > %t.log && FileCheck %s < %t.log
# RUN: FileCheck %s --check-prefix=COPIED < %t.log
# RUN: %python %tools/exit-code.py 101 %t.o
# RUN: %python %S/Inputs/unchanged.py %t %t.o
# RUN: llvm-strip %t -o %t.stripped
# RUN: graupel-bolt %t.stripped -o %t.o -instrument -instrumentation-file=%t.gprofile > %t.log
# RUN: %python %tools/exit-code.py 101 %t.o
# RUN: graupel-bolt %t.stripped -o %t.o -data=%t.gprofile -copies=always -verify > %t.log
# RUN: %python %tools/exit-code.py 101 %t.o
#
# CHECK-DAG: changed ({{.*}})
# CHECK-DAG: otherWidth ({{.*}})
# CHECK-DAG: onePath ({{.*}})
# CHECK-DAG: stale ({{.*}})
# CHECK-DAG: upper ({{.*}})
# CHECK-DAG: entered ({{.*}}something may lead into its first bytes)
# CHECK-DAG: known ({{.*}}an indirect jump {{.*}})
# CHECK-DAG: held ({{.*}}the address of an instruction in it is known)
# CHECK-DAG: short ({{.*}}it is shorter than a jump)
# COPIED-NOT: {{^graupel-bolt:   (bounded|byte|inMemory|masked) }}
	.macro function name
	.p2align 4
	.globl \name
	.type \name, @function
\name:	.cfi_startproc
	.endm
	.macro done name
	.cfi_endproc
	.size \name, .-\name
	.endm
	.macro through table, index
	leaq \table(%rip), %rdx
	movslq (%rdx,\index,4), %rcx
	addq %rdx, %rcx
	jmpq *%rcx
	.endm
	.macro cases a, b
\a:	movl $1, %eax
	retq
\b:	movl $2, %eax
	retq
	.endm

	.text
	.globl _start
	.type _start, @function
_start:	.cfi_startproc
	.cfi_undefined %rip
	xorl %ebx, %ebx
	movl $3, %r12d
.Lagain:
	.irp name, bounded, byte, inMemory, masked, changed, otherWidth, onePath, upper, stale, entered, known, held, short
	leal -1(%r12), %edi
	callq \name
	addl %eax, %ebx
	.endr
	callq enters
	addl %eax, %ebx
	decl %r12d
	jne .Lagain
	movl $60, %eax
	movl %ebx, %edi
	syscall
	.cfi_endproc
	.size _start, .-_start

# FDATA: 1 _start 0 1 bounded 0 0 300
# FDATA: 1 _start 0 1 byte 0 0 300
# FDATA: 1 _start 0 1 inMemory 0 0 300
# FDATA: 1 _start 0 1 masked 0 0 300
# FDATA: 1 _start 0 1 changed 0 0 300
# FDATA: 1 _start 0 1 otherWidth 0 0 300
# FDATA: 1 _start 0 1 onePath 0 0 300
# FDATA: 1 _start 0 1 upper 0 0 300
# FDATA: 1 _start 0 1 stale 0 0 300
# FDATA: 1 _start 0 1 entered 0 0 300
# FDATA: 1 _start 0 1 known 0 0 300
# FDATA: 1 _start 0 1 held 0 0 300
# FDATA: 1 _start 0 1 short 0 0 300

	# The next table looks like more entries of this one.
	function bounded
	cmpl $1, %edi
	ja .Lb3
	movl %edi, %eax
	through .Ltable1, %rax
	cases .Lb1, .Lb2
.Lb3:	cmpl $2, %edi
	ja .Lb1
	movl %edi, %edi
	through .Ltable2, %rdi
	done bounded

	function byte
	cmpb $2, %dil
	ja .Lc1
	movzbl %dil, %edi
	through .Ltable3, %rdi
	cases .Lc1, .Lc2
	done byte

	function inMemory
	movl %edi, -8(%rsp)
	cmpl $2, -8(%rsp)
	jbe 1f
	retq
1:	movl -8(%rsp), %eax
	through .Ltable4, %rax
	cases .Ld1, .Ld2
	done inMemory

	function masked
	andl $3, %edi
	through .Ltable5, %rdi
	cases .Le1, .Le2
	done masked

	# The index is one more than what was compared.
	function changed
	cmpl $1, %edi
	ja .Lf1
	movl %edi, %eax
	imull $2, %eax, %eax
	through .Ltable6, %rax
	cases .Lf1, .Lf2
	done changed

	# Eight bits were compared.
	function otherWidth
	cmpb $2, %dil
	ja .Lg1
	movl %edi, %edi
	through .Ltable7, %rdi
	cases .Lg1, .Lg2
	done otherWidth

	# One path has no comparison.
	function onePath
	movl %edi, %eax
	testl %edi, %edi
	je 1f
	cmpl $1, %eax
	ja .Lh2
1:	through .Ltable8, %rax
	cases .Lh1, .Lh2
	done onePath

	# The index has upper bits that were not compared.
	function upper
	cmpl $1, %edi
	ja .Lj1
	through .Ltable10, %rdi
	cases .Lj1, .Lj2
	done upper

	# The register that is compared is what the index was in the iteration before.
	function stale
	movl %edi, %esi
	xorl %eax, %eax
1:	movl %esi, %r8d
	movl %edi, %esi
	shrl $1, %edi
	incl %eax
	cmpl $3, %eax
	jb 1b
	cmpl $0, %esi
	ja .Li1
	movl %r8d, %r8d
	through .Ltable9, %r8
	cases .Li1, .Li2
	done stale

	# Another function jumps behind the first of the patched bytes.
	function entered
	nop
.Linside:
	movl $4, %eax
	retq
	done entered
	function enters
	movl $7, %edi
	jmp .Linside
	done enters

	# Data holds such an address.
	function held
	nop
.Lheld:
	movl $6, %eax
	retq
	done held

	# A jump comes back, and data holds where to.
	function known
	nop
.Lknown:
	movl $5, %eax
	jmpq *holder(%rip)
.Lbehind:
	retq
	done known

	function short
	movl %edi, %eax
	retq
	done short

	.section .rodata
	.p2align 2
	.macro entries table, a, b
	.long \a-\table, \b-\table
	.endm
.Ltable1:
	entries .Ltable1, .Lb1, .Lb2
.Ltable2:
	entries .Ltable2, .Lb2, .Lb1
	.long .Lb2-.Ltable2
.Ltable3:
	entries .Ltable3, .Lc1, .Lc2
	.long .Lc1-.Ltable3
.Ltable4:
	entries .Ltable4, .Ld1, .Ld2
	.long .Ld2-.Ltable4
.Ltable5:
	entries .Ltable5, .Le1, .Le2
	entries .Ltable5, .Le2, .Le1
.Ltable6:
	entries .Ltable6, .Lf1, .Lf2
	.long .Lf2-.Ltable6
.Ltable7:
	entries .Ltable7, .Lg1, .Lg2
	.long .Lg2-.Ltable7
.Ltable8:
	entries .Ltable8, .Lh1, .Lh2
.Ltable9:
	entries .Ltable9, .Li1, .Li2
	.long .Li1-.Ltable9, .Li2-.Ltable9
.Ltable10:
	entries .Ltable10, .Lj1, .Lj2
	.data
	.p2align 3
holder:	.quad .Lbehind
	.quad .Lknown, .Lheld
