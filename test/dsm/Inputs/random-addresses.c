/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* random-addresses [forbid] PROGRAM...: runs it with address randomization on;
   with `forbid` personality(2) fails afterwards, as under the usual seccomp
   filters of containers. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int forbid(void) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
               offsetof(struct seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0xffffffff, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog filter = {sizeof code / sizeof *code, code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

int main(int argc, char **argv) {
  int first = 1;
  personality((unsigned)personality(0xffffffff) & ~(unsigned)ADDR_NO_RANDOMIZE);
  if (argc > 1 && strcmp(argv[1], "forbid") == 0) {
    if (forbid()) {
      perror("seccomp");
      return 2;
    }
    first = 2;
  }
  execvp(argv[first], argv + first);
  perror(argv[first]);
  return 2;
}
