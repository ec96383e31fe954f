// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* One way to go wrong each, by name; what ends well prints "went well". */
#include "checked.h"
#include <dlfcn.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void nothing(void *unused) { (void)unused; }
static void exits(void *unused) {
  (void)unused;
  gdsm_parallel(nothing, NULL);
}

static void on_signal(int number) {
  (void)number;
  write(1, "own handler\n", 12);
  _exit(0);
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  int first = gdsm_node() == 0;
  char *p = (char *)gdsm_alloc(1000, 0, GDSM_HOME_LOCAL);
  if (!strcmp(how, "exit-code"))
    return first ? 0 : 7;
  if (!strcmp(how, "wild") && first)
    *(volatile char *)(p + (64 << 20)) = 1;
  if (!strcmp(how, "wild-checked") && first)
    STORE(p + (64 << 20), 1);
  if (!strcmp(how, "free-twice") && first) {
    gdsm_free(p);
    gdsm_free(p);
  }
  if (!strcmp(how, "free-inside") && first)
    gdsm_free(p + 128);
  if (!strcmp(how, "free-private") && first)
    gdsm_free(&p);
  if (!strcmp(how, "unlock") && first)
    gdsm_unlock(3);
  if (!strcmp(how, "block") && first)
    gdsm_alloc(10, 48, 0);
  if (!strcmp(how, "home") && first)
    gdsm_alloc(10, 64, gdsm_nodes());
  if (!strcmp(how, "huge") && first)
    gdsm_alloc((size_t)1 << 39, 64, 0);
  if (!strcmp(how, "full") && first)
    for (;;)
      gdsm_alloc((size_t)100 << 30, 0, GDSM_HOME_ROUND_ROBIN);
  if (!strcmp(how, "nested"))
    gdsm_parallel(exits, NULL);
  char data[200] = {0};
  if (!strcmp(how, "broadcast-sizes"))
    gdsm_broadcast(data, first ? 100 : 200, 0);
  if (!strcmp(how, "broadcast-shared"))
    gdsm_broadcast(p, 8, 0);
  if (!strcmp(how, "ucx") && !first)
    ((void (*)(const char *, unsigned, const char *, const char *, ...))dlsym(
        RTLD_DEFAULT, "ucs_fatal_error_format"))("ep.c", 7, "f", "%d left", 3);
  if (!strcmp(how, "own-segv")) {
    signal(SIGSEGV, on_signal);
    *(volatile int *)64 = 1;
  }
  if (!strcmp(how, "segv"))
    *(volatile int *)64 = 1;
  if (!strcmp(how, "fork-exec") || !strcmp(how, "fork-memory") ||
      !strcmp(how, "fork-call")) {
    fflush(stdout);
    STORE(p, 1);
    pid_t child = fork();
    if (child == 0) {
      for (int i = 0; i < 1000; ++i)
        check_poll();
      if (how[5] == 'm')
        *(volatile char *)p = 1;
      if (how[5] == 'c')
        gdsm_barrier();
      execlp("true", "true", (char *)NULL);
      _exit(9);
    }
    int status;
    waitpid(child, &status, 0);
    STORE(p + 1, 2);
    CHECK(LOAD(p) == 1);
    printf("child %d\n", WEXITSTATUS(status));
    fflush(stdout);
  }
  gdsm_barrier();
  if (first)
    printf("went well\n");
  return 0;
}
