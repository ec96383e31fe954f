// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Node 1 owns a block and waits in a call. Node 0 wants the block, and releases
   the call when it has it, but after a while in any case. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <graupel/dsm.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

int c23_scanf(const char *, ...) __asm__("__isoc23_scanf");
int c23_fscanf(FILE *, const char *, ...) __asm__("__isoc23_fscanf");
int c23_vscanf(const char *, va_list) __asm__("__isoc23_vscanf");
int c23_vfscanf(FILE *, const char *, va_list) __asm__("__isoc23_vfscanf");

static int fifo, ends[2];
static FILE *from, *to;
static wchar_t wide[100];
static int number;

//===-- Input -------------------------------------------------------------===//

static void by_list(int (*scan)(const char *, va_list), const char *format,
                    ...) {
  va_list l;
  va_start(l, format);
  scan(format, l);
  va_end(l);
}
static int file_23(const char *format, va_list l) {
  return c23_vfscanf(from, format, l);
}
static int wide_file(const char *format, va_list l) {
  return vfwscanf(from, L"%d", l);
}
static int wide_input(const char *format, va_list l) {
  return vwscanf(L"%d", l);
}

static void in_fgetws(void) { fgetws(wide, 100, from); }
static void in_fgetwc(void) { fgetwc(from); }
static void in_getwc(void) { getwc(from); }
static void in_getwchar(void) { getwchar(); }
static void in_fwscanf(void) { fwscanf(from, L"%d", &number); }
static void in_wscanf(void) { wscanf(L"%d", &number); }
static void in_vfwscanf(void) { by_list(wide_file, "", &number); }
static void in_vwscanf(void) { by_list(wide_input, "", &number); }
static void in_scanf_23(void) { c23_scanf("%d", &number); }
static void in_fscanf_23(void) { c23_fscanf(from, "%d", &number); }
static void in_vscanf_23(void) { by_list(c23_vscanf, "%d", &number); }
static void in_vfscanf_23(void) { by_list(file_23, "%d", &number); }
static void in_tee(void) { tee(fifo, ends[1], 8, 0); }
static void in_eventfd(void) {
  eventfd_t value;
  eventfd_read(fifo, &value);
}
static void in_preadv2(void) {
  struct iovec v = {wide, 8};
  preadv2(fifo, &v, 1, -1, 0);
}
static void in_epoll(void) {
  int e = epoll_create1(0);
  struct epoll_event wanted = {EPOLLIN, {0}}, got;
  epoll_ctl(e, EPOLL_CTL_ADD, fifo, &wanted);
  epoll_pwait2(e, &got, 1, NULL, NULL);
}

//===-- Output ------------------------------------------------------------===//

static void by_wide_list(int (*print)(const wchar_t *, va_list),
                         const wchar_t *format, ...) {
  va_list l;
  va_start(l, format);
  print(format, l);
  va_end(l);
}
static int to_file(const wchar_t *format, va_list l) {
  return vfwprintf(to, format, l);
}
static void out_fputws(void) { fputws(L"text\n", to); }
static void out_fputwc(void) { fputwc(L'\n', to); }
static void out_putwc(void) { putwc(L'\n', to); }
static void out_putwchar(void) { putwchar(L'\n'); }
static void out_fwprintf(void) { fwprintf(to, L"%d\n", 1); }
static void out_wprintf(void) { wprintf(L"%d\n", 1); }
static void out_vfwprintf(void) { by_wide_list(to_file, L"%d\n", 1); }
static void out_vwprintf(void) { by_wide_list(vwprintf, L"%d\n", 1); }
static void out_pwritev2(void) {
  struct iovec v = {wide, 8};
  pwritev2(fifo, &v, 1, -1, 0);
}
static void out_vmsplice(void) {
  struct iovec v = {wide, 8};
  vmsplice(fifo, &v, 1, 0);
}

