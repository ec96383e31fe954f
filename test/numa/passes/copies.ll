; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Loads whose base may be in the window read the copy of the thread's node: the
; base is looked at once, where it is known. Stores, small or constant variables,
; volatile and atomic loads stay.
;
; RUN: opt -load-pass-plugin=%numa-pass -passes=graupel-numa,verify -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@table = global [64 x i64] zeroinitializer
@large = global [2048 x i64] zeroinitializer
@almost = global [2047 x i64] zeroinitializer
@constant = constant [2048 x i64] zeroinitializer
@perthread = thread_local global [2048 x i64] zeroinitializer
@elsewhere = external global [0 x i64]

; CHECK: @graupel_numa_distance = external thread_local(initialexec) global i64

; CHECK-LABEL: define i64 @loop(
; CHECK-NEXT: entry:
; CHECK-NEXT: [[TLS:%.*]] = call {{.*}} @llvm.threadlocal.address.p0(ptr @graupel_numa_distance)
; CHECK-NEXT: [[DISTANCE:%.*]] = load i64, ptr [[TLS]]
; CHECK-NEXT: [[START:%.*]] = load i64, ptr @graupel_numa_data
; CHECK-NEXT: [[BYTES:%.*]] = load i64, ptr getelementptr {{.*}}@graupel_numa_data
; CHECK-NEXT: [[BITS:%.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: [[WINDOW:%.*]] = lshr i64 [[BITS]], 36
; CHECK-NEXT: [[INWINDOW:%.*]] = icmp eq i64 [[WINDOW]], 672
; CHECK-NEXT: [[OFFSET:%.*]] = sub i64 [[BITS]], [[START]]
; CHECK-NEXT: [[INDATA:%.*]] = icmp ult i64 [[OFFSET]], [[BYTES]]
; CHECK-NEXT: [[IS:%.*]] = or i1 [[INWINDOW]], [[INDATA]]
; CHECK-NEXT: [[ADD:%.*]] = select i1 [[IS]], i64 [[DISTANCE]], i64 0
; CHECK: body:
; CHECK: %at = getelementptr i64, ptr %p, i64 %i
; CHECK-NEXT: [[NEAR:%.*]] = getelementptr i8, ptr %at, i64 [[ADD]]
; CHECK-NEXT: %v = load i64, ptr [[NEAR]]
; CHECK-NEXT: store i64 %v, ptr %at
; CHECK-NOT: lshr
define i64 @loop(ptr %p, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %at
  store i64 %v, ptr %at
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %done
done:
  ret i64 %v
}

; A base that is loaded is looked at behind its load.
; CHECK-LABEL: define i64 @indirect(
; CHECK: %q = load ptr, ptr
; CHECK-NEXT: ptrtoint ptr %q to i64
define i64 @indirect(ptr %p) {
  %q = load ptr, ptr %p
  %v = load i64, ptr %q
  ret i64 %v
}

; CHECK-LABEL: define i64 @others(
; CHECK-NOT: graupel_numa_distance
; CHECK: ret i64
define i64 @others(ptr %p, i64 %n) {
  %own = alloca i64
  store i64 1, ptr %own
  %a = load i64, ptr %own
  %in = getelementptr [64 x i64], ptr @table, i64 0, i64 %n
  %b = load i64, ptr %in
  %c = load volatile i64, ptr %p
  %d = load atomic i64, ptr %p acquire, align 8
  %e = add i64 %a, %b
  %f = add i64 %c, %d
  %g = add i64 %e, %f
  store i64 %g, ptr %p
  ret i64 %g
}

; In a loop a list's nodes are looked for in the window only.
; CHECK-LABEL: define i64 @list(
; CHECK: body:
; CHECK-COUNT-1: lshr
; CHECK-NOT: sub
; CHECK: ret
define i64 @list(ptr %p) {
entry:
  br label %body
body:
  %at = phi ptr [ %p, %entry ], [ %next, %body ]
  %next = load ptr, ptr %at
  %end = icmp eq ptr %next, null
  br i1 %end, label %done, label %body
done:
  ret i64 0
}

; What is large may have copies, wherever it is; it is not in the window.
; CHECK-LABEL: define i64 @variables(
; CHECK-NOT: lshr
; CHECK: sub i64 ptrtoint (ptr @elsewhere to i64), [[START:%.*]]
; CHECK: sub i64 ptrtoint (ptr @large to i64), [[START]]
; CHECK: %a = load i64, ptr {{%[0-9]+}}
; CHECK: %b = load i64, ptr {{%[0-9]+}}
; CHECK: %c = load i64, ptr %in.almost
; CHECK: %d = load i64, ptr %in.constant
; CHECK: %e = load i64, ptr %in.thread
; CHECK: store i64 %sum, ptr %in.large
define i64 @variables(i64 %n) {
  %in.large = getelementptr i64, ptr @large, i64 %n
  %a = load i64, ptr %in.large
  %in.elsewhere = getelementptr i64, ptr @elsewhere, i64 %n
  %b = load i64, ptr %in.elsewhere
  %in.almost = getelementptr i64, ptr @almost, i64 %n
  %c = load i64, ptr %in.almost
  %in.constant = getelementptr i64, ptr @constant, i64 %n
  %d = load i64, ptr %in.constant
  %mine = call ptr @llvm.threadlocal.address.p0(ptr @perthread)
  %in.thread = getelementptr i64, ptr @perthread, i64 %n
  %e = load i64, ptr %in.thread
  %sum = add i64 %a, %b
  store i64 %sum, ptr %in.large
  %f = add i64 %c, %d
  %g = add i64 %f, %e
  %h = add i64 %g, %sum
  ret i64 %h
}

; CHECK-LABEL: define <4 x i64> @vectors(
; CHECK: lshr <4 x i64> {{%.*}}, splat (i64 36)
; CHECK: call <4 x i64> @llvm.masked.gather
; CHECK: call <4 x i64> @llvm.masked.load
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr {{%[0-9]+}}, i64 64, i1 false)
define <4 x i64> @vectors(<4 x ptr> %all, ptr %p, ptr %to, <4 x i1> %mask) {
  %g = call <4 x i64> @llvm.masked.gather.v4i64.v4p0(<4 x ptr> align 8 %all, <4 x i1> %mask, <4 x i64> zeroinitializer)
  %l = call <4 x i64> @llvm.masked.load.v4i64.p0(ptr align 8 %p, <4 x i1> %mask, <4 x i64> zeroinitializer)
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %p, i64 64, i1 false)
  %s = add <4 x i64> %g, %l
  ret <4 x i64> %s
}
declare <4 x i64> @llvm.masked.gather.v4i64.v4p0(<4 x ptr>, <4 x i1>, <4 x i64>)
declare <4 x i64> @llvm.masked.load.v4i64.p0(ptr, <4 x i1>, <4 x i64>)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
