// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Switches in loops in many shapes: one or several to a loop, nested, with calls
// between that make the compiler load the tables' addresses before the loop, with
// one table for two jumps, in recursion, and next to indirect tail calls.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --layouts basic --train "20 0" --test "20 0" --test "60 7" --flags="-O2 -fPIE -pie" --flags="-O2 -fno-pie -no-pie" --flags="-O3 -fPIE -pie" --flags="-Os -fPIE -pie" --flags="-O3 -march=x86-64-v3 -fno-pie -no-pie"
// RUN: %differential %s --out %t.gcc --compilers gcc --layouts basic --train "20 0" --test "60 7" --flags="-O2 -fPIE -pie -fno-crossjumping -fno-gcse -fcf-protection=full" --flags="-O3 -fPIE -pie -fno-tree-switch-conversion -freorder-blocks-and-partition"
//
// At least one compiler has to do what this is about:
// RUN: gcc -O2 -fPIE -pie -Wl,--emit-relocs %s -o %t.exe
// RUN: graupel-bolt -v=1 %t.exe -o %t.i -instrument -instrumentation-file=%t.fdata | FileCheck %s
// CHECK: GRAUPEL-INFO: understood the indirect jumps of {{[3-9]|[1-9][0-9]}} more functions
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
typedef unsigned long Word;

static Word Rare;

NOINLINE Word mix(Word X) { return X * 6364136223846793005 + (X >> 7); }
NOINLINE Word peek(const char *At, Word X) { return *At ? X + *At : X * 3; }
NOINLINE void note(Word X) {
  if (X % 4093 == 5)
    printf("note %lu\n", X);
}

// A parser: one switch, calls between, several values alive.
NOINLINE Word parse(const char *At, Word State) {
  Word Depth = 0, Count = 0;
  for (; *At; ++At) {
    switch (*At) {
    case '(': ++Depth; State = mix(State); break;
    case ')': if (Depth) --Depth; else ++Rare; break;
    case '*': State = State * peek(At + 1, Count); break;
    case '+': State += peek(At + 1, Depth); break;
    case ',': note(State); ++Count; break;
    case '-': State = -State; break;
    case '.': State ^= mix(Depth) + Count; break;
    case '/': State = mix(State / 3); break;
    case '0': case '1': case '2': case '3': case '4': Count = Count * 5 + *At; break;
    default:
      State = peek(At, State) + mix(Count);
    }
  }
  return State + Depth + Count;
}

// Two switches to a loop, the second in a case of the first.
NOINLINE Word lex(const char *At, Word State) {
  for (Word I = 0; At[I]; ++I) {
    switch (At[I] & 7) {
    case 0: State = mix(State); break;
    case 1: State += peek(At + I, I); break;
    case 2:
      switch (State % 6) {
      case 0: State += 17; break;
      case 1: State = mix(State) ^ I; break;
      case 2: note(State); break;
      case 3: State = peek(At, State); break;
      case 4: State >>= 1; break;
      default: State = ~State;
      }
      break;
    case 3: note(State); State *= 3; break;
    case 4: ++Rare; break;
    case 5: State ^= 0x55; break;
    case 6: State = mix(mix(State)); break;
    default: State -= I;
    }
  }
  return State;
}

// A state machine: the switch is on what the case before left.
NOINLINE Word machine(const char *At, Word X) {
  int State = 0;
  while (*At) {
    switch (State) {
    case 0: State = *At % 7; X = mix(X); break;
    case 1: State = 2; X += 5; continue;
    case 2: State = X % 5 + 3; note(X); break;
    case 3: State = 0; X = peek(At, X); break;
    case 4: State = *At == '(' ? 6 : 1; break;
    case 5: State = 6; X *= 7; continue;
    case 6: State = 0; X = mix(X) - 1; break;
    case 7: State = X & 1; X = peek(At, mix(X)); break;
    }
    ++At;
  }
  return X;
}

