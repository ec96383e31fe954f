/* H-13: signal handlers run between a check and its access, and in the runtime.
   They may use private memory, checked or not. The program's own SIGSEGV handler
   gets its own faults. A handler that touches shared memory that is not valid while
   its thread is in the runtime ends the job with a message.
   Breaks if tags of private memory were not permanent, if Wild.cpp did not pass
   faults on, or, for the last part, without the test of the thread's state in
   Checks/Work.cpp: the thread's state turns around, and all hangs.

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 2 --threads-per-node=2 %t storm
   RUN: timeout 60 %t segv
   RUN: not %dsm-run -n 2 %t shared 2>&1 | FileCheck %s
   CHECK: graupel dsm: error: {{.*}}shared memory is accessed {{.*}}signal handler
*/
#include "checked.h"
#include "graupel/dsm_wrappers.h"
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

enum { Rounds = 3000 };
static int64_t *counter;
static int64_t seen, storage[1000];

static void on_timer(int unused) {
  /* Private accesses as the passes would check them. */
  for (int i = 0; i < 1000; i += 10)
    ADD(&storage[i], 1);
  ADD(&seen, 1);
}

static void work(void *unused) {
  for (int i = 0; i < Rounds || (gdsm_thread() == 0 && LOAD(&seen) < 50); ++i) {
    if (i < Rounds) {
      before_store(counter, 8);
      __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
    }
    check_poll();
  }
}

static void storm(void) {
  struct sigaction a = {.sa_handler = on_timer, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &a, NULL);
  struct itimerval t = {{0, 500}, {0, 500}}, off = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &t, NULL);
  gdsm_parallel(work, NULL);
  setitimer(ITIMER_REAL, &off, NULL);
  CHECK(LOAD(counter) == (int64_t)Rounds * gdsm_threads());
  CHECK(LOAD(&storage[0]) == LOAD(&seen) && LOAD(&seen) >= 50 * !gdsm_node());
}

static sigjmp_buf back;
static void *fault_at;
static void on_segv(int unused, siginfo_t *info, void *context) {
  fault_at = info->si_addr;
  siglongjmp(back, 1);
}

static void segv(void) {
  char *guard = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct sigaction a = {.sa_sigaction = on_segv, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &a, NULL);
  if (!sigsetjmp(back, 1))
    STORE(&guard[7], 1);
  CHECK(fault_at == &guard[7]);
  ADD(counter, 1);
}

static void touches(int unused) { ADD(counter, 1); }

static void shared(void) {
  if (gdsm_node() == 1)
    ADD(counter, 1);
  gdsm_barrier();
  if (gdsm_node() == 0) {
    int p[2];
    CHECK(pipe(p) == 0);
    signal(SIGALRM, touches);
    alarm(1);
    char c;
    graupel_dsm_read(p[0], &c, 1);
  }
}

int main(int argc, char **argv) {
  if (gdsm_node() == 0)
    counter = (int64_t *)gdsm_alloc(8, 0, gdsm_nodes() - 1);
  gdsm_broadcast(&counter, sizeof counter, 0);
  (*argv[1] == 's' && argv[1][1] == 't' ? storm
   : argv[1][1] == 'e'                  ? segv
                                        : shared)();
  gdsm_barrier();
  return 0;
}
