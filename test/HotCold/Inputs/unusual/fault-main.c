// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
extern char _SafeFetchN_fault[], _SafeFetchN_continuation[];
long SafeFetchN_impl(long *p, long def);
static void on_segv(int s, siginfo_t *i, void *c) {
  ucontext_t *u = c;
  if (u->uc_mcontext.gregs[REG_RIP] == (greg_t)_SafeFetchN_fault) { u->uc_mcontext.gregs[REG_RIP] = (greg_t)_SafeFetchN_continuation; return; }
  printf("real crash\n"); fflush(stdout); _Exit(3);
}
static long x = 5;
int main(void) {
  struct sigaction sa = {.sa_sigaction = on_segv, .sa_flags = SA_SIGINFO}; sigaction(SIGSEGV, &sa, 0);
  unsigned long r = 0; for (int i = 0; i < 300; i++) r = r * 7 + SafeFetchN_impl(i % 9 == 4 ? (long *)8 : &x, i); printf("%lu\n", r); }
