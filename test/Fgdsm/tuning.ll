; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; The address of a check is one instruction, unless somebody has named a
; processor that is slow at it.
;
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm' -S %s | llc -O2 | FileCheck %s
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm' -S %s | FileCheck %s --check-prefix=IR

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: generic:
; CHECK: leaq 4(%rdi,%rsi,4), %[[T:[a-z0-9]+]]
; CHECK-NEXT: shrq $5, %[[T]]
; CHECK-NEXT: cmpb $0, %gs:(%[[T]])
; CHECK: movl $1, 4(%rdi,%rsi,4)
; IR: define void @generic({{.*}} #[[GENERIC:[0-9]+]]
define void @generic(ptr %p, i64 %i) #0 {
  %j = add i64 %i, 1
  %q = getelementptr i32, ptr %p, i64 %j
  store i32 1, ptr %q
  ret void
}

; CHECK-LABEL: named:
; CHECK: leaq (%rdi,%rsi,4), %[[T:[a-z0-9]+]]
; CHECK-NEXT: addq $4, %[[T]]
; IR: define void @named({{.*}} #[[NAMED:[0-9]+]]
define void @named(ptr %p, i64 %i) #1 {
  %j = add i64 %i, 1
  %q = getelementptr i32, ptr %p, i64 %j
  store i32 1, ptr %q
  ret void
}

; Without checks nothing is tuned.
; IR: define void @none({{.*}} #[[NONE:[0-9]+]]
define void @none(ptr %p, i64 %i) #2 {
  %j = add i64 %i, 1
  %q = getelementptr i32, ptr %p, i64 %j
  store i32 1, ptr %q
  ret void
}

; IR-DAG: attributes #[[GENERIC]] = { {{.*}}"target-features"="+cx8,-slow-3ops-lea"
; IR-DAG: attributes #[[NAMED]] = { {{.*}}"target-features"="+cx8"
; IR-DAG: attributes #[[NONE]] = { {{.*}}"target-features"="+cx8"
attributes #0 = { "target-features"="+cx8" "tune-cpu"="generic" }
attributes #1 = { "target-features"="+cx8" "tune-cpu"="sandybridge" }
attributes #2 = { "graupel-fgdsm-nocheck" "target-features"="+cx8" "tune-cpu"="generic" }
