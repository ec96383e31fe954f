; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Loops that only add up what they load are tested behind themselves: invalid memory
; is NaN. A copy with the usual checks runs if a sum is.
;
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm-checks,verify,graupel-fgdsm-verify' -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
;
; The verifier does not believe it. What may assume that there is no NaN:
; RUN: sed 's/%%sum.next = fadd double/%%sum.next = fadd nnan double/' %t.ll > %t.1.ll
; RUN: not opt -load-pass-plugin=%passes -passes=graupel-fgdsm-verify -disable-output %t.1.ll 2>&1 | FileCheck %s --check-prefix=BAD
; What loses NaN:
; RUN: sed 's/%%sum.next = fadd double %%sum, %%x$/%%sum.next = call double @llvm.maxnum.f64(double %%sum, double %%x)/' %t.ll > %t.2.ll
; RUN: not opt -load-pass-plugin=%passes -passes=graupel-fgdsm-verify -disable-output %t.2.ll 2>&1 | FileCheck %s --check-prefix=BAD
; A sum that begins anew:
; RUN: sed '0,/%%sum = phi/s/\], \[ %%sum.next/], [ %%x/' %t.ll > %t.3.ll
; RUN: not opt -load-pass-plugin=%passes -passes=graupel-fgdsm-verify -disable-output %t.3.ll 2>&1 | FileCheck %s --check-prefix=BAD
; Another number tested:
; RUN: sed 's/fcmp uno double %%sum.next, %%sum.next/fcmp uno double %%sum, %%sum/' %t.ll > %t.4.ll
; RUN: not opt -load-pass-plugin=%passes -passes=graupel-fgdsm-verify -disable-output %t.4.ll 2>&1 | FileCheck %s --check-prefix=BAD
; The test the wrong way:
; RUN: sed 's/fcmp uno double %%sum.next, %%sum.next/fcmp ord double %%sum.next, %%sum.next/' %t.ll > %t.5.ll
; RUN: not opt -load-pass-plugin=%passes -passes=graupel-fgdsm-verify -disable-output %t.5.ll 2>&1 | FileCheck %s --check-prefix=BAD
; What may cancel terms:
; RUN: sed 's/%%sum.next = fadd double/%%sum.next = fadd reassoc double/' %t.ll > %t.6.ll
; RUN: not opt -load-pass-plugin=%passes -passes=graupel-fgdsm-verify -disable-output %t.6.ll 2>&1 | FileCheck %s --check-prefix=BAD
; A phi that may assume that there is no NaN:
; RUN: sed 's/%%sum = phi double/%%sum = phi nnan double/' %t.ll > %t.7.ll
; RUN: not opt -load-pass-plugin=%passes -passes=graupel-fgdsm-verify -disable-output %t.7.ll 2>&1 | FileCheck %s --check-prefix=BAD
; A function that does without NaN:
; RUN: sed '/^define double @gathered/s/#[0-9]* prologue/"no-nans-fp-math"="true" prologue/' %t.ll > %t.8.ll
; RUN: not opt -load-pass-plugin=%passes -passes=graupel-fgdsm-verify -disable-output %t.8.ll 2>&1 | FileCheck %s --check-prefix=BAD
; Something done that cannot be done again:
; RUN: sed '0,/%%more = /s/%%more = /%%again = load volatile i8, ptr %%first\n  &/' %t.ll > %t.9.ll
; RUN: not opt -load-pass-plugin=%passes -passes=graupel-fgdsm-verify -disable-output %t.9.ll 2>&1 | FileCheck %s --check-prefix=BAD
; BAD: fgdsm: unchecked access: load 8 align 8 plain %at

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare double @llvm.maxnum.f64(double, double)

