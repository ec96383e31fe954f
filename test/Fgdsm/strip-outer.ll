; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Loops around loops of any length: what the outer loop accesses itself is a
; strip's, of few rows. The inner loop keeps its own checks and polls, and its slow
; paths make the outer strip's ranges valid again.
;
; RUN: opt -load-pass-plugin=%passes -passes='print<fgdsm-strips>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm-strips,verify,print<fgdsm-plan>' -verify-dom-info -verify-loop-info -disable-output %s 2>&1 | FileCheck %s
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm,verify,graupel-fgdsm-verify' -disable-output %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; PLAN-LABEL: function 'chains'
; PLAN: loop 'chain': left alone
; PLAN: loop 'rows': 16 iterations a strip
; PLAN-NEXT: load %heads step 8 bytes 8 for 1 access
; PLAN-NEXT: store %sums step 8 bytes 8 for 1 access
; CHECK-LABEL: plan of chains:
; CHECK: table load [[HEADS:%head.at[0-9]* for %strip.bytes[0-9]*]] and store [[SUMS:%sum.at[0-9]* for %strip.bytes[0-9]*]]
; CHECK: table load %at[0, 16) align 8; load [[HEADS]]; store [[SUMS]]
; CHECK: poll in %chain{{.*}}; load [[HEADS]]; store [[SUMS]]
; CHECK: poll in %strip.next
; CHECK-LABEL: plan of calls:
define void @chains(ptr %heads, ptr %sums, i64 %n) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %row.end ]
  %head.at = getelementptr inbounds ptr, ptr %heads, i64 %i
  %head = load ptr, ptr %head.at
  br label %chain
chain:
  %at = phi ptr [ %head, %rows ], [ %next, %chain ]
  %sum = phi i64 [ 0, %rows ], [ %sum.next, %chain ]
  %x = load i64, ptr %at
  %next.at = getelementptr inbounds i64, ptr %at, i64 1
  %next = load ptr, ptr %next.at
  %sum.next = xor i64 %sum, %x
  %last = icmp eq ptr %next, null
  br i1 %last, label %row.end, label %chain
row.end:
  %sum.at = getelementptr inbounds i64, ptr %sums, i64 %i
  store i64 %sum.next, ptr %sum.at
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %rows
exit:
  ret void
}

declare void @unknown()

; A call that may poll ends what a strip relies on.
; PLAN-LABEL: function 'calls'
; PLAN-NOT: loop 'rows': {{.*}} iterations a strip
; PLAN-LABEL: function 'gaps'
define void @calls(ptr %heads, ptr %sums, i64 %n) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %row.end ]
  %head.at = getelementptr inbounds ptr, ptr %heads, i64 %i
  %head = load ptr, ptr %head.at
  br label %chain
chain:
  %at = phi ptr [ %head, %rows ], [ %next, %chain ]
  %next = load ptr, ptr %at
  call void @unknown()
  %last = icmp eq ptr %next, null
  br i1 %last, label %row.end, label %chain
row.end:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %rows
exit:
  ret void
}

; Rows far from each other are checked one by one.
; PLAN-NOT: loop 'rows': {{.*}} iterations a strip
define void @gaps(ptr %heads, i64 %n) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %row.end ]
  %far = shl i64 %i, 7
  %head.at = getelementptr inbounds ptr, ptr %heads, i64 %far
  %head = load ptr, ptr %head.at
  br label %chain
chain:
  %at = phi ptr [ %head, %rows ], [ %next, %chain ]
  %next = load ptr, ptr %at
  %last = icmp eq ptr %next, null
  br i1 %last, label %row.end, label %chain
row.end:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %rows
exit:
  ret void
}
