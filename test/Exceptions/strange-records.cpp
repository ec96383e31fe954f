// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unwind records that cannot be written anew: of an interrupted frame, which is
// entered in front of the instruction to be executed next; with a rule of which
// BOLT knows nothing; with another column for the return address, that of r15; and
// one that begins behind the first instruction. Their functions stay; exceptions
// find their way through them.
//
// REQUIRES: x86_64, gcc
// RUN: g++ -O2 -ffixed-r15 %s -Wl,--emit-relocs -o %t.exe
// RUN: %t.exe 3
// RUN: graupel-bolt %t.exe -o %t.o -verify -print-protected | FileCheck %s
// CHECK-DAG: handler{{.*}} left as it is: its unwind record cannot be written anew
// CHECK-DAG: byValue left as it is: its unwind record cannot be written anew
// CHECK-DAG: otherColumn left as it is: its unwind record cannot be written anew
// CHECK-DAG: lateRecord left as it is: its unwind record cannot be written anew
// RUN: %t.o 3
// RUN: rm -f %t.gprofile
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile -verify
// RUN: %t.i 3
// RUN: graupel-bolt %t.exe -o %t.h -data=%t.gprofile -hco -verify
// RUN: %t.h 3
// RUN: strip %t.exe -R .rela.text -o %t.s
// RUN: graupel-bolt %t.s -o %t.n -allow-stripped
// RUN: %t.n 3
#include <cstdlib>

extern "C" {
void interrupted(void (*Callee)());
void byValue(void (*Callee)());
void otherColumn(void (*Callee)());
void lateRecord(void (*Callee)());
}

// "interrupted" returns to the first instruction of "next": an unwinder that
// looks one byte before it finds the frame of "before".
asm(R"(
	.text
	.p2align 4
	.type interrupted, @function
	.globl interrupted
interrupted:
	.cfi_startproc
	leaq next(%rip), %rax
	pushq %rax
	.cfi_adjust_cfa_offset 8
	jmp handler
	.cfi_endproc
	.size interrupted, . - interrupted

	.p2align 4
	.type before, @function
before:
	.cfi_startproc
	subq $0x1008, %rsp
	.cfi_adjust_cfa_offset 0x1008
	call abort@PLT
	.cfi_endproc
	.size before, . - before

	.type next, @function
next:
	.cfi_startproc
	ret
	.cfi_endproc
	.size next, . - next

	.p2align 4
	.type handler, @function
handler:
	.cfi_startproc
	.cfi_signal_frame
	subq $16, %rsp
	.cfi_adjust_cfa_offset 16
	call *%rdi
	addq $16, %rsp
	.cfi_adjust_cfa_offset -16
	ret
	.cfi_endproc
	.size handler, . - handler

	.p2align 4
	.type byValue, @function
	.globl byValue
byValue:
	.cfi_startproc
	.cfi_escape 0x14, 7, 0
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	call *%rdi
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size byValue, . - byValue

	.p2align 4
	.type otherColumn, @function
	.globl otherColumn
otherColumn:
	.cfi_startproc
	.cfi_return_column 15
	.cfi_undefined 16
	.cfi_offset 15, -8
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	call *%rdi
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size otherColumn, . - otherColumn

	.p2align 4
	.type lateRecord, @function
	.globl lateRecord
lateRecord:
	endbr64
	.cfi_startproc
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	call *%rdi
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size lateRecord, . - lateRecord
)");

volatile int Calls;

__attribute__((noinline)) static void quiet() { ++Calls; }
__attribute__((noinline)) static void thrower() {
  ++Calls;
  throw 42;
}

static int through(void (*Frame)(void (*)())) {
  Frame(quiet);
  try {
    Frame(thrower);
  } catch (int Thrown) {
    return Thrown == 42;
  }
  return 0;
}

int main(int Argc, char **Argv) {
  int Caught = 0;
  for (int I = 0, E = atoi(Argv[1]); I < E; ++I)
    Caught += through(interrupted) + through(byValue) + through(otherColumn) +
              through(lateRecord);
  return Caught != 4 * atoi(Argv[1]);
}
