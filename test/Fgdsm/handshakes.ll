; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Behind inline assembly that may run other code what is accessed is checked anew, and
; behind other assembly it is not; and so with conversions that the program has registered.
;
; RUN: opt -load-pass-plugin=%passes -passes='print<fgdsm-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: opt -load-pass-plugin=%passes -passes='graupel-fgdsm-checks,verify,graupel-fgdsm-verify' -disable-output %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: plan of call:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @call(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "call other", "~{memory}"()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of call_through:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @call_through(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "pushq %rbp; callq *$0 # here", "r"(i64 %n)
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of prefixed:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @prefixed(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "1:\09notrack jmp *$0", "r"(i64 %n)
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of jump:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @jump(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "jmp other", ""()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of jump_if:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @jump_if(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "jne other", ""()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of kernel:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @kernel(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "syscall", "~{memory}"()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of old_kernel:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @old_kernel(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "int $$0x80", ""()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of stack:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @stack(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "mov $0, %rsp", "r"(i64 %n)
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of stack_sum:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @stack_sum(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "nop\0Asub $$128, %rsp", ""()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of stack_swap:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @stack_swap(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "xchg %rsp, %rax", "~{rax}"()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of stack_told:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @stack_told(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "nop", "~{rsp}"()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of returns:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @returns(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "push $0; ret", "r"(i64 %n)
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of quoted:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @quoted(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "cmpb $$'#', (%rax); call other", ""()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of text:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @text(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect ".pushsection .x; .ascii \22/* # '\22; .popsection; call other", ""()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of hidden:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @hidden(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "/* nop */ call other", ""()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of alternative:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @alternative(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "$(call other$|call other$)", ""()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of nothing:
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
; CHECK-NOT: table
define void @nothing(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "", "~{memory}"()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of barrier:
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
; CHECK-NOT: table
define void @barrier(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "mfence", "~{memory}"()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of counter:
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
; CHECK-NOT: table
define void @counter(ptr %p, i64 %n) {
  store i32 1, ptr %p
  %r = call { i32, i32 } asm sideeffect "rdtsc", "={eax},={edx}"()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of rests:
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
; CHECK-NOT: table
define void @rests(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "rep; nop", "~{memory}"()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of pauses:
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
; CHECK-NOT: table
define void @pauses(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "pause", ""()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of locked:
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
; CHECK-NOT: table
define void @locked(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "lock; incl (%rax)\0A\09lock addl $$0, (%rsp)", "~{memory}"()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of loop:
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
; CHECK-NOT: table
define void @loop(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "1: dec %eax\0A jne 1b\0A jmp 2f\0A2:", "~{eax}"()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of named:
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
; CHECK-NOT: table
define void @named(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "again${:uid}: dec %eax; jnz again${:uid}", "~{eax}"()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of flags:
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
; CHECK-NOT: table
define void @flags(ptr %p, i64 %n) {
  store i32 1, ptr %p
  %r = call i64 asm sideeffect "pushfq; popq $0", "=r"()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of stack_read:
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
; CHECK-NOT: table
define void @stack_read(ptr %p, i64 %n) {
  store i32 1, ptr %p
  %r = call i64 asm sideeffect "mov %rsp, $0", "=r"()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of comment:
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
; CHECK-NOT: table
define void @comment(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "nop # call other; syscall\0A// jmp x\0A /* int */ nop", "~{memory}"()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of compare:
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
; CHECK-NOT: table
define void @compare(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "cmp %rax, %rsp", ""()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of processor:
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
; CHECK-NOT: table
define void @processor(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect "cpuid", "~{eax},~{ebx},~{ecx},~{edx}"()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of bytes:
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
; CHECK-NOT: table
define void @bytes(ptr %p, i64 %n) {
  store i32 1, ptr %p
  call void asm sideeffect ".byte 0x0f, 0x31", "~{eax},~{edx}"()
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of goes_within:
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
; CHECK-NOT: table
define void @goes_within(ptr %p) {
  store i32 1, ptr %p
  callbr void asm sideeffect "jmp ${0:l}", "!i"() to label %next [label %other]
next:
  store i32 2, ptr %p
  ret void
other:
  ret void
}

declare i32 @snprintf(ptr, i64, ptr, ...)
declare i32 @sprintf(ptr, ptr, ...)
declare i32 @vsnprintf(ptr, i64, ptr, ptr)
declare i32 @__snprintf_chk(ptr, i64, i32, i64, ptr, ...)
declare i32 @__vsprintf_chk(ptr, i32, i64, ptr, ptr)
@filled = internal global [64 x i8] zeroinitializer
@own = constant [5 x i8] c"%d%V\00"
@modified = constant [4 x i8] c"%Kd\00"
@standard = constant [36 x i8] c"%% %-5.*ld %1$s %#'08x %Lg %zu %hhn\00", align 1

; CHECK-LABEL: plan of prints_own:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @prints_own(ptr %p, ptr %format) {
  %b = alloca [64 x i8]
  store i32 1, ptr %p
  %n = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %b, i64 64, ptr @own, i32 1)
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of prints_modified:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @prints_modified(ptr %p, ptr %format) {
  %b = alloca [64 x i8]
  store i32 1, ptr %p
  %n = call i32 (ptr, ptr, ...) @sprintf(ptr %b, ptr @modified, i32 1)
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of prints_something:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @prints_something(ptr %p, ptr %format) {
  %b = alloca [64 x i8]
  store i32 1, ptr %p
  %n = call i32 (ptr, ptr, ...) @sprintf(ptr %b, ptr @filled)
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of prints_list:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @prints_list(ptr %p, ptr %format) {
  %b = alloca [64 x i8]
  store i32 1, ptr %p
  %n = call i32 @vsnprintf(ptr %b, i64 64, ptr @own, ptr %b)
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of prints_fortified:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @prints_fortified(ptr %p, ptr %format) {
  %b = alloca [64 x i8]
  store i32 1, ptr %p
  %n = call i32 (ptr, i64, i32, i64, ptr, ...) @__snprintf_chk(ptr %b, i64 64, i32 1, i64 64, ptr @own, i32 1)
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of prints_fortified_list:
; CHECK-COUNT-2: table store %p[0, 4) align 4{{$}}
define void @prints_fortified_list(ptr %p, ptr %format) {
  %b = alloca [64 x i8]
  store i32 1, ptr %p
  %n = call i32 @__vsprintf_chk(ptr %b, i32 1, i64 64, ptr @modified, ptr %b)
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of prints_standard:
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
; CHECK-NOT: table
define void @prints_standard(ptr %p, ptr %format) {
  %b = alloca [64 x i8]
  store i32 1, ptr %p
  %n = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %b, i64 64, ptr @standard, i32 1)
  store i32 2, ptr %p
  ret void
}

; CHECK-LABEL: plan of prints_standard_fortified:
; CHECK-NEXT: table store %p[0, 4) align 4{{$}}
; CHECK-NOT: table
define void @prints_standard_fortified(ptr %p, ptr %format) {
  %b = alloca [64 x i8]
  store i32 1, ptr %p
  %n = call i32 (ptr, i64, i32, i64, ptr, ...) @__snprintf_chk(ptr %b, i64 64, i32 1, i64 64, ptr @standard, i32 1)
  store i32 2, ptr %p
  ret void
}
