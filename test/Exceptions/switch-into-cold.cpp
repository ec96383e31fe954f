// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A switch whose table has holes that lead into the cold part, in a function
// with landing pads: its exception table must not get lost.
//
// REQUIRES: x86_64, gcc
// RUN: g++ -O2 %s -Wl,--emit-relocs -o %t.exe
// RUN: %t.exe > %t.expected
// RUN: graupel-bolt %t.exe -o %t.plain -verify && %t.plain | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.stress -stress-layout=1 && %t.stress | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.i -instrument -instrumentation-file=%t.gprofile
// RUN: %t.i | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.hco -data=%t.gprofile -hco -hco-growth=1000 && %t.hco | diff %t.expected -
// RUN: graupel-bolt %t.exe -o %t.spike -data=%t.gprofile -layout=spike && %t.spike | diff %t.expected -
#include <cstdio>

static int Live;
struct Counted {
  Counted() { ++Live; }
  ~Counted() { --Live; }
};

__attribute__((noinline)) long checked(long X) {
  if (X == 5)
    throw 1;
  return X;
}

__attribute__((noinline)) static long apply(int Letter, long A, long B) {
  Counted Here;
  const long X = checked(A), Y = checked(B);
  switch (Letter) {
  case 'a': return X + Y;
  case 'b': return X - Y;
  case 'd': return X * Y;
  case 'e': return X & Y;
  case 'g': return X | Y;
  case 'h': return X ^ Y;
  case 'k': return X < Y;
  case 'l': return X > Y;
  case 'm':
    if (!Y)
      throw 'z';
    return X / Y;
  default:
    throw 1.5;
  }
}

int main() {
  long Sum = 0;
  for (int I = 0; I < 2000; ++I)
    try {
      Sum += apply("abdeghklmc"[I % 10], I % 7, I % 11);
    } catch (int) {
      Sum += 3;
    } catch (char) {
      Sum += 40;
    } catch (double) {
      Sum += 500;
    }
  printf("%ld, %d live\n", Sum, Live);
  return 0;
}
