// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One of the libraries; NAME is its function.
__attribute__((noinline)) static unsigned rare(unsigned X) {
  return X * 2654435761u + __LINE__;
}

unsigned NAME(unsigned X) {
  unsigned Sum = 0;
  for (unsigned I = 0; I < 20; ++I)
    Sum += (X + I) % 97 == 0 ? rare(X) : X * I;
  return Sum;
}
