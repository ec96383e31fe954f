// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exception tables that cannot be rewritten: one without a routine, which somebody
// else looks for; and ranges that hold but the end of one call, which is what
// unwinders ask for, and but the beginning of another. Their functions stay.
//
// REQUIRES: x86_64, gcc
// RUN: g++ -O1 %s -Wl,--emit-relocs -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s
// CHECK-DAG: unread left as it is: its exception table cannot be rewritten
// CHECK-DAG: cut left as it is: its exception table cannot be rewritten
// RUN: %modes %s --compiler g++ --out %t.modes | FileCheck %s --check-prefix=MODES
// MODES: 10 passed, 0 failed
#include <cstdio>
#include <cstring>
#include <unwind.h>

extern "C" {
int unread(int (*Callee)(int), int N);
int cut(int (*Callee)(int), int N);
}

asm(R"(
	.text
	.p2align 4
	.globl unread
	.type unread, @function
unread:
	.cfi_startproc
	.cfi_lsda 0x1b, .Lnote
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	movq %rdi, %rax
	movl %esi, %edi
	call *%rax
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size unread, . - unread

	.p2align 4
	.globl cut
	.type cut, @function
cut:
.Lcut:
	.cfi_startproc
	.cfi_personality 0x9b, DW.ref.__gxx_personality_v0
	.cfi_lsda 0x1b, .Ltable
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3, -16
	movq %rdi, %rbx
	movl %esi, %edi
.Lfirst:
	call *%rbx
.Lbehind:
	leal 3(%rax), %edi
.Lsecond:
	call *%rbx
	leal 3(%rax), %edi
.Lthird:
	call *%rbx
1:	popq %rbx
	.cfi_remember_state
	.cfi_def_cfa_offset 8
	ret
	.cfi_restore_state
.Lpad:
	movq %rax, %rdi
	call __cxa_begin_catch@PLT
	call __cxa_end_catch@PLT
	movl $-5, %eax
	jmp 1b
	.cfi_endproc
	.size cut, . - cut

	.section .gcc_except_table, "a", @progbits
	.p2align 2
.Lnote:
	.byte 0xff, 0xff, 1, 0
	.asciz "a note"
	.p2align 2
.Ltable:
	.byte 0xff, 0x9b
	.uleb128 .Ltypes - .Lheader
.Lheader:
	.byte 1
	.uleb128 .Lactions - .Lsites
.Lsites:
	.uleb128 .Lfirst - .Lcut + 1
	.uleb128 .Lsecond - .Lfirst
	.uleb128 .Lpad - .Lcut
	.uleb128 1
	.uleb128 .Lsecond - .Lcut + 1
	.uleb128 .Lpad - .Lsecond - 1
	.uleb128 .Lpad - .Lcut
	.uleb128 1
.Lactions:
	.byte 1, 0
	.p2align 2
	.long 0
.Ltypes:
	.text
)");

static int Notes;

static _Unwind_Reason_Code see(_Unwind_Context *Context, void *) {
  const auto *Table =
      static_cast<const char *>(_Unwind_GetLanguageSpecificData(Context));
  Notes += Table && !std::strcmp(Table + 4, "a note");
  return _URC_NO_REASON;
}

__attribute__((noinline)) static int work(int N) {
  _Unwind_Backtrace(see, nullptr);
  if (N % 4 == 1)
    throw N;
  return N;
}

int main() {
  int Sum = 0;
  for (int I = 0; I < 9; ++I)
    try {
      Sum += cut(work, I);
      Sum += unread(work, I);
    } catch (int N) {
      Sum += 10 * N;
    }
  printf("sum %d, notes %d\n", Sum, Notes);
  return 0;
}
