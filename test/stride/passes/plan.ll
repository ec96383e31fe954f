; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Which loops are summarized, and why others are not.
;
; RUN: opt -load-pass-plugin=%stride-pass -passes='print<stride>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @unknown()
declare double @exp(double) nounwind willreturn memory(errnomem: write)

; CHECK-LABEL: strides of affine:
; CHECK-NEXT: nest %loop: (-1 + %n) + 1 iterations
; CHECK-NEXT:   load 8 %from at %a steps 8
; CHECK-NEXT:   store 8 %to at %b steps -16
; CHECK-NEXT:   store 8 %c at %c steps 0
define void @affine(ptr %a, ptr %b, ptr %c, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr double, ptr %a, i64 %i
  %v = load double, ptr %from
  %e = call double @exp(double %v)
  %twice = mul i64 %i, -2
  %to = getelementptr double, ptr %b, i64 %twice
  store double %e, ptr %to
  store volatile double %e, ptr %c
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; The step is in the record; the other reference is told one by one.
; CHECK-LABEL: strides of mixed:
; CHECK-NEXT: loop %loop: (-1 + %n) + 1 iterations, 1 others
; CHECK-NEXT:   0: load 4 %from at %index step (4 * %step)
; CHECK-NEXT: load 8 %at
define double @mixed(ptr %a, ptr %index, i64 %n, i64 %step) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %s, %loop ]
  %k = mul i64 %i, %step
  %from = getelementptr i32, ptr %index, i64 %k
  %x = load i32, ptr %from
  %wide = sext i32 %x to i64
  %at = getelementptr double, ptr %a, i64 %wide
  %v = load double, ptr %at
  %s = fadd double %sum, %v
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret double %s
}

; CHECK-LABEL: strides of list:
; CHECK-NEXT: loop %loop: unknown number of iterations
; CHECK-NEXT: load 8 %p
define void @list(ptr %first) {
entry:
  br label %loop

loop:
  %p = phi ptr [ %first, %entry ], [ %next, %loop ]
  %next = load ptr, ptr %p
  %more = icmp ne ptr %next, null
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK-LABEL: strides of calling:
; CHECK-NEXT: loop %loop: calls
; CHECK-NEXT: store 8 %to
define void @calling(ptr %a, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %to = getelementptr i64, ptr %a, i64 %i
  store i64 %i, ptr %to
  call void @unknown()
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK-LABEL: strides of conditional:
; CHECK-NEXT: loop %loop: conditional references
; CHECK-NEXT: load 8 %from
; CHECK-NEXT: store 8 %from
define void @conditional(ptr %a, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %from = getelementptr i64, ptr %a, i64 %i
  %v = load i64, ptr %from
  %odd = trunc i64 %v to i1
  br i1 %odd, label %then, label %latch

then:
  store i64 0, ptr %from
  br label %latch

latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; What is a reference, and what is not.
; CHECK-LABEL: strides of kinds:
; CHECK-NEXT: load 16 of 4 lanes %a
; CHECK-NEXT: load 4 of 4 lanes masked %a
; CHECK-NEXT: load 4 of 4 lanes lanes %p
; CHECK-NEXT: store 4 of 4 lanes lanes %p
; CHECK-NEXT: load 4 of 4 lanes packed %a
; CHECK-NEXT: store 4 of 4 lanes packed %b
; CHECK-NEXT: load 8 %a
; CHECK-NEXT: store 8 %a
; CHECK-NEXT: load 0 bulk %b
; CHECK-NEXT: store 0 bulk %a
; CHECK-NOT: {{load|store}}
define void @kinds(ptr %a, ptr %b, <4 x ptr> %p, <4 x i1> %m) {
  call void @llvm.prefetch.p0(ptr %a, i32 0, i32 3, i32 1)
  %unused = load i64, ptr %a
  %other = load i64, ptr addrspace(256) null
  %v = load <4 x float>, ptr %a
  %w = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %a, <4 x i1> %m, <4 x float> %v)
  %x = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %p, <4 x i1> %m, <4 x float> %w)
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %x, <4 x ptr> %p, <4 x i1> %m)
  %y = call <4 x float> @llvm.masked.expandload.v4f32(ptr %a, <4 x i1> %m, <4 x float> %x)
  call void @llvm.masked.compressstore.v4f32(<4 x float> %y, ptr %b, <4 x i1> %m)
  %old = atomicrmw add ptr %a, i64 1 seq_cst
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 100, i1 false)
  ret void
}

; The code generator makes the second load of an address the first one, unless
; something is written between.
; CHECK-LABEL: strides of folded:
; CHECK-NEXT: load 8 %a
; CHECK-NEXT: load 8 %b
; CHECK-NEXT: store 8 %b
; CHECK-NEXT: load 8 %same
; CHECK-NOT: load
define i64 @folded(ptr %a, ptr %b) {
  %x = load i64, ptr %a
  %same = getelementptr i64, ptr %a, i64 0
  %y = load i64, ptr %same
  %z = load i64, ptr %b
  store i64 %z, ptr %b
  %w = load i64, ptr %same
  %xy = add i64 %x, %y
  %r = add i64 %xy, %w
  ret i64 %r
}
