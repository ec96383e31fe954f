// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library with a hot and a cold side.
#include "work.h"

static int rare(int X) { return X / 7 - 3; }

int work(int Rounds) {
  unsigned Sum = 0;
  for (int I = 0; I < Rounds; ++I)
    Sum = I % 1000 == 999 ? Sum + (unsigned)rare(I) : Sum * 3 + (unsigned)I;
  return (int)(Sum % 1000);
}
