// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of other calling conventions are called through pointers: what they
// take in registers that are no parameters by the ABI is not thrown away, and
// what they change is saved. Trained where that is rare.
//
// REQUIRES: x86_64, clang
//
// DEFINE: %{convention} =
// DEFINE: %{options} =
// DEFINE: %{check} = rm -f %t.data && clang -O2 -w "-DCONVENTION=%{convention}" %s -Wl,--emit-relocs -o %t && graupel-bolt %t -instrument -instrumentation-file=%t.data -o %t.i && %t.i 20000 > %t.trained && %t 90000 > %t.wanted && graupel-bolt %t -data=%t.data -hco -hco-verify %{options} -o %t.o && %t.o 90000 > %t.seen && diff %t.wanted %t.seen
//
// REDEFINE: %{convention} = preserve_none
// RUN: %{check}
// REDEFINE: %{options} = -hco-random=1
// RUN: %{check}
// REDEFINE: %{options} = -hco-random=2 -lite=0
// RUN: %{check}
// REDEFINE: %{options} = -hco-invert
// RUN: %{check}
// REDEFINE: %{convention} = regcall
// RUN: %{check}
// REDEFINE: %{options} =
// RUN: %{check}
// REDEFINE: %{convention} = swiftcall
// RUN: %{check}
// REDEFINE: %{convention} = preserve_most
// RUN: %{check}
//
// The proof finds their registers by itself.
// RUN: rm -f %t.data && clang -O2 -w -DCONVENTION=preserve_none %s -Wl,--emit-relocs -o %t
// RUN: graupel-bolt %t -instrument -instrumentation-file=%t.data -o %t.i && %t.i 20000
// RUN: graupel-bolt %t -data=%t.data -hco -v=1 -hco-random=1 -hco-break-assumption=pointer-targets -o %t.o 2>&1 | FileCheck %s
// CHECK: the hot version of passes{{.*}} cannot be proved right and is not used
//
// Functions of other libraries cannot be seen. Who calls them so gets no hot
// version, because it computes and saves what nobody would need.
// RUN: clang -O2 -w -DCONVENTION=preserve_none -DLIBRARY -shared -fPIC %s -o %t.so
// RUN: clang -O2 -w -DCONVENTION=preserve_none -DPROGRAM %s %t.so -Wl,--emit-relocs -o %t.p
// RUN: rm -f %t.data && graupel-bolt %t.p -instrument -instrumentation-file=%t.data -o %t.i && %t.i 20000
// RUN: graupel-bolt %t.p -data=%t.data -hco -print-hot-cold -o %t.o | FileCheck %s --check-prefix=SEEMS
// RUN: %t.p 90000 > %t.wanted && %t.o 90000 > %t.seen && diff %t.wanted %t.seen
// SEEMS-DAG: passes{{.*}}: unsupported: a callee that seems to have a convention of its own
// SEEMS-DAG: keeps{{.*}}: unsupported: a callee that seems to have a convention of its own
#include <stdio.h>
#include <stdlib.h>

#define OTHER __attribute__((CONVENTION, noinline))
#define NOINLINE __attribute__((noinline))
#ifndef CONVENTION
#error
#endif

long Seen[16];

#ifndef PROGRAM
OTHER long sum(long A, long B, long C, long D, long E, long F, long G, long H) {
  return A * 3 + B * 5 + C * 7 + D * 11 + E * 13 + F * 17 + G * 19 + H;
}
OTHER long difference(long A, long B, long C, long D, long E, long F, long G,
                      long H) {
  return (A ^ B) - (C ^ D) - (E ^ F) - (G ^ H);
}
/// Changes all the registers that its convention lets it.
OTHER long mix(void) {
  long A = Seen[1], B = Seen[2], C = Seen[3], D = Seen[4], E = Seen[5],
       F = Seen[6], G = Seen[7], H = Seen[8], I = Seen[9];
  for (long K = 0; K < (Seen[10] & 3) + 1; ++K) {
    A += B, B ^= C, C += D, D -= E, E ^= F, F += G, G -= H, H ^= I, I += A;
  }
  return A + B * 3 + C * 5 + D * 7 + E * 9 + F * 11 + G * 13 + H * 15 + I;
}
#else
OTHER long sum(long, long, long, long, long, long, long, long);
OTHER long difference(long, long, long, long, long, long, long, long);
OTHER long mix(void);
#endif

#ifndef LIBRARY
typedef __attribute__((CONVENTION)) long (*Function)(long, long, long, long,
                                                     long, long, long, long);
typedef __attribute__((CONVENTION)) long (*Mixer)(void);
#ifdef PROGRAM
#define FUNCTION(I) ((I) & 1 ? difference : sum)
#define MIXER mix
#else
Function volatile Functions[2] = {sum, difference};
Mixer volatile Mix = mix;
#define FUNCTION(I) Functions[(I) & 1]
#define MIXER Mix
#endif

NOINLINE static long passes(long A, long B, long C) {
  long X = A * B, Y = B ^ C, Z = C * 9;
  asm volatile("" : "+r"(X), "+r"(Y), "+r"(Z));
  if (__builtin_expect((A & 1023) == 33, 0))
    return FUNCTION(B)(X, Y, Z, A, B, C, X + Y, Y - Z);
  return A + B + C;
}

NOINLINE static long keeps(long A, long B) {
  ++Seen[B & 15];
  if (__builtin_expect((A & 1023) == 15, 0))
    return MIXER();
  return A + B;
}

int main(int Argc, char **Argv) {
  long N = atol(Argv[1]), S = 0, T = 1, U = 2, V = 3;
  for (long I = 0; I < N; ++I) {
    S = S * 31 + passes(I, S & 255, I ^ 5) + keeps(I, S & 255);
    T ^= S + U, U += V, V -= T;
  }
  printf("%ld %ld %ld %ld\n", S, T, U, V);
}
#endif