// Bytecode with operands; two places fetch and dispatch alike.
NOINLINE Word interpret(const unsigned char *Code, Word X, Word Fuel) {
  Word Stack[8] = {X}, Top = 0;
  while (Fuel-- > 0) {
    switch (*Code++) {
    case 0: Stack[Top] = mix(Stack[Top]); break;
    case 1: Top = (Top + 1) & 7; Stack[Top] = *Code++; break;
    case 2: Stack[Top] += Stack[(Top - 1) & 7]; break;
    case 3: note(Stack[Top]); break;
    case 4: Code -= *Code; if (Fuel < 3) return Stack[Top]; break;
    case 5: Top = (Top - 1) & 7; break;
    case 6: Stack[Top] = interpret((const unsigned char *)"\0\2\1\11\2\11", X + 1, Fuel / 4); break;
    case 7: Stack[Top] ^= peek((const char *)Code, Fuel); break;
    case 8: if (Stack[Top] & 1) ++Code; break;
    default: return Stack[Top];
    }
  }
  return Stack[Top] + 1;
}

// Sparse and shifted cases, ranges, fallthrough, a long-lived table in a nest.
NOINLINE Word nest(Word N, Word X) {
  for (Word I = 0; I < N; ++I)
    for (Word J = 0; J < I % 9; ++J) {
      switch ((X >> J) % 23 + 100) {
      case 100: case 103: X = mix(X); break;
      case 101: X += I; // fall through
      case 102: X ^= J; break;
      case 104: note(X); break;
      case 105: goto Next;
      case 107: X = peek("x", X); break;
      case 109: if (I > 50) ++Rare; break;
      case 110: X *= 3; break;
      case 111: X = mix(X) + mix(J); break;
      case 113: return X;
      case 115: case 116: case 117: case 118: X -= 9; break;
      case 120: J += 2; break;
      case 121: note(mix(X)); break;
      }
      X = mix(X) ^ J;
    Next:;
    }
  return X;
}

// Methods, called last, with and without code before.
struct Object;
typedef Word (*Method)(struct Object *, Word);
struct Object {
  Word Value;
  Method Methods[3];
  struct Object *Next;
};
NOINLINE Word addValue(struct Object *O, Word X) { return X + O->Value++; }
NOINLINE Word mixValue(struct Object *O, Word X) { return mix(X ^ O->Value); }
NOINLINE Word pass(struct Object *O, Word X) { return O->Methods[1](O, X); }
NOINLINE Word passSome(struct Object *O, Word X) {
  if (X % 64 == 9) {
    printf("9\n");
    return O->Value;
  }
  if (O->Next)
    return O->Next->Methods[0](O->Next, X);
  return O->Methods[2](O, X + 1);
}
NOINLINE Word passBySwitch(struct Object *O, Word X) {
  switch (X % 8) {
  case 0: return O->Methods[0](O, X + 1);
  case 1: return O->Methods[1](O, X * 3);
  case 2: return O->Methods[2](O, X - 1);
  case 3: X = mix(X); break;
  case 4: note(X); break;
  case 5: return X;
  case 6: X += 2; break;
  case 7: ++Rare; break;
  }
  return O->Next ? O->Next->Methods[2](O->Next, X) : X;
}

int main(int Argc, char **Argv) {
  static const char *const Texts[] = {
      "((1,2)+3)*4-foo", "a.b/c,(d*e)", "0123401234,,--", ")))bar(((quux",
      "the quick (brown) fox + 1.2/3", "~{}|<>?!zyxw"};
  static const unsigned char *const Codes[] = {
      (const unsigned char *)"\0\1\7\2\3\4\5",
      (const unsigned char *)"\1\5\7\10\0\2\6\4\7",
      (const unsigned char *)"\6\3\0\2\5\11"};
  const Word Rounds = strtoul(Argv[1], 0, 10), Seed = strtoul(Argv[2], 0, 10);
  const Word Variety = Seed ? 6 : 3;
  struct Object B = {3, {mixValue, addValue, mixValue}, 0};
  struct Object A = {1, {addValue, mixValue, addValue}, &B};
  Word X = Seed;
  for (Word I = 0; I < Rounds; ++I) {
    const char *Text = Texts[I % Variety];
    X = X * 31 + parse(Text, X % 1000 + I);
    X = X * 31 + lex(Text, X);
    X = X * 31 + machine(Text, X);
    X = X * 31 + interpret(Codes[I % (Variety / 2)], X, 40);
    X = X * 31 + nest(Seed ? 70 : 12, X);
    X = X * 31 + pass(&A, X) + passSome(I & 1 ? &A : &B, X);
    X = X * 31 + passBySwitch(Seed && I & 1 ? &B : &A, X);
  }
  printf("%lu %lu\n", X, Rare);
  return 0;
}
