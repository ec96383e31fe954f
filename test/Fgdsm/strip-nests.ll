; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Nests of loops: rows that follow one another are checked together.
;
; RUN: opt -load-pass-plugin=%passes -passes='print<fgdsm-strips>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm-strips,verify' -verify-dom-info -verify-loop-info -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; 16 x 16 doubles: one range for all.
; PLAN-LABEL: function 'block'
; PLAN: loop 'rows': one strip
; PLAN-NEXT: store %p step 128 bytes 128 for 1 access
; CHECK-LABEL: define void @block(
; CHECK: entry:
; CHECK-NEXT: call void @graupel.fgdsm.range(ptr %p, i64 2048, i1 true, i64 1)
; CHECK-NOT: graupel.fgdsm
; CHECK: ret void
define void @block(ptr %p) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.end ]
  %row = shl i64 %i, 7
  %start = getelementptr inbounds i8, ptr %p, i64 %row
  br label %body
body:
  %j = phi i64 [ 0, %rows ], [ %j.next, %body ]
  %at = getelementptr inbounds double, ptr %start, i64 %j
  store double 0.0, ptr %at
  %j.next = add nuw nsw i64 %j, 1
  %row.done = icmp eq i64 %j.next, 16
  br i1 %row.done, label %rows.end, label %body
rows.end:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 16
  br i1 %done, label %exit, label %rows
exit:
  ret void
}

; Any number of rows of 16: strips of the outer loop, and a vector that is used in
; each row.
; PLAN-LABEL: function 'rows'
; PLAN: loop 'rows': 32 iterations a strip
; PLAN-DAG: load %p step 128 bytes 128 for 1 access
; PLAN-DAG: load %x step 0 bytes 128 for 1 access
; CHECK-LABEL: define double @rows(
; CHECK: strip:
; CHECK: call void @graupel.fgdsm.range(ptr {{%.*}}, i64 range(i64 1, 4097) %strip.bytes, i1 false, i64 [[#]])
; CHECK: call void @graupel.fgdsm.range(ptr %x, i64 128, i1 false, i64 [[#]])
define double @rows(ptr %p, ptr %x, i64 %m) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.end ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %rows.end ]
  %row = shl i64 %i, 7
  %start = getelementptr inbounds i8, ptr %p, i64 %row
  br label %body
body:
  %j = phi i64 [ 0, %rows ], [ %j.next, %body ]
  %sum.in = phi double [ %sum, %rows ], [ %sum.next, %body ]
  %at = getelementptr inbounds double, ptr %start, i64 %j
  %a = load double, ptr %at
  %xat = getelementptr inbounds double, ptr %x, i64 %j
  %b = load double, ptr %xat
  %ab = fmul double %a, %b
  %sum.next = fadd double %sum.in, %ab
  %j.next = add nuw nsw i64 %j, 1
  %row.done = icmp eq i64 %j.next, 16
  br i1 %row.done, label %rows.end, label %body
rows.end:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %m
  br i1 %done, label %exit, label %rows
exit:
  ret double %sum.next
}

; A block within a larger matrix: the rows are apart, each is checked by itself.
; PLAN-LABEL: function 'apart'
; PLAN: loop 'body': one strip
; PLAN-NEXT: store {%p,+,8192}<nuw><%rows> step 8 bytes 8 for 1 access
define void @apart(ptr %p, i64 %m) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.end ]
  %row = shl nuw nsw i64 %i, 13
  %start = getelementptr inbounds i8, ptr %p, i64 %row
  br label %body
body:
  %j = phi i64 [ 0, %rows ], [ %j.next, %body ]
  %at = getelementptr inbounds double, ptr %start, i64 %j
  store double 0.0, ptr %at
  %j.next = add nuw nsw i64 %j, 1
  %row.done = icmp eq i64 %j.next, 16
  br i1 %row.done, label %rows.end, label %body
rows.end:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %m
  br i1 %done, label %exit, label %rows
exit:
  ret void
}

; Rows of any length: two versions.
; PLAN-LABEL: function 'measured'
; PLAN: loop 'rows': at most 16 iterations a strip
; PLAN-NEXT: if (8 * %n) <= 4096
; PLAN-NEXT: store %p step (8 * %n) bytes (8 * %n) for 1 access
; CHECK-LABEL: define void @measured(
; CHECK: entry:
; CHECK: [[FITS:%.*]] = icmp ule i64 {{%.*}}, 4096
; CHECK: br i1 [[FITS]], label %strip.fits, label %strip.fits.general
; CHECK: strip.fits.general:
; CHECK: strip{{[0-9]*}}:
; CHECK: call void @graupel.fgdsm.range
; CHECK: body.general:
; CHECK: store double {{.*}} !graupel.covered
; CHECK: strip.fits:
; CHECK: [[ROOM:%.*]] = sub i64 4096,
; CHECK: udiv i32
; CHECK: strip{{[0-9]*}}:
; CHECK: call void @graupel.fgdsm.range
; CHECK: {{^}}rows:
; CHECK-NOT: graupel.fgdsm.range
; CHECK: store double {{.*}} !graupel.covered
define void @measured(ptr %p, i64 %n, i64 %m) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.end ]
  %row = mul nuw nsw i64 %i, %n
  %start = getelementptr inbounds double, ptr %p, i64 %row
  br label %body
body:
  %j = phi i64 [ 0, %rows ], [ %j.next, %body ]
  %at = getelementptr inbounds double, ptr %start, i64 %j
  store double 0.0, ptr %at
  %j.next = add nuw nsw i64 %j, 1
  %row.done = icmp eq i64 %j.next, %n
  br i1 %row.done, label %rows.end, label %body
rows.end:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %m
  br i1 %done, label %exit, label %rows
exit:
  ret void
}
