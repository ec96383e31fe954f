; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; What stands in line: at most four instructions for a tag, two for a value (three
; if it is in a vector register), two for a poll.
;
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm-checks,verify' -S %s | llc -O2 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: store_word:
; CHECK: movq %rdi, %[[T:[a-z0-9]+]]
; CHECK-NEXT: shrq $5, %[[T]]
; CHECK-NEXT: cmpb $0, %gs:(%[[T]])
; CHECK-NEXT: jne
; CHECK: movl %esi, (%rdi)
; CHECK: callq *graupel_dsm_store@GOTPCREL(%rip)
define void @store_word(ptr %p, i32 %x) {
  store i32 %x, ptr %p
  ret void
}

; CHECK-LABEL: load_short:
; CHECK: movq %rdi, %[[T:[a-z0-9]+]]
; CHECK-NEXT: shrq $5, %[[T]]
; CHECK-NEXT: testb $-128, %gs:(%[[T]])
; CHECK-NEXT: jne
; CHECK: movzwl (%rdi), %eax
define i16 @load_short(ptr %p) {
  %x = load i16, ptr %p
  ret i16 %x
}

; CHECK-LABEL: load_word:
; CHECK: movl (%rdi), %eax
; CHECK-NEXT: cmpl $2147200448, %eax
; CHECK-NEXT: je
; CHECK: callq *graupel_dsm_load@GOTPCREL(%rip)
; CHECK-NEXT: movl (%rdi), %eax
define i32 @load_word(ptr %p) {
  %x = load i32, ptr %p
  ret i32 %x
}

; CHECK-LABEL: load_pointer:
; CHECK: movq (%rdi), %rax
; CHECK-NEXT: cmpl $2147200448, %eax
; CHECK-NEXT: je
define ptr @load_pointer(ptr %p) {
  %x = load ptr, ptr %p
  ret ptr %x
}

; The access has the address as an operand of its own.
; CHECK-LABEL: store_element:
; CHECK: leaq (%rdi,%rsi,8), %[[T:[a-z0-9]+]]
; CHECK-NEXT: shrq $5, %[[T]]
; CHECK-NEXT: cmpb $0, %gs:(%[[T]])
; CHECK-NEXT: jne
; CHECK: movq %rdx, (%rdi,%rsi,8)
define void @store_element(ptr %p, i64 %i, i64 %x) {
  %q = getelementptr i64, ptr %p, i64 %i
  store i64 %x, ptr %q
  ret void
}

; CHECK-LABEL: load_double:
; CHECK: movsd (%rdi), %xmm0
; CHECK-NEXT: ucomisd %xmm0, %xmm0
; CHECK-NEXT: jp
define double @load_double(ptr %p) {
  %x = load double, ptr %p
  ret double %x
}

; Vectors that are tested by their first word are loaded by one instruction: another
; thread may be making memory valid.
; CHECK-LABEL: load_bytes:
; CHECK: movl (%rdi), %eax
; CHECK-NOT: %rdi
; CHECK: je
define <4 x i8> @load_bytes(ptr %p) {
  %x = load <4 x i8>, ptr %p, align 4
  ret <4 x i8> %x
}
; CHECK-LABEL: load_shorts:
; CHECK: mov{{[a-z]*}} (%rdi), %xmm0
; CHECK-NOT: %rdi
; CHECK: je
define <8 x i16> @load_shorts(ptr %p) {
  %x = load <8 x i16>, ptr %p, align 16
  ret <8 x i16> %x
}
; CHECK-LABEL: load_two:
; CHECK: mov{{[a-z]*}} (%rdi), %xmm0
; CHECK-NOT: %rdi
; CHECK: jp
define <2 x float> @load_two(ptr %p) {
  %x = load <2 x float>, ptr %p, align 8
  ret <2 x float> %x
}
; CHECK-LABEL: load_one:
; CHECK: movq (%rdi), %rax
; CHECK-NOT: %rdi
; CHECK: je
define <1 x i64> @load_one(ptr %p) {
  %x = load <1 x i64>, ptr %p, align 8
  ret <1 x i64> %x
}

