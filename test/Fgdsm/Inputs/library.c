// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the C library on shared memory (graupel/dsm_library.def): all that
// print the same wherever they run. hostile.py compares with the C library's own.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <graupel/dsm.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#define SHOW(...) printf(__VA_ARGS__)

// A shared copy of a string; and shared memory of some size, filled.
static char *share(const char *s) {
  char *p = gdsm_malloc(strlen(s) + 1);
  return strcpy(p, s);
}
static void *room(size_t size) { return memset(gdsm_malloc(size), '.', size); }
static wchar_t *wide(const wchar_t *s) {
  wchar_t *p = gdsm_malloc((wcslen(s) + 1) * sizeof *p);
  return wcscpy(p, s);
}

__attribute__((noinline)) static int list(char *to, size_t size, const char *format, ...) {
  va_list l;
  va_start(l, format);
  int n = vsnprintf(to, size, format, l);
  va_end(l);
  return n;
}

static void prints(void) {
  char *a = share("a string that is longer than one block of thirty-two bytes"), *b = room(200);
  wchar_t *w = wide(L"wide");
  int *count = room(8);
  long double x = 1.25L;
  SHOW("%s|%10.4s|%-8.*s|%ls|%c\n", a, a, 3, a, w, 'c');
  SHOW("%2$s %1$d %3$Lf %2$.3s\n", 7, a, x);
#ifndef _FORTIFY_SOURCE // It wants formats with %n where hostile.py has none.
  SHOW("%d%n|\n", 12345, count);
  SHOW("%d\n", *count);
#endif
  SHOW("%d %f %Lf %s %d %f %g %s %Lf %ld %hhd %s\n", 1, 2.0, 3.0L, a, 5, 6.0, 7.0, a, 8.5L, 9L, 10, a);
  SHOW("%f %f %f %f %f %f %f %f %f %f %s\n", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., a);
  errno = ENOENT;
  SHOW("%m %s %%\n", a);
  SHOW("%d %s\n", snprintf(b, 20, "%s %s", a, a + 5), b);
  SHOW("%d %s\n", snprintf(b, 0, "%s", a), b);
  SHOW("%d %s\n", sprintf(b, "%s %d", a, 4), b);
  SHOW("%d %s\n", list(b, 200, share("%s and %5d"), a, 6), b);
  char **text = room(sizeof *text);
  SHOW("%d %s\n", asprintf(text, "%s!", a), *text);
  free(*text);
  puts(a);
  fputs(a, stdout);
  putchar('\n');
  fwrite(a, 1, 10, stdout);
  putchar('\n');
  fflush(stdout);
  char *format = share("%s %d\n");
  SHOW(format, a, 3);
}

static void scans(void) {
  char *in = share("12 0x1f word 3.5 abc [x] -7 tail"), *word = room(40), *set = room(40), *c = room(8);
  int *i = room(64);
  long *l = room(8);
  double *d = room(8);
  float *f = room(4);
  int n = sscanf(in, "%d %li %s %lf %3c [%[^]]] %hhd%n", &i[0], l, word, d, c, set, (signed char *)&i[1], &i[2]);
  SHOW("%d: %d %ld %s %g %.3s %s %d %d\n", n, i[0], *l, word, *d, c, set, *(signed char *)&i[1], i[2]);
  n = sscanf(in, share("%*d %*s %5s %f %d"), word, f, i);
  SHOW("%d: %s %g\n", n, word, *f);
  char **text = room(sizeof *text);
  n = sscanf(in, "%2$d %1$ms", text, i);
  SHOW("%d: %d %s\n", n, *i, *text);
  free(*text);
  SHOW("%d\n", sscanf(share(""), "%d %s", i, word));
  char *end;
  char **shared_end = room(sizeof *shared_end);
  SHOW("%ld %d\n", strtol(share("  123xyz"), &end, 10), *end);
  char *number = share("0x1fg");
  SHOW("%lu %td\n", strtoul(number, shared_end, 0), *shared_end - number);
  SHOW("%g %g %Lg\n", strtod(share("1e3x"), shared_end), strtof(share("0.5"), 0), strtold(share("2.25"), 0));
  SHOW("%d %ld %lld %g\n", atoi(share("42")), atol(share("-43")), atoll(share("44")), atof(share("4.5")));
  SHOW("%lld %llu\n", strtoll(number, 0, 0), strtoull(number, &end, 0));
  SHOW("%jd %ju\n", strtoimax(number, 0, 0), strtoumax(number, 0, 16));
}

