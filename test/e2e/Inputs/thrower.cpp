// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "thrower.h"
#include <cstdio>
#include <string>

int throwing(int X, bool Throw) {
  std::string Text(X % 9 + 20, 'x');
  if (Throw && X % 4 == 2)
    throw Problem{X * 10};
  return Text.size();
}

int throughLibrary(int (*Callback)(int), int X) {
  std::string Text(X % 5 + 30, 'y');
  try {
    return Callback(X) + Text.size();
  } catch (const Problem &P) {
    printf("[library saw %d] ", P.Value);
    if (P.Value > 20)
      throw Problem{P.Value + 1000};
    throw;
  }
}
