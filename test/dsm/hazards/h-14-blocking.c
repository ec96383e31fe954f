// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-14: a thread that blocks does not poll; the rest of its node has to serve, and
   nobody may wait for it. `sleep`: node 0 sleeps for 3 s, by gdsm_blocking and by a
   read from an empty pipe, and node 1 wants all that it has. `join`: node 0's main
   thread joins a thread that needs blocks of node 1, which needs blocks of node 0.
   `short`: node 0 blocks thousands of times until node 1 has got what node 0 has; a
   wake-up of the helper thread that is lost stops both.
   `private`: node 0 blocks for two seconds in each of many functions of the C library that
   get no shared memory, and node 1 must not notice.
   Breaks without goOffline in Blocking (sleep takes 3 s, join hangs), or without
   abandon (sleep takes 3 s, short hangs); without BLOCKING in
   graupel/dsm_library.def, private waits for the function that it names.

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 2 %t sleep
   RUN: %dsm-run -n 2 --threads-per-node=2 %t sleep
   RUN: %dsm-run -n 2 %t join
   RUN: %dsm-run -n 2 %t short %t.fifo
   RUN: %dsm-run -n 2 %t private
*/
#include "checked.h"
#include "graupel/dsm_wrappers.h"
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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
    char c = 0;
    if (gdsm_node() == 0) {
      ADD(words, 1);
      STORE(&words[Spread], (int64_t)i + 1);
      CHECK(graupel_dsm_read(f, &c, 1) == 1);
    } else {
      while (LOAD(&words[Spread]) != i + 1)
        check_poll();
      ADD(words, 1);
      CHECK(write(f, &c, 1) == 1);
    }
  }
  gdsm_barrier();
  CHECK(LOAD(words) == 4000);
}

/* What ends the waiting: a thread of node 0, which does it after two seconds. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t semaphore;
static int sockets[2], word;
static FILE *stream;
static volatile int started;

static void *wakes(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_spin_lock(&spin);
  started = 1;
  usleep(2000000);
  pthread_mutex_unlock(&mutex);
  pthread_spin_unlock(&spin);
  CHECK(write(pipe_ends[1], "x\n", 2) == 2 && write(sockets[1], "y", 1) == 1);
  sem_post(&semaphore);
  return NULL;
}
static void takes_long(void) {
  started = 1;
  usleep(2000000);
}
static void *runs_once(void *unused) {
  pthread_once(&once, takes_long);
  return NULL;
}

static void in_read(void) {
  char c[2];
  CHECK(read(pipe_ends[0], c, 2) == 2);
}
static void in_fgets(void) {
  char c[10];
  CHECK(fgets(c, sizeof c, stream));
}
static void in_getc(void) { CHECK(getc(stream) == 'x' && getc(stream) == '\n'); }
static void in_recv(void) {
  char c;
  CHECK(recv(sockets[0], &c, 1, 0) == 1);
}
static void in_poll(void) {
  struct pollfd p = {sockets[0], POLLIN, 0};
  CHECK(poll(&p, 1, -1) == 1);
}
static void in_mutex(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}
static void in_spin(void) {
  pthread_spin_lock(&spin);
  pthread_spin_unlock(&spin);
}
static void in_sem(void) { CHECK(sem_wait(&semaphore) == 0); }
static void in_once(void) { pthread_once(&once, takes_long); }
static void in_futex(void) {
  struct timespec t = {2, 0};
  CHECK(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &t, NULL, 0) == -1);
}
static void in_wait(void) {
  pid_t child = fork();
  if (child == 0) {
    sleep(2);
    _exit(0);
  }
  CHECK(waitpid(child, NULL, 0) == child);
}
static void in_lock(void) {
  struct flock f = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  int file = memfd_create("h-14", 0), p[2];
  char c;
  CHECK(pipe(p) == 0);
  pid_t child = fork();
  if (child == 0) {
    c = fcntl(file, F_SETLK, &f) == 0;
    c = write(p[1], &c, 1) == 1;
    sleep(2);
    _exit(!c);
  }
  CHECK(read(p[0], &c, 1) == 1 && c == 1);
  CHECK(fcntl(file, F_SETLKW, &f) == 0 && waitpid(child, NULL, 0) == child);
}

/* Few, so that it takes no time on a busy machine either. */
static void take_some(void) {
  for (int i = 0; i < 10; ++i)
    ADD(&words[i * Spread], 1);
}

static void private(void) {
  static const struct {
    const char *name;
    void (*function)(void);
    void *(*other)(void *);
  } waits[] = {{"read", in_read, wakes},   {"fgets", in_fgets, wakes},
               {"getc", in_getc, wakes},   {"recv", in_recv, wakes},
               {"poll", in_poll, wakes},   {"pthread_mutex_lock", in_mutex, wakes},
               {"pthread_spin_lock", in_spin, wakes}, {"sem_wait", in_sem, wakes},
               {"pthread_once", in_once, runs_once}, {"futex", in_futex, NULL},
               {"waitpid", in_wait, NULL}, {"fcntl", in_lock, NULL}};
  pthread_spin_init(&spin, 0);
  for (unsigned i = 0; i < sizeof waits / sizeof *waits; ++i) {
    CHECK(pipe(pipe_ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    stream = fdopen(pipe_ends[0], "r");
    sem_init(&semaphore, 0, 0);
    started = 0;
    if (gdsm_node() == 0)
      take_some();
    gdsm_barrier();
    double start = gdsm_time();
    if (gdsm_node() == 0) {
      pthread_t t;
      if (waits[i].other) {
        CHECK(pthread_create(&t, NULL, waits[i].other, NULL) == 0);
        while (!started)
          check_poll();
      }
      waits[i].function();
      CHECK(gdsm_time() - start > 1.7);
      if (waits[i].other)
        pthread_join(t, NULL);
    } else {
      gdsm_blocking(sleeps_short, &(useconds_t){200000});
      take_some();
      double took = gdsm_time() - start;
      if (took > 1.5) {
        fprintf(stderr, "waited %.3f s for a node in %s\n", took, waits[i].name);
        exit(1);
      }
    }
    gdsm_barrier();
    fclose(stream);
  }
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
  case 'r':
    private();
    break;
  default:
    many_short(argv[2]);
  }
  return 0;
}
