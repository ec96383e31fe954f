# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A landing pad behind a no-operation at the beginning of a cold part, which a
# call in the same part leads to. Without the no-operation its distance from the
# beginning is 0, which says "none" in an exception table.
#
# REQUIRES: x86_64, gcc
# RUN: split-file %s %t.d
# RUN: g++ -O1 %t.d/main.cpp %t.d/parts.s -Wl,--emit-relocs -o %t.exe
# RUN: %t.exe | FileCheck %s
# RUN: graupel-bolt %t.exe -o %t.plain -verify && %t.plain | FileCheck %s
# RUN: graupel-bolt %t.exe -o %t.stress -layout=none -stress-layout=3 && %t.stress | FileCheck %s
# RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile
# RUN: %t.i | FileCheck %s
# RUN: graupel-bolt %t.exe -o %t.spike -layout=spike -data=%t.gprofile && %t.spike | FileCheck %s
# CHECK: sum 1012
#
#--- main.cpp
#include <cstdio>
extern "C" {
int Sum;
__attribute__((noinline, noreturn)) void thrower(int X) { throw X; }
__attribute__((noinline)) void checker(int X) {
  if (X == 8)
    throw X;
  Sum += 1000;
}
void parts(int X);
}
int main() {
  parts(1);
  parts(4);
  parts(8);
  printf("sum %d\n", Sum);
}
#--- parts.s
	.text
	.globl	parts
	.type	parts, @function
parts:
.Lbegin:
	.cfi_startproc
	.cfi_personality 0x9b, DW.ref.__gxx_personality_v0
	.cfi_lsda 0x1b, .Ltable
	subq	$8, %rsp
	.cfi_def_cfa_offset 16
	cmpl	$4, %edi
	je	.Lthrow
.Lcall:
	call	checker@PLT
.Lcalled:
	addq	$8, %rsp
	.cfi_remember_state
	.cfi_def_cfa_offset 8
	ret
.Lpad:
	.cfi_restore_state
	jmp	.Lcatch
	.cfi_endproc
	.size	parts, .-parts

	.section	.text.unlikely, "ax", @progbits
	.type	parts.cold, @function
parts.cold:
.Lcold:
	.cfi_startproc
	.cfi_personality 0x9b, DW.ref.__gxx_personality_v0
	.cfi_lsda 0x1b, .Lcoldtable
	.cfi_def_cfa_offset 16
	nop
.Lcatch:
	movq	%rax, %rdi
	cmpq	$1, %rdx
	jne	.Lresume
	call	__cxa_begin_catch@PLT
	movl	(%rax), %eax
	addl	%eax, Sum(%rip)
	addq	$8, %rsp
	.cfi_remember_state
	.cfi_def_cfa_offset 8
	jmp	__cxa_end_catch@PLT
.Lresume:
	.cfi_restore_state
.Lup:
	call	_Unwind_Resume@PLT
.Lupped:
.Lthrow:
	call	thrower@PLT
.Lthrown:
	.cfi_endproc
	.size	parts.cold, .-parts.cold

	.section	.gcc_except_table, "a", @progbits
	.align	4
.Ltable:
	.byte	0xff, 0x9b
	.uleb128 .Ltypes1 - .Ltypes1from
.Ltypes1from:
	.byte	1
	.uleb128 .Lsites1end - .Lsites1
.Lsites1:
	.uleb128 .Lcall - .Lbegin
	.uleb128 .Lcalled - .Lcall
	.uleb128 .Lpad - .Lbegin
	.uleb128 1
.Lsites1end:
	.byte	1, 0
	.align	4
	.long	DW.ref._ZTIi - .
.Ltypes1:
.Lcoldtable:
	.byte	0xff, 0x9b
	.uleb128 .Ltypes2 - .Ltypes2from
.Ltypes2from:
	.byte	1
	.uleb128 .Lsites2end - .Lsites2
.Lsites2:
	.uleb128 .Lup - .Lcold
	.uleb128 .Lupped - .Lup
	.uleb128 0
	.uleb128 0
	.uleb128 .Lthrow - .Lcold
	.uleb128 .Lthrown - .Lthrow
	.uleb128 .Lcatch - .Lcold
	.uleb128 1
.Lsites2end:
	.byte	1, 0
	.align	4
	.long	DW.ref._ZTIi - .
.Ltypes2:

	.hidden	DW.ref._ZTIi
	.weak	DW.ref._ZTIi
	.section	.data.rel.local.DW.ref._ZTIi, "awG", @progbits, DW.ref._ZTIi, comdat
	.align	8
	.type	DW.ref._ZTIi, @object
	.size	DW.ref._ZTIi, 8
DW.ref._ZTIi:
	.quad	_ZTIi
	.hidden	DW.ref.__gxx_personality_v0
	.weak	DW.ref.__gxx_personality_v0
	.section	.data.rel.local.DW.ref.__gxx_personality_v0, "awG", @progbits, DW.ref.__gxx_personality_v0, comdat
	.align	8
	.type	DW.ref.__gxx_personality_v0, @object
	.size	DW.ref.__gxx_personality_v0, 8
DW.ref.__gxx_personality_v0:
	.quad	__gxx_personality_v0
	.section	.note.GNU-stack, "", @progbits
