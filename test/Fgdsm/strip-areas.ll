; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Memory that a loop accesses here and there, but within known bounds: a copy of
; the loop without checks of it, for strips that begin while all of it is valid.
;
; RUN: opt -load-pass-plugin=%passes -passes='print<fgdsm-strips>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm-strips,verify' -verify-dom-info -verify-loop-info -S %s | FileCheck %s --check-prefix=STRIPS
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm-strips,verify,print<fgdsm-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm,verify,graupel-fgdsm-verify' -S %s | FileCheck %s --check-prefix=CODE

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Counters of keys: the mask tells how large they are.
; PLAN-LABEL: function 'counters'
; PLAN: loop 'loop': 750 iterations a strip
; PLAN-NEXT: load %keys step 4 bytes 4 for 1 access
; PLAN-NEXT: if valid, store %counters bytes (4 + (4 * (zext i32 %mask to i64))<nuw><nsw>)<nuw><nsw> for 2 accesses, if %mask <= 2047
; STRIPS-LABEL: define void @counters(
; What the loop might not get to may be any number; only addresses of the user's
; half have summaries.
; STRIPS: [[START:%.*]] = freeze ptr %counters
; STRIPS: [[BYTES:%.*]] = freeze i64
; STRIPS: icmp ult i64 {{.*}}, 140737488347136
; STRIPS: [[LOOKED:%.*]] = select i1 {{.*}}, ptr [[START]], ptr null
; STRIPS: icmp ule i32 %{{.*}}, 2047
; STRIPS: icmp ule i64 [[BYTES]], 8192
; STRIPS: call void @graupel.fgdsm.range(ptr {{.*}}, i64 [[KEYS:[0-9]+]])
; STRIPS: call i1 @graupel.fgdsm.refused(ptr [[LOOKED]], i64 range(i64 1, 8193) [[BYTES]], i1 true, i64 [[ID:[0-9]+]])
; STRIPS: br i1 %{{.*}}, label %strip.areas, label %[[GENERAL:.*]], !prof
; STRIPS: [[GENERAL]]:
; STRIPS: load i32, ptr %counter.general, align 4{{$}}
; STRIPS: strip.areas:
; STRIPS: call void @graupel.fgdsm.range(ptr [[START]], i64 range(i64 1, 8193) [[BYTES]], i1 true, i64 [[ID]])
; STRIPS: load i32, ptr %counter, {{.*}}!graupel.covered
; CHECK-LABEL: plan of counters:
; CHECK: table load [[KEYS:%key.* for %strip.bytes]]
; The copy.
; CHECK: table store %counter.general[0, 4) align 4; load [[KEYS]]
; The strip that begins with valid counters.
; CHECK-NEXT: table store {{%.*}} for {{%.*}}; load [[KEYS]]
; CHECK-NEXT: poll in %strip.next
; CODE-LABEL: define void @counters(
; The summaries of three pages, of each of which a store is asked.
; CODE: [[OF:%.*]] = and i32 %{{.*}}, 16777215
; CODE-NEXT: icmp ne i32 [[OF]], 0
; CODE-NOT: @graupel.fgdsm.refused
define void @counters(ptr %keys, ptr %counters, i64 %n, i32 %mask) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %key.at = getelementptr inbounds i32, ptr %keys, i64 %i
  %key = load i32, ptr %key.at
  %digit = and i32 %key, %mask
  %index = sext i32 %digit to i64
  %counter = getelementptr inbounds i32, ptr %counters, i64 %index
  %count = load i32, ptr %counter
  %more = add i32 %count, 1
  store i32 %more, ptr %counter
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; The range of a byte. Both fields of the structure are one area.
; PLAN-LABEL: function 'tables'
; PLAN: if valid, load %table bytes 4096 for 2 accesses
; CODE-LABEL: define i64 @tables(
; CODE: and i32 %{{.*}}, 32896
; CODE: strip.areas:
; CODE: and i32 %{{.*}}, 32896
; CODE-NOT: and i32 %{{.*}}, 32896
define i64 @tables(ptr %keys, ptr %table, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %loop ]
  %key.at = getelementptr inbounds i8, ptr %keys, i64 %i
  %key = load i8, ptr %key.at
  %index = zext i8 %key to i64
  %a.at = getelementptr inbounds {i64, i64}, ptr %table, i64 %index, i32 0
  %a = load i64, ptr %a.at
  %b.at = getelementptr inbounds {i64, i64}, ptr %table, i64 %index, i32 1
  %b = load i64, ptr %b.at
  %product = mul i64 %a, %b
  %sum.next = xor i64 %sum, %product
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret i64 %sum.next
}

; Not worth a copy: one load; too large; the mask changes.
; PLAN-LABEL: function 'none'
; CODE-LABEL: define i64 @none(
; PLAN: loop 'loop': 512 iterations a strip
; PLAN-NOT: if valid
; PLAN-LABEL: function 'end'
define i64 @none(ptr %keys, ptr %one, ptr %large, ptr %any, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %mask = phi i64 [ 15, %entry ], [ %mask.next, %loop ]
  %key.at = getelementptr inbounds i64, ptr %keys, i64 %i
  %key = load i64, ptr %key.at
  %few = and i64 %key, 7
  %one.at = getelementptr inbounds i64, ptr %one, i64 %few
  %a = load i64, ptr %one.at
  %many = and i64 %key, 2047
  %large.at = getelementptr inbounds i64, ptr %large, i64 %many
  store i64 %a, ptr %large.at
  %some = and i64 %key, %mask
  %any.at = getelementptr inbounds i64, ptr %any, i64 %some
  store i64 %a, ptr %any.at
  %mask.next = mul i64 %mask, 2
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret i64 %mask
}

define void @end() {
  ret void
}
