// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-13: signal handlers run between a check and its access, in the runtime, and
   while their thread blocks. They may use private memory, checked or not; while the
   thread blocks also shared memory, and they may leave by longjmp. The program's own
   SIGSEGV handler gets its own faults. A handler that needs the protocol for shared
   memory elsewhere ends the job with a message, and so does one that leaves the
   runtime in the middle of a miss. No thread of a library that the runtime starts takes
   them.
   Breaks if tags of private memory were not permanent; if Wild.cpp did not pass
   faults on; if a handler were a handshake point to the code that it interrupts
   (between: without Handlers in Look.cpp or Blocking.cpp, updates are lost); without
   goOnline in Signals.cpp (blocked: a message instead); without leaveBefore there
   (jump: updates are lost); without the test in Checks/Work.cpp (shared); or if
   threads of UCX and PMIx did not block signals (pending: Starting.cpp).

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 2 --threads-per-node=2 %t storm
   RUN: %dsm-run -n 2 %t between
   RUN: %dsm-run -n 2 %t blocked
   RUN: %dsm-run -n 2 %t jump
   RUN: %dsm-run -n 2 --threads-per-node=2 %t pending
   RUN: env UCX_TLS=tcp GRAUPEL_DSM_TEST_HOSTS=1 %dsm-run -n 2 --report=%t.report %t pending
   RUN: %if mpirun %{ %limit 60 mpirun --allow-run-as-root --oversubscribe -n 2 %t pending %}
   RUN: %limit 60 %t segv
   RUN: not %dsm-run -n 2 %t shared 2>&1 | FileCheck %s
   CHECK: graupel dsm: error: {{.*}}shared memory is accessed {{.*}}signal handler
   RUN: not %dsm-run -n 2 %t out 2>&1 | FileCheck %s --check-prefix=OUT
   OUT: graupel dsm: error: {{.*}}longjmp out of a signal handler
*/
#include "checked.h"
#include "graupel/dsm_wrappers.h"
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

enum { Rounds = 3000 };
static int64_t *counter;
static int64_t seen, storage[1000];

/* A node's word of a block that the others want, too. */
static int64_t *own(void) { return &counter[gdsm_node()]; }

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

static volatile int taken;
static pid_t taker;
static void takes(int unused) {
  taker = gettid();
  taken = taken + 1;
}

/* Only the main thread may take what it blocks. */
static void pending(void) {
  sigset_t one, before, now;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  signal(SIGUSR1, takes);
  sigprocmask(SIG_BLOCK, &one, &before);
  CHECK(kill(getpid(), SIGUSR1) == 0);
  for (int i = 0; i < 20; ++i) {
    ADD(own(), 1);
    usleep(5000);
  }
  CHECK(sigpending(&now) == 0 && sigismember(&now, SIGUSR1) == 1 && taken == 0);
  sigprocmask(SIG_SETMASK, &before, NULL);
  CHECK(taken == 1 && taker == getpid());
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

/* Increments its own word of a block that the others want, too. */
static void fight(void) {
  for (int i = 0; i < Rounds; ++i) {
    ADD(own(), 1);
    check_poll();
  }
}

static int null_file;
static void polls(int unused) {
  for (double end = gdsm_time() + 3e-4; gdsm_time() < end;)
    check_poll();
  CHECK(write(null_file, "", 1) == 1);
}

static void between(void) {
  null_file = open("/dev/null", O_WRONLY);
  signal(SIGUSR1, polls);
  for (int i = 0; i < Rounds; ++i) {
    before_store(own(), 8);
    if (gdsm_node() == 0)
      raise(SIGUSR1);
    *own() += 1;
    check_poll();
    /* Node 1 is done long before, else. */
    if (gdsm_node() == 1)
      usleep(200);
  }
  gdsm_barrier();
  CHECK(LOAD(own()) == Rounds);
}

static void touches(int unused) {
  ADD(own(), 1);
  fight();
}

/* A read that is interrupted after a while. */
static void block(void (*handler)(int)) {
  struct sigaction a = {.sa_handler = handler}, before;
  sigaction(SIGALRM, &a, NULL);
  CHECK(sigaction(SIGALRM, NULL, &before) == 0 && before.sa_handler == handler &&
        !(before.sa_flags & SA_SIGINFO));
  int p[2];
  char c;
  CHECK(pipe(p) == 0);
  struct itimerval t = {{0, 50000}, {0, 50000}}, off = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &t, NULL);
  CHECK(read(p[0], &c, 1) == -1 && errno == EINTR);
  setitimer(ITIMER_REAL, &off, NULL);
}

static void blocked(void) {
  if (gdsm_node() == 0)
    block(touches);
  else
    for (int i = 0; i < 50; ++i)
      fight();
  fight();
  gdsm_barrier();
  CHECK(LOAD(own()) >= 2 * Rounds);
}

static void jumps(int unused) {
  struct itimerval off = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &off, NULL);
  siglongjmp(back, 1);
}

static void jump(void) {
  for (volatile int i = 0; i < 5; i = i + 1) {
    if (gdsm_node() == 0 && !sigsetjmp(back, 1))
      block(jumps);
    fight();
  }
  gdsm_barrier();
  CHECK(LOAD(own()) == 5 * Rounds);
}

static void shared(void) {
  if (gdsm_node() == 1)
    ADD(counter, 1);
  gdsm_barrier();
  if (gdsm_node() == 0) {
    signal(SIGALRM, touches);
    raise(SIGALRM);
  }
}

/* Node 1 has the block and does not poll for a while. */
static void out(void) {
  signal(SIGALRM, jumps);
  if (gdsm_node() == 1)
    ADD(counter, 1);
  gdsm_barrier();
  if (gdsm_node() == 1) {
    for (double end = gdsm_time() + 3; gdsm_time() < end;)
      ;
  } else {
    struct itimerval t = {{0, 0}, {1, 0}};
    setitimer(ITIMER_REAL, &t, NULL);
    if (!sigsetjmp(back, 1))
      ADD(counter, 1);
  }
}

int main(int argc, char **argv) {
  if (gdsm_node() == 0)
    counter = (int64_t *)gdsm_alloc(16, 0, gdsm_nodes() - 1);
  gdsm_broadcast(&counter, sizeof counter, 0);
  static const struct {
    const char *name;
    void (*function)(void);
  } parts[] = {{"storm", storm}, {"between", between}, {"blocked", blocked},
               {"jump", jump},   {"segv", segv},       {"shared", shared},
               {"out", out},     {"pending", pending}};
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; ++i)
    if (!strcmp(argv[1], parts[i].name))
      parts[i].function();
  gdsm_barrier();
  return 0;
}
