// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An instruction that a hypervisor answers, in the registers it likes.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>
#include <stdlib.h>
/* A hypervisor's port ("VMware backdoor"): in %dx,%eax reads and writes eax..edi. Emulated here by a handler. */
static volatile unsigned long sum;
static void on_fault(int s, siginfo_t *i, void *c) {
  ucontext_t *u = c;
  greg_t *g = u->uc_mcontext.gregs;
  sum = sum * 31 + (unsigned)g[REG_RCX] * 3 + (unsigned)g[REG_RBX] * 5 + (unsigned)g[REG_RSI];
  g[REG_RAX] = (unsigned)(g[REG_RCX] + 1);
  g[REG_RBX] = (unsigned)(g[REG_RBX] * 2);
  g[REG_RCX] = (unsigned)(g[REG_RCX] + 77);
  g[REG_RIP] += LEN;
}
struct bp { unsigned a, b, c, d; };
__attribute__((noinline)) unsigned backdoor(unsigned cmd, unsigned size, long si) {
  unsigned a, b, c, d;
  if (__builtin_expect(size % 50 == 49, 0)) { printf("rare %u\n", size); size += cmd; }
  __asm__ volatile(INSN : "=a"(a), "=b"(b), "=c"(c), "=d"(d)
                   : "0"(0x564D5868), "1"(size), "2"(cmd), "3"(0x5658), "S"(si) : "memory");
  return a + b + (cmd ^ size);
}
int main(int argc, char **argv) {
  struct sigaction sa = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &sa, 0); sigaction(SIGILL, &sa, 0);
  unsigned long r = 0;
  for (int i = 0; i < 200; i++) r = r * 7 + backdoor(i % 5 + 10, i, i);
  printf("%lu %lu\n", r, sum);
}
