# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: x86_64, gcc
# Behind a conditional jump to a function's cold part, or to another function,
# the code that runs has its counts: gcc makes such jumps wherever a function
# throws. The cold part comes back, returns, or is never entered.
#
# RUN: rm -f %t.inst.gprofile*
# RUN: gcc -w %s -Wl,--emit-relocs -o %t && %t
# RUN: graupel-bolt %t -instrument -o %t.inst && %t.inst
# RUN: %counts %t.inst.gprofile returns=1000 comesBack=1000 never=1000 tail=1000 other=250
# RUN: graupel-bolt export %t.inst.gprofile | FileCheck %s
#
# Each edge by the offset of its jump, the fall-through, too.
# CHECK-DAG: {{^}}1 returns 3 1 returns 9 0 900{{$}}
# CHECK-DAG: {{^}}1 returns 3 1 returns.cold/1 0 0 100{{$}}
# CHECK-DAG: {{^}}1 comesBack 3 1 comesBack 9 0 900{{$}}
# CHECK-DAG: {{^}}1 comesBack 9 1 comesBack b 0 900{{$}}
# CHECK-DAG: {{^}}1 comesBack.cold/1 2 1 comesBack b 0 100{{$}}
# CHECK-DAG: {{^}}1 never 3 1 never 9 0 1000{{$}}
# CHECK-DAG: {{^}}1 tail 4 1 tail a 0 750{{$}}
# CHECK-DAG: {{^}}1 tail 4 1 other 0 0 250{{$}}
#
# What runs stays in the hot part: only the jump that is never taken is cold.
# RUN: graupel-bolt %t -o %t.opt -data=%t.inst.gprofile -hco=false -print-split-decisions -spike-stats=json -spike-stats-file=%t.json 2>%t.errors | FileCheck %s -check-prefix SPLIT
# RUN: FileCheck %s -check-prefix NONE -allow-empty -input-file %t.errors
# RUN: %t.opt
# SPLIT-DAG: {{^}}returns: not split: all blocks hot
# SPLIT-DAG: {{^}}comesBack: not split: all blocks hot
# SPLIT-DAG: {{^}}never: split
# SPLIT-DAG: {{^}}tail: not split: all blocks hot
# NONE-NOT: graupel-bolt: warning
#
# A block of that kind has no bytes of its own: lines and pages stay possible.
# RUN: %python -c "import json; b = json.load(open(r'%t.json'))['layout']['before']; assert b['lines'] < 100 and b['executed_bytes'] < 1000, b"

# Nor are they lost or counted twice in another build: as many instructions run.
# RUN: gcc -w %s -Wa,--defsym,OTHER=1 -Wl,--emit-relocs -o %t.other
# RUN: graupel-bolt %t.other -o %t.opt -data=%t.inst.gprofile -hco=false -print-split-decisions -spike-stats=json -spike-stats-file=%t.other.json | FileCheck %s -check-prefix SPLIT
# RUN: %python -c "import json; a, b = [json.load(open(f))['executed_instructions'] for f in (r'%t.json', r'%t.other.json')]; assert a == b, (a, b)"

	.text
	.globl main
	.type main,@function
main:
	pushq %rbx
	movl $1000, %ebx
.Lloop:
	movl %ebx, %eax
	xorl %edx, %edx
	movl $10, %ecx
	divl %ecx
	movl %edx, %edi
	callq returns
	callq comesBack
	movl $1, %edi
	callq never
	movl %ebx, %edi
	callq tail
	decl %ebx
	jnz .Lloop
	xorl %eax, %eax
	popq %rbx
	ret
	.size main, .-main

	.globl returns
	.type returns,@function
returns:
	.byte 0x83, 0xff, 0x00            # cmpl $0, %edi
	.byte 0x0f, 0x84                  # je returns.cold, always long
	.long returns.cold - . - 4
.ifdef OTHER
	addl $2, %eax
.else
	incl %eax
.endif
	ret
	.size returns, .-returns

	.globl comesBack
	.type comesBack,@function
comesBack:
	.byte 0x83, 0xff, 0x00
	.byte 0x0f, 0x84
	.long comesBack.cold - . - 4
.ifdef OTHER
	addl $2, %eax
.else
	incl %eax
.endif
.Lback:
	decl %eax
	ret
	.size comesBack, .-comesBack

	.globl never
	.type never,@function
never:
	.byte 0x83, 0xff, 0x00
	.byte 0x0f, 0x84
	.long never.cold - . - 4
	incl %eax
	ret
	.size never, .-never

	.globl tail
	.type tail,@function
tail:
	.byte 0x40, 0xf6, 0xc7, 0x03      # testb $3, %dil
	.byte 0x0f, 0x84
	.long other - . - 4
	incl %eax
	ret
	.size tail, .-tail

	.globl other
	.type other,@function
other:
	decl %eax
	ret
	.size other, .-other

	.section .text.unlikely,"ax",@progbits
	.type returns.cold,@function
returns.cold:
	decl %eax
	ret
	.size returns.cold, .-returns.cold

	.type comesBack.cold,@function
comesBack.cold:
	decl %eax
	jmp .Lback
	.size comesBack.cold, .-comesBack.cold

	.type never.cold,@function
never.cold:
	ud2
	.size never.cold, .-never.cold
	.section .note.GNU-stack,"",@progbits
