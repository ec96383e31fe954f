// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

struct Problem {
  int Value;
};
int throwing(int X, bool Throw);
int throughLibrary(int (*Callback)(int), int X);
