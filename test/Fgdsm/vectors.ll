; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Vectors that lie anywhere, in part, and all over.
;
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm-checks,verify,graupel-fgdsm-verify' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Four doubles may lie in two granules.
; CHECK-LABEL: define <4 x double> @unaligned(
; CHECK: load volatile i32, ptr addrspace(256)
; CHECK: and i32 {{.*}}, 32896
; CHECK: call preserve_allcc void @graupel_dsm_load(ptr %p, i64 32)
define <4 x double> @unaligned(ptr %p) {
  %x = load <4 x double>, ptr %p, align 8
  ret <4 x double> %x
}

; A granule is valid or not: one word tells.
; CHECK-LABEL: define <2 x double> @aligned(
; CHECK: [[E:%.*]] = extractelement <2 x double> {{.*}}, i64 0
; CHECK: [[N:%.*]] = freeze double [[E]]
; CHECK: fcmp uno double [[N]], 0.000000e+00
define <2 x double> @aligned(ptr %p) {
  %x = load <2 x double>, ptr %p, align 16
  ret <2 x double> %x
}

; But not of what is longer than the 16 bytes that become valid at once, or is
; loaded in pieces.
; CHECK-LABEL: define <4 x double> @long(
; CHECK: load volatile i8, ptr addrspace(256)
; CHECK: load <4 x double>
define <4 x double> @long(ptr %p) {
  %x = load <4 x double>, ptr %p, align 32
  ret <4 x double> %x
}
; CHECK-LABEL: define <3 x float> @three(
; CHECK: load volatile i8, ptr addrspace(256)
; CHECK: load <3 x float>
define <3 x float> @three(ptr %p) {
  %x = load <3 x float>, ptr %p, align 16
  ret <3 x float> %x
}
; CHECK-LABEL: define <1 x i128> @pair(
; CHECK: load volatile i8, ptr addrspace(256)
; CHECK: load <1 x i128>
define <1 x i128> @pair(ptr %p) {
  %x = load <1 x i128>, ptr %p, align 16
  ret <1 x i128> %x
}

; Where floating-point exceptions matter, nothing compares numbers.
; CHECK-LABEL: define double @strict(
; CHECK: [[B:%.*]] = bitcast double {{.*}} to i64
; CHECK: [[W:%.*]] = trunc i64 [[B]] to i32
; CHECK: icmp eq i32 [[W]], 2147200448
define double @strict(ptr %p) strictfp {
  %x = load double, ptr %p, align 8
  ret double %x
}

; All of a vector of which some is masked off.
; CHECK-LABEL: define void @masked(
; CHECK: load volatile i16, ptr addrspace(256)
; CHECK: call preserve_allcc void @graupel_dsm_store(ptr %p, i64 16)
; CHECK: call void @llvm.masked.store
define void @masked(ptr %p, <4 x i32> %x, <4 x i1> %m) {
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %x, ptr align 4 %p, <4 x i1> %m)
  ret void
}

; By value; the slow path has a range a lane, and none for those that are off.
; CHECK-LABEL: define <2 x double> @gather(
; CHECK: [[G:%.*]] = call <2 x double> @llvm.masked.gather
; CHECK: [[B:%.*]] = bitcast <2 x double> [[G]] to <2 x i64>
; CHECK: [[W:%.*]] = trunc <2 x i64> [[B]] to <2 x i32>
; CHECK: [[C:%.*]] = icmp eq <2 x i32> [[W]], splat (i32 2147200448)
; CHECK: call i1 @llvm.vector.reduce.or.v2i1(<2 x i1> [[C]])
; CHECK: [[ON:%.*]] = zext i1 {{.*}} to i64
; CHECK: store i64 [[ON]]
; CHECK: call preserve_allcc void @graupel_dsm_acquire_set(ptr %fgdsm.set, ptr @graupel.fgdsm.set.2.0.16.2.0.16.3)
; CHECK: [[H:%.*]] = call <2 x double> @llvm.masked.gather
; CHECK: phi <2 x double> [ [[G]], {{.*}} ], [ [[H]], {{.*}} ]
define <2 x double> @gather(<2 x ptr> %v, <2 x i1> %m) {
  %x = call <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr> align 8 %v, <2 x i1> %m, <2 x double> zeroinitializer)
  ret <2 x double> %x
}

; By tags; those of lanes that are off are not looked at.
; CHECK-LABEL: define void @scatter(
; CHECK-COUNT-2: select i1 {{.*}}, i64 {{.*}}, i64 0
; CHECK: call preserve_allcc void @graupel_dsm_acquire_set(ptr %fgdsm.set, ptr @graupel.fgdsm.set.2.{{[0-9.]+}})
; CHECK: call void @llvm.masked.scatter
define void @scatter(<2 x ptr> %v, <2 x i1> %m, <2 x i16> %x) {
  call void @llvm.masked.scatter.v2i16.v2p0(<2 x i16> %x, <2 x ptr> align 2 %v, <2 x i1> %m)
  ret void
}

; Both ends of a short copy, valid together; a long one is the runtime's.
; CHECK-LABEL: define void @copies(
; CHECK: load volatile i16, ptr addrspace(256)
; CHECK: load volatile i32, ptr addrspace(256)
; CHECK: call preserve_allcc void @graupel_dsm_acquire_set(ptr %fgdsm.set, ptr @graupel.fgdsm.set.2.81.0.0.80.0.0)
; CHECK: call void @llvm.memcpy{{.*}}(ptr align 8 %p, ptr align 8 %q, i64 40
; CHECK: call ptr @graupel_dsm_memcpy(ptr %p, ptr %q, i64 4000)
; CHECK: call ptr @graupel_dsm_memmove(ptr %p, ptr %q, i64 %n)
; CHECK: call ptr @graupel_dsm_memset(ptr %p, i32 {{.*}}, i64 %n)
define void @copies(ptr %p, ptr %q, i64 %n, i8 %b) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %q, i64 40, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %q, i64 4000, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr align 8 %p, ptr align 8 %q, i64 %n, i1 false)
  call void @llvm.memset.p0.i64(ptr %p, i8 %b, i64 %n, i1 false)
  ret void
}

; Private ones stay what they are.
; CHECK-LABEL: define void @private(
; CHECK: call void @llvm.memset
define void @private(i64 %n) {
  %p = alloca i8, i64 %n
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)
  ret void
}

; Each of two tags has a block of its own. The first branch to the slow path leads
; around the second block, and both addresses are used behind it.
; CHECK-LABEL: define void @two_tags(
; CHECK: br i1 {{.*}}, label %[[SLOW:.*]], label %[[SECOND:.*]], !prof
; CHECK: call preserve_allcc void @graupel_dsm_acquire_set
; CHECK: [[SECOND]]:
; CHECK-NOT: getelementptr inbounds float, ptr %from
; CHECK: br i1 {{.*}}, label %[[SLOW]], label %[[BEHIND:.*]], !prof
; CHECK: [[BEHIND]]:
; CHECK: [[FROM:%.*]] = getelementptr inbounds float, ptr %from
; CHECK: load <16 x float>, ptr [[FROM]]
define void @two_tags(ptr %to, ptr %from, i64 %i) {
  %f = getelementptr inbounds float, ptr %from, i64 %i
  %t = getelementptr inbounds float, ptr %to, i64 %i
  %x = load <16 x float>, ptr %f, align 4
  %y = fadd <16 x float> %x, %x
  store <16 x float> %y, ptr %t, align 4
  ret void
}