static const struct {
  const char *name;
  void (*wait)(void);
} ways[] = {
#define WAY(name) {#name, name}
    WAY(in_fgetws),    WAY(in_fgetwc),     WAY(in_getwc),
    WAY(in_getwchar),  WAY(in_fwscanf),    WAY(in_wscanf),
    WAY(in_vfwscanf),  WAY(in_vwscanf),    WAY(in_scanf_23),
    WAY(in_fscanf_23), WAY(in_vscanf_23),  WAY(in_vfscanf_23),
    WAY(in_tee),       WAY(in_eventfd),    WAY(in_preadv2),
    WAY(in_epoll),     WAY(out_fputws),    WAY(out_fputwc),
    WAY(out_putwc),    WAY(out_putwchar),  WAY(out_fwprintf),
    WAY(out_wprintf),  WAY(out_vfwprintf), WAY(out_vwprintf),
    WAY(out_pwritev2), WAY(out_vmsplice),
};

//===-- Node 1 ------------------------------------------------------------===//

static void fill(void) {
  char much[4096];
  memset(much, '\n', sizeof(much));
  fcntl(fifo, F_SETFL, O_NONBLOCK);
  while (write(fifo, much, sizeof(much)) > 0)
    ;
  while (write(fifo, much, 1) > 0)
    ;
  fcntl(fifo, F_SETFL, 0);
}

/* Streams are used for one call, of one kind. */
static void begin(const char *name) {
  from = fdopen(dup(fifo), "r");
  to = fdopen(dup(fifo), "w");
  setvbuf(to, NULL, _IONBF, 0);
  pipe(ends);
  dup2(fifo, 0);
  stdin = fdopen(dup(fifo), "r");
  stdout = fdopen(dup(fifo), "w");
  setvbuf(stdout, NULL, _IONBF, 0);
  if (!strncmp(name, "out_", 4))
    fill();
}

//===-- Node 0 ------------------------------------------------------------===//

static int done[2];

static void *release(void *way) {
  struct pollfd p = {done[0], POLLIN};
  poll(&p, 1, 3000);
  char much[65536];
  if (!strncmp(way, "in_", 3))
    write(fifo, "12345678\n", 9);
  else
    read(fifo, much, sizeof(much));
  return NULL;
}

static void drain(void) {
  char much[4096];
  fcntl(fifo, F_SETFL, O_NONBLOCK);
  while (read(fifo, much, sizeof(much)) > 0)
    ;
  fcntl(fifo, F_SETFL, 0);
}

static int late;
static void wants(const char *name, volatile int *block, int value) {
  usleep(100000);
  pipe(done);
  pthread_t thread;
  pthread_create(&thread, NULL, release, (void *)name);
  double start = gdsm_time();
  if (*block != value)
    ++late, printf("%s: %d, not %d\n", name, *block, value);
  if (gdsm_time() - start > 2)
    ++late, printf("%s: %.1f s\n", name, gdsm_time() - start);
  write(done[1], "", 1);
  pthread_join(thread, NULL);
}

int main(int argc, char **argv) {
  int *block = NULL;
  if (gdsm_node() == 0) {
    block = gdsm_malloc(4096);
    unlink(argv[1]);
    mkfifo(argv[1], 0600);
  }
  gdsm_broadcast(&block, sizeof(block), 0);
  fifo = open(argv[1], O_RDWR);
  for (int i = 0; i < (int)(sizeof(ways) / sizeof(*ways)); ++i) {
    if (gdsm_node() == 1) {
      begin(ways[i].name);
      *block = i;
    }
    gdsm_barrier();
    if (gdsm_node() == 1)
      ways[i].wait();
    else
      wants(ways[i].name, block, i);
    gdsm_barrier();
    if (gdsm_node() == 0)
      drain();
    gdsm_barrier();
  }
  if (gdsm_node() == 0)
    printf("%d late\n", late);
  gdsm_barrier();
  return late != 0;
}
