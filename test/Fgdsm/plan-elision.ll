; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Which checks are left out, shared and moved, and what slow paths re-validate.
;
; RUN: opt -load-pass-plugin=%passes -passes='print<fgdsm-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm-checks,verify,graupel-fgdsm-verify' -disable-output %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @unknown()
declare double @sqrt(double) nounwind willreturn memory(none)

; One check of all fields that are sure to be accessed.
; CHECK-LABEL: plan of fields:
; CHECK-NEXT: table load %p[0, 24) align 8{{$}}
; CHECK-NEXT: plan of increment:
define double @fields(ptr %p) {
  %x = load double, ptr %p
  %py = getelementptr i8, ptr %p, i64 8
  %y = load double, ptr %py
  %pz = getelementptr i8, ptr %p, i64 16
  %z = load double, ptr %pz
  %s = fadd double %x, %y
  %t = fadd double %s, %z
  ret double %t
}

; It asks for a store if a store follows.
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
define void @increment(ptr %p) {
  %x = load i32, ptr %p
  %y = add i32 %x, 1
  store i32 %y, ptr %p
  ret void
}

; Not for what is only accessed now and then, or far away.
; CHECK-LABEL: plan of sometimes:
; CHECK-NEXT: sentinel load %p[0, 8) align 8
; CHECK-DAG: sentinel load %py[0, 8) align 8
; CHECK-DAG: sentinel load %pz[0, 8) align 8
define i64 @sometimes(ptr %p, i1 %c) {
  %x = load i64, ptr %p
  br i1 %c, label %then, label %else
then:
  %py = getelementptr i8, ptr %p, i64 8
  %y = load i64, ptr %py
  ret i64 %y
else:
  %pz = getelementptr i8, ptr %p, i64 800
  %z = load i64, ptr %pz
  ret i64 %z
}

; A search that is unrolled checks what it loads in an iteration together.
; CHECK-LABEL: plan of search:
; CHECK-NEXT: table load %at[0, 16) align 4{{$}}
; CHECK-NEXT: poll
; CHECK-LABEL: plan of calls:
define ptr @search(ptr %p, i32 %key) {
entry:
  br label %loop
loop:
  %at = phi ptr [ %p, %entry ], [ %next, %fourth ]
  %a = load i32, ptr %at
  %is.a = icmp eq i32 %a, %key
  br i1 %is.a, label %end, label %second
second:
  %b.at = getelementptr i32, ptr %at, i64 1
  %b = load i32, ptr %b.at
  %is.b = icmp eq i32 %b, %key
  br i1 %is.b, label %end, label %third
third:
  %c.at = getelementptr i32, ptr %at, i64 2
  %c = load i32, ptr %c.at
  %is.c = icmp eq i32 %c, %key
  br i1 %is.c, label %end, label %fourth
fourth:
  %d.at = getelementptr i32, ptr %at, i64 3
  %d = load i32, ptr %d.at
  %next = getelementptr i32, ptr %at, i64 4
  %is.d = icmp eq i32 %d, %key
  br i1 %is.d, label %end, label %loop
end:
  ret ptr %at
}

; Calls of unknown functions end validity, calls of the mathematical library do
; not, nor functions without checks and polls.
; CHECK-NEXT: poll
; CHECK-NEXT: table load %p[0, 8) align 8{{$}}
; CHECK-NEXT: table store %p[0, 8) align 8{{$}}
define double @calls(ptr %p) {
  %x = load double, ptr %p
  %r = call double @sqrt(double %x)
  %q = call i32 @quiet(i32 3)
  %y = load double, ptr %p
  call void @unknown()
  store double %y, ptr %p
  ret double %r
}
; CHECK-LABEL: plan of quiet:
define internal i32 @quiet(i32 %n) nounwind willreturn {
  %stack = alloca i32
  store i32 %n, ptr %stack
  %x = load i32, ptr %stack
  ret i32 %x
}

; Another module's definition may be another.
; CHECK-LABEL: plan of merged_call:
; CHECK-NEXT: sentinel load %p
; CHECK-NEXT: sentinel load %p
define i32 @merged_call(ptr %p) {
  %x = load i32, ptr %p
  call void @merged()
  %y = load i32, ptr %p
  ret i32 %y
}
define linkonce_odr void @merged() nounwind willreturn {
  ret void
}

