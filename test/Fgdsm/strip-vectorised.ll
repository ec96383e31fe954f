; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Nests whose inner loops are vectorised: several loops of one touch together what it
; did, others are no business of theirs.
;
; RUN: opt -load-pass-plugin=%passes -passes='print<fgdsm-strips>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; The second goes on where the first stopped, or begins if that is left out.
; CHECK-LABEL: function 'one'
; CHECK: loop 'rows': at most 16 iterations a strip
; CHECK: store %p step (8 * %n) bytes {{.*}} for 2 accesses
define void @one(ptr %p, i64 %n, i64 %m) {
entry:
  %n.vec = and i64 %n, 1073741820
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.end ]
  %row = mul nuw nsw i64 %i, %n
  %start = getelementptr inbounds double, ptr %p, i64 %row
  %few = icmp ult i64 %n, 4
  br i1 %few, label %rest.start, label %vector.start
vector.start:
  br label %vector
vector:
  %j = phi i64 [ 0, %vector.start ], [ %j.next, %vector ]
  %at = getelementptr inbounds double, ptr %start, i64 %j
  store <4 x double> zeroinitializer, ptr %at, align 8
  %j.next = add nuw nsw i64 %j, 4
  %vector.done = icmp eq i64 %j.next, %n.vec
  br i1 %vector.done, label %vector.end, label %vector, !llvm.loop !0
vector.end:
  %all = icmp eq i64 %n.vec, %n
  br i1 %all, label %rows.end, label %rest.start
rest.start:
  %resume = phi i64 [ 0, %rows ], [ %n.vec, %vector.end ]
  br label %rest
rest:
  %k = phi i64 [ %resume, %rest.start ], [ %k.next, %rest ]
  %rest.at = getelementptr inbounds double, ptr %start, i64 %k
  store double 0.0, ptr %rest.at, align 8
  %k.next = add nuw nsw i64 %k, 1
  %rest.done = icmp eq i64 %k.next, %n
  br i1 %rest.done, label %rest.end, label %rest, !llvm.loop !2
rest.end:
  br label %rows.end
rows.end:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %m
  br i1 %done, label %exit, label %rows
exit:
  ret void
}

; Two loops of the program's, of which each iteration enters one.
; CHECK-LABEL: function 'either'
; CHECK-NOT: store %p
; CHECK-NOT: store %q
; CHECK: loop 'left': one strip
; CHECK-NEXT: store {%p,+,128}
; CHECK: loop 'right': one strip
; CHECK-NEXT: store {%q,+,128}
; CHECK: loop 'rows': 16 iterations a strip
; CHECK-NEXT: load %c step 1 bytes 1 for 1 access
; CHECK-LABEL: function 'maybe'
define void @either(ptr %p, ptr %q, ptr %c, i64 %m) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.end ]
  %row = shl i64 %i, 7
  %choice.at = getelementptr inbounds i8, ptr %c, i64 %i
  %choice = load i8, ptr %choice.at
  %take = icmp eq i8 %choice, 0
  br i1 %take, label %left.start, label %right.start
left.start:
  %p.row = getelementptr inbounds i8, ptr %p, i64 %row
  br label %left
left:
  %j = phi i64 [ 0, %left.start ], [ %j.next, %left ]
  %p.at = getelementptr inbounds double, ptr %p.row, i64 %j
  store <4 x double> zeroinitializer, ptr %p.at, align 8
  %j.next = add nuw nsw i64 %j, 4
  %left.done = icmp eq i64 %j.next, 16
  br i1 %left.done, label %left.end, label %left, !llvm.loop !3
left.end:
  br label %rows.end
right.start:
  %q.row = getelementptr inbounds i8, ptr %q, i64 %row
  br label %right
right:
  %k = phi i64 [ 0, %right.start ], [ %k.next, %right ]
  %q.at = getelementptr inbounds double, ptr %q.row, i64 %k
  store <4 x double> zeroinitializer, ptr %q.at, align 8
  %k.next = add nuw nsw i64 %k, 4
  %right.done = icmp eq i64 %k.next, 16
  br i1 %right.done, label %right.end, label %right, !llvm.loop !4
right.end:
  br label %rows.end
rows.end:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %m
  br i1 %done, label %exit, label %rows
exit:
  ret void
}

; One behind another, each if a number says so.
; CHECK-NOT: store %p
; CHECK-NOT: store %q
; CHECK: loop 'right': one strip
; CHECK-NEXT: store {%q,+,128}
; CHECK: loop 'left': one strip
; CHECK-NEXT: store {%p,+,128}
; CHECK: loop 'rows': 16 iterations a strip
; CHECK-NEXT: load %c step 1 bytes 1 for 1 access
define void @maybe(ptr %p, ptr %q, ptr %c, i64 %m) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.end ]
  %row = shl i64 %i, 7
  %choice.at = getelementptr inbounds i8, ptr %c, i64 %i
  %choice = load i8, ptr %choice.at
  %take = icmp eq i8 %choice, 0
  br i1 %take, label %left.start, label %between
left.start:
  %p.row = getelementptr inbounds i8, ptr %p, i64 %row
  br label %left
left:
  %j = phi i64 [ 0, %left.start ], [ %j.next, %left ]
  %p.at = getelementptr inbounds double, ptr %p.row, i64 %j
  store <4 x double> zeroinitializer, ptr %p.at, align 8
  %j.next = add nuw nsw i64 %j, 4
  %left.done = icmp eq i64 %j.next, 16
  br i1 %left.done, label %left.end, label %left, !llvm.loop !3
left.end:
  br label %between
between:
  %other = icmp ugt i8 %choice, 7
  br i1 %other, label %right.start, label %rows.end
right.start:
  %q.row = getelementptr inbounds i8, ptr %q, i64 %row
  br label %right
right:
  %k = phi i64 [ 0, %right.start ], [ %k.next, %right ]
  %q.at = getelementptr inbounds double, ptr %q.row, i64 %k
  store <4 x double> zeroinitializer, ptr %q.at, align 8
  %k.next = add nuw nsw i64 %k, 4
  %right.done = icmp eq i64 %k.next, 16
  br i1 %right.done, label %right.end, label %right, !llvm.loop !4
right.end:
  br label %rows.end
rows.end:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %m
  br i1 %done, label %exit, label %rows
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.isvectorized", i32 1}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !1}
!4 = distinct !{!4, !1}