; The index is compared, the number is not.
; CHECK-LABEL: define double @gathered(
; CHECK: loop:
; CHECK: icmp eq i32 {{.*}}, 2147200448
; CHECK-NOT: fcmp
; CHECK: %x = load double, ptr %at
; CHECK-NEXT: %sum.next = fadd double %sum, %x
; CHECK: br i1 %more, label %loop, label %[[TEST:[0-9a-z.]+]]
; CHECK: [[TEST]]:
; CHECK: %[[NAN:[0-9]+]] = fcmp uno double %sum.next, %sum.next
; CHECK-NEXT: br i1 %[[NAN]], label %[[COPY:[0-9a-z.]+]], label %done, !prof
; CHECK: [[COPY]]:
; CHECK: loop.checked:
; CHECK-NOT: reassoc
; CHECK: icmp eq i32 {{.*}}, 2147200448
; CHECK: fcmp uno double {{.*}}, 0.000000e+00
; CHECK: done:
; CHECK-NEXT: phi double [ %sum.next, %[[TEST]] ], [ %sum.next.checked,
; Written with flags that let terms cancel each other or assume that none is NaN.
define double @gathered(ptr %numbers, ptr %first, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %index = phi i32 [ 7, %entry ], [ %index.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %index.long = sext i32 %index to i64
  %next.at = getelementptr i32, ptr %first, i64 %index.long
  %index.next = load i32, ptr %next.at
  %at = getelementptr double, ptr %numbers, i64 %index.long
  %x = load double, ptr %at
  %sum.next = fadd reassoc nnan nsz double %sum, %x
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %sum.next
}

; Two sums of one type share a comparison.
; CHECK-LABEL: define float @two(
; CHECK: fcmp uno float %{{[ab]}}.next, %{{[ab]}}.next
; CHECK-NOT: fcmp uno float %{{[ab]}}.next, %{{[ab]}}.next
; CHECK: ret float
define float @two(ptr %p, i64 %stride, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = phi ptr [ %p, %entry ], [ %at.next, %loop ]
  %a = phi float [ 0.0, %entry ], [ %a.next, %loop ]
  %b = phi float [ 1.0, %entry ], [ %b.next, %loop ]
  %x = load float, ptr %at
  %behind = getelementptr float, ptr %at, i64 50
  %y = load float, ptr %behind
  %a.next = fadd float %a, %x
  %b.next = fmul float %b, %y
  %at.next = getelementptr float, ptr %at, i64 %stride
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  %r = fsub float %a.next, %b.next
  ret float %r
}

; Not what is compared, nor what is a minimum, nor what is an index.
; CHECK-LABEL: define double @compared(
; CHECK-NOT: .checked
; CHECK: ret double
define double @compared(ptr %p, i64 %stride, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = phi ptr [ %p, %entry ], [ %at.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %x = load double, ptr %at
  %less = fcmp olt double %x, 1.0
  %limited = select i1 %less, double 1.0, double %x
  %sum.next = fadd double %sum, %limited
  %at.next = getelementptr double, ptr %at, i64 %stride
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %sum.next
}

; CHECK-LABEL: define double @followed(
; CHECK-NOT: .checked
; CHECK: ret double
define double @followed(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = phi ptr [ %p, %entry ], [ %at.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %x = load double, ptr %at
  %sum.next = fadd double %sum, %x
  %offset = fptosi double %x to i64
  %at.next = getelementptr i8, ptr %at, i64 %offset
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %sum.next
}

; Not a loop that stores: it could not run again.
; CHECK-LABEL: define double @stores(
; CHECK-NOT: .checked
; CHECK: ret double
define double @stores(ptr %p, ptr %q, i64 %stride, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = phi ptr [ %p, %entry ], [ %at.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %x = load double, ptr %at
  %sum.next = fadd double %sum, %x
  store double %sum.next, ptr %q
  %at.next = getelementptr double, ptr %at, i64 %stride
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %sum.next
}

; Half of a number may be valid if it is misaligned.
; CHECK-LABEL: define double @misaligned(
; CHECK-NOT: .checked
; CHECK: ret double
define double @misaligned(ptr %p, i64 %stride, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = phi ptr [ %p, %entry ], [ %at.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %x = load double, ptr %at, align 4
  %sum.next = fadd double %sum, %x
  %at.next = getelementptr double, ptr %at, i64 %stride
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %sum.next
}

; Where the program does without NaN, nothing is compared for it.
; CHECK-LABEL: define hidden double @finite(
; CHECK-NOT: fcmp
; CHECK: ret double
define double @finite(ptr %p, i64 %stride, i64 %n) "no-nans-fp-math"="true" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = phi ptr [ %p, %entry ], [ %at.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %x = load double, ptr %at
  %sum.next = fadd fast double %sum, %x
  %at.next = getelementptr double, ptr %at, i64 %stride
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %sum.next
}
