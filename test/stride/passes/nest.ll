; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Nests: which there are, what they consist of, and their records.
;
; RUN: opt -load-pass-plugin=%stride-pass -passes='print<stride>' -disable-output %s 2>&1 | FileCheck %s
; RUN: opt -load-pass-plugin=%stride-pass -passes=graupel-stride,verify -S %s | FileCheck --check-prefix=CODE %s
; RUN: opt -load-pass-plugin=%stride-pass -passes='graupel-stride<single>' -S %s | FileCheck --check-prefix=SINGLE %s

; A loop, a guard or a reference says which term is its own: one iteration more
; than the outer loop has made.
; CODE: @graupel.stride.nest = private constant
; CODE: { i8 2, i8 64, i16 0, i32 0, i32 0, i32 0, i64 0 }
; CODE: i8 3, i8 64,

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; SINGLE: @graupel.stride.sites
; SINGLE-NOT: ptr @graupel.stride.loops, i64 {{[0-9]*}}1)

; References on both levels; the two of the inner loop have one base.
; CODE-LABEL: define void @imperfect(
; CODE:         store ptr getelementptr inbounds (i8, ptr @graupel.stride.loops,
; CODE:         store i64 %n,
; CODE:         store i64 %m,
; CODE:         store ptr %x,
; CODE:         store ptr %a,
; CODE:         store i64 [[ROW:%.*]],
; CODE:       outer:
; CODE-NOT:     @graupel.stride.sites
; CODE:         ret void
; CHECK-LABEL: strides of imperfect:
; CHECK-NEXT:   nest %outer: (-1 + %n) + 1 iterations
; CHECK-NEXT:     load 8 %xi at %x steps 8
; CHECK-NEXT:     loop %inner: (-1 + %m) + 1 iterations
; CHECK-NEXT:       load 8 %from at %a steps (8 * %m) 8
; CHECK-NEXT:       store 8 %to at (8 + %a) steps (8 * %m) 8
; CHECK-NOT:  {{load|store}}
define void @imperfect(ptr %a, ptr %x, i64 %n, i64 %m) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  %xi = getelementptr i64, ptr %x, i64 %i
  %v = load i64, ptr %xi
  %row = mul i64 %i, %m
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %at = add i64 %row, %j
  %from = getelementptr i64, ptr %a, i64 %at
  %w = load i64, ptr %from
  %to = getelementptr i64, ptr %from, i64 1
  %s = add i64 %v, %w
  store i64 %s, ptr %to
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ne i64 %j.next, %m
  br i1 %j.more, label %inner, label %outer.latch

outer.latch:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %i.next, %n
  br i1 %more, label %outer, label %exit

exit:
  ret void
}

; The vectorizer's shape: a loop, and a remainder that begins where that ends,
; or at 0 if there are too few iterations.
; CHECK-LABEL: strides of remainder:
; CHECK-NEXT:   %start: 0 (4 * (%m /u 4)){{.*}}
; CHECK-NEXT:   nest %outer: (-1 + %n) + 1 iterations
; CHECK-NEXT:     loop %four: {{.*}} + 1 iterations if not %few
; CHECK-NEXT:       store 32 of 4 lanes %to4 at %a steps 800 32
; CHECK-NEXT:     loop %one: {{.*}} + 1 iterations if not %even and ( not %few) or %few
; CHECK-NEXT:       store 8 %to1 at ((8 * %start) + %a) steps 800 8
; CODE-LABEL: define void @remainder(
; CODE:         select i1 %few{{[0-9]*}}, i64 0, i64 %{{.*}}
; CODE:         [[RUNS4:%.*]] = select i1 %{{.*}}, i64 %{{.*}}, i64 0
; CODE:         [[RUNS1:%.*]] = select i1 %{{.*}}, i64 %{{.*}}, i64 0
; CODE:         store i64 %n,
; CODE:         store i64 [[RUNS4]],
; CODE:         store i64 [[RUNS1]],
; CODE:         br label %outer
define void @remainder(ptr %a, i64 %n, i64 %m) {
entry:
  %few = icmp ult i64 %m, 4
  %m4 = and i64 %m, -4
  %even = icmp eq i64 %m, %m4
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %row = getelementptr [100 x i64], ptr %a, i64 %i
  br i1 %few, label %rest, label %four

four:
  %j4 = phi i64 [ 0, %outer ], [ %j4.next, %four ]
  %to4 = getelementptr i64, ptr %row, i64 %j4
  store <4 x i64> zeroinitializer, ptr %to4
  %j4.next = add nuw i64 %j4, 4
  %done4 = icmp eq i64 %j4.next, %m4
  br i1 %done4, label %middle, label %four

middle:
  br i1 %even, label %latch, label %rest

rest:
  %start = phi i64 [ 0, %outer ], [ %m4, %middle ]
  br label %one

one:
  %j1 = phi i64 [ %start, %rest ], [ %j1.next, %one ]
  %to1 = getelementptr i64, ptr %row, i64 %j1
  store i64 0, ptr %to1
  %j1.next = add nuw nsw i64 %j1, 1
  %done1 = icmp eq i64 %j1.next, %m
  br i1 %done1, label %latch, label %one

latch:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %i.next, %n
  br i1 %more, label %outer, label %exit

exit:
  ret void
}

; A condition that does not change is a guard; a copy of known length is bulk.
; CHECK-LABEL: strides of guarded:
; CHECK-NEXT:   nest %loop: (-1 + %n) + 1 iterations
; CHECK-NEXT:     store 0 bulk %to at %a steps 64
; CHECK-NEXT:     guard if %p
; CHECK-NEXT:       store 8 %to at %a steps 64 0
; CHECK-NOT:  {{load|store}}
define void @guarded(ptr %a, i64 %n, i1 %p) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %to = getelementptr [8 x i64], ptr %a, i64 %i
  call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 64, i1 false)
  br i1 %p, label %then, label %latch

then:
  store i64 1, ptr %to
  br label %latch

latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; The inner loop's number of iterations changes: it is a nest of its own.
; CHECK-LABEL: strides of triangle:
; CHECK-NEXT:   nest %outer: (-1 + %n) + 1 iterations
; CHECK-NEXT:     loop %inner: {0,+,1}<nuw><nsw><%outer> + 1 iterations
; CHECK-NEXT:       store 8 %to at %a steps 800 8
; CHECK-NOT:  {{load|store}}
; One record, which has no number of iterations of the inner loop.
; CODE-LABEL: define void @triangle(
; CODE:       entry:
; CODE:         store ptr getelementptr {{.*}}@graupel.stride.loops,
; CODE:         store i64 %n,
; CODE-NEXT:    [[AT:%.*]] = getelementptr
; CODE-NEXT:    store ptr %a, ptr [[AT]],
; CODE-NOT:     @graupel.stride
; CODE:         ret void
define void @triangle(ptr %a, i64 %n) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %row = getelementptr [100 x i64], ptr %a, i64 %i
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %to = getelementptr i64, ptr %row, i64 %j
  store i64 0, ptr %to
  %j.next = add nuw nsw i64 %j, 1
  %done = icmp ugt i64 %j.next, %i
  br i1 %done, label %latch, label %inner

latch:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %i.next, %n
  br i1 %more, label %outer, label %exit

exit:
  ret void
}

; An address that is not affine: the inner loop is the nest, the outer one has
; nothing else.
; CHECK-LABEL: strides of indirect:
; CHECK-NEXT:   nest %inner: (-1 + %m) + 1 iterations
; CHECK-NEXT:     load 8 %at at %row steps 8
; CHECK-NEXT:   load 8 %from
define void @indirect(ptr %rows, i64 %n, i64 %m) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %from = getelementptr ptr, ptr %rows, i64 %i
  %row = load ptr, ptr %from
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %sum = phi i64 [ 0, %outer ], [ %s, %inner ]
  %at = getelementptr i64, ptr %row, i64 %j
  %v = load i64, ptr %at
  %s = add i64 %sum, %v
  %j.next = add nuw nsw i64 %j, 1
  %done = icmp eq i64 %j.next, %m
  br i1 %done, label %latch, label %inner

latch:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %i.next, %n
  br i1 %more, label %outer, label %exit

exit:
  ret void
}
