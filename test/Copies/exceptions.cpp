// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exceptions pass through copies and originals: both have unwind records.
//
// REQUIRES: x86_64, g++
// DEFINE: %{flags} = -O2
// DEFINE: %{test} = g++ %{flags} -s %s -o %t && %t > %t.out && %t 777 > %t.other.out && rm -f %t.gprofile \
// DEFINE:   && graupel-bolt %t -o %t.i -instrument -verify -instrumentation-file=%t.gprofile > %t.log && %t.i | diff %t.out - \
// DEFINE:   && graupel-bolt %t -o %t.o -data=%t.gprofile -copies=always -verify | FileCheck %s && %t.o | diff %t.out - && %t.o 777 | diff %t.other.out - \
// DEFINE:   && %python %S/Inputs/unchanged.py %t %t.o | FileCheck %s --check-prefix=SAME
// RUN: %{test}
// REDEFINE: %{flags} = -O2 -no-pie -fno-pie
// RUN: %{test}
// REDEFINE: %{flags} = -O2 -static-pie
// RUN: %{test}
// CHECK: optimized {{[1-9]}}
// SAME: nothing changed but {{[1-9][0-9]*}} jumps
//
// Startup code of static programs registers the old records, and a copy would
// have none.
// RUN: g++ -O2 -static -s %s -o %t
// RUN: mkdir -p %t.dir && %refuse graupel-bolt %t -o %t.dir/out -instrument | FileCheck %s --check-prefix=STATIC
// STATIC: registers .eh_frame
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>

#define NOINLINE __attribute__((noinline))

struct Guard {
  int &Count;
  ~Guard() { ++Count; }
};

NOINLINE static int work(int I) {
  if (I % 7 == 3)
    throw std::runtime_error("x" + std::to_string(I));
  if (I % 11 == 5)
    throw I;
  return I * 3;
}

NOINLINE static int middle(int I, int &Count) {
  Guard G{Count};
  std::string S = "ab";
  for (int K = 0; K < I % 5; ++K)
    S += "c";
  return work(I) + S.size();
}

NOINLINE static long run(int N) {
  long Sum = 0;
  int Count = 0;
  for (int I = 0; I < N; ++I)
    try {
      Sum += middle(I, Count);
    } catch (const std::exception &E) {
      Sum += E.what()[1];
    } catch (int Value) {
      Sum -= Value;
    }
  return Sum + Count;
}

struct Base {
  virtual ~Base() {}
  virtual int apply(int X) = 0;
};
struct First : Base {
  int apply(int X) override { return X * 17 + X / 3; }
};
struct Second : Base {
  int apply(int X) override {
    switch (X % 9) {
    case 0: return 4;
    case 1: return X * 2;
    case 2: throw X;
    case 3: return X ^ 3;
    case 4: return 77;
    case 5: return X - 9;
    case 6: return 1;
    case 7: return X & 3;
    }
    return 5;
  }
};

int main(int Count, char **Arguments) {
  const int N = Count > 1 ? std::atoi(Arguments[1]) : 3000;
  long Sum = run(N);
  First A;
  Second B;
  Base *All[] = {&A, &B};
  std::map<std::string, int> Map;
  for (int I = 0; I < 10 * N; ++I) {
    try {
      Sum += All[I % 2]->apply(I);
    } catch (int X) {
      Sum ^= X;
    }
    Map[std::to_string(I % 97)] += I;
  }
  for (const auto &[Name, Number] : Map)
    Sum += Name.size() * Number;
  std::printf("%ld\n", Sum);
  return 0;
}
