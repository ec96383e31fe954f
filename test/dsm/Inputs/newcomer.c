// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What ordinary programs do with the C library: nothing here deserves a warning. */
#include <errno.h>
#include <graupel/dsm.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
struct record {
  char name[40];
  double value;
  struct record *next;
};
static struct record *records;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t stopped;

void fatal(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
  exit(1);
}

int by_value(const void *a, const void *b) {
  const struct record *x = a, *y = b;
  return (x->value > y->value) - (x->value < y->value);
}

void print_record(FILE *to, const struct record *r) {
  fprintf(to, "%-20s %g\n", r->name, r->value);
}

void set_name(struct record *r, const char *name) {
  snprintf(r->name, sizeof r->name, "%s", name);
}

long read_number(const char *text) {
  char *end;
  errno = 0;
  long n = strtol(text, &end, 10);
  if (errno || *end)
    fatal("%s is no number: %s\n", text, strerror(errno));
  return n;
}

struct record *parse(char *line) {
  struct record *r = gdsm_malloc(sizeof *r);
  char *name = strtok(line, " ");
  char *value = strtok(NULL, " ");
  if (!name || sscanf(value ? value : "0", "%lf", &r->value) != 1)
    return NULL;
  set_name(r, name);
  return r;
}

void read_all(const char *file) {
  FILE *in = fopen(file, "r");
  char *line = NULL;
  size_t size = 0;
  struct stat s;
  if (!in || stat(file, &s))
    return perror(file);
  while (getline(&line, &size, in) > 0)
    if (!parse(line))
      fputs(line, stderr);
  char buffer[256];
  rewind(in);
  while (fgets(buffer, sizeof buffer, in))
    puts(buffer);
  free(line);
  fclose(in);
}

void on_signal(int number) { stopped = number; }

void locked(struct record *r) {
  pthread_mutex_lock(&mutex);
  int e;
  r->value = frexp(r->value, &e) * cbrt(e);
  pthread_mutex_unlock(&mutex);
}

void work(void *argument) {
  struct record *mine = records + gdsm_thread();
  char text[64];
  time_t now = time(NULL);
  strftime(text, sizeof text, "%F", localtime(&now));
  set_name(mine, text);
  locked(mine);
  gdsm_barrier();
  if (gdsm_thread() == 0) {
    qsort(records, gdsm_threads(), sizeof *records, by_value);
    for (int i = 0; i < gdsm_threads(); ++i)
      print_record(stdout, &records[i]);
  }
}

int main(int argc, char **argv) {
  const char *home = getenv("HOME");
  for (char **e = environ; *e; ++e)
    if (strncmp(*e, "GDSM_", 5) == 0)
      printf("%s\n", *e);
  for (int i = 1; i < argc; ++i)
    if (strcmp(argv[i], "-v") == 0)
      printf("%s: verbose, home %s\n", argv[0], home ? home : "?");
    else if (strchr(argv[i], '.'))
      read_all(argv[i]);
    else
      printf("%ld\n", read_number(argv[i]));
  signal(SIGINT, on_signal);
  struct sigaction a = {.sa_handler = on_signal};
  sigaction(SIGTERM, &a, NULL);
  if (gdsm_node() == 0)
    records = gdsm_malloc(gdsm_threads() * sizeof *records);
  gdsm_broadcast(&records, sizeof records, 0);
  gdsm_parallel(work, argv);
  char *copy = strdup(argv[0]);
  char *path = realpath(copy, NULL);
  if (write(STDOUT_FILENO, path, strlen(path)) < 0)
    fatal("%s: %m\n", path);
  free(path);
  free(copy);
  return 0;
}
