// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls of the C library whose wrappers were wrong or missing once: node 1 uses
   what node 0 has written. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <graupel/dsm.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

enum { Strings = 64, Apart = 4096, Long = 1 << 20 };
static const char written[] = "written on node 0";

static int wrong;
#define EXPECT(got, wanted)                                                    \
  (strcmp(got, wanted) ? (void)(++wrong, printf("line %d: '%s', not '%s'\n",   \
                                                __LINE__, got, wanted))        \
                       : (void)0)
#define CHECK(what)                                                            \
  ((what) ? (void)0 : (void)(++wrong, printf("line %d: %s\n", __LINE__, #what)))

static char *shared;
/* A string that this node has not fetched. */
static void *next(void) { return shared += Apart; }

//===-- Results -----------------------------------------------------------===//

static int seven(void *unused) { return 7; }

static void stores(void) {
  int result = 0;
  thrd_t *thread = next();
  CHECK(thrd_create(thread, seven, NULL) == thrd_success);
  CHECK(thrd_join(*thread, &result) == thrd_success && result == 7);
  Dl_info *info = next();
  CHECK(dladdr((void *)(size_t)next, info) != 0 && info->dli_fbase);
}

//===-- Formats -----------------------------------------------------------===//

static void prints(void) {
  char text[200], wanted[200], *p = next();
  snprintf(wanted, sizeof(wanted), "%p|%s", p, written);
  snprintf(text, sizeof(text), "%1$p|%1$s", p);
  EXPECT(text, wanted);
  p = next();
  snprintf(wanted, sizeof(wanted), "%s|%p|%.7s", written, p, written);
  snprintf(text, sizeof(text), "%1$s|%1$p|%1$.*2$s", p, 7);
  EXPECT(text, wanted);
  int *count = next();
  snprintf(wanted, sizeof(wanted), "%d|5", (int)(long)count);
  snprintf(text, sizeof(text), "%1$d|%2$d%1$n", count, 5);
  EXPECT(text, wanted);
  CHECK(*count == (int)strlen(wanted));
  long *long_count = next();
  snprintf(text, sizeof(text), "%y%ln", long_count);
  CHECK(*long_count == 2);
}

/* The version that takes %as as %ms. */
int old_sscanf(const char *, const char *, ...) __asm__("sscanf");

static void scans(void) {
  char *p = next();
  CHECK(sscanf("ab", "%8c", p) == 1);
  EXPECT(p, "abitten on node 0");
  p = next();
  int *n = next();
  CHECK(sscanf("12abc", "%2$2d%1$8c", p, n) == 2 && *n == 12);
  EXPECT(p, "abctten on node 0");
  wchar_t *w = next();
  CHECK(sscanf("ab", "%8lc", w) == 1 && w[0] == 'a' && w[1] == 'b');
  CHECK(!memcmp(w + 2, written + 8, 8));
  /* What is not there is not stored. */
  p = next();
  CHECK(sscanf("1 ", "%d %10s%n", n, p, n + 1) == 1);
  EXPECT(p, written);
  char *text = NULL;
  CHECK(old_sscanf(next(), "%as", &text) == 1);
  EXPECT(text, "written");
}

//===-- Files -------------------------------------------------------------===//

static void descriptors(void) {
  struct rlimit r;
  getrlimit(RLIMIT_NOFILE, &r);
  if (r.rlim_max < 3001)
    return;
  r.rlim_cur = r.rlim_max;
  setrlimit(RLIMIT_NOFILE, &r);
  int ends[2];
  pipe(ends);
  write(ends[1], "x", 1);
  CHECK(dup2(ends[0], 3000) == 3000);
  unsigned long *set = next();
  memset(set, 0, 400);
  set[3000 / 64] |= 1ul << 3000 % 64;
  struct timeval t = {0, 0};
  CHECK(select(3001, (fd_set *)set, NULL, NULL, &t) == 1);
  CHECK(set[3000 / 64] == 1ul << 3000 % 64);
  char x;
  read(ends[0], &x, 1);
  CHECK(select(3001, (fd_set *)set, NULL, NULL, &t) == 0);
  CHECK(set[3000 / 64] == 0);
  close(3000);
}

static void lines(void) {
  int ends[2];
  pipe2(ends, O_NONBLOCK);
  write(ends[1], "abc", 3);
  FILE *from = fdopen(ends[0], "r");
  char *p = next();
  CHECK(fgets(p, 100, from) == p);
  EXPECT(p, "abc");
  CHECK(fgets(p, 100, from) == NULL && errno == EAGAIN);
  fclose(from);
}

static void direct(const char *name) {
  int file = open(name, O_CREAT | O_TRUNC | O_RDWR | O_DIRECT, 0600);
  void *private = aligned_alloc(4096, 4096);
  memset(private, 'x', 4096);
  /* Some file systems have none. */
  if (file < 0 || pwrite(file, private, 4096, 0) != 4096)
    return;
  char *p = next();
  CHECK(pread(file, p, 4096, 0) == 4096 && p[0] == 'x');
  p = next();
  CHECK(pwrite(file, p, 4096, 0) == 4096);
  CHECK(pread(file, private, 4096, 0) == 4096);
  EXPECT((char *)private, written);
  struct iovec v = {next(), 4096};
  strcpy(v.iov_base, "?");
  CHECK(preadv(file, &v, 1, 0) == 4096);
  EXPECT((char *)v.iov_base, written);
  close(file);
}

int __open_2(const char *, int), __openat_2(int, const char *, int);

static void names(const char *name) {
  unlink(name);
  char *p = next();
  CHECK(__open_2(p, O_RDONLY) == -1 && errno == ENOENT);
  CHECK(__openat_2(AT_FDCWD, next(), O_RDONLY) == -1 && errno == ENOENT);
  p = next();
  strcpy(p, name);
  strcat(p, "XXXXXX");
  int file = mkostemp(p, O_CLOEXEC);
  CHECK(file >= 0 && !unlink(p));
  struct iovec v = {next(), 7};
  char text[8] = "";
  CHECK(pwritev2(file, &v, 1, 0, 0) == 7 && pread(file, text, 7, 0) == 7);
  EXPECT(text, "written");
  v.iov_base = next();
  strcpy(v.iov_base, "?");
  CHECK(preadv2(file, &v, 1, 0, 0) == 7);
  EXPECT((char *)v.iov_base, written);
  close(file);
}

//===-- Strings -----------------------------------------------------------===//

static wchar_t *wide(const wchar_t *text) { return wcscpy(next(), text); }

static void strings(void) {
  char text[100];
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  CHECK(strcasecmp_l(next(), "WRITTEN ON NODE 0", c) == 0);
  CHECK(strncasecmp_l(next(), "WRITTEN", 7, c) == 0);
  CHECK(strcoll_l(next(), written, c) == 0);
  CHECK(strxfrm_l(text, next(), sizeof(text), c) == strlen(written));
  EXPECT(text, written);
  char *p = strcpy(next(), "/a/name");
  EXPECT(basename(p), "name");
  CHECK(mbrlen(next(), 3, NULL) == 1);
  wchar_t w;
  CHECK(mbtowc(&w, next(), 0) == -1);
}

static void wide_strings(void) {
  wchar_t text[100];
  CHECK(wcscasecmp(wide(L"Text"), L"tEXT") == 0);
  CHECK(wcstoll(wide(L"-12"), NULL, 10) == -12);
  CHECK(wcstof(wide(L"1.5"), NULL) == 1.5f);
  CHECK(wcpcpy(text, wide(L"Text")) == text + 4 && !wcscmp(text, L"Text"));
  CHECK(wcscspn(wide(L"Text"), L"x") == 2);
}

static void numbers(void) {
  struct drand48_data mine, *data = next();
  unsigned short x[3] = {1, 2, 3}, *y = next();
  long a, *b = next();
  memset(&mine, 0, sizeof(mine));
  memset(data, 0, sizeof(*data));
  memcpy(y, x, sizeof(x));
  CHECK(!nrand48_r(x, &mine, &a) && !nrand48_r(y, data, b) && a == *b);
}

/* Node 0 has made the time. */
static void zones(struct tm *made) {
  char text[100];
  CHECK(strftime(text, sizeof(text), "%Z", &made[0]) == 3);
  EXPECT(text, "XYZ");
  CHECK(strftime(text, sizeof(text), "%Z", &made[1]) == 3);
  EXPECT(text, "GMT");
}

//===-- What ends the job -------------------------------------------------===//

static void ends(const char *what) {
  char *p = next(), *q = next();
  struct iovec v = {p, 10}, far = {&v, 10};
  struct mmsghdr m = {{.msg_iov = &v, .msg_iovlen = 1}};
  int pair[2];
  socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
  if (!strcmp(what, "sendmmsg"))
    sendmmsg(pair[0], &m, 1, 0);
  if (!strcmp(what, "recvmmsg"))
    recvmmsg(pair[0], &m, 1, MSG_DONTWAIT, NULL);
  if (!strcmp(what, "vmsplice"))
    vmsplice(pair[0], &v, 1, 0);
  if (!strcmp(what, "process_vm_readv"))
    process_vm_readv(getpid(), &v, 1, &far, 1, 0);
  if (!strcmp(what, "strncasecmp")) {
    /* Two long strings that differ at their ends. */
    memset(p = shared + Apart, 'a', Long);
    memset(q = p + Long, 'a', Long);
    p[Long - 1] = q[Long - 1] = 0;
    p[Long - 2] = 'b';
    struct rlimit none = {1, 1};
    setrlimit(RLIMIT_AS, &none);
    printf("compares %d\n", strncasecmp(p, q, Long));
  }
}

int main(int argc, char **argv) {
  char *memory = NULL;
  /* What is private lies elsewhere on node 1. */
  static char *volatile other;
  for (size_t size = 8; gdsm_node() == 1 && size < 2000; size += 8)
    strcpy(other = malloc(size), "other");
  setenv("TZ", "XYZ-3", 1);
  tzset();
  if (gdsm_node() == 0) {
    memory = gdsm_malloc(Strings * Apart + 2 * Long);
    for (int i = 0; i < Strings; ++i)
      strcpy(memory + i * Apart, written);
    time_t now = 1000000000;
    localtime_r(&now, (struct tm *)memory);
    gmtime_r(&now, (struct tm *)memory + 1);
  }
  gdsm_broadcast(&memory, sizeof(memory), 0);
  gdsm_barrier();
  shared = memory;
  if (gdsm_node() == 1 && argc > 2) {
    ends(argv[2]);
  } else if (gdsm_node() == 1) {
    stores();
    prints();
    scans();
    descriptors();
    lines();
    direct(argv[1]);
    names(argv[1]);
    strings();
    wide_strings();
    numbers();
    zones((struct tm *)memory);
    printf("%d wrong\n", wrong);
  }
  gdsm_barrier();
  return wrong != 0;
}
