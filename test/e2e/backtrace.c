// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stack can be walked from hot and cold parts: as many frames as before, and
// each frame's registers are found again.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --train 0 --test 0 --test 1 --test 2 --flags="-O2 -fno-optimize-sibling-calls -fasynchronous-unwind-tables -frandom-seed=1" --flags="-O1 -fno-optimize-sibling-calls -no-pie"
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <unwind.h>

#define NOINLINE __attribute__((noinline))

static int Mode;
static void *MainFrame;

struct Walk {
  int Frames, ReachedMain;
};

static _Unwind_Reason_Code step(struct _Unwind_Context *Context, void *Data) {
  struct Walk *Walk = Data;
  ++Walk->Frames;
  if ((void *)_Unwind_GetCFA(Context) > MainFrame)
    Walk->ReachedMain = 1;
  return _URC_NO_REASON;
}

NOINLINE void report(const char *Where) {
  void *Addresses[64];
  struct Walk Walk = {0, 0};
  _Unwind_Backtrace(step, &Walk);
  printf("%s: %d frames, %d by unwinding, main %d\n", Where,
         backtrace(Addresses, 64), Walk.Frames, Walk.ReachedMain);
}

NOINLINE int hot(int X, int Y, int Z) {
  int Kept = X * Y + Z;
  if (Mode == 1 && X % 4 == 1) { // Cold: with more registers to save.
    report("cold");
    Kept += X / (Y + 1);
    printf("%d %d %d %d\n", X, Y, Z, Kept);
    report("still cold");
  }
  if (X == 9)
    report("hot");
  return Kept;
}

NOINLINE int recurse(int Depth, int X) {
  char Buffer[64];
  snprintf(Buffer, sizeof Buffer, "%d", X);
  if (Depth == 0) {
    if (Mode == 2)
      report("bottom");
    return hot(X, Depth, 3);
  }
  const int Result = recurse(Depth - 1, X) + Buffer[0];
  if (Mode == 2 && Depth == 3)
    report("on the way back");
  return Result;
}

int main(int Argc, char **Argv) {
  Mode = atoi(Argv[1]);
  MainFrame = __builtin_frame_address(0);
  int Sum = 0;
  for (int I = 0; I < 12; ++I)
    Sum += recurse(I % 5, I) + hot(I, 2, 1);
  printf("%d\n", Sum);
  return 0;
}
