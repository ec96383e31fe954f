// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jump tables, computed goto, tail calls, variable arguments, recursion, hot loops
// in otherwise cold functions.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --train "0 40" --test "1 60" --test "2 9" --flags="-O2" --flags="-O3 -no-pie -ffunction-sections" --flags="-O1 -fno-jump-tables"
// RUN: %differential %s --out %t.o0 --layouts basic --train "0 40" --test "1 60" --flags="-O0" --flags="-Os -fcf-protection=full"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

NOINLINE int table(int X) {
  switch (X) {
  case 0: return 11;
  case 1: return 7 * X + 5;
  case 2: puts("two"); return 4;
  case 3: return X ^ 0x55;
  case 4: return X << 5;
  case 5: puts("five"); return 90;
  case 6: return -X;
  case 7: return X * X;
  case 8: return 1;
  case 9: abort();
  default: return X;
  }
}

// A table in which many cases share a target.
NOINLINE int classes(unsigned char C) {
  switch (C) {
  case '0': case '1': case '2': case '3': case '4': return 1;
  case '5': case '6': case '7': case '8': case '9': return 2;
  case 'a': case 'b': case 'c': case 'd': case 'e': return 3;
  case ' ': case '\t': case '\n': return 4;
  case '+': case '-': case '*': case '/': return 5;
  case '(': return 6;
  case ')': return 7;
  default: return 0;
  }
}

// An interpreter with computed goto.
NOINLINE int interpret(const unsigned char *Code, int Input) {
  static void *const Labels[] = {&&Add, &&Sub, &&Dup, &&Loop, &&Print, &&End};
  int Stack[16] = {Input}, Top = 0, Counter = 5;
  const unsigned char *At = Code;
#define NEXT goto *Labels[*At++]
  NEXT;
Add:
  Stack[Top] += *At++;
  NEXT;
Sub:
  Stack[Top] = Stack[Top] * 3 - *At++;
  NEXT;
Dup:
  Stack[Top + 1] = Stack[Top];
  Top = (Top + 1) % 15;
  NEXT;
Loop:
  if (--Counter)
    At = Code;
  NEXT;
Print:
  printf("top %d\n", Stack[Top]);
  NEXT;
End:
  return Stack[Top];
}

NOINLINE int sum(int Count, ...) {
  va_list Args;
  va_start(Args, Count);
  double Total = 0;
  for (int I = 0; I < Count; ++I)
    Total += I % 2 ? va_arg(Args, double) : va_arg(Args, int);
  va_end(Args);
  return (int)Total;
}

static NOINLINE int odd(int N);
static NOINLINE int even(int N) { return N == 0 ? 1 : odd(N - 1); }
static NOINLINE int odd(int N) { return N == 0 ? 0 : even(N - 1); }

typedef int (*Function)(int);
NOINLINE int tail(Function F, int X) {
  if (X > 50)
    return table(X % 9);
  return F(X + 1);
}

NOINLINE int fibonacci(int N) {
  if (N < 2)
    return N;
  if (N > 40)
    return -1;
  return fibonacci(N - 1) + fibonacci(N - 2);
}

NOINLINE unsigned rare(int X) {
  unsigned Sum = 0;
  if (X > 45) {
    for (int I = 0; I < X * 10; ++I) {
      Sum = Sum * 33 + I;
      if (I % 100 == 99)
        Sum ^= table(I % 9);
    }
  }
  return Sum;
}

int main(int Argc, char **Argv) {
  const int Mode = atoi(Argv[1]), Rounds = atoi(Argv[2]);
  static const unsigned char Codes[3][16] = {
      {0, 5, 1, 2, 5}, {0, 5, 2, 1, 7, 3, 4, 5}, {4, 2, 4, 0, 9, 3, 5}};
  static const char *Texts[3] = {"aabbcc", "1 + (9 * 7)\t-q", "\n//0a%"};
  unsigned Hash = 1;
  for (int I = 0; I < Rounds; ++I) {
    Hash = Hash * 31 + table(Mode ? I % 9 : I % 2);
    for (const char *C = Texts[Mode]; *C; ++C)
      Hash = Hash * 7 + classes(*C);
    Hash = Hash * 31 + interpret(Codes[Mode], I);
    Hash = Hash * 31 + (Mode == 1 ? sum(4, I, 2.5, 7, 1e3) : sum(2, I, 0.5));
    Hash = Hash * 31 + even(I) + tail(I % 2 ? even : odd, I) + rare(I);
  }
  printf("%u %d\n", Hash, fibonacci(Mode == 2 ? 41 : 12));
  return Hash % 100;
}
