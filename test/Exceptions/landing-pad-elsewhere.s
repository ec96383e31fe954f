# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A landing pad in another part of the function, as clang's splitting makes it.
# Both parts stay, and so does what they do.
#
# REQUIRES: x86_64, gcc
# RUN: split-file %s %t.d
# RUN: g++ -O1 %t.d/main.cpp %t.d/both.s -Wl,--emit-relocs -o %t.exe
# RUN: %t.exe | FileCheck %s
# RUN: graupel-bolt %t.exe -o %t.plain -print-protected | FileCheck %s --check-prefix=STAYS
# STAYS: both{{.*}} its exception table cannot be rewritten
# STAYS: both.cold{{.*}}: it belongs to both{{[^:]*}}: {{[^ ]}}
# RUN: %t.plain | FileCheck %s
# RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile
# RUN: %t.i | FileCheck %s
# CHECK: sum 23
#
#--- main.cpp
#include <cstdio>
extern "C" {
int Sum;
__attribute__((noinline)) void checker(int X) {
  if (X == 8)
    throw X;
}
void both(int X);
}
int main() {
  both(1);
  both(8);
  printf("sum %d\n", Sum);
}
#--- both.s
	.text
	.globl	both
	.type	both, @function
both:
.Lbegin:
	.cfi_startproc
	.cfi_personality 0x9b, DW.ref.__gxx_personality_v0
	.cfi_lsda 0x1b, .Ltable
	subq	$8, %rsp
	.cfi_def_cfa_offset 16
.Lcall:
	call	checker@PLT
.Lcalled:
	addl	$5, Sum(%rip)
	addq	$8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	both, .-both

	.section	.text.unlikely, "ax", @progbits
	.type	both.cold, @function
both.cold:
.Lcold:
	.cfi_startproc
	.cfi_personality 0x9b, DW.ref.__gxx_personality_v0
	.cfi_def_cfa_offset 16
	nop
.Lpad:
	movq	%rax, %rdi
	call	__cxa_begin_catch@PLT
	movl	(%rax), %eax
	addl	%eax, Sum(%rip)
	addl	$10, Sum(%rip)
	addq	$8, %rsp
	.cfi_def_cfa_offset 8
	jmp	__cxa_end_catch@PLT
	.cfi_endproc
	.size	both.cold, .-both.cold

	.section	.gcc_except_table, "a", @progbits
	.align	4
.Ltable:
	.byte	0x1b
	.long	.Lcold - .
	.byte	0x9b
	.uleb128 .Ltypes - .Ltypesfrom
.Ltypesfrom:
	.byte	1
	.uleb128 .Lsitesend - .Lsites
.Lsites:
	.uleb128 .Lcall - .Lbegin
	.uleb128 .Lcalled - .Lcall
	.uleb128 .Lpad - .Lcold
	.uleb128 1
.Lsitesend:
	.byte	1, 0
	.align	4
	.long	DW.ref._ZTIi - .
.Ltypes:

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
