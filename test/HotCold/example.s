# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The example of Cohn, Goodwin and Lowney: of eleven instructions, four are left.
# What the rare call needs is made where it is needed.
#
# REQUIRES: x86_64, gcc
# RUN: %hot-cold %s %t | FileCheck %s
# CHECK: hot version of work
# CHECK-NEXT: hot {{.*}} stub
# CHECK-NEXT: leaq (%rdi,%rsi), %rax
# CHECK-NEXT: testq %rsi, %rsi
# CHECK-NEXT: jne
# CHECK-NEXT: hot
# CHECK-NEXT: retq
# CHECK-NEXT: stub
# CHECK-NEXT: pushq %rbx
# CHECK: pushq %rbp
# CHECK: leaq -0x8(%rsp), %rsp
# CHECK-NOT: mov
# CHECK: leaq 0x1(%rdi), %rbx
# CHECK-NOT: work:
#
# Whatever is wrong with it is found.
# RUN: %hot-cold %s %t -hco-break=drop | FileCheck %s --check-prefix=DROP --implicit-check-not="not found"
# DROP: work: found 8 of 8 faults
# RUN: %hot-cold %s %t -hco-break=register | FileCheck %s --check-prefix=REGISTER --implicit-check-not="not found"
# REGISTER: work: found [[N:[0-9]+]] of [[N]] faults
# RUN: %hot-cold %s %t -hco-break=constant | FileCheck %s --check-prefix=CONSTANT --implicit-check-not="not found"
# CONSTANT: work: found [[N:[0-9]+]] of [[N]] faults
# RUN: %hot-cold %s %t -hco-break=edge | FileCheck %s --check-prefix=EDGE --implicit-check-not="not found"
# EDGE: work: found 1 of 1 faults
# RUN: %hot-cold %s %t -hco-break=unwind | FileCheck %s --check-prefix=UNWIND --implicit-check-not="not found"
# UNWIND: work: found [[N:[0-9]+]] of [[N]] faults
# RUN: %hot-cold %s %t -hco-break=state | FileCheck %s --check-prefix=STATE
# STATE: work: found
	.include "hot.inc"
	begin
	save rbx
	save rbp
	grow 8
	leaq 1(%rdi), %rbx
	leaq (%rdi,%rsi), %rax
	testq %rsi, %rsi
	jne .Lrare
	shrink 8
	restore rbp
	restore rbx
	retq
.Lrare:
	again 32
	movq %rdx, %rbp
	movq %rax, %rdi
	callq note@PLT
	movq %rbx, (%rbp)
	shrink 8
	restore rbp
	restore rbx
	retq
	finish