; A slow path in between re-validates what is still relied on.
; CHECK-LABEL: plan of between:
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
; CHECK-NEXT: sentinel load %q[0, 4) align 4; store %p[0, 4)
define void @between(ptr %p, ptr %q) {
  %x = load i32, ptr %p
  %y = load i32, ptr %q
  %s = add i32 %x, %y
  store i32 %s, ptr %p
  ret void
}

; What is the same in each iteration is checked before the loop, and the poll in
; the loop re-validates it.
; CHECK-LABEL: plan of hoisted:
; CHECK-NEXT: table store %sum[0, 8) align 8
; CHECK-NEXT: sentinel load %at[0, 8) align 8; store %sum[0, 8)
; CHECK-NEXT: poll in %loop; store %sum[0, 8)
define void @hoisted(ptr %sum, ptr %list) {
entry:
  br label %loop
loop:
  %at = phi ptr [ %list, %entry ], [ %next, %loop ]
  %next = load ptr, ptr %at
  %x = load i64, ptr %sum
  %y = add i64 %x, 1
  store i64 %y, ptr %sum
  %more = icmp ne ptr %next, null
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Not before a loop with a call, nor what the loop might not reach.
; CHECK-LABEL: plan of kept:
; CHECK-NEXT: poll in %entry
; CHECK-NEXT: sentinel load %sum[0, 8)
; CHECK-NEXT: table store %other[0, 8)
; CHECK-NEXT: poll in %latch
define void @kept(ptr %sum, ptr %other, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %latch ]
  %x = load i64, ptr %sum
  call void @unknown()
  %c = icmp eq i64 %x, %i
  br i1 %c, label %sometimes, label %latch
sometimes:
  store i64 %x, ptr %other
  br label %latch
latch:
  %i1 = add i64 %i, 1
  %more = icmp ne i64 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; What the loop might not reach is checked before it if it is loaded only, and
; lies beside what is accessed anyhow: behind the loop, or before.
; CHECK-LABEL: plan of early:
; CHECK-NEXT: table load %near[0, 8) align 8
; CHECK-NEXT: sentinel load %far[0, 8) align 8; load %near[0, 8)
; CHECK-NEXT: poll in %latch; load %near[0, 8)
; CHECK-NEXT: table store %p[0, 8) align 8
define void @early(ptr %p, i64 %n) {
entry:
  %far = getelementptr i8, ptr %p, i64 256
  %near = getelementptr i8, ptr %p, i64 16
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %latch ]
  %c = call i1 @llvm.is.constant.i64(i64 %i)
  br i1 %c, label %sometimes, label %latch
sometimes:
  %x = load i64, ptr %near
  %y = load i64, ptr %far
  br label %latch
latch:
  %i1 = add i64 %i, 1
  %more = icmp ne i64 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  store i64 0, ptr %p
  ret void
}

; CHECK-LABEL: plan of early_enough:
; CHECK-NEXT: sentinel load %p[0, 8)
; CHECK-NEXT: table load %p[16, 24) align 8
; CHECK-NEXT: poll in %latch; load %p[16, 24)
define void @early_enough(ptr %p, i64 %n) {
entry:
  %near = getelementptr i8, ptr %p, i64 16
  %first = load i64, ptr %p
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %latch ]
  %c = call i1 @llvm.is.constant.i64(i64 %i)
  br i1 %c, label %sometimes, label %latch
sometimes:
  %x = load i64, ptr %near
  br label %latch
latch:
  %i1 = add i64 %i, 1
  %more = icmp ne i64 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Not a store, which would ask for the block exclusively.
; CHECK-LABEL: plan of not_early:
; CHECK-NEXT: table store %near[0, 8)
; CHECK-NEXT: poll in %latch
define void @not_early(ptr %p, i64 %n) {
entry:
  %near = getelementptr i8, ptr %p, i64 16
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %latch ]
  %c = call i1 @llvm.is.constant.i64(i64 %i)
  br i1 %c, label %sometimes, label %latch
sometimes:
  store i64 0, ptr %near
  br label %latch
