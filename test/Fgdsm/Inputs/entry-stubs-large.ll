; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
;

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"


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

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"Code Model", i32 4}