static void strings(void) {
  char *a = share("the quick brown fox jumps over the lazy dog, twice a day"), *b = room(300);
  SHOW("%s %s %s\n", strstr(a, share("fox")), strcasestr(a, "OVER"), strpbrk(a, share("xyz")));
  SHOW("%zu %zu\n", strspn(a, share("the ")), strcspn(a, "q"));
  SHOW("%d %d %d\n", strcasecmp(a, share("THE QUICK")) > 0, strncasecmp(a, "THE QUICK", 9), strcoll(a, share("zebra")) < 0);
  SHOW("%s %s\n", strchrnul(a, 'q'), strchrnul(a, '!'));
  SHOW("%s %s\n", index(a, 'f'), rindex(a, 'o'));
  char *d = strdup(a), *e = strndup(a, 9);
  SHOW("%s %s\n", d, e);
  free(d);
  free(e);
  SHOW("%td %.9s\n", stpncpy(b, a, 9) - b, b);
  SHOW("%td\n", (char *)mempcpy(b, a, 57) - b);
  SHOW("%td %d\n", (char *)memccpy(b, a, 'q', 50) - b, memccpy(b, a, '!', 50) == 0);
  SHOW("%s\n", (char *)memmem(b, 57, share("brown"), 5));
  SHOW("%td\n", (char *)memrchr(a, 'e', 40) - a);
  for (char *t = strtok(b, share(" ,")); t; t = strtok(0, " ,"))
    SHOW("[%s]", t);
  strcpy(b, ",x,,y");
  char **state = room(sizeof *state);
  for (char *t = strtok_r(b, ",", state); t; t = strtok_r(0, ",", state))
    SHOW("(%s)", t);
  strcpy(b, "x,,y");
  *state = b;
  for (char *t; (t = strsep(state, ","));)
    SHOW("<%s>", t);
  SHOW("%s\n", strerror_r(ENOENT, b, 100));
  bzero(b, 10);
  bcopy(a, b + 3, 5);
  SHOW("%d%s %d\n", b[0], b + 3, strverscmp(a, b));
  strcpy(b, "cat");
  strcat(b, a);
  strncat(b, a, 3);
  SHOW("%s %zu\n", b, strxfrm(b, a, 100));
  int (*compare)(const char *, const char *) = strcmp;
  size_t (*volatile length)(const char *) = strlen;
  SHOW("%d %zu\n", compare(a, share("the quick brown fox jumps")) > 0, length(a));
}

static void wides(void) {
  wchar_t *a = wide(L"a wide string, of more than a block"), *b = room(400), **end = room(8);
  SHOW("%zu %zu\n", wcslen(a), wcsnlen(a, 5));
  wmemset(b, 'x', 20);
  wmemcpy(b + 2, a, 5);
  b[20] = 0;
  SHOW("%ls %d %td\n", b, wmemcmp(a, b, 3) < 0, wmemchr(a, 's', 20) - a);
  SHOW("%ls %ls %ls\n", wcschr(a, 's'), wcsrchr(a, 'o'), wcsstr(a, wide(L"of")));
  wcsncpy(b, a, 10);
  SHOW("%d %d\n", wcsncmp(a, b, 10), wcscmp(a, wide(L"a wide")) > 0);
  wcscpy(b, a);
  wcscat(b, L"!");
  wcsncat(b, a, 3);
  SHOW("%ls\n", b);
  SHOW("%ld %td %g\n", wcstol(wide(L"12x"), end, 10), *end - a > 0 ? (ptrdiff_t)1 : 1, wcstod(wide(L"1.5"), 0));
  SHOW("%zu %ls\n", mbstowcs(b, share("multibyte"), 50), b);
  char *c = room(50);
  SHOW("%zu %s\n", wcstombs(c, a, 50), c);
  SHOW("%d %d %d\n", mblen(share("x"), 4), mbtowc(b, share("y"), 3), wctomb(c, 'z'));
}

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_value_r(const void *a, const void *b, void *sign) {
  return (*(const int *)a - *(const int *)b) * *(int *)sign;
}
static void numbers(void) {
  int *i = room(4000), *sign = room(4), key = 35;
  double *d = room(16);
  float *f = room(8);
  long double *l = room(32);
  for (int k = 0; k < 1000; ++k)
    i[k] = k * 7919 % 1000;
  qsort(i, 1000, sizeof *i, by_value);
  SHOW("%d %d %d\n", i[0], i[500], i[999]);
  SHOW("%td\n", (int *)bsearch(&key, i, 1000, sizeof *i, by_value) - i);
  *sign = -1;
  qsort_r(i, 1000, sizeof *i, by_value_r, sign);
  SHOW("%d %d %d\n", i[0], i[500], i[999]);
  volatile double x = 10.75;
  volatile float y = 3.25f;
  SHOW("%g %g\n", modf(x, d), *d);
  SHOW("%g %d\n", frexp(x, i), *i);
  SHOW("%g %g\n", modff(y, f), *f);
  SHOW("%Lg %Lg\n", modfl(x, l), *l);
  SHOW("%g %d\n", remquo(x, 3, i), *i);
  sincos(x, &d[0], &d[1]);
  SHOW("%.5f %.5f\n", d[0], d[1]);
  SHOW("%.5f %d\n", lgamma_r(x, i), *i);
  unsigned *seed = room(4);
  *seed = 1;
  SHOW("%d\n", rand_r(seed) == rand_r(&(unsigned){1}));
  unsigned short *s = room(6);
  SHOW("%.5f %ld\n", erand48(s), nrand48(s));
}