; Fields in two granules, and in three: the fourth may be of another block, which
; is none of this check's business.
; CHECK-LABEL: fields:
; CHECK: shrq $5, %[[T:[a-z0-9]+]]
; CHECK-NEXT: testl $32896, %gs:(%[[T]])
; CHECK-NEXT: jne
define i64 @fields(ptr %p) {
  %a = load i64, ptr %p
  %q = getelementptr i8, ptr %p, i64 24
  %b = load i64, ptr %q
  %s = add i64 %a, %b
  ret i64 %s
}
; CHECK-LABEL: wide:
; CHECK: shrq $5, %[[T:[a-z0-9]+]]
; CHECK-NEXT: testl $16777215, %gs:(%[[T]])
; CHECK-NEXT: jne
define void @wide(ptr %p) {
  store i64 0, ptr %p
  %q = getelementptr i8, ptr %p, i64 64
  store i64 0, ptr %q
  ret void
}

; CHECK-LABEL: wide_load:
; CHECK: testl $8421504, %gs:
define i8 @wide_load(ptr %p) {
  %a = load i8, ptr %p
  %q = getelementptr i8, ptr %p, i64 33
  %b = load i8, ptr %q
  %s = add i8 %a, %b
  ret i8 %s
}

; Not aligned: two granules, whatever the size.
; CHECK-LABEL: unaligned:
; CHECK: cmpw $0, %gs:
define void @unaligned(ptr %p) {
  store i16 0, ptr %p, align 1
  ret void
}

; CHECK-LABEL: poll:
; CHECK: cmpb $0, %gs:0
; CHECK-NEXT: jne
; CHECK: callq *{{graupel_dsm_poll@GOTPCREL\(%rip\)|%r[a-z0-9]+}}
define void @poll(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  call void asm sideeffect "", ""()
  %more = icmp ne i32 %j, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The instruction follows its check with nothing between.
; CHECK-LABEL: atomic:
; CHECK: cmpb $0, %gs:
; CHECK-NEXT: jne
; CHECK: lock{{.*}}xaddl
define i32 @atomic(ptr %p) {
  %x = atomicrmw add ptr %p, i32 2 seq_cst
  ret i32 %x
}

; Tests that stand together share one comparison.
; CHECK-LABEL: together:
; CHECK-COUNT-4: %gs:
; CHECK-NOT: %gs:
; CHECK: jne
; CHECK-NOT: j{{n?e|n?s|a|b}} {{.*}}
; CHECK: retq
; CHECK: callq *graupel_dsm_acquire_set@GOTPCREL(%rip)
define void @together(ptr %p, ptr %q, ptr %r, ptr %s) {
  %a = load i16, ptr %p
  %b = load i16, ptr %q
  %c = add i16 %a, %b
  store i16 %c, ptr %r
  %wide = getelementptr i8, ptr %s, i64 24
  store i64 0, ptr %s
  store i64 0, ptr %wide
  ret void
}

; Two masks are cheaper apart, as an instruction has its own; the second tags are
; loaded behind the first branch, to the same slow path.
; CHECK-LABEL: apart:
; CHECK: testl $32896, %gs:
; CHECK-NEXT: jne [[SLOW:.LBB[0-9_]+]]
; CHECK: testl $16777215, %gs:
; CHECK-NEXT: jne [[SLOW]]
; CHECK: movq %{{.*}}, 40(%rdi)
; CHECK: [[SLOW]]:
; CHECK-COUNT-1: callq *graupel_dsm_acquire_set@GOTPCREL(%rip)
; CHECK: .Lfunc_end
define void @apart(ptr %p, ptr %q) {
  %a = load i64, ptr %q
  %q4 = getelementptr i8, ptr %q, i64 32
  %b = load i64, ptr %q4
  store i64 %a, ptr %p
  %p5 = getelementptr i8, ptr %p, i64 40
  store i64 %b, ptr %p5
  ret void
}
