// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The routine of GCC's D takes two exceptions for those of one function if both
// meet the same table, and makes a chain of them. A function has one table, in
// whatever parts it is.
//
// REQUIRES: x86_64, gcc
// RUN: g++ -O1 -fPIC -c %s -o %t.o && objcopy --redefine-sym __gxx_personality_v0=__gdc_personality_v0 --redefine-sym DW.ref.__gxx_personality_v0=DW.ref.__gdc_personality_v0 %t.o %t.d.o
// RUN: g++ -O1 -fPIC -c -DPERSONALITY %s -o %t.p.o
// RUN: g++ %t.d.o %t.p.o -Wl,--emit-relocs -o %t.exe
// RUN: %t.exe > %t.expected
// RUN: FileCheck %s --input-file=%t.expected
// CHECK: chained: 40 of 40
// RUN: graupel-bolt %t.exe -o %t.s1 -layout=none -stress-layout=1 && %t.s1 | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.s2 -layout=none -stress-layout=2 && %t.s2 | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.s3 -layout=none -stress-layout=3 && %t.s3 | diff %t.expected -
// RUN: rm -f %t.gprofile
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile
// RUN: %t.i | diff %t.expected - && %t.i quiet
// RUN: graupel-bolt %t.exe -o %t.spike -layout=spike -cold-share=20 -data=%t.gprofile
// RUN: %t.spike | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.hco -hco -hco-growth=1000 -hco-invert -data=%t.gprofile
// RUN: %t.hco | diff %t.expected -
#ifdef PERSONALITY
#include <unwind.h>
extern "C" _Unwind_Reason_Code
__gxx_personality_v0(int, _Unwind_Action, _Unwind_Exception_Class,
                     _Unwind_Exception *, _Unwind_Context *);

/// The table that the last exception came to rest in.
const void *LastTable;

extern "C" _Unwind_Reason_Code
__gdc_personality_v0(int Version, _Unwind_Action Action,
                     _Unwind_Exception_Class Class,
                     _Unwind_Exception *Exception, _Unwind_Context *Context) {
  const _Unwind_Reason_Code Code =
      __gxx_personality_v0(Version, Action, Class, Exception, Context);
  if (Code == _URC_HANDLER_FOUND)
    LastTable = reinterpret_cast<void *>(
        _Unwind_GetLanguageSpecificData(Context));
  return Code;
}
#else
#include <cstdio>

#define NOINLINE __attribute__((noinline))

extern const void *LastTable;

NOINLINE void thrower(int X) {
  if (X & 1)
    throw X;
}

/// Whether both exceptions met the same table.
NOINLINE int chained(int X) {
  const void *First = nullptr;
  try {
    try {
      thrower(X);
    } catch (int) {
      First = LastTable;
      thrower(X + 2);
    }
  } catch (int) {
    return First == LastTable;
  }
  return 0;
}

int main(int Argc, char **) {
  int Sum = 0;
  for (int I = 0; I < 80; ++I)
    Sum += chained(Argc > 1 ? 0 : I);
  if (Argc == 1)
    printf("chained: %d of 40\n", Sum);
  return 0;
}
#endif
