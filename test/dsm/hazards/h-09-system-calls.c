// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-9: system calls with pointers to blocks that another node has. The kernel
   would read sentinels, or write what the next fill destroys.
   Breaks if a wrapper passes the shared pointer on (`write` sends sentinels), if
   results of a short or failed call are not the C library's, or if a fault changes
   errno (Checks/Work.cpp).

   RUN: %dsm-cc %s -o %t
   RUN: %dsm-run -n 2 %t
   RUN: %limit 60 %t
*/
#include "checked.h"
#include "graupel/dsm_wrappers.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { Big = 5 << 18 }; /* More than a part. */
static char *data;

/* The last node has all of it. */
static void fill(int value) {
  gdsm_barrier();
  if (gdsm_node() == gdsm_nodes() - 1)
    graupel_dsm_memset(data, value, Big);
  gdsm_barrier();
}

static void files(void) {
  int f = memfd_create("h-09", 0);
  CHECK(graupel_dsm_write(f, data, Big) == Big);
  char *copy = malloc(Big);
  CHECK(pread(f, copy, Big, 0) == Big);
  for (int i = 0; i < Big; ++i)
    CHECK(copy[i] == 1);
  memset(copy, 2, Big);
  CHECK(pwrite(f, copy, Big, 0) == Big);
  /* Beyond the end: what there is. */
  CHECK(graupel_dsm_pread(f, data, Big, 1000) == Big - 1000);
  CHECK(LOAD(&data[Big - 1001]) == 2 && LOAD(&data[Big - 1000]) == 1);
  CHECK(graupel_dsm_pread(f, data, Big, Big) == 0);
  /* Errors, and nothing touched. */
  CHECK(graupel_dsm_read(-1, data, 10) == -1 && errno == EBADF);
  CHECK(graupel_dsm_write(-1, data, 10) == -1 && errno == EBADF);
  CHECK(graupel_dsm_read(f, data + ((size_t)100 << 30), 10) == -1 &&
        errno == EFAULT);
  CHECK(graupel_dsm_write(f, data + ((size_t)100 << 30), 10) == -1 &&
        errno == EFAULT);
  CHECK(graupel_dsm_read(f, data + ((size_t)100 << 30), 0) == 0);
  free(copy);
  close(f);
}

static void on_alarm(int signal) { (void)signal; }

static void pipes(void) {
  int p[2];
  CHECK(pipe2(p, O_NONBLOCK) == 0);
  CHECK(graupel_dsm_read(p[0], data, 100) == -1 && errno == EAGAIN);
  long put = graupel_dsm_write(p[1], data, Big); /* As much as fits. */
  CHECK(put > 0 && put < Big);
  CHECK(graupel_dsm_write(p[1], data, 100) == -1 && errno == EAGAIN);
  CHECK(graupel_dsm_read(p[0], data, Big) == put);
  /* Interrupted: by a timer that fires again, should the first be too early. */
  CHECK(fcntl(p[0], F_SETFL, 0) == 0);
  struct sigaction a = {.sa_handler = on_alarm};
  sigaction(SIGALRM, &a, NULL);
  struct itimerval t = {{0, 50000}, {0, 50000}}, off = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &t, NULL);
  CHECK(graupel_dsm_read(p[0], data, 100) == -1 && errno == EINTR);
  setitimer(ITIMER_REAL, &off, NULL);
  close(p[0]);
  signal(SIGPIPE, SIG_IGN);
  CHECK(graupel_dsm_write(p[1], data, 100) == -1 && errno == EPIPE);
  close(p[1]);
}

static void keeps_errno(void) {
  for (int i = 0; i < Big; i += 4096) {
    errno = 4711;
    ADD(&data[i], 1);
    CHECK(errno == 4711);
  }
}

int main(void) {
  if (gdsm_node() == 0)
    data = (char *)gdsm_alloc(Big, 1024, gdsm_nodes() - 1);
  gdsm_broadcast(&data, sizeof data, 0);
  void (*const parts[])(void) = {files, pipes, keeps_errno};
  for (unsigned i = 0; i < 3; ++i) {
    fill(1);
    if (gdsm_node() == 0)
      parts[i]();
    else /* Answers so late that who waits falls asleep, and its sleep times out. */
      for (double start = gdsm_time(); i == 2 && gdsm_time() - start < 0.5;)
        ;
  }
  gdsm_barrier();
  return 0;
}
