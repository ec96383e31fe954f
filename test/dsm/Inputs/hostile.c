// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* hostile HOW: the last node ends, or goes wrong, in the named way. */
#include "checked.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void nothing(void *unused) { (void)unused; }

static __attribute__((noinline)) void deep(void) {
  volatile char much[64 << 20];
  for (int i = 0; i < (64 << 20); i += 4096)
    much[i] = 1;
}

static void go_wrong(const char *how) {
  if (!strcmp(how, "segv"))
    *(volatile int *)8 = 1;
  if (!strcmp(how, "stack"))
    deep();
  if (!strcmp(how, "fpe"))
    raise(SIGFPE);
  if (!strcmp(how, "abort"))
    abort();
  if (!strncmp(how, "exit", 4))
    exit(atoi(how + 4));
  if (!strncmp(how, "_exit", 5))
    _exit(atoi(how + 5));
  if (!strcmp(how, "exec"))
    execlp("sh", "sh", "-c", "exit 5", (char *)NULL);
  if (!strcmp(how, "fork")) {
    int status;
    if (fork() == 0)
      exit(7);
    wait(&status);
    printf("child %d\n", WEXITSTATUS(status));
    fflush(stdout);
  }
  if (!strcmp(how, "daemon")) {
    if (fork() == 0) {
      setsid();
      if (fork() == 0)
        sleep(1000);
      _exit(0);
    }
    wait(NULL);
  }
  if (!strcmp(how, "close"))
    for (int file = 3; file < 100; ++file)
      close(file);
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  gdsm_barrier();
  if (gdsm_node() == gdsm_nodes() - 1)
    go_wrong(how);
  if (!strcmp(how, "much"))
    for (int i = 0; i < 50000; ++i)
      printf("line %d of node %d, and a little more\n", i, gdsm_node());
  gdsm_parallel(nothing, NULL);
  if (gdsm_node() == 0)
    puts("well");
  return !strcmp(how, "late") ? 9 : 0;
}
