/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Most of it is never touched. */
#ifndef MIB
#define MIB 2800
#endif
static volatile char much[MIB * 1024ul * 1024];
__attribute__((noinline)) static int use(unsigned long i) { return ++much[i]; }
int main(void) {
  int sum = 0;
  for (unsigned long i = 0; i < 4; i++)
    sum += use(i * (sizeof much / 4));
  return sum != 4;
}
