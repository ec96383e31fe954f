// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A routine that reads exception tables and knows no base of landing pads but
// the function's beginning, as D's and compiler-rt's: tables have to be such
// that it finds the landing pads.
//
// REQUIRES: x86_64, gcc
// RUN: g++ -O1 -fPIC -c %s -o %t.o && objcopy --redefine-sym __gxx_personality_v0=simplePersonality --redefine-sym DW.ref.__gxx_personality_v0=DW.ref.simplePersonality %t.o %t.simple.o
// RUN: g++ -O1 -fPIC -c -DPERSONALITY %s -o %t.p.o
// RUN: g++ %t.simple.o %t.p.o -Wl,--emit-relocs -o %t.exe
// RUN: %t.exe > %t.expected
// RUN: FileCheck %s --input-file=%t.expected
// CHECK: caught 70
// RUN: graupel-bolt %t.exe -o %t.plain && %t.plain | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.s1 -layout=none -stress-layout=1 && %t.s1 | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.s2 -layout=none -stress-layout=2 && %t.s2 | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.s3 -layout=none -stress-layout=3 && %t.s3 | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile
// RUN: %t.i | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.spike -layout=spike -cold-share=20 -data=%t.gprofile
// RUN: %t.spike | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.hco -hco -hco-growth=1000 -hco-invert -data=%t.gprofile
// RUN: %t.hco | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.random -hco -hco-growth=1000 -hco-random=3 -data=%t.gprofile -stress-layout=5
// RUN: %t.random | diff %t.expected -
#ifdef PERSONALITY
#include <cstdlib>
#include <unwind.h>
extern "C" _Unwind_Reason_Code
__gxx_personality_v0(int, _Unwind_Action, _Unwind_Exception_Class,
                     _Unwind_Exception *, _Unwind_Context *);
extern "C" _Unwind_Reason_Code
simplePersonality(int Version, _Unwind_Action Action,
                  _Unwind_Exception_Class Class, _Unwind_Exception *Exception,
                  _Unwind_Context *Context) {
  const auto *Table = static_cast<const unsigned char *>(
      _Unwind_GetLanguageSpecificData(Context));
  if (Table && *Table != 0xff)
    std::abort();
  return __gxx_personality_v0(Version, Action, Class, Exception, Context);
}
#else
#include <cstdio>

#define NOINLINE __attribute__((noinline))

NOINLINE int thrower(int X) {
  if (X % 25 == 1)
    throw X;
  if (X % 25 == 2)
    throw 'c';
  return X;
}

struct Noted {
  long &Sum;
  NOINLINE ~Noted() { Sum += 2; }
};

NOINLINE long catcher(int X) {
  long Sum = 0;
  Noted Here{Sum};
  for (int I = 0; I < 3; ++I)
    try {
      Sum += thrower(X + I);
      if (X % 50 == 7)
        Sum += thrower(1);
    } catch (char) {
      Sum -= 9;
    }
  return Sum;
}

int main() {
  long Sum = 0, Caught = 0;
  for (int I = 0; I < 500; ++I)
    try {
      Sum += catcher(I);
    } catch (int X) {
      ++Caught;
    }
  printf("caught %ld, sum %ld\n", Caught, Sum);
}
#endif
