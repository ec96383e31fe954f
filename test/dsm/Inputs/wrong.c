// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Programs that are wrong, compiled with checks, by name. Lines that messages
   are to name end with a remark. What is allowed after all prints "went well".
 */
#include <graupel/dsm.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *how;
static long *p, *nowhere;

static int is(const char *name) { return strcmp(how, name) == 0; }

static void memory(int me) {
  if (is("null") && me == 1)
    nowhere[2] = 1; /* null */
  if (is("wild") && me == 1)
    printf("%ld\n", *(long *)0x123456789000); /* wild */
  if (is("behind") && me == 0)
    p[1L << 29] = 1; /* behind */
  if (is("free") && me == 0)
    free(p);
  if (is("free-twice") && me == 0) {
    free(p);
    free(p);
  }
  if (is("realloc") && me == 1)
    p = realloc(p, 100000);
  gdsm_barrier();
}

static gdsm_lock_t l;

static void locks(int me) {
  if (is("abba") && me < 2) {
    gdsm_lock(l + me);
    gdsm_fetch_add(77, 1);
    while (gdsm_fetch_add(77, 0) != 2)
      ;
    gdsm_lock(l + 1 - me); /* abba */
  }
  if (is("ring")) {
    gdsm_lock(l + me);
    gdsm_barrier();
    gdsm_lock(l + (me + 1) % gdsm_threads()); /* ring */
  }
  if (is("recursive"))
    for (int i = 0; i < 2; ++i)
      gdsm_lock(l + me);
  if (is("returns-holding")) {
    if (me == 1)
      gdsm_lock(l);
    gdsm_barrier();
    if (me == 0)
      gdsm_lock(l); /* returns-holding */
  }
  if (is("barrier-holding")) {
    if (me == 1)
      gdsm_lock(l);
    gdsm_barrier();
    if (me == 0)
      gdsm_lock(l);
    gdsm_barrier();
  }
  /* What takes long is not wrong: locks held across barriers that others reach,
     and chains of threads that wait for one that sleeps. */
  if (is("slow")) {
    if (me == 0) {
      gdsm_lock(l);
      gdsm_lock(l + 1);
    }
    gdsm_barrier();
    if (me == 0) {
      struct timespec pause = {2, 500000000};
      nanosleep(&pause, NULL);
      gdsm_unlock(l);
      nanosleep(&pause, NULL);
      gdsm_unlock(l + 1);
    } else {
      gdsm_lock(l);
      gdsm_lock(l + 1);
      gdsm_unlock(l + 1);
      gdsm_unlock(l);
    }
  }
}

static void collectives(int me) {
  if (is("count") && me == 0)
    gdsm_barrier(); /* count */
  if (is("kind")) {
    if (me == 0)
      gdsm_barrier();
    else
      gdsm_reduce_int64(1, GDSM_SUM);
    p[me] = me; /* The calls stay apart. */
  }
  if (is("operation"))
    gdsm_reduce_double(1, me ? GDSM_MAX : GDSM_MIN); /* operation */
}

static void endless(int me) {
  if (is("blocks") && me == 1)
    pause(); /* blocks */
  if (is("spins") && me == 1)
    for (volatile int i = 0;; i = 1) /* spins */
      ;
  if (is("hangs")) {
    if (me == 1)
      gdsm_lock(l);
    gdsm_barrier();
    if (me == 1)
      pause(); /* hangs */
    puts("hanging");
    fflush(stdout);
    gdsm_lock(l);
  }
  gdsm_barrier(); /* end */
}

static void sleeps(int seconds) {
  struct timespec pause = {seconds, 500000000};
  nanosleep(&pause, NULL);
}

static void *posts(void *unused) {
  sleeps(2);
  gdsm_sem_post(l + 1, 1);
  return NULL;
}

static void signals(int me) {
  if (is("sem-nobody") && me == 1)
    gdsm_sem_wait(l + 4); /* sem-nobody */
  if (is("sem-holding") || is("sem-late")) {
    if (me == 1) {
      gdsm_lock(l), is("sem-late") ? sleeps(2) : (void)0;
      gdsm_sem_wait(l + 4); /* sem-holding */
    }
    sleeps(0);
    gdsm_lock(l);
    gdsm_sem_post(l + 4, 1);
  }
  if (is("cond-nobody")) {
    gdsm_lock(l);
    gdsm_cond_wait(l + 1, l); /* cond-nobody */
  }
  if (is("cond-unlocked") && me == 1)
    gdsm_cond_wait(l + 1, l); /* cond-unlocked */
  if (is("cond-locks") && me < 2) {
    gdsm_lock(l + 2 + me);
    gdsm_cond_wait(l, l + 2 + me); /* cond-locks */
  }
  if (is("sem-zero") && me == 1)
    gdsm_sem_post(l, 0); /* sem-zero */
  if (is("sem-large") && me == 1)
    for (int i = 0; i < 2; ++i)
      gdsm_sem_post(l, INT64_MAX); /* sem-large */
  /* Not wrong: who signals takes long, or is a thread that nobody knows. */
  if (is("sem-slow")) {
    if (me == 0) {
      sleeps(2);
      gdsm_sem_post(l + 1, 1);
    } else if (me == 1) {
      gdsm_sem_wait(l + 1);
      gdsm_lock(l);
      gdsm_cond_signal(l);
      gdsm_unlock(l);
    } else if (me == 2) {
      gdsm_lock(l);
      gdsm_cond_wait(l, l);
      gdsm_unlock(l);
    }
  }
  if (is("sem-thread") && me == 0) {
    pthread_t stranger;
    pthread_create(&stranger, NULL, posts, NULL);
    gdsm_sem_wait(l + 1);
    pthread_join(stranger, NULL);
  }
}

static void arrays(int me) {
  static double a[4000];
  if (is("array-count"))
    gdsm_reduce(a, me ? 10 : 11, GDSM_DOUBLE, GDSM_SUM); /* array-count */
  if (is("array-large"))
    gdsm_reduce(a, me ? 4000 : 11, GDSM_DOUBLE, GDSM_SUM); /* array-large */
  if (is("array-type"))
    gdsm_reduce(a, 5, me ? GDSM_INT64 : GDSM_DOUBLE, GDSM_SUM); /* array-type */
  if (is("array-operation"))
    gdsm_reduce(a, 5, GDSM_INT64, me ? GDSM_MAX : GDSM_SUM); /* array-operation */
  if (is("array-none"))
    gdsm_reduce(a, 5, (enum gdsm_type)9, GDSM_SUM); /* array-none */
}

static void work(void *unused) {
  int me = gdsm_thread();
  memory(me);
  locks(me);
  collectives(me);
  signals(me);
  arrays(me);
  endless(me);
}

int main(int argc, char **argv) {
  how = argc > 1 ? argv[1] : "";
  if (gdsm_node() == 0)
    p = gdsm_malloc(800);
  gdsm_broadcast(&p, sizeof p, 0);
  if (gdsm_node() == 0)
    l = gdsm_locks_new(8);
  gdsm_broadcast(&l, sizeof l, is("root") ? gdsm_node() : 0);
  if (is("sem-ended")) {
    if (gdsm_node() == 0)
      exit(0);
    gdsm_sem_wait(l); /* sem-ended */
  }
  gdsm_parallel(work, NULL);
  if (gdsm_node() == 0)
    puts("went well");
  return 0;
}
