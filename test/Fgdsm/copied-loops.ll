; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Loops that jump by the addresses of their blocks are cut into strips, but have no
; copies: tables would still lead to the blocks of the original.
;
; RUN: opt -load-pass-plugin=%passes -passes='print<fgdsm-strips>' -disable-output %s 2>&1 | FileCheck %s
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm-strips,verify' -verify-dom-info -verify-loop-info -S %s | FileCheck %s --check-prefix=STRIPS
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm,verify,graupel-fgdsm-verify' -disable-output %s
; STRIPS-NOT: .general

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@of.areas = internal constant [2 x ptr] [ptr blockaddress(@areas, %one), ptr blockaddress(@areas, %two)]
@of.whole = internal constant [2 x ptr] [ptr blockaddress(@whole, %plain), ptr blockaddress(@whole, %more)]
@of.rows = internal constant [2 x ptr] [ptr blockaddress(@rows, %odd), ptr blockaddress(@rows, %even)]

; No copy for when all counters are valid.
; CHECK-LABEL: function 'areas'
; CHECK: iterations a strip
; CHECK-NEXT: load %keys step 4 bytes 4 for 1 access
; CHECK-NOT: if valid
; CHECK-LABEL: function 'whole'
define void @areas(ptr %keys, ptr %counters, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %key.at = getelementptr inbounds i32, ptr %keys, i64 %i
  %key = load i32, ptr %key.at
  %digit = and i32 %key, 255
  %index = zext i32 %digit to i64
  %counter = getelementptr inbounds i32, ptr %counters, i64 %index
  %which = and i64 %i, 1
  %to.at = getelementptr inbounds ptr, ptr @of.areas, i64 %which
  %to = load ptr, ptr %to.at
  indirectbr ptr %to, [label %one, label %two]
one:
  %count.1 = load i32, ptr %counter
  %more.1 = add i32 %count.1, 1
  store i32 %more.1, ptr %counter
  br label %next
two:
  %count.2 = load i32, ptr %counter
  %more.2 = add i32 %count.2, 2
  store i32 %more.2, ptr %counter
  br label %next
next:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; No copy for more than a strip.
; CHECK: loop 'loop': {{[0-9]+}} iterations a strip
; CHECK-NEXT: load {{.*}} step 8 bytes 8 for 1 access
; CHECK-NOT: one strip
; CHECK-LABEL: function 'rows'
define i64 @whole(ptr %keys, ptr %table, i64 %n, i64 %m) {
entry:
  br label %outer
outer:
  %o = phi i64 [ 0, %entry ], [ %o.next, %outer.end ]
  %outer.sum = phi i64 [ 0, %entry ], [ %sum.next, %outer.end ]
  br label %loop
loop:
  %i = phi i64 [ %o, %outer ], [ %i.next, %next ]
  %sum = phi i64 [ %outer.sum, %outer ], [ %sum.next, %next ]
  %key.at = getelementptr inbounds i64, ptr %keys, i64 %i
  %key = load i64, ptr %key.at
  %which = and i64 %i, 1
  %to.at = getelementptr inbounds ptr, ptr @of.whole, i64 %which
  %to = load ptr, ptr %to.at
  indirectbr ptr %to, [label %plain, label %more]
more:
  %at = getelementptr inbounds i64, ptr %table, i64 %key
  %x = load i64, ptr %at
  br label %next
plain:
  br label %next
next:
  %term = phi i64 [ %x, %more ], [ %i, %plain ]
  %sum.next = add i64 %sum, %term
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %outer.end, label %loop
outer.end:
  %o.next = add nuw nsw i64 %o, 1
  %outer.done = icmp eq i64 %o.next, %m
  br i1 %outer.done, label %exit, label %outer
exit:
  ret i64 %sum.next
}

; No nest whose sizes are compared.
; CHECK-NOT: if (8 * %n) <= 4096
; CHECK: loop 'body': {{[0-9]+}} iterations a strip
; CHECK-LABEL: function 'entered'
define void @rows(ptr %p, i64 %n, i64 %m) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.end ]
  %row = mul nuw nsw i64 %i, %n
  %start = getelementptr inbounds double, ptr %p, i64 %row
  br label %body
body:
  %j = phi i64 [ 0, %rows ], [ %j.next, %end ]
  %at = getelementptr inbounds double, ptr %start, i64 %j
  store double 0.0, ptr %at
  %which = and i64 %j, 1
  %to.at = getelementptr inbounds ptr, ptr @of.rows, i64 %which
  %to = load ptr, ptr %to.at
  indirectbr ptr %to, [label %odd, label %even]
odd:
  br label %end
even:
  br label %end
end:
  %j.next = add nuw nsw i64 %j, 1
  %row.done = icmp eq i64 %j.next, %n
  br i1 %row.done, label %rows.end, label %body
rows.end:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %m
  br i1 %done, label %exit, label %rows
exit:
  ret void
}

; Nothing can be put between a jump and where it leads.
; CHECK: loop 'loop': left alone: not in simplified form
; STRIPS-LABEL: define void @entered(
; STRIPS: indirectbr ptr {{.*}}, [label %loop]
define void @entered(ptr %p, i64 %n) {
entry:
  indirectbr ptr blockaddress(@entered, %loop), [label %loop]
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr inbounds i64, ptr %p, i64 %i
  store i64 %i, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
