; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Sums stay rolled until they have checks, so that the unrolled loop and its
; remainder share a range and a test of the sum.
;
; RUN: opt -load-pass-plugin=%passes -passes='print<fgdsm-rolled>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm-keep-rolled' -S %s | FileCheck %s --check-prefix=KEPT
; RUN: opt -load-pass-plugin=%passes -passes='function(graupel-fgdsm-keep-rolled,loop-unroll<O3;runtime>),graupel-fgdsm,verify' -verify-dom-info -verify-loop-info -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; PLAN-LABEL: function 'row'
; PLAN-NEXT: loop 'loop'
; PLAN-NEXT: function 'pointers'
; PLAN-NEXT: loop 'loop'
; PLAN-NEXT: function 'forbidden'
; PLAN-NEXT: function 'stores'
; KEPT: br i1 %done, label %exit, label %loop, !llvm.loop [[ROLLED:![0-9]+]]
; CHECK-LABEL: define double @row(
; One comparison of a strip's summaries before both loops, and one of the sum
; behind them.
; CHECK: %[[SUMMARIES:.*]] = and i32 %{{.*}}, 32896
; CHECK: loop.prol
; CHECK-COUNT-5: fmul double
; CHECK: fcmp uno double
define double @row(ptr %columns, ptr %values, ptr %x, i64 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %column.at = getelementptr inbounds i32, ptr %columns, i64 %i
  %column = load i32, ptr %column.at
  %index = sext i32 %column to i64
  %value.at = getelementptr inbounds double, ptr %values, i64 %i
  %value = load double, ptr %value.at
  %x.at = getelementptr inbounds double, ptr %x, i64 %index
  %factor = load double, ptr %x.at
  %product = fmul double %value, %factor
  %sum.next = fadd double %sum, %product
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret double %sum.next
}

; What follows pointers has short rows: two iterations at a time, and one.
; KEPT: br i1 %done, label %exit, label %loop, !llvm.loop
; CHECK-LABEL: define double @pointers(
; CHECK-COUNT-3: fmul double
; CHECK: fcmp uno double
; CHECK-NOT: define
; CHECK: loop.checked
define double @pointers(ptr %from, ptr %values, i64 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %x.at.at = getelementptr inbounds ptr, ptr %from, i64 %i
  %x.at = load ptr, ptr %x.at.at
  %value.at = getelementptr inbounds double, ptr %values, i64 %i
  %value = load double, ptr %value.at
  %factor = load double, ptr %x.at
  %product = fmul double %value, %factor
  %sum.next = fadd double %sum, %product
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret double %sum.next
}

; The program may forbid it.
; KEPT: br i1 %done, label %exit, label %loop, !llvm.loop [[FORBIDDEN:![0-9]+]]
; CHECK-LABEL: define double @forbidden(
; CHECK-COUNT-1: fmul double
; CHECK: fcmp uno double
define double @forbidden(ptr %columns, ptr %values, ptr %x, i64 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %column.at = getelementptr inbounds i32, ptr %columns, i64 %i
  %column = load i32, ptr %column.at
  %index = sext i32 %column to i64
  %value.at = getelementptr inbounds double, ptr %values, i64 %i
  %value = load double, ptr %value.at
  %x.at = getelementptr inbounds double, ptr %x, i64 %index
  %factor = load double, ptr %x.at
  %product = fmul double %value, %factor
  %sum.next = fadd double %sum, %product
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !0
exit:
  ret double %sum.next
}

; What stores is LLVM's to unroll.
; KEPT: br i1 %done, label %exit, label %loop{{$}}
define void @stores(ptr %columns, ptr %x, i64 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %column.at = getelementptr inbounds i32, ptr %columns, i64 %i
  %column = load i32, ptr %column.at
  %index = sext i32 %column to i64
  %x.at = getelementptr inbounds double, ptr %x, i64 %index
  store double 0.0, ptr %x.at
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

attributes #0 = { "target-cpu"="x86-64" "tune-cpu"="generic" }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}

; KEPT: [[ROLLED]] = distinct !{[[ROLLED]], {{.*}}}
; KEPT-DAG: !{!"llvm.loop.unroll.runtime.disable", i32 0}
; KEPT-DAG: !{!"graupel.fgdsm.rolled", i32 0}