static void times_and_files(void) {
  time_t *t = room(8), now;
  struct tm *m = room(sizeof *m);
  char *b = room(100);
  struct timespec *ts = room(sizeof *ts);
  SHOW("%d %d\n", time(t) == *t, clock_gettime(CLOCK_MONOTONIC, ts));
  *t = 86400 * 365;
  setenv(share("TZ"), share("UTC"), 1);
  SHOW("%s\n", getenv(share("TZ")));
  SHOW("%d %d\n", gmtime_r(t, m) == m, m->tm_year);
  now = mktime(m);
  SHOW("%ld %zu %s\n", (long)now, strftime(b, 100, share("%Y-%m-%d"), m), b);
  SHOW("%s %d\n", strptime(share("1999-02-03x"), "%Y-%m-%d", m), m->tm_mon);
  SHOW("%s%s", ctime(t), asctime_r(m, b));
  char *name = share("/tmp/gdsm-library-XXXXXX");
  int f = mkstemp(name);
  SHOW("%d\n", f >= 0 && strcmp(name, "/tmp/gdsm-library-XXXXXX") != 0);
  FILE *out = fopen(name, share("w"));
  SHOW("%d\n", fprintf(out, "%s\nline two\n", name) > 0);
  fclose(out);
  struct stat *st = room(sizeof *st);
  SHOW("%d %ld\n", stat(name, st), (long)st->st_size);
  FILE *in = fopen(name, "r");
  SHOW("%d\n", fgets(b, 100, in) == b && !strncmp(b, name, strlen(name)));
  char **line = room(8);
  size_t *size = room(8);
  *line = 0;
  *size = 0;
  SHOW("%zd %s", getline(line, size, in), *line);
  free(*line);
  rewind(in);
  SHOW("%zu %.4s\n", fread(b, 1, 10, in), b);
  fclose(in);
  SHOW("%d %d\n", access(name, F_OK), unlink(name));
  SHOW("%d\n", access(name, F_OK));
  close(f);
  int *ends = room(8);
  SHOW("%d\n", pipe(ends));
  struct pollfd *p = room(2 * sizeof *p);
  p[0] = (struct pollfd){ends[0], POLLIN, 0};
  p[1] = (struct pollfd){ends[1], POLLOUT, 0};
  SHOW("%d %d\n", poll(p, 2, 0), p[1].revents == POLLOUT);
  SHOW("%d\n", dprintf(ends[1], "%s", share("through")));
  fd_set *set = room(sizeof *set);
  memset(set, 0, sizeof *set);
  FD_SET(ends[0], set);
  SHOW("%d\n", select(ends[0] + 1, set, 0, 0, 0));
  struct in_addr *address = room(sizeof *address);
  SHOW("%d %s\n", inet_pton(AF_INET, share("10.1.2.3"), address), inet_ntop(AF_INET, address, b, 100));
  sigset_t *signals = room(sizeof *signals);
  sigemptyset(signals);
  sigaddset(signals, SIGUSR1);
  SHOW("%d\n", sigismember(signals, SIGUSR1));
}

int main(void) {
  prints();
  scans();
  strings();
  wides();
  numbers();
  times_and_files();
  return 0;
}
