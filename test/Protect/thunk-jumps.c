// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computed goto, each jump through a thunk against speculation: for BOLT a tail
// call, or a call and a return in place. With differences of labels nobody can
// update the targets; with whole addresses the registers stay in use.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --compilers gcc --must-split 0 --train "5" --test "40" --flags="-O2 -fPIE -pie -mindirect-branch=thunk" --flags="-O2 -fPIE -pie -mindirect-branch=thunk-inline" --flags="-O1 -no-pie -fno-pie -mindirect-branch=thunk" --flags="-O2 -mindirect-branch=thunk -DWHOLE"
// RUN: gcc -O2 -fPIE -pie -mindirect-branch=thunk -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s --check-prefix=THUNK
// THUNK: GRAUPEL-INFO: interpret left as it is: it may compute jumps from differences of labels
// RUN: gcc -O2 -fPIE -pie -mindirect-branch=thunk-inline -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt %t.exe -o %t.o -print-protected | FileCheck %s --check-prefix=INLINE
// INLINE: GRAUPEL-INFO: interpret left as it is: it calls an instruction inside itself
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) long interpret(const unsigned char *Code, long X) {
#ifdef WHOLE
  static const void *const Labels[] = {&&Less, &&Triple, &&End};
#define NEXT goto *Labels[*Code++]
#else
  static const int Labels[] = {&&Less - &&Less, &&Triple - &&Less,
                               &&End - &&Less};
#define NEXT goto *(&&Less + Labels[*Code++])
#endif
  long Last = X;
  NEXT;
Less:
  X -= *Code++;
  NEXT;
Triple:
  Last = X;
  X *= 3;
  NEXT;
End:
  return X ^ Last;
}

int main(int Argc, char **Argv) {
  static const unsigned char Code[] = {1, 0, 4, 0, 2, 1, 2};
  unsigned long Sum = 0;
  for (int I = 0; I < atoi(Argv[1]); ++I)
    Sum = Sum * 31 + interpret(Code, I);
  printf("%lu\n", Sum);
  return 0;
}
