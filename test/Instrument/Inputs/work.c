// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work with a known profile: as many units as the argument says.

#include "units.h"
#include <stdlib.h>

#ifdef NEW
UNIT(newer, 0)
#endif
UNIT(even, 1)
UNIT(one, 2)
UNIT(two, 3)

static void (*const volatile Pointers[])(void) = {one, two};
static volatile int Sum;

KEPT void unit(int I) {
  if (I % 2 == 0)
    even();
  switch (I % 8) {
  case 0:
    Sum += 3;
    break;
  case 1:
    Sum ^= 5;
    break;
  case 2:
    Sum -= I;
    break;
  case 3:
    Sum *= 3;
    break;
  case 5:
    Sum |= 64;
    break;
  }
  Pointers[I % 2]();
  asm volatile(""); // Not a tail call.
}

int main(int Count, char **Arguments) {
  const int Units = Count > 1 ? atoi(Arguments[1]) : 1000;
  for (int I = 0; I < Units; ++I)
    unit(I);
  return 0;
}
