// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
long restored(long, void *), last(long, const long *, long);
int main(void) {
  _Alignas(16) static char area[512];
  static const long words[] = {5, 9};
  register long five __asm__("rax") = 1234567;
  __asm__ volatile("movq %1, %%xmm5; fxsave64 %0" : "=m"(area) : "r"(five) : "xmm5");
  unsigned long r = 0;
  for (long i = 0; i < 3000; ++i)
    r = r * 7 + restored(i, area) * 3 + last(i, words, i % 3);
  printf("%lu\n", r);
}
