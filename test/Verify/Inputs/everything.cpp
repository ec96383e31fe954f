// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A place for each fault of corrupt.py: lazy stubs, tables of jumps, handlers of
// several types, cleanups, noexcept, tail calls, thread-local and constant data.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

extern const int Constants[6] = {11, 22, 33, 44, 55, 66};
int Counters[6] = {1, 2, 3, 4, 5, 6};
thread_local int PerThread = 5;
long (*Chosen)(long) = nullptr;

struct Guard {
  int &Count;
  ~Guard() { ++Count; }
};

__attribute__((noinline)) long deeper(long X) {
  if (X == 3)
    throw 1;
  if (X == 5)
    throw 'a';
  if (X == 7)
    throw std::runtime_error("seven");
  return X * 3;
}

__attribute__((noinline)) long pick(long Kind, long A, long B) {
  switch (Kind) {
  case 0: return deeper(A) + B;
  case 1: return A - deeper(B);
  case 2: return A * B + 7;
  case 3: return Constants[A % 6] ^ deeper(B);
  case 4: Counters[A % 6] += B; return Counters[B % 6];
  case 5: return A << (B & 7);
  case 6: return std::labs(A - B * 100);
  default: return PerThread + A;
  }
}

__attribute__((noinline)) long caught(long Kind, long A, long B, int &Left) {
  Guard G{Left};
  try {
    return pick(Kind, A, B);
  } catch (int I) {
    return I + 100;
  } catch (const std::exception &E) {
    return long(std::strlen(E.what()));
  }
}

__attribute__((noinline)) long outer(long Kind, long A, long B, int &Left) {
  try {
    return caught(Kind, A, B, Left);
  } catch (char C) {
    return C;
  }
}

__attribute__((noinline)) long promised(long X) noexcept {
  return deeper(X & 1) + deeper(X & 2) + 1;
}

__attribute__((noinline)) long twice(long X) { return X * 2 + 1; }
__attribute__((noinline)) long thrice(long X) { return deeper(X & 1) * 3; }
__attribute__((noinline)) long last(long X) { return deeper(X | 8); }
long (*const Table[])(long) = {twice, thrice, promised, last};

int main(int argc, char **argv) {
  long Sum = 0;
  int Left = 0;
  for (long I = 0; I < 200; ++I) {
    Chosen = Table[I & 3];
    Sum += outer(I % 8, I % 9 + argc - 1, I % 10, Left) + Chosen(I);
  }
  std::printf("%ld %d\n", Sum, Left);
  return Sum % 50;
}
