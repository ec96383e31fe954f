; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; What a loop carries with it: its profile is split (1000 iterations in strips of
; 512), new instructions have the loop's place in the source, the loop keeps its
; metadata and is not cut again; and remarks.
;
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm-strips,graupel-fgdsm-strips,verify' -pass-remarks=fgdsm -pass-remarks-missed=fgdsm -S %s 2>%t.remarks | FileCheck %s
; RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

; REMARK: a.c:2:3: loop strip-mined: 512 iterations a strip, 1 range
; REMARK-NOT: remark: a.c:2
; REMARK: a.c:6:3: loop not strip-mined: stride of 680 bytes leaves gaps

; CHECK-LABEL: define void @profiled(
; CHECK: call void @graupel.fgdsm.range({{.*}}), !dbg [[STORE:![0-9]+]]
; CHECK: br i1 %strip.over, label %strip.end, label %body, !dbg {{.*}}, !prof [[INNER:![0-9]+]], !llvm.loop [[LOOP:![0-9]+]]
; CHECK: br i1 %strip.last, label %exit, label %strip.next, !dbg {{.*}}, !prof [[OUTER:![0-9]+]]
; CHECK: call void @graupel.fgdsm.poll(), !dbg [[HERE:![0-9]+]]
; CHECK-NOT: graupel.fgdsm.range
; CHECK-LABEL: define void @sparse(
; CHECK-NOT: graupel.
; CHECK: ret void

; CHECK-DAG: [[STORE]] = !DILocation(line: 3,
; CHECK-DAG: [[HERE]] = !DILocation(line: 2,
; CHECK-DAG: [[INNER]] = !{!"branch_weights", i32 1, i32 511}
; CHECK-DAG: [[OUTER]] = !{!"branch_weights", i32 1, i32 1}
; CHECK-DAG: [[LOOP]] = distinct !{[[LOOP]], {{.*}}, [[KEPT:![0-9]+]], [[MARK:![0-9]+]]}
; CHECK-DAG: [[KEPT]] = !{!"llvm.loop.mustprogress"}
; CHECK-DAG: [[MARK]] = !{!"graupel.fgdsm.strip", i32 0}

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @profiled(ptr %p, i64 %n) !dbg !4 {
entry:
  br label %body, !dbg !8
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr inbounds double, ptr %p, i64 %i, !dbg !9
  store double 0.0, ptr %at, !dbg !9
  %next = add nuw nsw i64 %i, 1, !dbg !8
  %done = icmp eq i64 %next, %n, !dbg !8
  br i1 %done, label %exit, label %body, !dbg !8, !prof !10, !llvm.loop !11
exit:
  ret void, !dbg !8
}

define void @sparse(ptr %p, i64 %n) !dbg !13 {
entry:
  br label %body, !dbg !14
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr inbounds [85 x double], ptr %p, i64 %i, !dbg !14
  store double 0.0, ptr %at, !dbg !14
  %next = add nuw nsw i64 %i, 1, !dbg !14
  %done = icmp eq i64 %next, %n, !dbg !14
  br i1 %done, label %exit, label %body, !dbg !14, !llvm.loop !15
exit:
  ret void, !dbg !14
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "profiled", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!8 = !DILocation(line: 2, column: 3, scope: !4)
!9 = !DILocation(line: 3, column: 5, scope: !4)
!10 = !{!"branch_weights", i32 1, i32 999}
!11 = distinct !{!11, !8, !12}
!12 = !{!"llvm.loop.mustprogress"}
!13 = distinct !DISubprogram(name: "sparse", file: !1, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!14 = !DILocation(line: 6, column: 3, scope: !13)
!15 = distinct !{!15, !14, !12}
