// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-10: fork. A child has no node: private memory and exec work as ever, shared
   memory ends the child, with a message, and only the child.
   Breaks if the child shares the control page (Start.cpp, inForkedChild), if the
   region is copied to it (MADV_DONTFORK in Memory/Region.cpp), or if its exit waits
   for the other nodes.

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 2 %t 2>&1 | FileCheck %s
   RUN: %limit 60 %t 2>&1 | FileCheck %s
   CHECK-DAG: executed
   CHECK-DAG: graupel dsm: error: {{.*}}forked
   CHECK-DAG: node 0 is well
*/
#include "checked.h"
#include "graupel/dsm_wrappers.h"
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

static int *shared;
extern char **environ;

static int child(void (*body)(void)) {
  fflush(NULL);
  pid_t p = fork();
  CHECK(p >= 0);
  if (!p) {
    body();
    exit(0);
  }
  int status;
  CHECK(waitpid(p, &status, 0) == p);
  return status;
}

static void uses_private(void) {
  int *p = malloc(1 << 20);
  for (int i = 0; i < 1 << 18; ++i)
    STORE(&p[i], i);
  CHECK(LOAD(&p[77]) == 77);
  for (int i = 0; i < 1000; ++i)
    check_poll();
  graupel_dsm_memset(p, 0, 1 << 20);
  CHECK(graupel_dsm_write(2, "", 0) == 0);
}
static void executes(void) { execlp("echo", "echo", "executed", NULL); }
static void uses_shared(void) { printf("%d\n", *(volatile int *)shared); }
static void checks_shared(void) { graupel_dsm_memset(shared, 1, 4); }

int main(void) {
  if (gdsm_node() == 0)
    shared = (int *)gdsm_alloc(64, 0, 0);
  gdsm_broadcast(&shared, sizeof shared, 0);
  if (gdsm_node() == 0) {
    STORE(shared, 1);
    CHECK(child(uses_private) == 0);
    CHECK(child(executes) == 0);
    for (int i = 0; i < 2; ++i) {
      int status = child(i ? uses_shared : checks_shared);
      CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    }
    pid_t spawned;
    char *args[] = {"true", NULL};
    int status;
    CHECK(posix_spawnp(&spawned, "true", NULL, NULL, args, environ) == 0 &&
          waitpid(spawned, &status, 0) == spawned && status == 0);
    CHECK(system("true") == 0);
  }
  gdsm_barrier();
  ADD(shared, 0);
  gdsm_barrier();
  CHECK(LOAD(shared) == 1);
  if (gdsm_node() == 0)
    printf("node 0 is well\n");
  return 0;
}
