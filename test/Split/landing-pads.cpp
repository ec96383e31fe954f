// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The landing pads of a function stay together: a hot one keeps the cold ones in
// the main fragment, cold ones leave together. Exceptions work either way.
//
// REQUIRES: x86_64
// RUN: clang++ -O1 -fno-inline -Wl,--emit-relocs %s -o %t
// RUN: rm -f %t.fdata
// RUN: graupel-bolt %t -o %t.i -instrument -instrumentation-file=%t.fdata
//
// No exception in training: both functions lose their pads.
// RUN: %t.i 0 | FileCheck %s --check-prefix=QUIET
// RUN: graupel-bolt %t -o %t.o -data=%t.fdata -layout=spike -print-split-decisions > %t.log
// RUN: FileCheck %s --check-prefix=SPLIT < %t.log
// RUN: llvm-objdump -d --no-show-raw-insn --disassemble-symbols=catchTwo %t.o | FileCheck %s --check-prefix=NOPAD
// RUN: llvm-objdump -d --no-show-raw-insn --disassemble-symbols=catchTwo.cold.0 %t.o | FileCheck %s --check-prefix=PADS-AWAY
// RUN: %t.o 0 | FileCheck %s --check-prefix=QUIET
// RUN: %t.o 1 | FileCheck %s --check-prefix=INT
// RUN: %t.o 2 | FileCheck %s --check-prefix=TEXT
//
// One of the two pads of catchTwo is hot: the other stays with it.
// RUN: rm %t.fdata
// RUN: %t.i 1 | FileCheck %s --check-prefix=INT
// RUN: graupel-bolt %t -o %t.o -data=%t.fdata -layout=spike
// RUN: llvm-objdump -d --no-show-raw-insn --disassemble-symbols=catchTwo %t.o | FileCheck %s --check-prefix=PADS
// RUN: %t.o 0 | FileCheck %s --check-prefix=QUIET
// RUN: %t.o 1 | FileCheck %s --check-prefix=INT
// RUN: %t.o 2 | FileCheck %s --check-prefix=TEXT
//
// SPLIT: catchTwo{{.*}}: split
// QUIET: sum 30
// INT: sum 130
// TEXT: sum 230
// NOPAD-NOT: {{on(Int|Text)|edx}}
// NOPAD: ret
// NOPAD-NOT: {{on(Int|Text)|edx}}
// PADS-AWAY-DAG: call{{.*}}<onInt>
// PADS-AWAY-DAG: call{{.*}}<onText>
// Each pad begins with the test of the exception's type.
// PADS-DAG: cmpl $0x1, %edx
// PADS-DAG: cmpl $0x2, %edx
#include <cstdio>
#include <cstdlib>

volatile int Mode;

extern "C" void mayThrow(int I) {
  if (Mode == 1)
    throw I;
  if (Mode == 2)
    throw "text";
}

extern "C" int onInt(int Result) { return Result + 10; }
extern "C" int onText(int Result) { return Result * 2 + 20; }

extern "C" int catchTwo(int I) {
  int Result = 3;
  try {
    mayThrow(I);
  } catch (int) {
    Result = onInt(Result);
  }
  try {
    if (Mode == 2)
      mayThrow(I);
  } catch (const char *) {
    Result = onText(Result);
  }
  return Result;
}

int main(int Argc, char **Argv) {
  Mode = atoi(Argv[1]);
  int Sum = 0;
  for (int I = 0; I < 10; ++I)
    try {
      Sum += catchTwo(I);
    } catch (const char *) {
      Sum += 23;
    }
  printf("sum %d\n", Sum);
  return 0;
}
