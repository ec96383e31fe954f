// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program takes what is below etext for code. Its functions may not move behind
// that: they are written over the old code, or rewritten in their places.
//
// REQUIRES: x86_64, gcc
// DEFINE: %{flags} =
// DEFINE: %{in-place} = gcc -O2 %{flags} -Wl,--emit-relocs %s -o %t.exe && %t.exe && graupel-bolt %t.exe -o %t.o -verify | FileCheck %s && %t.o
// CHECK: functions kept their places, because the program refers to etext, the end of its code
// RUN: %{in-place}
// REDEFINE: %{flags} = -no-pie
// RUN: %{in-place}
// REDEFINE: %{flags} = -DEND=_etext -fuse-ld=lld
// RUN: %{in-place}
//
// With a profile the new code is written over the old one.
// RUN: gcc -O2 -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile 2>&1 | FileCheck %s --check-prefix=BEHIND
// BEHIND: warning: {{.*}}: refers to etext, and functions of the output may be behind it; if the program takes what is behind etext for data, do not use the output
// RUN: not %t.i
// DEFINE: %{options} =
// DEFINE: %{profiled} = graupel-bolt %t.exe -o %t.o -data=%t.gprofile -verify %{options} > %t.said 2>&1 && %t.o
// RUN: %{profiled}
// RUN: FileCheck %s --check-prefix=OVER --implicit-check-not=etext < %t.said
// OVER: optimized
// One that has to stay is in its way: all functions stay then.
// REDEFINE: %{options} = -skip-funcs=second
// RUN: %{profiled}
// RUN: FileCheck %s < %t.said
// REDEFINE: %{options} = -skip-funcs=second -layout=spike -hco
// RUN: %{profiled}
// REDEFINE: %{options} = -layout=none
// RUN: %{profiled}
//
// The user decides.
// RUN: graupel-bolt %t.exe -o %t.o -relocs 2>&1 | FileCheck %s --check-prefix=BEHIND
// RUN: not %t.o
//
// Unwind records that are registered cannot be replaced in place.
// RUN: gcc -O2 -static -Wl,--emit-relocs %s -o %t.exe && %t.exe
// RUN: graupel-bolt %t.exe -o %t.o 2>&1 | FileCheck %s --check-prefix=BEHIND
//
// Who does not ask does not care, even if the linker defines it for everybody.
// RUN: gcc -O2 -Wl,--emit-relocs -DEND=_end %s -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o 2>&1 | FileCheck %s --check-prefix=MOVED --implicit-check-not=etext
// MOVED: next: a profile makes it faster
#ifndef END
#define END etext
#endif

extern char __executable_start[], END[];

__attribute__((noinline)) int first(int X) { return X + 1; }
__attribute__((noinline, cold)) int second(int X) { return X - 3; }
__attribute__((noinline)) int third(int X) { return X < 0 ? X * X : X ^ 9; }

int (*volatile Table[])(int) = {first, second, third};

static int isCode(void *P) {
  return (char *)P >= __executable_start && (char *)P < END;
}

int main(void) {
  if (!Table[0]) // Makes room: no nop is kept.
    __asm__ volatile(".rept 4000\nnop\n.endr");
  for (int I = 0; I < 3; ++I)
    if (!isCode((void *)Table[I]) || Table[I](1) == 100)
      return 1;
  return !isCode((void *)main);
}
