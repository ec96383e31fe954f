/* H-14: a thread that blocks does not poll; the rest of its node has to serve, and
   nobody may wait for it. `sleep`: node 0 sleeps for 3 s, by gdsm_blocking and by a
   read from an empty pipe, and node 1 wants all that it has. `join`: node 0's main
   thread joins a thread that needs blocks of node 1, which needs blocks of node 0.
   `short`: node 0 blocks thousands of times until node 1 has got what node 0 has; one
   wake-up of the helper thread that is lost stops both.
   Breaks without goOffline in Blocking (sleep takes 3 s, join hangs), without
   abandon (sleep takes 3 s), or with an abandon that trusts a thread which is about
   to stop serving.

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 2 %t sleep
   RUN: %dsm-run -n 2 --threads-per-node=2 %t sleep
   RUN: %dsm-run -n 2 %t join
   RUN: %dsm-run -n 2 %t short %t.fifo
*/
#include "checked.h"
#include "graupel/dsm_wrappers.h"
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

enum { Words = 300, Spread = 16 };
static int64_t *words;
static int pipe_ends[2];

static void sleeps(void *unused) { sleep(3); }
static void sleeps_short(void *microseconds) {
  usleep(*(useconds_t *)microseconds);
}

static void take_all(void) {
  for (int i = 0; i < Words; ++i)
    ADD(&words[i * Spread], 1);
}

static void sleep_work(void *unused) {
  for (int round = 0; round < 2; ++round) {
    if (gdsm_thread() == 0)
      take_all();
    gdsm_barrier();
    double start = gdsm_time();
    if (gdsm_node() == 0) {
      /* The barrier lets node 0 go first or last; node 1 starts when all sleep. */
      if (round == 0)
        gdsm_blocking(sleeps, NULL);
      else {
        int64_t data;
        if (gdsm_thread() == 0) {
          sleeps_short(&(useconds_t){1000});
          if (fork() == 0) {
            sleep(3);
            _exit(write(pipe_ends[1], "abc", 3) != 3);
          }
          CHECK(graupel_dsm_read(pipe_ends[0], words, 3) == 3);
        } else
          gdsm_blocking(sleeps, NULL);
        (void)data;
      }
    } else if (gdsm_thread() == gdsm_threads() - 1) {
      gdsm_blocking(sleeps_short, &(useconds_t){500000});
      take_all();
      double took = gdsm_time() - start;
      if (took > 2.5) {
        fprintf(stderr, "round %d: waited %.3f s for a sleeping node\n", round,
                took);
        exit(1);
      }
    }
    gdsm_barrier();
  }
}

static void *adds(void *unused) {
  for (int i = 0; i < Words; ++i) {
    ADD(&words[i * Spread], 1);
    check_poll();
  }
  return NULL;
}
static void joins(void *thread) { pthread_join(*(pthread_t *)thread, NULL); }

static void join(void) {
  take_all();
  gdsm_barrier();
  for (int i = 0; i < 20; ++i) {
    pthread_t t;
    pthread_create(&t, NULL, adds, NULL);
    gdsm_blocking(joins, &t);
  }
  gdsm_barrier();
  for (int i = 0; i < Words; ++i)
    CHECK(LOAD(&words[i * Spread]) == 21 * gdsm_nodes());
}

/* Node 0 blocks until node 1 has got the block and says so: if nobody of node 0 serves
   even once, neither goes on. */
static void many_short(const char *fifo) {
  if (gdsm_node() == 0)
    CHECK(unlink(fifo) != 2 && mkfifo(fifo, 0600) == 0);
  gdsm_barrier();
  int f = open(fifo, O_RDWR);
  CHECK(f >= 0);
  for (int i = 0; i < 2000; ++i) {
    ADD(words, 1);
    char c = 0;
    if (gdsm_node() == 0)
      CHECK(graupel_dsm_read(f, &c, 1) == 1);
    else
      CHECK(write(f, &c, 1) == 1);
  }
  gdsm_barrier();
  CHECK(LOAD(words) == 4000);
}

int main(int argc, char **argv) {
  CHECK(pipe(pipe_ends) == 0);
  if (gdsm_node() == 0)
    words = (int64_t *)gdsm_alloc(Words * Spread * 8, 128, 0);
  gdsm_broadcast(&words, sizeof words, 0);
  switch (argv[1][1]) {
  case 'l':
    gdsm_parallel(sleep_work, NULL);
    break;
  case 'o':
    join();
    break;
  default:
    many_short(argv[2]);
  }
  return 0;
}
