/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An indirect function that is another one where 200 files may be open, as the
   C library's are on processors with other features. */
#include <graupel/dsm.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>

static int usual(void) { return 1; }
static int other(void) { return 1; }

/* The loader calls this before anything can be called. */
__attribute__((no_stack_protector)) static int (*choose(void))(void) {
  struct rlimit limit;
  long status;
  __asm__ volatile("syscall"
                   : "=a"(status)
                   : "a"(SYS_getrlimit), "D"(RLIMIT_NOFILE), "S"(&limit)
                   : "rcx", "r11", "memory");
  return limit.rlim_cur == 200 ? other : usual;
}
int chosen(void) __attribute__((ifunc("choose")));

int main(void) {
  if (gdsm_node() == 0)
    printf("%d on %d nodes\n", chosen(), gdsm_nodes());
  return 0;
}
