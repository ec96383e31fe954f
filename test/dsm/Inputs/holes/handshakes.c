/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Code with checks runs within what looks like a function of the library's, or like an
   instruction; meanwhile the block is taken. */
#define _GNU_SOURCE
#include <graupel/dsm.h>
#include <printf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void lose(void) {
  gdsm_barrier();
  gdsm_barrier();
}

static int print_v(FILE *to, const struct printf_info *i,
                   const void *const *a) {
  (void)i;
  lose();
  return fprintf(to, "<%d>", *(const int *)a[0]);
}

static int sizes(const struct printf_info *i, size_t n, int *types, int *size) {
  (void)i;
  if (n > 0) {
    types[0] = PA_INT;
    size[0] = sizeof(int);
  }
  return 1;
}

static void by_format(void) {
  char b[20];
  snprintf(b, sizeof b, "%V", 1);
}

static void by_assembly(void (*f)(void)) {
  __asm__ volatile("mov %%rsp, %%rbx; sub $256, %%rsp; and $-16, %%rsp\n"
                   "call *%0; mov %%rbx, %%rsp" ::"r"(f)
                   : "memory", "cc", "rbx", "rax", "rcx", "rdx", "rsi", "rdi",
                     "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3",
                     "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                     "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

__attribute__((noinline)) static void twice(int *p, int way, void (*f)(void)) {
  if (way == 'f') {
    p[0] = 1;
    by_format();
    p[0] = 2;
  } else {
    p[0] = 1;
    by_assembly(f);
    p[0] = 2;
  }
}

int main(int argc, char **argv) {
  int *p = NULL;
  int way = argc > 1 ? *argv[1] : 0;
  register_printf_specifier(way == 's' ? 'd' : 'V', print_v, sizes);
  if (gdsm_node() == 0)
    p = gdsm_malloc(128);
  gdsm_broadcast(&p, sizeof p, 0);
  gdsm_barrier();
  if (gdsm_node() == 1) {
    twice(p, way, lose);
  } else {
    gdsm_barrier();
    p[2] = 3;
    gdsm_barrier();
  }
  gdsm_barrier();
  if (gdsm_node() == 0) {
    sleep(1); // Who wrote without the block has done so.
    printf("%d %d %d\n", p[0], p[1], p[2]);
  }
  gdsm_barrier();
}
