; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; One loop a function: what becomes of it.
;
; RUN: opt -load-pass-plugin=%passes -passes='print<fgdsm-strips>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm-strips,verify' -verify-dom-info -verify-loop-info -S %s | FileCheck %s
; Checks accept all that strips say is covered.
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm,verify' -fgdsm-verify -S %s | FileCheck %s --check-prefix=AFTER
; AFTER-NOT: call void @graupel.fgdsm

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; A pointer that is compared with its end.
; PLAN-LABEL: function 'pointer'
; PLAN: 512 iterations a strip
; PLAN-NEXT: store %p step 8 bytes 8 for 1 access
; CHECK-LABEL: define void @pointer(
; CHECK: %at.strip = phi ptr [ %p, %entry ], [ {{.*}}, %strip.next ]
; CHECK: [[N:%.*]] = mul i64 %strip.length, 8
; CHECK: %strip.bound = getelementptr i8, ptr %at.strip, i64 [[N]]
; CHECK: icmp eq ptr %next, %strip.bound
define void @pointer(ptr %p, ptr %end) {
entry:
  br label %body
body:
  %at = phi ptr [ %p, %entry ], [ %next, %body ]
  store double 0.0, ptr %at
  %next = getelementptr inbounds i8, ptr %at, i64 8
  %done = icmp eq ptr %next, %end
  br i1 %done, label %exit, label %body
exit:
  ret void
}

; Downwards: ranges begin at the strip's last iteration.
; PLAN-LABEL: function 'down'
; PLAN: 512 iterations a strip
; PLAN-NEXT: store {{.*}} step -8 bytes 8 for 1 access
; CHECK-LABEL: define void @down(
; CHECK: [[FIRST:%.*]] = getelementptr double, ptr %p, i64 %i.strip
; CHECK: [[OFF:%.*]] = mul i64 %strip.ahead, -8
; CHECK: %strip.start = getelementptr i8, ptr [[FIRST]], i64 [[OFF]]
; CHECK: [[ALL:%.*]] = mul i64 %strip.ahead, 8
; CHECK: %strip.bytes = add i64 [[ALL]], 8
; CHECK: call void @graupel.fgdsm.range(ptr %strip.start, i64 range(i64 1, 4097) %strip.bytes, i1 true, i64 1)
define void @down(ptr %p, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ %n, %entry ], [ %next, %body ]
  %at = getelementptr inbounds double, ptr %p, i64 %i
  store double 0.0, ptr %at
  %next = add nsw i64 %i, -1
  %more = icmp sgt i64 %i, 0
  br i1 %more, label %body, label %exit
exit:
  ret void
}

; Every third element: 16 bytes between two accesses do no harm.
; PLAN-LABEL: function 'third'
; PLAN: 171 iterations a strip
; PLAN-NEXT: load %p step 24 bytes 8 for 1 access
; CHECK-LABEL: define double @third(
; CHECK: %sum.strip = phi double [ 0.000000e+00, %entry ], [ [[S:%.*]], %strip.next ]
; CHECK: strip.end:
; CHECK: [[S]] = phi double [ %sum.next, %body ]
; CHECK: exit:
; CHECK-NEXT: phi double [ [[S]], %strip.end ]
define double @third(ptr %p, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %body ]
  %at = getelementptr inbounds [3 x double], ptr %p, i64 %i
  %x = load double, ptr %at
  %sum.next = fadd double %sum, %x
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %body
exit:
  ret double %sum.next
}

; Every tenth is not fetched with all between.
; PLAN-LABEL: function 'gaps'
; PLAN: left alone: stride of 80 bytes leaves gaps
; CHECK-LABEL: define void @gaps(
; CHECK-NOT: graupel.
; CHECK: ret void
define void @gaps(ptr %p, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr inbounds [10 x double], ptr %p, i64 %i
  store double 0.0, ptr %at
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %body
exit:
  ret void
}

; What lies between two may be a block that nobody asked for.
; PLAN-LABEL: function 'gap32'
; PLAN: left alone: stride of 48 bytes leaves gaps
define void @gap32(ptr %p, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr inbounds [12 x float], ptr %p, i64 %i
  store double 0.0, ptr %at, align 4
  %other = getelementptr inbounds i8, ptr %at, i64 40
  store double 0.0, ptr %other, align 4
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %body
exit:
  ret void
}
; It is smaller than any.
; PLAN-LABEL: function 'gap28'
; PLAN: iterations a strip
; PLAN-NEXT: store %p step 48 bytes 44 for 2 accesses
define void @gap28(ptr %p, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr inbounds [12 x float], ptr %p, i64 %i
  store double 0.0, ptr %at, align 4
  %other = getelementptr inbounds i8, ptr %at, i64 36
  store double 0.0, ptr %other, align 4
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %body
exit:
  ret void
}

; A 32-bit index that does not wrap.
; PLAN-LABEL: function 'sext'
; PLAN: 1024 iterations a strip
; CHECK-LABEL: define void @sext(
; CHECK: [[N:%.*]] = trunc i64 {{%.*}} to i32
; CHECK: %strip.bound = add i32 %i.strip, [[N]]
; CHECK: icmp ne i32 %next, %strip.bound
define void @sext(ptr %p, i32 %n) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %wide = sext i32 %i to i64
  %at = getelementptr inbounds float, ptr %p, i64 %wide
  store float 0.0, ptr %at
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}

; One that may wrap: its addresses are no affine function.
; PLAN-LABEL: function 'wraps'
; PLAN: left alone: no address is an affine function of the iteration
define void @wraps(ptr %p, i32 %from, i32 %n) {
entry:
  br label %body
body:
  %i = phi i32 [ %from, %entry ], [ %next, %body ]
  %wide = zext i32 %i to i64
  %at = getelementptr inbounds float, ptr %p, i64 %wide
  store float 0.0, ptr %at
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %body
exit:
  ret void
}

; x[i] = x[i] - x[i - 1], carried in a register across strips.
; PLAN-LABEL: function 'recurrence'
; PLAN: 512 iterations a strip
; PLAN-NEXT: store %p step 8 bytes 8 for 2 accesses
; CHECK-LABEL: define double @recurrence(
; CHECK: %last.strip = phi double [ 1.000000e+00, %entry ], [ %x.lcssa{{.*}}, %strip.next ]
; CHECK: %last = phi double [ %last.strip, %strip ], [ %x, %body ]
define double @recurrence(ptr %p, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %last = phi double [ 1.0, %entry ], [ %x, %body ]
  %at = getelementptr inbounds double, ptr %p, i64 %i
  %x = load double, ptr %at
  %difference = fsub double %x, %last
  store double %difference, ptr %at
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %body
exit:
  ret double %last
}

; Loads on both sides of what is stored are not asked for exclusively.
; PLAN-LABEL: function 'stencil'
; PLAN: 510 iterations a strip
; PLAN-NEXT: store (8 + %p){{.*}} step 8 bytes 8 for 1 access
; PLAN-NEXT: load %p step 8 bytes 24 for 3 accesses
define void @stencil(ptr %p, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %west = getelementptr inbounds double, ptr %p, i64 %i
  %here = getelementptr inbounds i8, ptr %west, i64 8
  %east = getelementptr inbounds i8, ptr %west, i64 16
  %w = load double, ptr %west
  %h = load double, ptr %here
  %e = load double, ptr %east
  %we = fadd double %w, %e
  %weh = fadd double %we, %h
  store double %weh, ptr %here
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %body
exit:
  ret void
}

; Known to be short: one range before it, of what it touches.
; PLAN-LABEL: function 'short'
; PLAN: one strip
; CHECK-LABEL: define void @short(
; CHECK: entry:
; CHECK-NEXT: call void @graupel.fgdsm.range(ptr %p, i64 800, i1 true, i64 1)
; CHECK-NEXT: br label %body
; CHECK-NOT: graupel.fgdsm.poll
; CHECK: ret void
define void @short(ptr %p) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr inbounds double, ptr %p, i64 %i
  store double 0.0, ptr %at
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 100
  br i1 %done, label %exit, label %body
exit:
  ret void
}

; Nothing is asked for if the loop is not entered.
; PLAN-LABEL: function 'zero'
; CHECK-LABEL: define void @zero(
; CHECK: entry:
; CHECK-NEXT: icmp
; CHECK-NEXT: br i1 {{.*}}, label %ahead, label %exit
; CHECK: ahead:
; CHECK: call void @graupel.fgdsm.range
define void @zero(ptr %p, i64 %n) {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %ahead, label %exit
ahead:
  %few = and i64 %n, 7
  br label %body
body:
  %i = phi i64 [ %few, %ahead ], [ %next, %body ]
  %at = getelementptr inbounds double, ptr %p, i64 %i
  store double 0.0, ptr %at
  %next = add nsw i64 %i, -1
  %done = icmp sle i64 %i, 0
  br i1 %done, label %exit, label %body
exit:
  ret void
}

; Of 2^64 iterations none gets lost, whatever counts them.
; PLAN-LABEL: function 'all'
; PLAN: 1500 iterations a strip
; CHECK-LABEL: define void @all(
; CHECK: %strip.left = phi i64 [ -1, %entry ]
; CHECK: %strip.last = icmp ult i64 %strip.left, 1500
define void @all(ptr %p) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr i8, ptr %p, i64 %i
  store i8 0, ptr %at
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 0
  br i1 %done, label %exit, label %body
exit:
  ret void
}

; PLAN-LABEL: function 'exits'
; PLAN: left alone: it is not left from its end alone
define i64 @exits(ptr %p, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %at = getelementptr inbounds i64, ptr %p, i64 %i
  %x = load i64, ptr %at
  %found = icmp eq i64 %x, 0
  br i1 %found, label %exit, label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %body
exit:
  ret i64 %i
}

; PLAN-LABEL: function 'list'
; PLAN: left alone: trip count not computable
define void @list(ptr %p) {
entry:
  br label %body
body:
  %at = phi ptr [ %p, %entry ], [ %next, %body ]
  %next = load ptr, ptr %at
  %done = icmp eq ptr %next, null
  br i1 %done, label %exit, label %body
exit:
  ret void
}

; PLAN-LABEL: function 'calls'
; PLAN: left alone: call of 'unknown' may poll
declare void @unknown()
define void @calls(ptr %p, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr inbounds double, ptr %p, i64 %i
  store double 0.0, ptr %at
  call void @unknown()
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %body
exit:
  ret void
}

; Volatile and atomic accesses are checked one by one, the others are not.
; PLAN-LABEL: function 'special'
; PLAN: load %p step 8 bytes 8 for 1 access
; PLAN-NOT: store
; CHECK-LABEL: define void @special(
; CHECK: load i64, ptr %a, {{.*}}!graupel.covered
; CHECK-NEXT: store volatile i64 %x, ptr %b, align 8{{$}}
; CHECK-NEXT: store atomic i64 %x, ptr %c release, align 8{{$}}
define void @special(ptr %p, ptr %q, ptr %r, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %a = getelementptr inbounds i64, ptr %p, i64 %i
  %b = getelementptr inbounds i64, ptr %q, i64 %i
  %c = getelementptr inbounds i64, ptr %r, i64 %i
  %x = load i64, ptr %a, align 8
  store volatile i64 %x, ptr %b, align 8
  store atomic i64 %x, ptr %c release, align 8
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %body
exit:
  ret void
}

; The gather is checked; what it is indexed with is covered.
; PLAN-LABEL: function 'gather'
; PLAN: 1000 iterations a strip
; PLAN-NEXT: load %index step 4 bytes 4 for 1 access
; CHECK-LABEL: define double @gather(
; CHECK: load i32, ptr %at, align 4, !graupel.covered
; CHECK: load double, ptr %there, align 8{{$}}
define double @gather(ptr %p, ptr %index, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %body ]
  %at = getelementptr inbounds i32, ptr %index, i64 %i
  %k = load i32, ptr %at, align 4
  %wide = sext i32 %k to i64
  %there = getelementptr inbounds double, ptr %p, i64 %wide
  %x = load double, ptr %there, align 8
  %sum.next = fadd double %sum, %x
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %body
exit:
  ret double %sum.next
}

; if (p[i] > 0) p[i] = q[i] = 0: a store that may not happen demands nothing, the
; load before it only demands loads.
; PLAN-LABEL: function 'sometimes'
; PLAN: 512 iterations a strip
; PLAN-NEXT: load %p step 8 bytes 8 for 1 access
; PLAN-NOT: store
; PLAN-LABEL: function 'masked'
define void @sometimes(ptr %p, ptr %q, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %at = getelementptr inbounds double, ptr %p, i64 %i
  %x = load double, ptr %at
  %positive = fcmp ogt double %x, 0.0
  br i1 %positive, label %clear, label %latch
clear:
  %to = getelementptr inbounds double, ptr %q, i64 %i
  store double 0.0, ptr %at
  store double 0.0, ptr %to
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %body
exit:
  ret void
}

; Masked accesses are such, unless all lanes are there; they are covered where
; others demand the same.
; PLAN: 128 iterations a strip
; PLAN-NEXT: store %p step 32 bytes 32 for 3 accesses
define void @masked(ptr %p, <4 x i1> %m, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr inbounds double, ptr %p, i64 %i
  %x = call <4 x double> @llvm.masked.load.v4f64.p0(ptr align 8 %at, <4 x i1> %m, <4 x double> zeroinitializer)
  call void @llvm.masked.store.v4f64.p0(<4 x double> %x, ptr align 8 %at, <4 x i1> splat (i1 true))
  call void @llvm.masked.store.v4f64.p0(<4 x double> %x, ptr align 8 %at, <4 x i1> %m)
  %next = add nuw nsw i64 %i, 4
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}
declare <4 x double> @llvm.masked.load.v4f64.p0(ptr, <4 x i1>, <4 x double>)
declare void @llvm.masked.store.v4f64.p0(<4 x double>, ptr, <4 x i1>)
