; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Which values and objects may hold shared pointers when a call leaves checked code,
; and when a slot of an object is looked at.
;
; RUN: opt -load-pass-plugin=%passes -passes='print<fgdsm-unknown-calls>' -disable-output %s 2>&1 | FileCheck %s
; RUN: opt -load-pass-plugin=%passes -passes=graupel-fgdsm-checks -S %s | FileCheck %s --check-prefix=GUARD
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @wide(i128)
declare void @vector(<2 x i64>)
declare void @number(i64)
declare void @object(ptr)
declare ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; CHECK-LABEL: unknown calls of values:
; CHECK-NEXT: direct wide %wide
; CHECK-NEXT: direct vector %pair
; CHECK-NOT: direct number
define void @values(ptr %p, i64 %n) {
  %i = ptrtoint ptr %p to i64
  %wide = zext i64 %i to i128
  call void @wide(i128 %wide)
  %pair = insertelement <2 x i64> zeroinitializer, i64 %i, i64 1
  call void @vector(<2 x i64> %pair)
  call void @number(i64 %n)
  %distance = sub i64 %i, %i
  call void @number(i64 %distance)
  ret void
}

; As code that is not optimized passes a union by value.
; CHECK-LABEL: unknown calls of disguised:
; CHECK-NEXT: direct number %l
; CHECK-NOT: direct number
define void @disguised(ptr %p, i64 %n) {
  %union = alloca i64
  %other = alloca i64
  store ptr %p, ptr %union
  store i64 %n, ptr %other
  %l = load i64, ptr %union
  call void @number(i64 %l)
  %o = load i64, ptr %other
  call void @number(i64 %o)
  ret void
}

; CHECK-LABEL: unknown calls of copied:
; CHECK-NEXT: direct object %to[8]
; CHECK-NOT: direct object
define void @copied(ptr %p) {
  %from = alloca [16 x i8]
  %to = alloca [16 x i8]
  %slot = getelementptr i8, ptr %from, i64 8
  store ptr %p, ptr %slot
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
  call void @object(ptr %to)
  %short = alloca [16 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %short, ptr %from, i64 8, i1 false)
  call void @object(ptr %short)
  ret void
}

; What a variable points to, until it points to something else.
; CHECK-LABEL: unknown calls of variable:
; CHECK-NEXT: direct object %old %old[0]
; GUARD-LABEL: define void @variable(
; GUARD: @graupel_dsm_guard({{.*}}, i32 2, ptr %old, ptr %
; GUARD: call void @object(ptr %old)
; GUARD: @graupel_dsm_guard({{.*}}, i32 1, ptr %new)
define void @variable(ptr %p) {
  %kept = alloca ptr
  %one = call ptr @malloc(i64 8)
  store ptr %one, ptr %kept
  %to = load ptr, ptr %kept
  store ptr %p, ptr %to
  %old = load ptr, ptr %kept
  call void @object(ptr %old)
  %two = call ptr @malloc(i64 8)
  store ptr %two, ptr %kept
  %new = load ptr, ptr %kept
  call void @object(ptr %new)
  ret void
}

; GUARD-LABEL: define void @sometimes(
; GUARD-NOT: @graupel_dsm_guard(
; GUARD: call void @object(
; GUARD: %[[IS:gdsm.slot]] = phi i1 [ true, %store ], [ false, %{{[0-9]+}} ]
; GUARD: select i1 %[[IS]], ptr %{{.*}}, ptr @gdsm.nothing
define void @sometimes(ptr %p, i1 %c) {
  %mine = alloca [2 x ptr]
  call void @object(ptr %mine)
  br i1 %c, label %store, label %pass
store:
  %second = getelementptr i8, ptr %mine, i64 8
  store ptr %p, ptr %second
  br label %pass
pass:
  call void @object(ptr %mine)
  ret void
}

; Where the last store of a loop was.
; CHECK-LABEL: unknown calls of somewhere:
; CHECK-NEXT: direct object %mine[?]
; GUARD-LABEL: define void @somewhere(
; GUARD: load ptr, ptr %{{element|gdsm.slot.*}}, align 1
; GUARD: @graupel_dsm_guard(
define void @somewhere(ptr %p, i64 %n) {
entry:
  %mine = call ptr @malloc(i64 80)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %element = getelementptr ptr, ptr %mine, i64 %i
  store ptr %p, ptr %element
  %next = add i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  call void @object(ptr %mine)
  ret void
}

; A name that only begins like a runtime's says nothing, and one of the library's only
; which function to look for.
declare void @llvm_word(ptr)
declare void @graupel_word(ptr)
declare void @gdsm_word(ptr)
declare void @tempest_word(ptr)
declare i32 @getw(ptr)
declare void @_ZdlPv(ptr)
declare i32 @on_exit(ptr, ptr)
declare void @gdsm_free(ptr)
declare void @tempest_get_word(ptr)
declare void @graupel_dsm_memcpy(ptr)
declare void @llvm_gcda_end_file(ptr)
declare void @__llvm_profile_note(ptr)
declare i32 @__cxa_atexit(ptr, ptr, ptr)
; CHECK-LABEL: unknown calls of named:
; CHECK-NEXT: direct llvm_word %p
; CHECK-NEXT: direct graupel_word %p
; CHECK-NEXT: direct gdsm_word %p
; CHECK-NEXT: direct tempest_word %p
; CHECK-NEXT: library getw %p
; CHECK-NEXT: library _ZdlPv %p
; CHECK-NEXT: library on_exit %f %p
; CHECK-NEXT: indirect %p
; CHECK-NEXT: library on_exit %p
; CHECK-NEXT: library rewind %p
; CHECK-NEXT: unknown calls of putw:
; CHECK-NEXT: unknown calls of own:
; CHECK-NOT: {{.}}
; GUARD-LABEL: define void @named(
; GUARD: %[[BYTE:.*]] = load i8, ptr {{.*}}@gdsm.call{{.*}}, align 1
; GUARD: call i32 @getw(
define void @named(ptr %p, ptr %f) {
  call void @llvm_word(ptr %p)
  call void @graupel_word(ptr %p)
  call void @gdsm_word(ptr %p)
  call void @tempest_word(ptr %p)
  %w = call i32 @getw(ptr %p)
  call void @_ZdlPv(ptr %p)
  %o = call i32 @on_exit(ptr %f, ptr %p)
  %r = call i32 @on_exit(ptr @rewind, ptr %p)
  call void @gdsm_free(ptr %p)
  call void @tempest_get_word(ptr %p)
  call void @graupel_dsm_memcpy(ptr %p)
  call void @llvm_gcda_end_file(ptr %p)
  call void @__llvm_profile_note(ptr %p)
  %a = call i32 @__cxa_atexit(ptr @named, ptr %p, ptr null)
  ret void
}
declare void @rewind(ptr)

; A function of that name which is compiled here.
; GUARD-LABEL: define void @own(
; GUARD-NOT: @graupel_dsm_guard(
; GUARD: ret void
define i32 @putw(ptr %p) {
  %w = load i32, ptr %p
  ret i32 %w
}
define void @own(ptr %p) {
  %w = call i32 @putw(ptr %p)
  ret void
}
