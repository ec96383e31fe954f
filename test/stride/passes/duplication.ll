; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Each function twice: code that records, and code that counts down to the next
; burst. One crosses at the entry, at headers, and before summarized loops.
;
; RUN: opt -load-pass-plugin=%stride-pass -passes=graupel-stride,verify -S %s | FileCheck %s
; RUN: opt -load-pass-plugin=%stride-pass '-passes=print<stride>' -disable-output %s 2>&1 | FileCheck --check-prefix=PLAN %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @unknown()
declare i32 @setjmp(ptr) returns_twice
declare void @once() noduplicate

; Executables have the variables themselves.
; CHECK-DAG: @graupel_stride_budget = weak dso_local thread_local(localexec) global i64 -4611686018427387904
; CHECK-DAG: @graupel_stride_cursor = weak dso_local thread_local(localexec) global ptr inttoptr (i64 65536 to ptr)
; RUN: sed -e '$a!llvm.module.flags = !{!0}\n!0 = !{i32 8, !"PIC Level", i32 2}' %s | opt -load-pass-plugin=%stride-pass -passes=graupel-stride,verify -S - | FileCheck --check-prefix=PIC %s
; PIC-DAG: @graupel_stride_budget = external thread_local(initialexec) global i64
; PIC-DAG: @graupel_stride_cursor = external thread_local(initialexec) global ptr

