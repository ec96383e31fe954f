// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Node 1 waits in a call that is given shared memory. Meanwhile node 0 stores
   there, and then gives node 1 what it waits for. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <graupel/dsm.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct memory {
  struct epoll_event events[8];
  struct timespec rest[2];
  struct pollfd file;
  int status, numbers[2];
  struct sockaddr_un address;
  socklen_t length;
  struct msghdr message;
  char name[100];
} *m;

static int fifo, ends[2];
static FILE *stream;

//===-- Node 1 ------------------------------------------------------------===//

static void waits_for_events(void) {
  int e = epoll_create1(0);
  struct epoll_event wanted = {EPOLLIN, {.u64 = 77}};
  epoll_ctl(e, EPOLL_CTL_ADD, fifo, &wanted);
  epoll_wait(e, m->events, 8, -1);
  char c;
  read(fifo, &c, 1);
}
static void sleeps(void) {
  struct timespec t = {0, 600000000};
  nanosleep(&t, &m->rest[0]);
}
static void sleeps_by_clock(void) {
  struct timespec t = {0, 600000000};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &t, &m->rest[1]);
}
static void polls(void) { poll(&m->file, 1, 600); }
static void waits_for_child(void) {
  pid_t child = fork();
  if (child == 0) {
    char c;
    read(fifo, &c, 1);
    _exit(0);
  }
  waitpid(child, &m->status, 0);
}
static void scans(void) {
  fscanf(stream, "%d %d", &m->numbers[0], &m->numbers[1]);
}

static int late(int s) {
  struct timeval t = {0, 600000};
  setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t));
  return s;
}
static void accepts(void) {
  int s = late(socket(AF_UNIX, SOCK_STREAM, 0));
  struct sockaddr_un any = {AF_UNIX};
  bind(s, (struct sockaddr *)&any, sizeof(sa_family_t));
  listen(s, 1);
  accept(s, (struct sockaddr *)&m->address, &m->length);
}
static void receives(void) {
  char text[10];
  socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
  recvfrom(late(ends[0]), text, 10, 0, (struct sockaddr *)&m->address,
           &m->length);
}
static void receives_message(void) {
  socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
  recvmsg(late(ends[0]), &m->message, 0);
}

//===-- Node 0 ------------------------------------------------------------===//

static int wrong;
#define CHECK(what)                                                            \
  ((what) ? (void)0 : (void)(++wrong, printf("line %d: %s\n", __LINE__, #what)))

static void store_events(void) {
  m->events[0].data.u64 = 55;
  m->events[5].data.u64 = 55;
  write(fifo, "x", 1);
}
static void check_events(void) {
  CHECK(m->events[0].data.u64 == 77 && m->events[5].data.u64 == 55);
}
static void store_rest(void) { m->rest[0].tv_nsec = m->rest[1].tv_nsec = 55; }
static void check_rest(void) {
  CHECK(m->rest[0].tv_nsec == 55 && m->rest[1].tv_nsec == 55);
}
static void store_file(void) {
  m->file.events = POLLHUP;
  m->file.revents = 55;
}
static void check_file(void) {
  CHECK(m->file.events == POLLHUP && m->file.revents == 0);
}
static void store_status(void) {
  m->status = 55;
  write(fifo, "x", 1);
}
static void check_status(void) { CHECK(m->status == 0); }
static void store_numbers(void) {
  m->numbers[0] = m->numbers[1] = 55;
  write(fifo, "7 x\n", 4);
}
static void check_numbers(void) {
  CHECK(m->numbers[0] == 7 && m->numbers[1] == 55);
}
static void store_address(void) { m->address.sun_path[3] = 55; }
static void check_address(void) {
  CHECK(m->address.sun_path[3] == 55);
  m->address.sun_path[3] = 0;
}
static void store_name(void) {
  m->name[3] = 55;
  m->message.msg_flags = 55;
}
static void check_name(void) {
  CHECK(m->name[3] == 55 && m->message.msg_flags == 55);
}

static const struct {
  void (*waits)(void), (*store)(void), (*check)(void);
} ways[] = {
    {waits_for_events, store_events, check_events},
    {sleeps, store_rest, check_rest},
    {sleeps_by_clock, store_rest, check_rest},
    {polls, store_file, check_file},
    {waits_for_child, store_status, check_status},
    {scans, store_numbers, check_numbers},
    {accepts, store_address, check_address},
    {receives, store_address, check_address},
    {receives_message, store_name, check_name},
};

int main(int argc, char **argv) {
  if (gdsm_node() == 0) {
    m = gdsm_malloc(sizeof(*m));
    memset(m, 0, sizeof(*m));
    m->events[0] = (struct epoll_event){EPOLLIN, {.u64 = 77}};
    m->length = sizeof(m->address);
    m->file.fd = -1;
    m->message.msg_name = m->name;
    m->message.msg_namelen = sizeof(m->name);
    unlink(argv[1]);
    mkfifo(argv[1], 0600);
  }
  gdsm_broadcast(&m, sizeof(m), 0);
  fifo = open(argv[1], O_RDWR);
  stream = fdopen(dup(fifo), "r");
  for (int i = 0; i < (int)(sizeof(ways) / sizeof(*ways)); ++i) {
    gdsm_barrier();
    if (gdsm_node() == 1) {
      ways[i].waits();
    } else {
      usleep(250000);
      ways[i].store();
    }
    gdsm_barrier();
    if (gdsm_node() == 0)
      ways[i].check();
  }
  if (gdsm_node() == 0)
    printf("%d wrong\n", wrong);
  gdsm_barrier();
  return wrong != 0;
}
