; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; What is inserted into the recording copy: one test a group, records, the cursor
; in memory over calls.
;
; RUN: opt -load-pass-plugin=%stride-pass -passes=graupel-stride,verify -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: @graupel.stride.sites = internal constant {{.*}}section "graupel_stride_sites", align 64
; CHECK: @graupel.stride.register.slot = linkonce_odr hidden constant ptr @graupel.stride.register, section ".init_array.0", comdat($graupel.stride.register)

declare void @unknown()

; CHECK-LABEL: define i64 @pair(
; CHECK:         [[OLD:%.*]] = phi ptr
; CHECK:         and i64 {{.*}}, 65536
; CHECK:         br i1 {{.*}}, label %[[SLOW:.*]], label %[[FAST:.*]], !prof
; CHECK:       [[SLOW]]:
; CHECK-NEXT:    [[DRAINED:%.*]] = call preserve_allcc ptr @graupel_stride_drain(ptr [[OLD]])
; CHECK:       [[FAST]]:
; CHECK-NEXT:    [[CURSOR:%.*]] = phi ptr [ [[OLD]], %{{.*}} ], [ [[DRAINED]], %[[SLOW]] ]
; CHECK:         store ptr @graupel.stride.sites,
; CHECK:         store ptr %a,
; CHECK:         load i64, ptr %a
; CHECK:         store ptr %b,
; CHECK:         [[NEW:%.*]] = getelementptr i64, ptr [[CURSOR]], i64 4
; CHECK-NOT:     65536
; CHECK:         load i64, ptr %b
; CHECK:         store ptr [[NEW]], ptr %{{.*}}
; CHECK-NEXT:    call void @unknown()
; CHECK-NOT:     store
; CHECK:         ret i64
; CHECK:       record:
; CHECK-NEXT:    [[TLS:%.*]] = call ptr @llvm.threadlocal.address.p0(ptr @graupel_stride_cursor)
; CHECK-NEXT:    load ptr, ptr [[TLS]]
define i64 @pair(ptr %a, ptr %b) {
  %x = load i64, ptr %a
  %y = load i64, ptr %b
  call void @unknown()
  %z = add i64 %x, %y
  ret i64 %z
}

; A summarized loop is as it was.
; CHECK-LABEL: define void @fill(
; CHECK:         store ptr getelementptr inbounds (i8, ptr @graupel.stride.loops, i64 1),
; CHECK:         store i64 %n,
; CHECK:         store ptr %a,
; CHECK:       loop:
; CHECK-NEXT:    %i = phi
; CHECK-NEXT:    %to = getelementptr
; CHECK-NEXT:    store i64 %i, ptr %to
; CHECK-NEXT:    %next = add
; CHECK-NEXT:    %more = icmp
; CHECK-NEXT:    br i1 %more
define void @fill(ptr %a, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %to = getelementptr i64, ptr %a, i64 %i
  store i64 %i, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; Nothing refers to memory.
; CHECK-LABEL: define i64 @pure(
; CHECK-NEXT:    add
; CHECK-NEXT:    ret
define i64 @pure(i64 %x) {
  %y = add i64 %x, 1
  ret i64 %y
}