; The entry. Without loops the budget stays in memory.
; CHECK-LABEL: define i64 @straight(
; CHECK:         [[OLD:%.*]] = load i64
; CHECK-NEXT:    [[LEFT:%.*]] = sub i64 [[OLD]], 2
; CHECK-NEXT:    [[TLS:%.*]] = call ptr @llvm.threadlocal.address.p0(ptr @graupel_stride_budget)
; CHECK-NEXT:    store i64 [[LEFT]], ptr [[TLS]]
; CHECK-NEXT:    [[DUE:%.*]] = icmp slt i64 [[LEFT]], 0
; CHECK-NEXT:    br i1 [[DUE]], label %record, label %[[PLAIN:.*]], !prof
; CHECK:       [[PLAIN]]:
; CHECK-NEXT:    load i64, ptr %a
; CHECK-NEXT:    call void @unknown()
; CHECK-NEXT:    load i64, ptr %b
; CHECK-NOT:     store
; CHECK:         ret i64
; CHECK:       record:
; CHECK:         and i64 {{.*}}, 131072
; CHECK:         br i1 {{.*}}, label %burst, label
; CHECK:       burst:
; CHECK:         [[NOW:%.*]] = load i64
; CHECK-NEXT:    [[FROM:%.*]] = add i64 [[NOW]], 2
; CHECK-NEXT:    call preserve_allcc ptr @graupel_stride_begin(i64 [[FROM]])
define i64 @straight(ptr %a, ptr %b) {
  %x = load i64, ptr %a
  call void @unknown()
  %y = load i64, ptr %b
  %z = add i64 %x, %y
  ret i64 %z
}

; A list: both headers test, and each leads into a block before the other loop.
; CHECK-LABEL: define i64 @list(
; CHECK:       [[TO:join.*]]:
; CHECK:         phi ptr [ %p, %{{.*}} ], [ %at.plain, %[[BURST:burst[0-9]*]] ]
; CHECK:         br label %loop
; CHECK:       loop:
; CHECK:         and i64 {{.*}}, 131072
; CHECK:         br i1 {{.*}}, label %[[OVER:over.*]], label
; CHECK:       [[BACK:join.*]]:
; CHECK:         br label %loop.plain
; CHECK:       loop.plain:
; CHECK:         [[OLD:%.*]] = phi i64
; CHECK:         [[LEFT:%.*]] = sub i64 [[OLD]], 2
; CHECK-NEXT:    icmp slt i64 [[LEFT]], 0
; CHECK-NEXT:    br i1 {{.*}}, label %[[BURST]], label
; CHECK:       [[BURST]]:
; CHECK-NEXT:    [[FROM:%.*]] = add i64 [[LEFT]], 2
; CHECK-NEXT:    call preserve_allcc ptr @graupel_stride_begin(i64 [[FROM]])
; CHECK-NEXT:    br label %[[TO]]
; CHECK:       [[OVER]]:
; CHECK-NEXT:    call ptr @llvm.threadlocal.address.p0(ptr @graupel_stride_budget)
; CHECK:         br label %[[BACK]]
define i64 @list(ptr %p) {
entry:
  br label %loop

loop:
  %at = phi ptr [ %p, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %new, %loop ]
  %v = load i64, ptr %at
  %new = add i64 %sum, %v
  %link = getelementptr i8, ptr %at, i64 8
  %next = load ptr, ptr %link
  %more = icmp ne ptr %next, null
  br i1 %more, label %loop, label %exit

exit:
  ret i64 %new
}

; A summarized loop has no checks: it is subtracted before it.
; CHECK-LABEL: define void @fill(
; CHECK:         [[ALL:%.*]] = mul i64 %n, 1
; CHECK:         [[LEFT:%.*]] = sub i64 %{{.*}}, [[ALL]]
; CHECK:         icmp slt i64 [[LEFT]], 0
; CHECK:       loop.plain:
; CHECK-NEXT:    phi
; CHECK-NEXT:    getelementptr
; CHECK-NEXT:    store i64
; CHECK-NEXT:    add
; CHECK-NEXT:    icmp
; CHECK-NEXT:    br i1
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

; A nest has none either, nor have the loops in it; its references are counted
; from its record's numbers of iterations.
; CHECK-LABEL: define void @nest(
; CHECK:         [[INNER:%.*]] = freeze i64 %m
; CHECK-NEXT:    [[EACH:%.*]] = mul i64 [[INNER]], 2
; CHECK-NEXT:    [[ROW:%.*]] = add i64 [[EACH]], 1
; CHECK-NEXT:    [[ALL:%.*]] = mul i64 %n, [[ROW]]
; CHECK:         [[LEFT:%.*]] = sub i64 %{{.*}}, [[ALL]]
; CHECK:         icmp slt i64 [[LEFT]], 0
; CHECK:       outer.plain:
; CHECK-NOT:     131072
; CHECK-NOT:     sub i64
; CHECK:         br i1 %more.plain, label %outer.plain, label %exit.plain
define void @nest(ptr %a, ptr %x, i64 %n, i64 %m) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
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
  br i1 %j.more, label %inner, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %i.next, %n
  br i1 %more, label %outer, label %exit

exit:
  ret void
}

; A gather: in the middle of the loop, what is left of it is written (the bit is
; GRAUPEL_STRIDE_REST).
; CHECK-LABEL: define i64 @gather(
; CHECK:       loop.plain:
; CHECK:         sub i64 {{.*}}, 2
; CHECK:       burst{{.*}}:
; CHECK:         [[DONE:%.*]] = udiv i64 {{.*}}, 1
; CHECK:         [[REST:%.*]] = sub i64 {{.*}}, [[DONE]]
; CHECK:         or i64 [[REST]], -9223372036854775808
; CHECK:         [[WAY:%.*]] = mul i64 [[DONE]], 8
; CHECK:         getelementptr i8, ptr %index, i64 [[WAY]]
define i64 @gather(ptr %index, ptr %from, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %new, %loop ]
  %which = getelementptr i64, ptr %index, i64 %i
  %k = load i64, ptr %which
  %at = getelementptr i64, ptr %from, i64 %k
  %v = load i64, ptr %at
  %new = add i64 %sum, %v
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i64 %new
}

; A branch counts its own, the entry what comes before and after it.
; CHECK-LABEL: define i64 @branch(
; CHECK:         sub i64 %{{.*}}, 2
; CHECK:       then.plain:
; CHECK:         sub i64 %{{.*}}, 1
; CHECK:       end.plain:
; CHECK-NOT:     sub
; CHECK:         ret i64
define i64 @branch(ptr %a, ptr %b) {
  %x = load i64, ptr %a
  %odd = trunc i64 %x to i1
  br i1 %odd, label %then, label %end

then:
  store i64 0, ptr %b
  br label %end

end:
  %y = load i64, ptr %b
  ret i64 %y
}

; Computed jumps through tables: each copy has its own, and the plain one checks
; where it jumps to.
; CHECK-LABEL: define i64 @interpret(
; CHECK:       one:
; CHECK:       loop:
; CHECK:         getelementptr ptr, ptr @labels, i64
; CHECK:         indirectbr ptr %{{.*}}, [label %one, label %two, label %three, label %exit]
; CHECK:       one.plain:
; CHECK:         sub i64 %{{.*}}, 3
; CHECK:         br i1 %{{.*}}, label %burst{{.*}}, label %one.plain.split
; CHECK:       loop.plain:
; CHECK-NOT:     sub
; CHECK:         getelementptr ptr, ptr @labels.plain, i64
; CHECK:         indirectbr ptr %{{.*}}, [label %one.plain, label %two.plain, label %three.plain, label %exit.plain]
@labels = internal constant [4 x ptr] [ptr blockaddress(@interpret, %one), ptr blockaddress(@interpret, %two), ptr blockaddress(@interpret, %three), ptr blockaddress(@interpret, %exit)]
define i64 @interpret(ptr %code, ptr %a) {
entry:
  br label %loop

one:
  store i8 1, ptr %a
  call void @unknown()
  br label %loop

two:
  store i16 2, ptr %a
  call void @unknown()
  br label %loop

three:
  store i32 3, ptr %a
  call void @unknown()
  br label %loop

loop:
  %at = phi ptr [ %code, %entry ], [ %next, %one ], [ %next, %two ], [ %next, %three ]
  %v = load volatile i64, ptr %at
  %next = getelementptr i64, ptr %at, i64 1
  %from = getelementptr ptr, ptr @labels, i64 %v
  %to = load ptr, ptr %from
  indirectbr ptr %to, [label %one, label %two, label %three, label %exit]

exit:
  ret i64 %v
}

; What cannot be there twice records always.
; CHECK-LABEL: define i32 @twice(
; CHECK-NOT:     graupel_stride_budget
; CHECK:         ret i32
; PLAN-LABEL: strides of twice:
; PLAN-NEXT:    not duplicated: a call may return twice
define i32 @twice(ptr %a) {
  %x = call i32 @setjmp(ptr %a)
  store i32 %x, ptr %a
  ret i32 %x
}

; PLAN-LABEL: strides of single:
; PLAN-NEXT:    not duplicated: calls that must not be copied
define void @single(ptr %a) {
  store i32 0, ptr %a
  call void @once()
  ret void
}

; PLAN-LABEL: strides of label:
; PLAN-NEXT:    not duplicated: assembly with labels
define void @label(ptr %a) {
  store i32 0, ptr %a
  call void asm sideeffect "here: nop", ""()
  ret void
}

; PLAN-LABEL: strides of local_label:
; PLAN-NOT:     not duplicated
; PLAN:         store
define void @local_label(ptr %a) {
  store i32 0, ptr %a
  call void asm sideeffect "1: nop; .Lhere${:uid}: nop", ""()
  ret void
}

; PLAN-LABEL: strides of computed:
; PLAN-NEXT:    not duplicated: computed jumps
define i64 @computed(ptr %a) {
  %x = load ptr, ptr %a
  indirectbr ptr %x, [label %one, label %two]

one:
  br label %two

two:
  %y = phi i64 [ 0, %0 ], [ ptrtoint (ptr blockaddress(@computed, %one) to i64), %one ]
  ret i64 %y
}

; One of the cycle's blocks has the tests, each counts its own.
; CHECK-LABEL: define void @irreducible(
; CHECK:         br i1 {{.*}}, label %over, label
; CHECK:         br i1 {{.*}}, label %[[BURST:burst[0-9]*]], label
; CHECK:       [[BURST]]:
; PLAN-LABEL: strides of irreducible:
; PLAN-NEXT:    store 8
define void @irreducible(ptr %a, i1 %c) {
  br i1 %c, label %one, label %two

one:
  store i64 0, ptr %a
  br label %two

two:
  br i1 %c, label %one, label %end

end:
  ret void
}
