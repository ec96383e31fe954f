; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; The alignment that a type promises is believed unless an offset, an index or the
; arithmetic around a cast speaks against it (Alignments.cpp).
;
; RUN: opt -load-pass-plugin=%passes -passes='print<fgdsm-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm,graupel-fgdsm-verify' -disable-output %s
; RUN: opt -load-pass-plugin=%passes -passes='print<fgdsm-plan>' -fgdsm-unaligned -disable-output %s 2>&1 | FileCheck %s --check-prefix=NONE
; NONE-NOT: align {{[2-9]}}
; NONE-NOT: sentinel

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: plan of believed:
; CHECK-NEXT: store %p[0, 8) align 8
; CHECK-NEXT: store %field[0, 8) align 8
; CHECK-NEXT: store %element[0, 8) align 8
define void @believed(ptr %p, ptr %q, ptr %r, i64 %i) {
  store volatile i64 1, ptr %p, align 8
  %field = getelementptr {i64, i32, i64}, ptr %q, i64 3, i32 2
  store volatile i64 1, ptr %field, align 8
  %element = getelementptr {i64, i64, i64}, ptr %r, i64 %i
  store volatile i64 1, ptr %element, align 8
  ret void
}

; Parts of an offset may be odd.
; CHECK-LABEL: plan of sum:
; CHECK-NEXT: store %there[0, 8) align 8
define void @sum(ptr %p) {
  %odd = getelementptr i8, ptr %p, i64 13
  %there = getelementptr i8, ptr %odd, i64 -5
  store volatile i64 1, ptr %there, align 8
  ret void
}

; CHECK-LABEL: plan of constant:
; CHECK-NEXT: store %q[0, 8) align 4
; CHECK-NEXT: load %q[0, 8) align 4
define i64 @constant(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 124
  store volatile i64 1, ptr %q, align 8
  %v = load volatile i64, ptr %q, align 8
  ret i64 %v
}

; A value in two granules cannot be compared with the pattern.
; CHECK-LABEL: plan of value:
; CHECK-NEXT: table load %q[0, 8) align 1
define i64 @value(ptr %p, i64 %i) {
  %q = getelementptr i8, ptr %p, i64 %i
  %v = load i64, ptr %q, align 8
  ret i64 %v
}

; CHECK-LABEL: plan of multiple:
; CHECK-NEXT: sentinel load %q[0, 8) align 8
define i64 @multiple(ptr %p, i64 %i) {
  %bytes = shl i64 %i, 3
  %q = getelementptr i8, ptr %p, i64 %bytes
  %v = load i64, ptr %q, align 8
  ret i64 %v
}

; CHECK-LABEL: plan of integers:
; CHECK-NEXT: store %q[0, 8) align 2
; CHECK-NEXT: store %r[0, 8) align 8
define void @integers(ptr %p, i64 %i) {
  %a = ptrtoint ptr %p to i64
  %b = add i64 %a, 6
  %q = inttoptr i64 %b to ptr
  store volatile i64 1, ptr %q, align 8
  %c = add i64 %a, 15
  %d = and i64 %c, -16
  %r = inttoptr i64 %d to ptr
  store volatile i64 1, ptr %r, align 8
  ret void
}

; CHECK-LABEL: plan of atomic:
; CHECK-NEXT: store %q[0, 4) align 2
; CHECK-NEXT: store %q[0, 4) align 2
define void @atomic(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 30
  %old = atomicrmw add ptr %q, i32 1 seq_cst, align 4
  store atomic i32 1, ptr %q release, align 4
  ret void
}

; Callers, results and variables that are all known.
; CHECK-LABEL: plan of callee:
; CHECK-NEXT: store %p[0, 4) align 1
define internal void @callee(ptr %p) noinline {
  store volatile i32 1, ptr %p, align 4
  ret void
}
define void @caller(ptr %p) {
  call void @callee(ptr %p)
  %q = getelementptr i8, ptr %p, i64 3
  call void @callee(ptr %q)
  ret void
}

define internal ptr @result(ptr %p) noinline {
  %q = getelementptr i8, ptr %p, i64 2
  ret ptr %q
}
; CHECK-LABEL: plan of results:
; CHECK: store %q[0, 4) align 2
define void @results(ptr %p) {
  %q = call ptr @result(ptr %p)
  store volatile i32 1, ptr %q, align 4
  ret void
}

; CHECK-LABEL: plan of variable:
; CHECK-NEXT: store %q[0, 4) align 1
define void @variable(ptr %p) {
  %slot = alloca ptr
  %odd = getelementptr i8, ptr %p, i64 1
  store ptr %odd, ptr %slot
  %q = load ptr, ptr %slot
  store volatile i32 1, ptr %q, align 4
  ret void
}

; CHECK-LABEL: plan of walk:
; CHECK: store %q[0, 4) align 1
define void @walk(ptr %p, ptr %end) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  store volatile i32 1, ptr %q, align 4
  %next = getelementptr i8, ptr %q, i64 7
  %done = icmp eq ptr %next, %end
  br i1 %done, label %out, label %loop
out:
  ret void
}
