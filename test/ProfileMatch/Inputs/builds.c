// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program in two builds. In the NEW one, `changed` has another path, `renamed`
// has another name, `added` is there and `removed` is not. What is printed
// depends on all of them.

#include <stdio.h>
#include <stdlib.h>

#define KEPT __attribute__((noinline, noclone))

KEPT unsigned same(unsigned X) {
  unsigned Sum = 0;
  for (unsigned I = 0; I < X % 16; ++I)
    Sum += (I ^ X) * 7;
  return Sum;
}

KEPT unsigned changed(unsigned X) {
  unsigned Sum = X / 3;
#ifdef NEW
  if (X % 1024 == 77)
    Sum = puts("rare") * 5;
#endif
  for (unsigned I = X; I; I >>= 1) {
    if (I & 1)
      Sum = Sum * 31 + 9;
    else if (I % 3 == 1)
      Sum ^= 0x5555;
    else
      Sum -= 1000;
#ifdef NEW
    Sum = (Sum << 3) ^ I;
#endif
  }
  return Sum;
}

#ifdef NEW
#define renamed renumbered
#endif
KEPT unsigned renamed(unsigned X) {
  switch (X % 7) {
  case 0:
    return X * 3;
  case 2:
    return X - 11;
  case 3:
    return X ^ 0x123;
  case 4:
    return X / 5;
  case 6:
    return X + 99;
  }
  return 0;
}

#ifdef NEW
KEPT unsigned added(unsigned X) {
  for (; X % 2 == 0; X /= 2)
    if (X == 0)
      return 1;
  return X;
}
#else
KEPT unsigned removed(unsigned X) {
  unsigned Bits = 0;
  do
    Bits += X & 1;
  while (X /= 10);
  return Bits % 5 ? Bits * 100 : rand();
}
#endif

KEPT unsigned last(unsigned X) { return X % 2 ? X * X : X + same(X); }

int main(int Argc, char **Argv) {
  const unsigned N = Argc > 1 ? atoi(Argv[1]) : 1000;
  unsigned Sum = 0;
  for (unsigned I = 0; I < N; ++I) {
    Sum += same(I) ^ changed(I) ^ renamed(I) ^ last(I);
#ifdef NEW
    Sum += added(I);
#else
    Sum += removed(I);
#endif
  }
  printf("%u\n", Sum);
  return 0;
}
