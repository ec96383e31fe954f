// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that the language promises to be others than the pattern of memory that is not
// valid: those of enumerations, and references to what is aligned.
#include <cstdio>
#include <cstring>
#include <graupel/dsm.h>
#include <new>

enum Color { Red, Green, Blue };
struct alignas(128) Big {
  int Value;
};
struct Colored {
  Color Of;
  int More[63];
};
struct Reference {
  Big &To;
  int More[62];
};
static Colored *Colors;
static Reference *References;
static volatile char In[17] = "abcdefghijklmnop";

// Code generation looks at functions again in which it has expanded a comparison.
static bool same() {
  char A[16], B[16];
  for (int I = 0; I < 16; I++)
    A[I] = In[I], B[I] = In[16 - I];
  return memcmp(A, B, 16) == 0;
}

__attribute__((noinline)) static int color(Colored *P) {
  return same() ? -1 : static_cast<int>(P->Of);
}
__attribute__((noinline)) static int valueOf(Reference *P) {
  return same() ? -1 : P->To.Value;
}

static void work(void *) {
  if (gdsm_node() == 0)
    for (int I = 0; I < 100; I++)
      Colors[I].Of = Blue;
  gdsm_barrier();
  if (gdsm_node() == 1) {
    int Bad = 0;
    for (int I = 0; I < 100; I++)
      Bad += color(Colors + I) != Blue;
    printf("wrong colors: %d\n", Bad);
    printf("by reference: %d\n", valueOf(References));
  }
  gdsm_barrier();
}

int main() {
  if (gdsm_node() == 0) {
    Colors = static_cast<Colored *>(gdsm_alloc(100 * sizeof(Colored), 0, 0));
    Big *To = new (gdsm_alloc(4096, 0, 0)) Big{7};
    References = new (gdsm_alloc(4096, 0, 0)) Reference{*To, {}};
  }
  gdsm_broadcast(&Colors, sizeof Colors, 0);
  gdsm_broadcast(&References, sizeof References, 0);
  gdsm_parallel(work, nullptr);
}
