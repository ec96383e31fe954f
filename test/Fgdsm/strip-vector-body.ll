; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; The vector body of y[i] += a * x[i]: two ranges a strip, which begin where
; the body does; the body itself as it was but for its bound.
;
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm-strips,verify' -S %s | FileCheck %s
; RUN: opt -load-pass-plugin=%passes -passes='print<fgdsm-strips>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAN

; PLAN: Strips of function 'axpy':
; PLAN-NEXT: loop 'body': 128 iterations a strip
; PLAN-NEXT: load %x step 32 bytes 32 for 2 accesses
; PLAN-NEXT: store %y step 32 bytes 32 for 4 accesses

; CHECK-LABEL: define void @axpy(
; CHECK: entry:
; CHECK: [[LAST:%.*]] = lshr i64 {{%.*}}, 2
; CHECK: br label %strip

; CHECK: strip:
; CHECK-NEXT: [[LEFT:%.*]] = phi i64 [ [[LAST]], %entry ], [ [[LEFT1:%.*]], %strip.next ]
; CHECK-NEXT: [[I:%.*]] = phi i64 [ 0, %entry ], [ [[IL:%.*]], %strip.next ]
; CHECK: [[AHEAD:%.*]] = call i64 @llvm.umin.i64(i64 [[LEFT]], i64 127)
; CHECK: [[LENGTH:%.*]] = add i64 [[AHEAD]], 1
; CHECK: [[OFFSET:%.*]] = mul i64 [[LENGTH]], 4
; CHECK: [[BOUND:%.*]] = add i64 [[I]], [[OFFSET]]
; CHECK: [[START:%.*]] = getelementptr double, ptr %x, i64 [[I]]
; CHECK: [[ALL:%.*]] = mul i64 [[AHEAD]], 32
; CHECK: [[BYTES:%.*]] = add i64 [[ALL]], 32
; CHECK: call void @graupel.fgdsm.range(ptr [[START]], i64 range(i64 1, 4097) [[BYTES]], i1 false, i64 1)
; CHECK: call void @graupel.fgdsm.range(ptr {{%.*}}, i64 range(i64 1, 4097) {{%.*}}, i1 true, i64 2)
; CHECK: br label %body

; CHECK: body:
; CHECK-NEXT: phi i64 [ [[I]], %strip ], [ %i.next, %body ]
; CHECK-COUNT-2: load <2 x double>, ptr %px{{.*}}, !graupel.covered [[X:![0-9]+]]
; CHECK-COUNT-2: load <2 x double>, ptr %py{{.*}}, !graupel.covered [[Y:![0-9]+]]
; CHECK-COUNT-2: store {{.*}}, !graupel.covered [[Y]]
; CHECK: [[END:%.*]] = icmp eq i64 %i.next, [[BOUND]]
; CHECK-NEXT: br i1 [[END]], label %strip.end, label %body, !llvm.loop [[INNER:![0-9]+]]

; CHECK: strip.end:
; CHECK-NEXT: [[IL]] = phi i64 [ %i.next, %body ]
; CHECK-NEXT: [[OVER:%.*]] = icmp ult i64 [[LEFT]], 128
; CHECK-NEXT: br i1 [[OVER]], label %exit, label %strip.next

; CHECK: strip.next:
; CHECK-NEXT: call void @graupel.fgdsm.poll()
; CHECK-NEXT: [[LEFT1]] = sub nuw i64 [[LEFT]], 128
; CHECK-NEXT: br label %strip, !llvm.loop [[OUTER:![0-9]+]]

; CHECK: [[X]] = !{i64 1}
; CHECK: [[Y]] = !{i64 2}
; CHECK: [[INNER]] = distinct !{[[INNER]], [[VECTORIZED:![0-9]+]], [[MARK:![0-9]+]]}
; CHECK: [[VECTORIZED]] = !{!"llvm.loop.isvectorized", i32 1}
; CHECK: [[MARK]] = !{!"graupel.fgdsm.strip", i32 0}
; CHECK: [[OUTER]] = distinct !{[[OUTER]], [[MARK]]}

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @axpy(ptr %y, ptr %x, <2 x double> %a, i64 %n) {
entry:
  %n.vec = and i64 %n, 9223372036854775804
  br label %body

body:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %px0 = getelementptr inbounds nuw double, ptr %x, i64 %i
  %px1 = getelementptr inbounds nuw i8, ptr %px0, i64 16
  %x0 = load <2 x double>, ptr %px0, align 8
  %x1 = load <2 x double>, ptr %px1, align 8
  %py0 = getelementptr inbounds nuw double, ptr %y, i64 %i
  %py1 = getelementptr inbounds nuw i8, ptr %py0, i64 16
  %y0 = load <2 x double>, ptr %py0, align 8
  %y1 = load <2 x double>, ptr %py1, align 8
  %z0 = call <2 x double> @llvm.fmuladd.v2f64(<2 x double> %a, <2 x double> %x0, <2 x double> %y0)
  %z1 = call <2 x double> @llvm.fmuladd.v2f64(<2 x double> %a, <2 x double> %x1, <2 x double> %y1)
  store <2 x double> %z0, ptr %py0, align 8
  store <2 x double> %z1, ptr %py1, align 8
  %i.next = add nuw i64 %i, 4
  %done = icmp eq i64 %i.next, %n.vec
  br i1 %done, label %exit, label %body, !llvm.loop !0

exit:
  ret void
}

declare <2 x double> @llvm.fmuladd.v2f64(<2 x double>, <2 x double>, <2 x double>)

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.isvectorized", i32 1}
