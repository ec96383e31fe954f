; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Where plain code counts: on every way as many as it refers to, seldom where it
; runs often.
;
; RUN: opt -load-pass-plugin=%stride-pass '-passes=print<stride-ticks>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @unknown()

; Both ways refer to as much: the entry counts all.
; CHECK-LABEL: ticks of alike:
; CHECK-NEXT:    at entry.split: 3
; CHECK-NOT:     {{ (at|behind|from) }}
; CHECK-LABEL: ticks of likely:
define void @alike(ptr %a, i1 %c) {
entry:
  store i32 1, ptr %a
  br i1 %c, label %then, label %else

then:
  store i32 2, ptr %a
  br label %end

else:
  store i16 3, ptr %a
  br label %end

end:
  call void @unknown()
  store i32 4, ptr %a
  ret void
}

; The likely way carries nothing, the other one takes back.
; CHECK-NEXT:    at entry.split: 2
; CHECK:         behind rare: -1
define void @likely(ptr %a, i1 %c) {
entry:
  br i1 %c, label %often, label %rare, !prof !0

often:
  store i32 2, ptr %a
  br label %end

rare:
  call void @unknown()
  br label %end

end:
  store i32 4, ptr %a
  ret void
}

; A rare edge that is no block's alone gets one.
; CHECK-LABEL: ticks of edge:
; CHECK-NEXT:    at entry.split: 2
; CHECK:         from entry.split to end: -1
define void @edge(ptr %a, i1 %c) {
entry:
  br i1 %c, label %often, label %end, !prof !0

often:
  store i32 2, ptr %a
  br label %end

end:
  store i32 4, ptr %a
  ret void
}

; An interpreter's loop checks where it goes many ways, which count all that a
; round refers to.
; CHECK-LABEL: ticks of dispatch:
; CHECK-NOT:     {{ (at|behind|from) (loop|next)}}
; CHECK:         at one: 2
; CHECK:         at two: 3
; CHECK:         at three: 2
; CHECK:         at other: 1
; CHECK-NOT:     {{ (behind|from) }}
define void @dispatch(ptr %code, ptr %a) {
entry:
  br label %loop

loop:
  %at = phi ptr [ %code, %entry ], [ %following, %next ]
  %following = getelementptr i8, ptr %at, i64 1
  %which = load volatile i8, ptr %at
  switch i8 %which, label %other [ i8 0, label %exit
                                   i8 1, label %one
                                   i8 2, label %two
                                   i8 3, label %three ]

one:
  store i8 1, ptr %a
  br label %next

two:
  store i16 2, ptr %a
  call void @unknown()
  store i16 3, ptr %a
  br label %next

three:
  store i32 3, ptr %a
  br label %next

other:
  call void @unknown()
  br label %next

next:
  br label %loop

exit:
  ret void
}

!0 = !{!"branch_weights", i32 1000, i32 1}
