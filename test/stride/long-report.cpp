// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A terminal is shown the largest streams, the bins and places that matter, and
// names without the arguments of templates. Nothing is lost: the rest is counted.
// RUN: rm -rf %t && mkdir %t
// RUN: %stride-cxx -O1 -fno-vectorize %s -o %t/long
// RUN: env GRAUPEL_STRIDE_OUT=%t/long.gstride %t/long
// RUN: graupel stride report %t/long.gstride --maxel=1 > %t/long.txt
// RUN: FileCheck %s < %t/long.txt
// RUN: not grep -E 'back +(36|40|44) ' %t/long.txt
// CHECK: {{^}}scattered: 2000 loads
// CHECK: 1 back 4 (1 element) 99.50 %
// CHECK: 1 back 9 others 0.45 % 9{{$}}
// CHECK: at long-report.cpp:{{[0-9]+}} 4 bytes in Reader<...>::operator()<...>(...) const{{ +}}100.00 % 2000
// CHECK: {{^}}{{[1-9]}} more streams with {{[0-9.]+}} % of the references: --html and --json have all.
template <typename A, typename B, typename C> struct Reader {
  template <typename Number>
  __attribute__((noinline)) Number operator()(const Number *From, Number To, Number And) const {
    Number Sum = 0;
    for (Number N = 0, At = 0; N < To; ++N, At += N % 200 == 0 ? 1 + N / 200 : 1)
      Sum += From[At];
    return Sum + And;
  }
};
struct TheFirstArgument {};
struct TheSecondArgument {};
int scattered[4000];
double many[23][64];
template <int N> __attribute__((noinline)) void fill(double (&To)[64]) {
  static double Each[64];
  for (int I = 0; I < 64; ++I)
    Each[I] = To[0] + I;
  asm volatile("" : : "r"(Each) : "memory");
  if constexpr (N > 0)
    fill<N - 1>(To);
}
int main() {
  fill<21>(many[0]);
  return Reader<TheFirstArgument, TheSecondArgument, TheFirstArgument>()(scattered, 2000, 1) != 1;
}
