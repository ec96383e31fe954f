// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -update-debug-sections debug information stays valid, and a debugger stops
// on a line that was moved to a cold part and names the callers.
//
// REQUIRES: x86_64, gcc, gdb
// DEFINE: %{cc} = clang -gdwarf-5
// DEFINE: %{layout} = graupel
// DEFINE: %{verify} = %limit 30 llvm-dwarfdump --verify
// DEFINE: %{build} = %{cc} -O1 -fno-inline -Wl,--emit-relocs %s -o %t && %{verify} %t && graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.fdata && %t.i 0
// DEFINE: %{run} = graupel-bolt %t -o %t.o -data=%t.fdata -layout=%{layout} -update-debug-sections && %{verify} %t.o && gdb -nx -batch -ex "break debug-info.c:107" -ex "run 1" -ex bt -ex "info locals" %t.o 2>&1 | FileCheck %s && llvm-objdump -d --disassemble-symbols=weigh.cold.0 %t.o | FileCheck %s --check-prefix=MOVED && llvm-symbolizer --obj=%t.o --functions=linkage weigh | FileCheck %s --check-prefix=LINE
//
// RUN: %{build}
// RUN: %{run}
// REDEFINE: %{layout} = spike
// RUN: %{run}
// REDEFINE: %{cc} = clang -gdwarf-4
// RUN: %{build}
// RUN: %{run}
//
// llvm-dwarfdump 22 does not end on what GCC 12 writes, optimized or not.
// REDEFINE: %{cc} = gcc -g
// REDEFINE: %{verify} = test -f
// RUN: %{build}
// RUN: %{run}
//
// CHECK: Breakpoint 1, weigh (X={{.*}}) at {{.*}}debug-info.c:107
// CHECK: #0 {{.*}}weigh ({{.*}}) at {{.*}}debug-info.c:107
// CHECK: #1 {{.*}} in total ({{.*}}) at {{.*}}debug-info.c:118
// CHECK: #2 {{.*}} in main ({{.*}}) at {{.*}}debug-info.c:127
// MOVED: callq
// LINE: weigh
// LINE-NEXT: debug-info.c:10{{4|5}}
// Lines are numbered from here, so that the numbers above hold.
#line 101
#include <stdio.h>
#include <stdlib.h>
volatile int Mode;
int weigh(int X) {
  int Result = X * 3;
  if (Mode == 1 && X == 7) {
    printf("seven\n"); // Line 107.
    Result -= 100;
    printf("%d\n", Result);
    Result ^= X;
  }
  return Result + Mode;
}

int total(int Count) {
  int Sum = 0;
  for (int I = 0; I < Count; ++I)
    Sum += weigh(I);
  if (Sum < 0)
    printf("negative\n");
  return Sum;
}

// main() calls total() once.
int main(int Argc, char **Argv) {
  Mode = atoi(Argv[1]);
  const int Result = total(20);
  printf("%d\n", Result);
  return 0;
}