latch:
  %i1 = add i64 %i, 1
  %more = icmp ne i64 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  %first = load i64, ptr %p
  ret void
}

; The next element is another address, whatever its name.
; CHECK-LABEL: plan of elements:
; CHECK: table store %at[0, 8) align 8
; CHECK: poll
define void @elements(ptr %list) {
entry:
  br label %loop
loop:
  %at = phi ptr [ %list, %entry ], [ %next, %loop ]
  %next = load ptr, ptr %at
  store ptr null, ptr %at
  %more = icmp ne ptr %next, null
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Volatile and atomic accesses keep theirs; an atomic load may look at its value.
; CHECK-LABEL: plan of kept_apart:
; CHECK-NEXT: table load %p[0, 4) align 4{{$}}
; CHECK-NEXT: table load %p[0, 4) align 4{{$}}
; CHECK-NEXT: sentinel load %p[0, 4) align 4{{$}}
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
define i32 @kept_apart(ptr %p) {
  %a = load volatile i32, ptr %p
  %b = load volatile i32, ptr %p
  %c = load atomic i32, ptr %p monotonic, align 4
  %d = atomicrmw add ptr %p, i32 1 monotonic
  ret i32 %d
}

; By value only what is a word and cannot straddle granules.
; CHECK-LABEL: plan of by_value:
; CHECK-NEXT: sentinel load %p[0, 8) align 8
; CHECK-NEXT: table load %q[0, 2) align 2 and load %r[0, 8) align 4{{$}}
; CHECK-NEXT: sentinel load %s[0, 16) align 16
; CHECK-NEXT: table load %t[0, 16) align 16
define void @by_value(ptr %p, ptr %q, ptr %r, ptr %s, ptr %t) {
  %a = load double, ptr %p
  %b = load i16, ptr %q
  %c = load i64, ptr %r, align 4
  %d = load <4 x float>, ptr %s
  %e = load i128, ptr %t
  ret void
}

; Checks that nothing separates have one slow path. No more than eight ranges are
; re-validated: the others are checked in each iteration.
; CHECK-LABEL: plan of many:
; CHECK-NEXT: table store %a[0, 8) align 8 and store %b{{.*}} and store %g[0, 8) align 8{{$}}
; CHECK-NEXT: table store %h[0, 8) align 8 and store %i[0, 8) align 8 and store %j[0, 8) align 8; store %a[0, 8); {{.*}}; store %g[0, 8){{$}}
; CHECK-NEXT: poll in %loop; store %a[0, 8); {{.*}}; store %g[0, 8){{$}}
define void @many(ptr %a, ptr %b, ptr %c, ptr %d, ptr %e, ptr %f, ptr %g, ptr %h, ptr %i, ptr %j, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k1, %loop ]
  store i64 %k, ptr %a
  store i64 %k, ptr %b
  store i64 %k, ptr %c
  store i64 %k, ptr %d
  store i64 %k, ptr %e
  store i64 %k, ptr %f
  store i64 %k, ptr %g
  store i64 %k, ptr %h
  store i64 %k, ptr %i
  store i64 %k, ptr %j
  %k1 = add i64 %k, 1
  %more = icmp ne i64 %k1, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A constant within a product is a part of the distance, too.
; CHECK-LABEL: plan of scaled:
; CHECK-NEXT: table store %first[0, 40) align 8
; CHECK-NOT: store
define void @scaled(ptr %p, i64 %row, i64 %column) {
  %to = add nsw i64 %row, %column
  %at = shl nsw i64 %to, 4
  %first = getelementptr inbounds i8, ptr %p, i64 %at
  store double 1.0, ptr %first
  %beside = or disjoint i64 %column, 1
  %to1 = add nsw i64 %row, %beside
  %at1 = shl nsw i64 %to1, 4
  %second = getelementptr inbounds i8, ptr %p, i64 %at1
  store double 2.0, ptr %second
  %beside2 = or disjoint i64 %column, 2
  %to2 = add nsw i64 %row, %beside2
  %at2 = shl nsw i64 %to2, 4
  %third = getelementptr inbounds i8, ptr %p, i64 %at2
  store double 3.0, ptr %third
  ret void
}
