; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; What is private, and why; everything else may be shared.
;
; RUN: opt -load-pass-plugin=%passes -passes='print<fgdsm-accesses>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@table = constant [4 x i32] zeroinitializer
@counter = global i32 0
@local = thread_local global i32 0
@buffer = internal global ptr null
@leak = internal global ptr null

declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0)
declare ptr @unknown()
declare ptr @gdsm_malloc(i64)

; CHECK-LABEL: accesses of objects:
; CHECK-NEXT: store 4 align 4 plain %stack private: stack
; CHECK-NEXT: load 4 align 4 plain @table private: global
; CHECK-NEXT: store 4 align 4 plain @counter private: global
; CHECK-NEXT: load 4 align 4 plain %tls private: thread-local
; CHECK-NEXT: store 4 align 4 plain %heap private: heap
; CHECK-NEXT: store 8 align 8 plain %far private: heap
; CHECK-NEXT: load 4 align 4 plain %byval private: argument on the stack
; CHECK-NEXT: store 4 align 4 plain %sret shared
; CHECK-NEXT: load 4 align 4 plain %u shared
; CHECK-NEXT: load 4 align 4 plain %shared shared
; CHECK-NEXT: load 1 align 1 plain %odd shared
; CHECK-NEXT: load 4 align 4 plain %mixed shared
define void @objects(ptr byval(i32) %byval, ptr sret(i32) %sret, i64 %n) {
  %stack = alloca i32
  store i32 1, ptr %stack
  %c = load i32, ptr @table
  store i32 %c, ptr @counter
  %tls = call ptr @llvm.threadlocal.address.p0(ptr @local)
  %l = load i32, ptr %tls
  %heap = call ptr @malloc(i64 64)
  store i32 %l, ptr %heap
  %far = getelementptr i8, ptr %heap, i64 %n
  store i64 0, ptr %far
  %b = load i32, ptr %byval
  store i32 %b, ptr %sret
  %u = call ptr @unknown()
  %x = load i32, ptr %u
  %shared = call ptr @gdsm_malloc(i64 64)
  %y = load i32, ptr %shared
  %odd = getelementptr i8, ptr null, i64 %n
  %z = load i8, ptr %odd
  %which = icmp eq i32 %x, %y
  %mixed = select i1 %which, ptr %stack, ptr %u
  %m = load i32, ptr %mixed
  ret void
}

; Arguments of functions that only this module calls.
; CHECK-LABEL: accesses of given_private:
; CHECK-NEXT: load 4 align 4 plain %p private: argument
define internal i32 @given_private(ptr %p) {
  %x = load i32, ptr %p
  ret i32 %x
}
; CHECK-LABEL: accesses of given_both:
; CHECK-NEXT: load 4 align 4 plain %p shared
define internal i32 @given_both(ptr %p) {
  %x = load i32, ptr %p
  ret i32 %x
}
; CHECK-LABEL: accesses of taken:
; CHECK-NEXT: load 4 align 4 plain %p shared
define internal i32 @taken(ptr %p) {
  %x = load i32, ptr %p
  ret i32 %x
}
; Through itself, and back.
; CHECK-LABEL: accesses of passed_on:
; CHECK-NEXT: load 4 align 4 plain %p private: argument
define internal ptr @passed_on(ptr %p, i32 %n) {
  %x = load i32, ptr %p
  %more = icmp sgt i32 %x, %n
  br i1 %more, label %again, label %done
again:
  %q = call ptr @passed_on(ptr %p, i32 %x)
  ret ptr %q
done:
  ret ptr %p
}
; CHECK-LABEL: accesses of callers:
; CHECK: load 4 align 4 plain %back private: result
define i32 @callers(ptr %p) {
  %stack = alloca i32
  %a = call i32 @given_private(ptr %stack)
  %b = call i32 @given_private(ptr @counter)
  %c = call i32 @given_both(ptr %stack)
  %d = call i32 @given_both(ptr %p)
  %e = call i32 @taken(ptr %stack)
  %back = call ptr @passed_on(ptr %stack, i32 3)
  %f = load i32, ptr %back
  ret i32 %f
}
@pointer = global ptr @taken

