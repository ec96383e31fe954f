// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two indirect functions with one resolver, of which one is hidden.
#ifdef LIBRARY
static int addTwo(int X) { return X + 2; }
static int (*resolve(void))(int) { return addTwo; }
int exported(int X) __attribute__((ifunc("resolve")));
__attribute__((visibility("hidden"))) int hidden(int X)
    __attribute__((ifunc("resolve")));
int callExported(int X) { return exported(X) + 1; }
int callHidden(int X) { return hidden(X) - 1; }
int callBoth(int X) { return exported(hidden(X)) + 2; }
#elif defined(REPLACES)
int exported(int X) { return X + 10000; }
#else
#include <stdio.h>
int callExported(int), callHidden(int), callBoth(int);
int main(void) {
  printf("%d %d %d\n", callExported(3), callHidden(3), callBoth(3));
  return 0;
}
#endif
