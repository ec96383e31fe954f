; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Slow paths in a loop call stubs, and compute what they pass where they pass it.
; So the loop keeps no register for an entry's address, nor the function one to
; save.
;
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm,verify,graupel-fgdsm-verify' -S %s -o %t.ll
; RUN: FileCheck %s --check-prefix=IR < %t.ll
; RUN: llc -O2 -relocation-model=pic < %t.ll | FileCheck %s
; Twice is once.
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm-entry-stubs' -S %t.ll | FileCheck %s --check-prefix=IR
; Where data may be far, its address is the compiler's business.
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm,verify,graupel-fgdsm-verify' -S %S/Inputs/entry-stubs-large.ll | FileCheck %s --check-prefix=LARGE
; LARGE-NOT: leaq
; LARGE: @graupel_dsm_acquire_set.stub(ptr %{{.*}}, ptr @graupel.fgdsm.set

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; IR-LABEL: define void @scatter(
; IR: %[[SET:.*]] = call ptr asm sideeffect "leaq $1, $0", "=r,*m"(ptr elementtype(i64) %{{.*}})
; IR: %[[WHAT:.*]] = call ptr asm sideeffect "leaq ${1:a}, $0", "=r,i"(ptr @graupel.fgdsm.set.{{[.0-9]*}})
; IR: call preserve_allcc void @graupel_dsm_acquire_set.stub(ptr %[[SET]], ptr %[[WHAT]])
; IR-LABEL: define linkonce_odr hidden preserve_allcc void @graupel_dsm_acquire_set.stub(
; IR-SAME: ptr %[[P:.*]], ptr %[[Q:.*]]) {{.*}} comdat
; IR-NEXT: musttail call preserve_allcc void @graupel_dsm_acquire_set(ptr %[[P]], ptr %[[Q]])
; IR-NEXT: ret void

; CHECK-LABEL: scatter:
; CHECK-NOT: GOTPCREL
; CHECK-NOT: push
; CHECK: leaq .Lgraupel.fgdsm.set.{{[.0-9]*}}(%rip)
; CHECK: callq graupel_dsm_acquire_set.stub
; CHECK: jmpq *graupel_dsm_acquire_set@GOTPCREL(%rip)
define void @scatter(ptr noalias %from, ptr noalias %to, ptr noalias %n) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %from, %entry ], [ %next, %loop ]
  %next = load ptr, ptr %p
  %x = load i16, ptr %to
  %y = add i16 %x, 1
  store i16 %y, ptr %next
  store i16 %y, ptr %n
  %done = icmp eq ptr %next, null
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
