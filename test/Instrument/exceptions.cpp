// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, g++, clang
// Exceptions pass through instrumented code, and longjmp leaves it.
//
// RUN: %exact %s -o %t --builds gcc:pie,clang:no-pie,gcc:static \
// RUN:   --expect thrown~1000 caught~1000 other~1000 destroyed~2000 cleaned~500 jumped~500 arrived~500 rest~1000
//
// Static programs register the old .eh_frame; they find the new one, too, when
// they are optimized.
// RUN: graupel-bolt -print-protected %t.gcc.static -o %t.faster -data=%t.gcc.static.inst.gprofile -verify | FileCheck %s
// CHECK: gprofile: {{.*}}; counts of {{[0-9]+}} do not add up, by exceptions or the like
// CHECK: graupel-bolt: verified
// RUN: %t.faster > %t.said && %t.gcc.static > %t.expected && cmp %t.said %t.expected

#include <csetjmp>
#include <cstdio>
#include <stdexcept>

extern "C" {
#include "units.h"
UNIT(thrown, 1)
UNIT(caught, 2)
UNIT(other, 3)
UNIT(destroyed, 4)
UNIT(cleaned, 5)
UNIT(jumped, 6)
UNIT(arrived, 7)
UNIT(rest, 8)
}

namespace {

struct Guard {
  ~Guard() { destroyed(); }
};

KEPT int fail(int I) {
  if (I % 2) {
    thrown();
    throw std::runtime_error("odd");
  }
  return I;
}

KEPT int guarded(int I) {
  Guard G;
  int Result = fail(I);
  return Result + I;
}

KEPT int rethrow(int I) {
  try {
    return guarded(I);
  } catch (const std::runtime_error &) {
    if (I % 4 == 1) {
      cleaned();
      throw;
    }
    throw I;
  }
}

std::jmp_buf Back;

KEPT void jump(int I) {
  if (I % 4 == 3) {
    jumped();
    std::longjmp(Back, 1);
  }
}

} // namespace

int main() {
  volatile int Sum = 0;
  for (volatile int I = 0; I < 2000; ++I) {
    try {
      Sum += rethrow(I);
      other();
    } catch (const std::exception &) {
      caught();
    } catch (int Value) {
      Sum += Value;
      caught();
    }
  }
  for (volatile int I = 0; I < 2000; ++I) {
    if (setjmp(Back)) {
      arrived();
      continue;
    }
    jump(I);
    if (I % 2 == 0)
      rest();
  }
  std::printf("%d\n", Sum);
}
