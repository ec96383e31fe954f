// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interpreters whose labels are in tables: goto *labels[opcode]. Each is understood,
// counted and laid out, wherever the function copies the labels to. Two stay: one whose
// labels are distances, and one whose table others can read, who may copy the code.
//
// REQUIRES: x86_64, gcc, clang
// RUN: gcc -O2 %s -Wl,--emit-relocs -o %t.gcc && %python %S/label-tables.py %t.gcc
// RUN: clang -O2 -w %s -Wl,--emit-relocs -fPIE -pie -o %t.clang && %python %S/label-tables.py %t.clang
// RUN: clang -O1 -w %s -Wl,--emit-relocs -fPIE -pie -fuse-ld=lld -o %t.lld && %python %S/label-tables.py %t.lld
// RUN: gcc -O2 %s -fno-pie -no-pie -Wl,--emit-relocs -o %t.fixed && %python %S/label-tables.py %t.fixed --fixed
//
// Data knows the labels, so no copy of such a function is made.
// RUN: graupel-bolt %t.gcc -o %t.inlined -inline-all -force-inline=table,threaded && %t.gcc > %t.expected && %t.inlined | cmp - %t.expected
// RUN: graupel-bolt %t.fixed -o %t.inlined -inline-all -force-inline=table,threaded && %t.inlined | cmp - %t.expected
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
enum { Add, Double, Skip, Rare, End };

// The usual one.
NOINLINE long table(const unsigned char *Code, long X) {
  static const void *const Labels[] = {&&LAdd, &&LDouble, &&LSkip, &&LRare,
                                       &&LEnd};
#define NEXT goto *Labels[*Code++]
  NEXT;
LAdd:
  X += 13;
  NEXT;
LDouble:
  X = X * 2 % 100003;
  NEXT;
LSkip:
  if (X & 1)
    ++Code;
  NEXT;
LRare:
  printf("rare %ld\n", X);
  NEXT;
LEnd:
  return X;
}
#undef NEXT

// Direct threading: the labels stand in the code.
struct Step {
  const void *To;
  long Operand;
};
NOINLINE long threaded(struct Step *Code, const unsigned char *Raw, long X) {
  static const void *const Labels[] = {&&LAdd, &&LDouble, &&LSkip, &&LRare,
                                       &&LEnd};
  if (Raw) {
    for (; X--; ++Code)
      Code->To = Labels[*Raw++];
    return 0;
  }
#define NEXT goto *(Code++)->To
  NEXT;
LAdd:
  X += Code[-1].Operand;
  NEXT;
LDouble:
  X = X * 2 % 100003;
  NEXT;
LSkip:
  if (X & 1)
    ++Code;
  NEXT;
LRare:
  printf("rare %ld\n", X);
  NEXT;
LEnd:
  return X;
}
#undef NEXT

// As JamVM's, which copies the code between its labels.
NOINLINE long published(const void *const *Code, const void *const **All, long X) {
  static const void *const Labels[] = {&&LAdd, &&LDouble, &&LEnd};
  if (All) {
    *All = Labels;
    return 0;
  }
#define NEXT goto **Code++
  NEXT;
LAdd:
  X += 29;
  NEXT;
LDouble:
  X = X * 2 % 100003;
  NEXT;
LEnd:
  return X;
}
#undef NEXT

// Numbers that no relocation describes.
NOINLINE long distances(const unsigned char *Code, long X) {
  static const int Labels[] = {&&LAdd - &&LAdd, &&LDouble - &&LAdd,
                               &&LSkip - &&LAdd, &&LRare - &&LAdd,
                               &&LEnd - &&LAdd};
#define NEXT goto *(&&LAdd + Labels[*Code++])
  NEXT;
LAdd:
  X = X * 11 + (X >> 3) % 7 + 1;
  NEXT;
LDouble:
  X = (X * 5 ^ X >> 2) % 100019;
  NEXT;
LSkip:
  if (X & 1)
    ++Code;
  NEXT;
LRare:
  X = X % 19 * 77;
  NEXT;
LEnd:
  return X;
}

int main(int Argc, char **Argv) {
  const unsigned char Code[] = {Add, Add, Skip, Double, Add, Double, Add, End};
  struct Step Steps[sizeof(Code)];
  threaded(Steps, Code, sizeof(Code));
  for (unsigned I = 0; I < sizeof(Code); ++I)
    Steps[I].Operand = I;
  const void *const *Labels;
  published(0, &Labels, 0);
  const void *const Own[] = {Labels[0], Labels[1], Labels[0], Labels[2]};
  long W = Argc, X = Argc, Y = Argc, Z = Argc;
  for (int I = 0; I < 1000; ++I) {
    W = published(Own, 0, W);
    X = table(Code, X);
    Y = threaded(Steps, 0, Y);
    Z = distances(Code, Z);
  }
  printf("%ld %ld %ld %ld\n", W, X, Y, Z);
  return 0;
}
