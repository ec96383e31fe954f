; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; A cycle with two entries is no loop to LLVM, but the load in it is executed several times
; before the sum that is tested has seen it. The verifier does not believe such a test.
;
; RUN: not opt -load-pass-plugin=%passes -passes=graupel-fgdsm-verify -disable-output %s 2>&1 | FileCheck %s
; CHECK: fgdsm: unchecked access: load 8 align 8 plain %p

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
define double @f(ptr %a, i64 %n, i1 %k) "graupel-fgdsm" {
entry:
  br label %h
h:
  %i = phi i64 [ 0, %entry ], [ %i1, %b ]
  %s = phi double [ 0.0, %entry ], [ %s1, %b ]
  br i1 %k, label %b, label %c
c:
  %q = phi double [ 0.0, %h ], [ %v, %b ]
  %jc = phi i64 [ %i, %h ], [ %i1, %b ]
  br label %b
b:
  %qq = phi double [ 0.0, %h ], [ %q, %c ]
  %j = phi i64 [ %i, %h ], [ %jc, %c ]
  %p = getelementptr double, ptr %a, i64 %j
  %v = load double, ptr %p, align 8
  %s1 = fadd double %s, %v
  %i1 = add i64 %j, 16
  %w = urem i64 %i1, 3
  switch i64 %w, label %h [ i64 0, label %c
                            i64 1, label %test ]
test:
  %t = fcmp uno double %s1, %s1
  br i1 %t, label %slow, label %out
slow:
  br label %out
out:
  %r = phi double [ %qq, %test ], [ 0.0, %slow ]
  ret double %r
}