; Pointers kept in globals that nobody else sees.
; CHECK-LABEL: accesses of slots:
; CHECK: load 4 align 4 plain %kept private: pointer in a global
; CHECK: load 4 align 4 plain %leaked shared
define i32 @slots(ptr %p) {
  %heap = call ptr @malloc(i64 64)
  store ptr %heap, ptr @buffer
  store ptr %heap, ptr @leak
  store ptr %p, ptr @leak
  %kept = load ptr, ptr @buffer
  %a = load i32, ptr %kept
  %leaked = load ptr, ptr @leak
  %b = load i32, ptr %leaked
  ret i32 %b
}

; CHECK-LABEL: accesses of main:
; CHECK-NEXT: load 8 align 8 plain %argv private: argument
; CHECK-NEXT: load 1 align 1 plain %name private: argument of the program
define i32 @main(i32 %argc, ptr %argv) {
  %name = load ptr, ptr %argv
  %c = load i8, ptr %name
  ret i32 0
}

; CHECK-LABEL: accesses of shapes:
; CHECK-NEXT: load 4 align 4 volatile %p shared
; CHECK-NEXT: load 4 align 4 atomic %p shared
; CHECK-NEXT: store 4 align 4 atomic %p shared
; CHECK-NEXT: store 4 align 4 atomic %p shared
; CHECK-NEXT: load 16 align 8 masked %p shared
; CHECK-NEXT: store 16 align 8 masked %p shared
; CHECK-NEXT: load 4 align 4 lanes %v shared
; CHECK-NEXT: store 24 align 8 block %p shared
; CHECK-NEXT: load 24 align 1 block %q shared
; CHECK-NEXT: store 0 align 1 dynamic %p shared
; CHECK-NEXT: store 4 align 1 assembly %p shared
; CHECK-NEXT: load 40 align 8 argument %p shared
; CHECK-NEXT: accesses of spaces:
define void @shapes(ptr %p, ptr %q, <4 x ptr> %v, <4 x i1> %m, <2 x i1> %m2, i64 %n) {
  %a = load volatile i32, ptr %p
  %b = load atomic i32, ptr %p acquire, align 4
  %c = atomicrmw add ptr %p, i32 1 seq_cst
  %d = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst
  %e = call <2 x double> @llvm.masked.load.v2f64.p0(ptr align 8 %p, <2 x i1> %m2, <2 x double> zeroinitializer)
  call void @llvm.masked.store.v2f64.p0(<2 x double> %e, ptr align 8 %p, <2 x i1> %m2)
  %g = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 4 %v, <4 x i1> %m, <4 x i32> zeroinitializer)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr %q, i64 24, i1 false)
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)
  call void asm "movl $$0, $0", "=*m"(ptr elementtype(i32) %p)
  call void @by_value(ptr byval([5 x i64]) align 8 %p)
  %other = load i32, ptr addrspace(257) null
  ret void
}
declare void @by_value(ptr byval([5 x i64]) align 8)

; Of numbers that mean neither a segment nor 32 bits it is the same memory; and what
; sanitizers look at may be the program's.
; CHECK-NEXT: load 4 align 4 plain %one shared
; CHECK-NEXT: load 4 align 4 plain %stack private: stack
; CHECK-NEXT: load 4 align 4 plain %table shared
; CHECK-NOT: private: global
define void @spaces(ptr addrspace(1) %one, ptr addrspace(256) %gs, ptr addrspace(257) %fs, ptr addrspace(271) %short, ptr %table) {
  %stack = alloca i32
  %a = load i32, ptr addrspace(1) %one
  %b = load i32, ptr addrspace(256) %gs
  %c = load i32, ptr addrspace(257) %fs
  %d = load i32, ptr addrspace(271) %short
  %e = load i32, ptr %stack
  %f = load i32, ptr %table, !nosanitize !0
  %g = load i32, ptr @counter, !nosanitize !0
  ret void
}
!0 = !{}
