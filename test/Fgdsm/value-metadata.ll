; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; What is known of the values that a load has in the program does not hold of the
; pattern that it finds where memory is not valid, and what does not change in the
; program does when memory becomes valid.
;
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm-checks,verify,graupel-fgdsm-verify' -S -o %t.ll %s
; RUN: FileCheck %s < %t.ll
; RUN: llc -O2 %t.ll -o - | FileCheck %s --check-prefix=CODE

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define i32 @range(
; CHECK-COUNT-2: load i32, ptr %p, align 4{{$}}
; CODE-LABEL: range:
; CODE: cmpl $2147200448,
define i32 @range(ptr %p) {
  %x = load i32, ptr %p, align 4, !range !0
  ret i32 %x
}

; CHECK-LABEL: define ptr @pointer(
; CHECK-COUNT-2: load ptr, ptr %p, align 8{{$}}
; CODE-LABEL: pointer:
; CODE: cmpl $2147200448,
define ptr @pointer(ptr %p) {
  %x = load ptr, ptr %p, align 8, !align !1, !nonnull !2, !dereferenceable !1
  ret ptr %x
}

; One of two such loads would be dropped.
; CHECK-LABEL: define i32 @invariant(
; CHECK-COUNT-2: load i32, ptr %p, align 4{{$}}
; CODE-LABEL: invariant:
; CODE-COUNT-2: movl (%rdi), %eax
define i32 @invariant(ptr %p) {
  %x = load i32, ptr %p, align 4, !invariant.load !2, !invariant.group !2, !tbaa !3
  ret i32 %x
}

; Those that are checked first keep what is known of their value only.
; CHECK-LABEL: define i16 @table(
; CHECK: load i16, ptr %p, align 2, !range
; CHECK-NOT: invariant
define i16 @table(ptr %p) {
  %x = load i16, ptr %p, align 2, !range !6, !invariant.load !2
  ret i16 %x
}

; Private memory is no business of checks.
; CHECK-LABEL: define i32 @private(
; CHECK: load i32, {{.*}}, !range {{.*}}, !invariant.load
define i32 @private() {
  %a = alloca i32
  call void @use(ptr %a)
  %x = load i32, ptr %a, align 4, !range !0, !invariant.load !2
  ret i32 %x
}

; CHECK-LABEL: define <2 x double> @gather(
; CHECK-COUNT-2: = call <2 x double> @llvm.masked.gather
define <2 x double> @gather(<2 x ptr> %v, <2 x i1> %m) {
  %x = call nnan nofpclass(nan) <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr> align 8 %v, <2 x i1> %m, <2 x double> zeroinitializer)
  ret <2 x double> %x
}

declare void @use(ptr captures(none))
declare <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr>, <2 x i1>, <2 x double>)

!0 = !{i32 0, i32 3}
!1 = !{i64 128}
!2 = !{}
!3 = !{!4, !4, i64 0, i64 1}
!4 = !{!"constant", !5, i64 0}
!5 = !{!"root"}
!6 = !{i16 0, i16 3}
