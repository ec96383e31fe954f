; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Small loops that nobody knows the length of poll once in four iterations; loops
; without memory poll once a strip, or not at all if they turn out to be short.
;
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm-strips,verify,print<fgdsm-plan>' -verify-dom-info -verify-loop-info -disable-output %s 2>&1 | FileCheck %s
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm,verify' -fgdsm-verify -S %s | FileCheck %s --check-prefix=AFTER
; AFTER-NOT: call void @graupel.fgdsm

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @unknown()

; One test of tags is of the four loads.
; CHECK-LABEL: plan of search:
; CHECK-NEXT: table load %at[0, 16) align 4
; CHECK-NOT: load
; CHECK: poll in %loop.3
; CHECK-NOT: poll
; CHECK: plan of walk:
define i64 @search(ptr %rows, i32 %row) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr %rows, i64 %i
  %x = load i32, ptr %at
  %next = add i64 %i, 1
  %found = icmp eq i32 %x, %row
  br i1 %found, label %exit, label %loop
exit:
  ret i64 %i
}

; Each copy of the iteration keeps its two exits, and has a test of its own.
; CHECK-COUNT-4: table load
; CHECK-NOT: load
; CHECK: poll in %more.3
; CHECK-NOT: poll
; CHECK: plan of spin:
define ptr @walk(ptr %first, i32 %key) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %first, %entry ], [ %next, %more ]
  %none = icmp eq ptr %p, null
  br i1 %none, label %exit, label %more
more:
  %k = load i32, ptr %p
  %at = getelementptr i8, ptr %p, i64 8
  %next = load ptr, ptr %at
  %found = icmp eq i32 %k, %key
  br i1 %found, label %exit, label %loop
exit:
  ret ptr %p
}

; Who waits for another thread polls whenever it looks.
; CHECK-NEXT: sentinel
; CHECK-NEXT: wait in %loop
; CHECK-NEXT: plan of spin_volatile:
define void @spin(ptr %flag) {
entry:
  br label %loop
loop:
  %x = load atomic i32, ptr %flag monotonic, align 4
  %set = icmp ne i32 %x, 0
  br i1 %set, label %exit, label %loop
exit:
  ret void
}
; CHECK-NEXT: table
; CHECK-NEXT: wait in %loop
; CHECK-NEXT: plan of calls:
define void @spin_volatile(ptr %flag) {
entry:
  br label %loop
loop:
  %x = load volatile i32, ptr %flag
  %set = icmp ne i32 %x, 0
  br i1 %set, label %exit, label %loop
exit:
  ret void
}

; The call polls by itself; another copy of it would be code for nothing.
; CHECK-NEXT: poll in %entry
; CHECK-NEXT: sentinel
; CHECK-NEXT: poll in %loop
; CHECK-NEXT: plan of large:
define void @calls(ptr %p) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  call void @unknown()
  %next = load ptr, ptr %q
  %none = icmp eq ptr %next, null
  br i1 %none, label %exit, label %loop
exit:
  ret void
}

; Beside so many instructions a poll is little.
; CHECK-NEXT: sentinel
; CHECK-NEXT: poll in %loop
; CHECK-NEXT: plan of count:
define i64 @large(ptr %p) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  %h0 = phi i64 [ 0, %entry ], [ %hc, %loop ]
  %next = load ptr, ptr %q
  %h1 = mul i64 %h0, 3
  %h2 = xor i64 %h1, 5
  %h3 = mul i64 %h2, 7
  %h4 = xor i64 %h3, 9
  %h5 = mul i64 %h4, 11
  %h6 = xor i64 %h5, 13
  %h7 = mul i64 %h6, 15
  %h8 = xor i64 %h7, 17
  %h9 = mul i64 %h8, 19
  %ha = xor i64 %h9, 21
  %hb = mul i64 %ha, 23
  %hc = xor i64 %hb, 25
  %none = icmp eq ptr %next, null
  br i1 %none, label %exit, label %loop
exit:
  ret i64 %hc
}

; Nothing is loaded: one poll a strip.
; CHECK-NEXT: poll in %strip.next
; CHECK-NEXT: plan of bits:
define i64 @count(i64 %n, i64 %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %h = phi i64 [ %x, %entry ], [ %g, %loop ]
  %m = mul i64 %h, %h
  %g = xor i64 %m, %i
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i64 %g
}

; Within a loop it is expected to be short; its copy for more polls.
; CHECK: poll in %strip.next
; CHECK-NEXT: poll in %latch
; CHECK-NOT: poll
; CHECK: plan of end:
define i64 @bits(i64 %k, i64 %n) {
entry:
  br label %outer
outer:
  %o = phi i64 [ 0, %entry ], [ %o.next, %latch ]
  %s = phi i64 [ 0, %entry ], [ %g, %latch ]
  br label %loop
loop:
  %i = phi i64 [ 0, %outer ], [ %next, %loop ]
  %h = phi i64 [ %s, %outer ], [ %g, %loop ]
  %m = mul i64 %h, %h
  %g = xor i64 %m, %i
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %latch
latch:
  %o.next = add i64 %o, 1
  %again = icmp ult i64 %o.next, %k
  br i1 %again, label %outer, label %exit
exit:
  ret i64 %g
}

define void @end() {
  ret void
}
