// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exceptions from hot and cold parts, nested, rethrown, through cleanups and
// through frames of split functions; training sees almost none of it.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --train 0 --test 0 --test 1 --test 2 --test 3 --test 4 --test 5 --test 6 --test 7 --must-split=3 --flags="-O2" --flags="-O1 -no-pie -ffunction-sections"
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#define NOINLINE __attribute__((noinline))

static int Mode;
static int Live;
static bool Silent;

struct Tracked {
  int Id;
  explicit Tracked(int Id) : Id(Id) { ++Live; }
  NOINLINE ~Tracked() {
    --Live;
    if (Mode && !Silent)
      printf("~%d ", Id);
  }
};

struct Odd : std::runtime_error {
  int Value;
  explicit Odd(int Value) : runtime_error("odd"), Value(Value) {}
};

NOINLINE int leaf(int X) {
  Tracked T(X);
  if (Mode == 1 && X % 7 == 3)
    throw Odd(X);
  if (Mode == 2 && X % 5 == 0)
    throw std::string("string ") + std::to_string(X);
  if (Mode == 3 && X == 9)
    throw X;
  return X * 3;
}

NOINLINE int middle(int X) {
  Tracked A(100 + X);
  std::vector<int> V(X % 4 + 1, X);
  try {
    Tracked B(200 + X);
    V.push_back(leaf(X));
  } catch (const Odd &E) {
    printf("[odd %d] ", E.Value);
    if (E.Value > 10)
      throw; // Through A's cleanup.
    V.push_back(-1);
  }
  return V.back();
}

NOINLINE int outer(int X) {
  Tracked A(300 + X);
  try {
    try {
      return middle(X);
    } catch (const std::string &S) {
      printf("[%s] ", S.c_str());
      throw std::length_error(S); // Another exception out of a handler.
    }
  } catch (const std::logic_error &E) {
    printf("[logic %s] ", E.what());
    Tracked B(400 + X);
    if (X == 15)
      throw E.what()[0];
    return -2;
  }
}

NOINLINE int quiet(int X) noexcept {
  Tracked A(500);
  return middle(X);
}

NOINLINE int deep(int Depth) {
  Tracked A(600 + Depth);
  if (Depth == 0)
    return leaf(9);
  const int Result = deep(Depth - 1) + 1;
  if (Result < 0)
    puts("never");
  return Result;
}

struct Destructive {
  ~Destructive() {
    try {
      leaf(Mode == 1 ? 10 : 9);
    } catch (...) {
      printf("[in destructor, uncaught %d] ", std::uncaught_exceptions());
    }
  }
};

NOINLINE int destructor(int X) {
  Destructive D;
  if (Mode == 5 && X == 6)
    throw 'd';
  return X;
}

NOINLINE void tryBlock(int X) try {
  printf("%d ", destructor(outer(X)));
} catch (char C) {
  printf("[char %c] ", C);
} catch (...) {
  printf("[other] ");
  if (X < 0)
    throw;
}

int main(int, char **Argv) {
  Mode = atoi(Argv[1]);
  for (int I = 0; I < 20; ++I)
    tryBlock(I);
  try {
    printf("deep %d ", deep(Mode == 3 ? 12 : 5));
  } catch (int X) {
    printf("[deep int %d] ", X);
  }
  printf("live %d\n", Live);
  fflush(stdout);
  std::set_terminate([] {
    puts("terminate");
    fflush(stdout);
    _Exit(77);
  });
  if (Mode == 6) {
    // Whether cleanups run before std::terminate is up to the implementation, and
    // BOLT's rewritten tables answer it differently from GCC's.
    Silent = true;
    Mode = 2;
    try {
      quiet(5); // noexcept.
    } catch (...) {
      puts("left a noexcept function");
    }
  }
  if (Mode == 7)
    leaf(2), throw 1; // Nobody catches it.
  return Live;
}
