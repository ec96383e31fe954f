; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Members of a COMMON block become objects of their own: up to the next one. Of
; two names for one place (EQUIVALENCE) the first.
;
; RUN: opt -load-pass-plugin=%stride-pass -passes=graupel-stride,verify -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-DAG: [[X:@graupel.stride.part[.0-9]*]] = private constant [9 x i8] c"/block/x\00"
; CHECK-DAG: [[Y:@graupel.stride.part[.0-9]*]] = private constant [9 x i8] c"/block/y\00"
; CHECK: @graupel.stride.parts = private constant [2 x { ptr, i64, ptr }] [{ ptr, i64, ptr } { ptr @block_, i64 8000, ptr [[X]] }, { ptr, i64, ptr } { ptr getelementptr inbounds (i8, ptr @block_, i64 8000), i64 12000, ptr [[Y]] }]
; CHECK: section ".init_array.0"
; CHECK: define internal void @graupel.stride.commons()
; CHECK-NEXT: call void @graupel_stride_parts(ptr @graupel.stride.parts, i64 2)

@block_ = common global [20000 x i8] zeroinitializer, align 8, !dbg !0, !dbg !3, !dbg !5

define double @first() {
  %v = load double, ptr @block_
  ret double %v
}

!llvm.dbg.cu = !{!10}
!llvm.module.flags = !{!12}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression(DW_OP_plus_uconst, 8000))
!1 = distinct !DIGlobalVariable(name: "y", scope: !2, file: !11, type: !9, isLocal: false, isDefinition: true)
!2 = !DICommonBlock(scope: !10, declaration: null, name: "block", file: !11)
!3 = !DIGlobalVariableExpression(var: !4, expr: !DIExpression())
!4 = distinct !DIGlobalVariable(name: "x", scope: !2, file: !11, type: !9, isLocal: false, isDefinition: true)
!5 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression())
!6 = distinct !DIGlobalVariable(name: "also_x", scope: !2, file: !11, type: !9, isLocal: false, isDefinition: true)
!9 = !DIBasicType(name: "real(kind=8)", size: 64, encoding: DW_ATE_float)
!10 = distinct !DICompileUnit(language: DW_LANG_Fortran95, file: !11, emissionKind: FullDebug, globals: !13)
!11 = !DIFile(filename: "a.f90", directory: "/")
!12 = !{i32 2, !"Debug Info Version", i32 3}
!13 = !{!0, !3, !5}
