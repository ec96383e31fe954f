# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which instructions are prologue and epilogue. Each function is marked with
# what counts in it; executions are those times the function's count.
#
# REQUIRES: x86_64
# RUN: %link-asm %s %t
# RUN: graupel-bolt %t -o %t.o -data=%t.fdata -spike-stats=json -spike-stats-file=%t.json
# RUN: FileCheck %s < %t.json
# RUN: %python %tools/exit-code.py 33 %t.o
#
#   pushes    1000: 2 saves, 2 restores, 4 adjustments, 1 return, 1 call
#   moves     100:  1 save, 1 restore, 1 return
#   frame     10:   1 save, 2 frame pointer, 1 adjustment, 1 return, 1 call
#   filler    10:   2 adjustments, 1 call, 1 return
#   wrapped   20:   4 of them also 1 save and 1 restore, shrink-wrapped, 2 calls
#   arguments 10:   nothing but 1 call and 1 return
#
# CHECK: "call_overhead": {
# CHECK: "prologue_epilogue": {
# CHECK-NEXT: "executed": 8268,
# CHECK: "saves": {
# CHECK-NEXT: "executed": 2110,
# CHECK: "restores": {
# CHECK-NEXT: "executed": 2100,
# CHECK: "stack_adjustments": {
# CHECK-NEXT: "executed": 4030,
# CHECK: "frame_pointer": {
# CHECK-NEXT: "executed": 20,
# CHECK: "shrink_wrapped": {
# CHECK-NEXT: "executed": 8,
# CHECK: "calls": {
# CHECK-NEXT: "executed": 1045,
# CHECK: "tail_calls": {
# CHECK-NEXT: "executed": 100,
# CHECK: "returns": {
# CHECK-NEXT: "executed": 1150,
#
# FDATA: 0 [unknown] 0 1 _start 0 0 1
# FDATA: 0 [unknown] 0 1 pushes 0 0 1000
# FDATA: 0 [unknown] 0 1 moves 0 0 100
# FDATA: 0 [unknown] 0 1 frame 0 0 10
# FDATA: 0 [unknown] 0 1 filler 0 0 10
# FDATA: 0 [unknown] 0 1 wrapped 0 0 20
# FDATA: 1 wrapped #Lfork# 1 wrapped #Lout# 0 16
# FDATA: 1 wrapped #Lfork# 1 wrapped #Lin# 0 4
# FDATA: 1 wrapped #Lpop# 1 wrapped #Lout# 0 4
# FDATA: 0 [unknown] 0 1 arguments 0 0 10
# FDATA: 0 [unknown] 0 1 tail 0 0 100
	.text
	.globl pushes
	.type pushes,@function
pushes:
	pushq %rbx                      # save
	pushq %r12                      # save
	subq $24, %rsp                  # adjustment
	movl %edi, %ebx
	pushq %rbx                      # ebx is a value of ours: not a save
	callq leaf
	addq $8, %rsp                   # takes it back: an adjustment after the last call
	addq $16, %rsp
	addq $8, %rsp
	popq %r12                       # restore
	popq %rbx                       # restore
	retq
	.size pushes, .-pushes

	.globl moves
	.type moves,@function
moves:
	movq %rbx, -8(%rsp)             # save
	movl $7, %ebx
	movq %rbx, -16(%rsp)            # a value of ours
	addl %ebx, %eax
	movq -16(%rsp), %rbx            # used afterwards: not a restore
	addl %ebx, %eax
	movq -8(%rsp), %rbx             # restore
	retq
	.size moves, .-moves

	.globl frame
	.type frame,@function
frame:
	pushq %rbp                      # save
	movq %rsp, %rbp                 # frame pointer
	subq $16, %rsp                  # adjustment
	callq leaf
	leaveq                          # frame pointer
	retq
	.size frame, .-frame

	.globl filler
	.type filler,@function
filler:
	pushq %rax                      # adjustment
	callq leaf
	popq %rcx                       # adjustment
	retq
	.size filler, .-filler

	.globl wrapped
	.type wrapped,@function
wrapped:
	testl %edi, %edi
Lfork:
	jne Lout
Lin:
	pushq %rbx                      # save, shrink-wrapped
	movl %edi, %ebx
	callq leaf
	callq leaf
Lpop:
	popq %rbx                       # restore, shrink-wrapped
Lout:
	retq
	.size wrapped, .-wrapped

	.globl arguments
	.type arguments,@function
arguments:
	pushq %rdi                      # an argument
	pushq $8
	callq leaf2
	retq
	.size arguments, .-arguments

	.globl tail
	.type tail,@function
tail:
	addl $1, %eax
	jmp leaf
	.size tail, .-tail

	.globl leaf
	.type leaf,@function
leaf:
	addl $1, %eax
	retq
	.size leaf, .-leaf

	.globl leaf2
	.type leaf2,@function
leaf2:
	retq $16
	.size leaf2, .-leaf2

	.globl _start
	.type _start,@function
_start:
	xorl %edi, %edi
	xorl %eax, %eax
	callq pushes
	callq moves
	callq frame
	callq filler
	callq wrapped
	callq arguments
	callq tail
	addl $12, %eax
	movl %eax, %edi
	movl $60, %eax
	syscall
	.size _start, .-_start
