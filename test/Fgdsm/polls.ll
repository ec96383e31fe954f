; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Where code polls.
;
; RUN: opt -load-pass-plugin=%passes -passes='print<fgdsm-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @unknown()
declare double @sqrt(double)

; CHECK-LABEL: plan of forever:
; CHECK-NEXT: sentinel load %flag
; CHECK-NEXT: wait in %loop
; Spinning: the flag is loaded, and the poll made, each time. It only waits.
define void @forever(ptr %flag) {
entry:
  br label %loop
loop:
  %x = load atomic i32, ptr %flag acquire, align 4
  %set = icmp ne i32 %x, 0
  br i1 %set, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: plan of short:
; CHECK-NEXT: plan of long:
define void @short(ptr byval([100 x i32]) %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 0, ptr %at
  %j = add i64 %i, 1
  %more = icmp ne i64 %j, 100
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
; CHECK-NEXT: poll in %loop
define void @long(ptr byval([100 x i32]) %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %j = add i64 %i, 1
  %more = icmp ne i64 %j, 100000
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Short, but not together: the outer loop polls.
; CHECK-LABEL: plan of nest:
; CHECK-NEXT: poll in %latch
; CHECK-NEXT: plan of polled:
define void @nest() {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i1, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j1, %inner ]
  %j1 = add i64 %j, 1
  %more = icmp ne i64 %j1, 100
  br i1 %more, label %inner, label %latch
latch:
  %i1 = add i64 %i, 1
  %again = icmp ne i64 %i1, 100
  br i1 %again, label %outer, label %exit
exit:
  ret void
}
; The inner loop's poll is enough.
; CHECK-NEXT: poll in %inner
; CHECK-NEXT: plan of irreducible:
define void @polled(i64 %n) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i1, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j1, %inner ]
  %j1 = add i64 %j, 1
  %more = icmp ne i64 %j1, %n
  br i1 %more, label %inner, label %latch
latch:
  %i1 = add i64 %i, 1
  %again = icmp ne i64 %i1, %n
  br i1 %again, label %outer, label %exit
exit:
  ret void
}

; A cycle that is no loop.
; CHECK-NEXT: poll in
define void @irreducible(i1 %c, i1 %d, i1 %e) {
entry:
  br i1 %c, label %a, label %b
a:
  br i1 %d, label %b, label %exit
b:
  br i1 %e, label %a, label %exit
exit:
  ret void
}

; CHECK-LABEL: plan of recursive:
; CHECK-NEXT: poll in %0
define internal i32 @recursive(i32 %n) {
  %end = icmp eq i32 %n, 0
  br i1 %end, label %done, label %again
again:
  %m = sub i32 %n, 1
  %a = call i32 @recursive(i32 %m)
  %b = call i32 @recursive(i32 %m)
  %s = add i32 %a, %b
  ret i32 %s
done:
  ret i32 1
}
; Through others, perhaps.
; CHECK-LABEL: plan of around:
; CHECK-NEXT: poll in %0
define void @around() {
  call void @unknown()
  ret void
}
; CHECK-LABEL: plan of leaf:
; CHECK-NEXT: plan of nopoll:
define double @leaf(double %x) {
  %r = call double @sqrt(double %x)
  ret double %r
}
; CHECK-NEXT: plan of main:
define void @nopoll() "graupel-fgdsm-nopoll" {
entry:
  br label %loop
loop:
  br label %loop
}
; CHECK-NOT: poll
define i32 @main() {
  %x = call i32 @recursive(i32 3)
  call void @unknown()
  ret i32 %x
}

; What else only waits: pauses, and locks that exchange what they look at.
; CHECK-LABEL: plan of pausing:
; CHECK: wait in %loop
declare void @llvm.x86.sse2.pause()
define void @pausing(ptr %flag) {
entry:
  br label %loop
loop:
  call void @llvm.x86.sse2.pause()
  call void asm sideeffect "pause", "~{memory}"()
  %x = load volatile i32, ptr %flag, align 4
  %set = icmp ne i32 %x, 0
  br i1 %set, label %exit, label %loop
exit:
  ret void
}
; CHECK-LABEL: plan of taking:
; CHECK: wait in %loop
define void @taking(ptr %lock) {
entry:
  br label %loop
loop:
  %x = atomicrmw xchg ptr %lock, i32 1 acquire, align 4
  %set = icmp eq i32 %x, 0
  br i1 %set, label %exit, label %loop
exit:
  ret void
}

; What does not: it counts, adds, stores or does more in its assembly.
; CHECK-LABEL: plan of counting:
; CHECK: poll in %loop
define i64 @counting(ptr %flag) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %j = add i64 %i, 1
  %x = load atomic i32, ptr %flag acquire, align 4
  %set = icmp ne i32 %x, 0
  br i1 %set, label %exit, label %loop
exit:
  ret i64 %j
}
; CHECK-LABEL: plan of adding:
; CHECK: poll in %loop
define void @adding(ptr %number) {
entry:
  br label %loop
loop:
  %x = atomicrmw add ptr %number, i32 1 acquire, align 4
  %set = icmp eq i32 %x, 100
  br i1 %set, label %exit, label %loop
exit:
  ret void
}
; CHECK-LABEL: plan of storing:
; CHECK: poll in %loop
define void @storing(ptr %flag, ptr %other) {
entry:
  br label %loop
loop:
  store volatile i32 1, ptr %other, align 4
  %x = load volatile i32, ptr %flag, align 4
  %set = icmp ne i32 %x, 0
  br i1 %set, label %exit, label %loop
exit:
  ret void
}
; CHECK-LABEL: plan of computing:
; CHECK: poll in %loop
define void @computing(ptr %flag) {
entry:
  br label %loop
loop:
  call void asm sideeffect "incl %eax", "~{eax}"()
  %x = load volatile i32, ptr %flag, align 4
  %set = icmp ne i32 %x, 0
  br i1 %set, label %exit, label %loop
exit:
  ret void
}
