; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; What the loader calls before the runtime is there has neither checks nor polls:
; resolvers, .preinit_array, allocators, and what only they call.
;
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm,verify,graupel-fgdsm-verify' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@indirect = ifunc i64 (ptr), ptr @resolver
@before = internal global [1 x ptr] [ptr @preinit], section ".preinit_array"
@known = external global i64
@list = global ptr null
@llvm.compiler.used = appending global [1 x ptr] [ptr @before]

; CHECK-LABEL: define i64 @plain(
; CHECK: ptr addrspace(256)
define i64 @plain(ptr %p) {
  %x = load i16, ptr %p
  %y = zext i16 %x to i64
  ret i64 %y
}

; CHECK-LABEL: define ptr @resolver(
; CHECK-NOT: ptr addrspace(256)
; CHECK: ret ptr
define ptr @resolver() {
  call void @outside()
  call void @helper(ptr @known)
  ret ptr @plain
}

; CHECK-LABEL: define internal void @helper(
; CHECK-NOT: ptr addrspace(256)
; CHECK: ret void
define internal void @helper(ptr %p) noinline {
  br label %loop
loop:
  %x = load volatile i16, ptr %p
  %done = icmp eq i16 %x, 0
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: define internal void @preinit(
; CHECK-NOT: ptr addrspace(256)
; CHECK: ret void
define internal void @preinit(i32 %argc, ptr %argv, ptr %environment) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i16, ptr %environment, i64 %i
  store i16 0, ptr %at
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 100000
  br i1 %done, label %exit, label %loop
exit:
  call void @both(ptr %argv)
  ret void
}

; CHECK-LABEL: define noalias ptr @malloc(
; CHECK-NOT: ptr addrspace(256)
; CHECK: ret ptr
define noalias ptr @malloc(i64 %size) {
  %first = load ptr, ptr @list
  %next = load ptr, ptr %first
  store ptr %next, ptr @list
  call void @both(ptr %first)
  ret ptr %first
}

; CHECK-LABEL: define void @_ZdlPvm(
; CHECK-NOT: ptr addrspace(256)
; CHECK: ret void
define void @_ZdlPvm(ptr %p, i64 %size) {
  %first = load ptr, ptr @list
  store ptr %first, ptr %p
  store ptr %p, ptr @list
  ret void
}

; Others call it, too.
; CHECK-LABEL: define internal void @both(
; CHECK: ptr addrspace(256)
define internal void @both(ptr %p) noinline {
  store i16 1, ptr %p
  ret void
}

; CHECK-LABEL: define void @user(
define void @user(ptr %p) {
  call void @both(ptr %p)
  ret void
}

declare void @outside()
