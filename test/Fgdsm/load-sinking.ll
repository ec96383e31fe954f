; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Loads without checks of their own move down to their use, behind the checks of
; what stands between, so that the use can have them as its memory operand.
;
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm-checks,verify,graupel-fgdsm-verify' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare double @llvm.fmuladd.f64(double, double, double)

; CHECK-LABEL: define double @product(
; CHECK: fcmp uno double
; CHECK: %a = load double, ptr %mine
; CHECK-NEXT: fmul double %a, %b
define double @product(ptr byval(double) %mine, ptr %p) {
  %a = load double, ptr %mine
  %b = load double, ptr %p
  %c = fmul double %a, %b
  ret double %c
}

; CHECK-LABEL: define double @fused(
; CHECK: fcmp uno double
; CHECK: %a = load double, ptr %mine
; CHECK-NEXT: call double @llvm.fmuladd.f64(double %a, double %b, double %c)
define double @fused(ptr byval(double) %mine, ptr %p, double %c) {
  %a = load double, ptr %mine
  %b = load double, ptr %p
  %d = call double @llvm.fmuladd.f64(double %a, double %b, double %c)
  ret double %d
}

; CHECK-LABEL: define double @negated(
; CHECK: fcmp uno double
; CHECK: %a = load double, ptr %mine
; CHECK-NEXT: %n = fneg double %a
; CHECK-NEXT: call double @llvm.fmuladd.f64(double %n, double %b, double %c)
define double @negated(ptr byval(double) %mine, ptr %p, double %c) {
  %a = load double, ptr %mine
  %n = fneg double %a
  %b = load double, ptr %p
  %d = call double @llvm.fmuladd.f64(double %n, double %b, double %c)
  ret double %d
}

; Not past a store, which may be to the same place.
; CHECK-LABEL: define double @stored(
; CHECK-NEXT: %a = load double, ptr %mine
define double @stored(ptr byval(double) %mine, ptr %p) {
  %a = load double, ptr %mine
  store double 1.0, ptr %p
  %b = load double, ptr %p
  %c = fmul double %a, %b
  ret double %c
}

; Not where it cannot be an operand of memory.
; CHECK-LABEL: define double @minuend(
; CHECK-NEXT: %a = load double, ptr %mine
define double @minuend(ptr byval(double) %mine, ptr %p) {
  %a = load double, ptr %mine
  %b = load double, ptr %p
  %c = fsub double %a, %b
  ret double %c
}

; What has a check of its own stays.
; CHECK-LABEL: define double @both(
; CHECK-NEXT: load double, ptr %q
define double @both(ptr %q, ptr %p) {
  %a = load double, ptr %q
  %b = load double, ptr %p
  %c = fmul double %a, %b
  ret double %c
}
