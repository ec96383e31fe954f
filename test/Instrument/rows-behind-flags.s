# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A counter that has to stand behind a push of the flags stands behind the push's unwind
# rule, too.
#
# REQUIRES: x86_64, gcc
# RUN: gcc %s -Wl,--emit-relocs -o %t && %t
# RUN: graupel-bolt %t -instrument -o %t.counted -instrumentation-file=%t.gprofile -verify
# RUN: %t.counted
# RUN: rm -f %t.gprofile
# RUN: llvm-dwarfdump --eh-frame %t.counted > %t.rows
# RUN: llvm-objdump -d --no-show-raw-insn --disassemble-symbols=off %t.counted >> %t.rows
# RUN: %python %S/Inputs/row-at-counter.py %t.rows
	.text
	.globl off
	.type off, @function
off:
	.cfi_startproc
	pushfq
	.cfi_adjust_cfa_offset 8
	andq $-257, (%rsp)
	popfq
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size off, . - off

	.globl main
	.type main, @function
main:
	.cfi_startproc
	subq $8, %rsp
	.cfi_def_cfa_offset 16
	call off
	xorl %eax, %eax
	addq $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size main, . - main
	.section .note.GNU-stack, "", @progbits
