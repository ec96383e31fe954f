// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// no_namespaces COMMAND...: runs a command under a filter of system calls that
// refuses namespaces and mounts, as docker and podman do. With -DUNSHARES it refuses
// mounts alone, as services do.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NAMESPACES                                                             \
  (CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |  \
   CLONE_NEWNET | CLONE_NEWCGROUP)
#define REFUSE(CALL)                                                           \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CALL, 0, 1),                             \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

int main(int argc, char **argv) {
  (void)argc;
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifndef UNSHARES
      REFUSE(SYS_unshare),
#endif
      REFUSE(SYS_setns), REFUSE(SYS_mount),
      REFUSE(SYS_umount2), REFUSE(SYS_pivot_root), REFUSE(SYS_open_tree),
      REFUSE(SYS_move_mount), REFUSE(SYS_fsopen), REFUSE(SYS_fsmount),
      REFUSE(SYS_mount_setattr),
      // Its flags are in memory; C libraries call clone then.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
               offsetof(struct seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
    return 99;
#ifndef UNSHARES
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 || errno != EPERM)
    return fputs("the filter does not refuse\n", stderr), 97;
#endif
  execvp(argv[1], argv + 1);
  return 98;
}
