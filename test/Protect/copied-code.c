// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that others copy and run, compare, measure or write over. Their
// code must be what the compiler made: a copy does not find counters, nor what
// was moved away.
//
// REQUIRES: x86_64, gcc
// RUN: gcc -O2 -Wl,--emit-relocs %s -o %t.exe && %t.exe > %t.before
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile -print-protected -verify | FileCheck %s
// RUN: %t.i | diff %t.before -
// RUN: graupel-bolt %t.exe -o %t.o -data=%t.gprofile -verify && %t.o | diff %t.before -
//
// RUN: gcc -O0 -no-pie -Wl,--emit-relocs %s -o %t.exe && %t.exe > %t.before
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile -print-protected -verify | FileCheck %s
// RUN: %t.i | diff %t.before -
//
// CHECK-NOT: called left as it is
// CHECK-DAG: GRAUPEL-INFO: loaded left as it is: {{a function reads or writes its code|data beside it may be found by its address}}
// CHECK-DAG: GRAUPEL-INFO: copied left as it is: a function reads or writes its code
// CHECK-DAG: GRAUPEL-INFO: walked left as it is: a function reads or writes its code
// CHECK-DAG: GRAUPEL-INFO: measured left as it is: a function reads or writes its code
// CHECK-DAG: GRAUPEL-INFO: measuredEnd left as it is: a function reads or writes its code
// CHECK-DAG: GRAUPEL-INFO: replaced left as it is: {{a function reads or writes its code|a code address inside it escapes}}
// CHECK-NOT: called left as it is
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define FUNCTION __attribute__((noipa, aligned(64)))
typedef int Unary(int);

FUNCTION int called(int X) { return X + 1; }
FUNCTION int loaded(int X) { return X ^ 7; }
FUNCTION int copied(int X) { return X % 3 ? X * 5 : X - 2; }
FUNCTION int walked(int X) { return X > 4 ? X - 4 : 4 - X; }
FUNCTION int measured(int X) { return X * 11; }
FUNCTION int measuredEnd(int X) { return X; }
FUNCTION int replaced(int X) { return X + 5; }

static unsigned char *Room;

/// What "rep stos" writes does not come from where %rsi points to.
FUNCTION int runCalled(int X) {
  uint64_t Words[16];
  uint64_t *To = Words;
  long Count = 16;
  Unary *From = called;
  __asm__ volatile("rep stosq" : "+D"(To), "+c"(Count) : "a"(0L), "S"(From) : "memory");
  return From(X) + (int)Words[X & 15];
}

FUNCTION int runLoaded(int X) {
  memcpy(Room, (void *)loaded, 32);
  return ((Unary *)Room)(X);
}

FUNCTION int runCopied(int X, size_t Size) {
  memcpy(Room, (void *)copied, Size);
  return ((Unary *)Room)(X);
}

FUNCTION int runWalked(int X, int Size) {
  unsigned char *From = (unsigned char *)walked;
  for (int I = 0; I < Size; ++I)
    Room[I] = From[I];
  return ((Unary *)Room)(X);
}

FUNCTION int size(void) {
  uintptr_t Begin = (uintptr_t)measured, End = (uintptr_t)measuredEnd;
  return End - Begin;
}

/// Returns 77 from now on.
FUNCTION int replace(int X) {
  unsigned char *Code = (unsigned char *)replaced;
  if (mprotect((void *)((uintptr_t)Code & ~4095ul), 8192,
               PROT_READ | PROT_WRITE | PROT_EXEC))
    return -1;
  static const unsigned char Other[] = {0xb8, 77, 0, 0, 0, 0xc3};
  for (unsigned I = 0; I < sizeof Other; ++I)
    Code[I] = Other[I];
  return replaced(X);
}

/// The same register holds a function or data; only the latter is loaded.
FUNCTION int either(int X) {
  const void *P = X > 0 ? (const void *)called : &Room;
  asm volatile("" : "+r"(P));
  return X > 0 ? ((Unary *)P)(X) : *(unsigned char *const *)P != Room;
}

FUNCTION int through(Unary *Function, int X) { return Function(X); }

int main(void) {
  Room = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  printf("%d %d %d\n", called(1), runCalled(2), loaded(99));
  printf("%d %d\n", runLoaded(99), runCopied(7, 128));
  printf("%d %d\n", runWalked(9, 128), size());
  printf("%d %d\n", replaced(3), measured(2) + measuredEnd(1));
  printf("%d %d\n", either(3), either(-3));
  printf("%d %d\n", replace(3), through(called, 4));
  return 0;
}
