; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; A loop within a loop that has checks of its own is expected to be one strip, for
; which there is a loop without strips. In its copy for more, the end is the loop's
; own if it can, and the strip is described by the loop's counter alone.
;
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm-strips,verify' -verify-dom-info -verify-loop-info -S %s | FileCheck %s
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm,verify' -fgdsm-verify -S %s | FileCheck %s --check-prefix=AFTER
; AFTER-NOT: call void @graupel.fgdsm

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Two elements of 16 bytes at a time: 128 iterations are a page. What would be
; divided for the number of iterations is compared instead.
; CHECK-LABEL: define double @gather(
; CHECK-NOT: udiv
; CHECK: inner:
; CHECK: [[FITS:%.*]] = icmp ule i64 {{.*}}, 255
; CHECK: br i1 [[FITS]], label %strip.fits, label %strip.fits.general, !prof
; CHECK: strip:
; CHECK: %i.general.strip = phi i64 [ 0, %strip.fits.general ], [ [[NEXT:%.*]], %strip.next ]
; CHECK: [[FROM:%.*]] = add i64 %i.general.strip, 2
; CHECK: [[REST:%.*]] = sub i64 %even, [[FROM]]
; CHECK: %strip.whole = icmp ult i64 [[REST]], 256
; CHECK: br i1 %strip.whole, label %strip.enter, label %strip.cut, !prof
; CHECK: strip.enter:
; CHECK: %strip.until = phi i64 [ %even, %strip ], [ %strip.bound, %strip.cut ]
; CHECK: %strip.ahead = phi i64 [ [[REST]], %strip ], [ 254, %strip.cut ]
; CHECK: [[LONG:%.*]] = mul i64 %strip.ahead, 16
; CHECK: %strip.bytes{{[0-9]*}} = add i64 [[LONG]], 32
; CHECK: call void @graupel.fgdsm.range(
; CHECK: icmp eq i64 %i.next.general, %strip.until
; CHECK: strip.fits:
; CHECK: call void @graupel.fgdsm.range(ptr %edges,
; CHECK: icmp eq i64 %i.next, %even
; CHECK: strip.cut:
; CHECK: %strip.bound = add i64 %i.general.strip, 256
; CHECK: strip.end:
; CHECK: %strip.last = icmp eq i64 %strip.until, %even
; CHECK: strip.next:
; CHECK: call void @graupel.fgdsm.poll()
; CHECK: [[NEXT]] = add i64 %i.general.strip, 256
define double @gather(ptr %edges, ptr %counts, i64 %n) {
entry:
  br label %outer
outer:
  %o = phi i64 [ 0, %entry ], [ %o.next, %outer.end ]
  %total = phi double [ 0.0, %entry ], [ %total.next, %outer.end ]
  %count.at = getelementptr inbounds [64 x i64], ptr %counts, i64 %o
  %count = load i64, ptr %count.at
  %even = and i64 %count, 2147483646
  %none = icmp eq i64 %even, 0
  br i1 %none, label %outer.end, label %inner
inner:
  br label %body
body:
  %i = phi i64 [ 0, %inner ], [ %i.next, %body ]
  %sum = phi double [ 0.0, %inner ], [ %sum.2, %body ]
  %a = getelementptr inbounds [2 x ptr], ptr %edges, i64 %i
  %b = getelementptr inbounds i8, ptr %a, i64 8
  %c = getelementptr inbounds i8, ptr %a, i64 16
  %d = getelementptr inbounds i8, ptr %a, i64 24
  %from.a = load ptr, ptr %a
  %weight.a = load double, ptr %b
  %from.b = load ptr, ptr %c
  %weight.b = load double, ptr %d
  %value.a = load double, ptr %from.a
  %value.b = load double, ptr %from.b
  %part.a = fmul double %weight.a, %value.a
  %part.b = fmul double %weight.b, %value.b
  %sum.1 = fadd double %sum, %part.a
  %sum.2 = fadd double %sum.1, %part.b
  %i.next = add nuw i64 %i, 2
  %done = icmp eq i64 %i.next, %even
  br i1 %done, label %outer.end.1, label %body
outer.end.1:
  br label %outer.end
outer.end:
  %add = phi double [ 0.0, %outer ], [ %sum.2, %outer.end.1 ]
  %total.next = fadd double %total, %add
  %o.next = add nuw i64 %o, 1
  %over = icmp eq i64 %o.next, %n
  br i1 %over, label %exit, label %outer
exit:
  ret double %total.next
}

; Downwards, with a pointer as the counter.
; CHECK-LABEL: define i64 @down(
; CHECK: %at.general.strip = phi ptr [ %last, %strip.fits.general ], [ [[NEXT:%.*]], %strip.next ]
; CHECK: [[AT:%.*]] = ptrtoint ptr %at.general.strip to i64
; CHECK: [[END:%.*]] = ptrtoint ptr %p to i64
; CHECK: [[REST:%.*]] = sub i64 [[AT]], [[END]]
; CHECK: icmp ult i64 [[REST]], 4096
; CHECK: %strip.ahead = phi i64 [ [[REST]], %strip ], [ 4088, %strip.cut ]
; CHECK: strip.cut:
; CHECK: getelementptr i8, ptr %at.general.strip, i64 -4088
; CHECK: strip.next:
; CHECK: [[NEXT]] = getelementptr i8, ptr %at.general.strip, i64 -4096
define i64 @down(ptr %p, ptr %counts, i64 %n) {
entry:
  br label %outer
outer:
  %o = phi i64 [ 0, %entry ], [ %o.next, %outer.end ]
  %count.at = getelementptr inbounds [64 x i64], ptr %counts, i64 %o
  %count = load i64, ptr %count.at
  %last = getelementptr inbounds double, ptr %p, i64 %count
  br label %body
body:
  %at = phi ptr [ %last, %outer ], [ %at.next, %body ]
  %sum = phi i64 [ 0, %outer ], [ %sum.next, %body ]
  %from = load ptr, ptr %at
  %x = load i64, ptr %from
  %sum.next = add i64 %sum, %x
  %at.next = getelementptr inbounds i8, ptr %at, i64 -8
  %done = icmp eq ptr %at, %p
  br i1 %done, label %outer.end, label %body
outer.end:
  %o.next = add nuw i64 %o, 1
  %over = icmp eq i64 %o.next, %n
  br i1 %over, label %exit, label %outer
exit:
  ret i64 %sum.next
}

; A step of 3 may meet the end only after it has wrapped: iterations are counted.
; CHECK-LABEL: define i64 @wraps(
; CHECK-NOT: strip.whole
; CHECK: %strip.left = phi i64
; CHECK: ret i64
define i64 @wraps(ptr %p, ptr %ends, i64 %n) {
entry:
  br label %outer
outer:
  %o = phi i64 [ 0, %entry ], [ %o.next, %outer.end ]
  %end.at = getelementptr inbounds [64 x i64], ptr %ends, i64 %o
  %end = load i32, ptr %end.at
  br label %body
body:
  %at = phi ptr [ %p, %outer ], [ %at.next, %body ]
  %i = phi i32 [ 0, %outer ], [ %i.next, %body ]
  %sum = phi i64 [ 0, %outer ], [ %sum.next, %body ]
  %from = load ptr, ptr %at
  %x = load i64, ptr %from
  %sum.next = add i64 %sum, %x
  %at.next = getelementptr inbounds i8, ptr %at, i64 8
  %i.next = add i32 %i, 3
  %done = icmp eq i32 %i.next, %end
  br i1 %done, label %outer.end, label %body
outer.end:
  %o.next = add nuw i64 %o, 1
  %over = icmp eq i64 %o.next, %n
  br i1 %over, label %exit, label %outer
exit:
  ret i64 %sum.next
}

; Without checks in the loop itself nothing needs the counts there.
; CHECK-LABEL: define void @fill(
; CHECK-NOT: {{strip.whole|strip.fits}}
; CHECK: call i64 @llvm.umin.i64
; CHECK: ret void
define void @fill(ptr %p, ptr %counts, i64 %n) {
entry:
  br label %outer
outer:
  %o = phi i64 [ 0, %entry ], [ %o.next, %outer.end ]
  %count.at = getelementptr inbounds [64 x i64], ptr %counts, i64 %o
  %count = load i64, ptr %count.at
  br label %body
body:
  %i = phi i64 [ 0, %outer ], [ %i.next, %body ]
  %a = getelementptr inbounds i64, ptr %p, i64 %i
  store i64 %o, ptr %a
  %i.next = add nuw i64 %i, 1
  %done = icmp eq i64 %i.next, %count
  br i1 %done, label %outer.end, label %body
outer.end:
  %o.next = add nuw i64 %o, 1
  %over = icmp eq i64 %o.next, %n
  br i1 %over, label %exit, label %outer
exit:
  ret void
}
