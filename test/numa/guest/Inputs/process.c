/* What a program may do with memory that was given copies, or waits for its
   next touch, behind its back: have the kernel fill it and write it, and fork.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 32 * 512, BYTES = WORDS * 8 };

static uint64_t *table, *moved;

/* A variable that is read from copies, and others around it on its pages. */
static struct stat before;
static uint64_t fixed[WORDS + 77];
static struct stat after;
static uint64_t elsewhere[WORDS];
static atomic_int stop;
static int failures;

static void check(int is, const char *what) {
  printf("%sok - %s\n", is ? "" : "not ", what);
  failures += !is;
  fflush(stdout);
}

static uint64_t sum_of(const uint64_t *words) {
  uint64_t sum = 0;
  for (size_t n = 0; n < WORDS; ++n)
    sum = sum * 31 + words[n];
  return sum;
}

static void fill(uint64_t *words, uint64_t with) {
  for (size_t n = 0; n < WORDS; ++n)
    words[n] = n * with;
}

/* Whether all whole pages of it have copies now, after some time in which
   nobody writes: the first node's are a window behind it. */
static int copied(const void *what, size_t bytes) {
  uintptr_t window = (uintptr_t)1 << 36;
  uintptr_t from = ((uintptr_t)what + window + 4095) & -4096ul;
  uintptr_t to = ((uintptr_t)what + window + bytes) & -4096ul;
  for (int tries = 0; tries < 3000; ++tries) {
    usleep(20000);
    char line[256];
    uintptr_t start, end, next = from;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof(line), maps))
      if (strstr(line, "memfd:graupel-numa-copy") &&
          sscanf(line, "%lx-%lx r--s", &start, &end) == 2 && start <= next &&
          next < end)
        next = end;
    fclose(maps);
    if (next >= to)
      return 1;
  }
  return 0;
}

/* What is written often has no more copies after a while. */
static uint64_t *tables[4];
static void use_next(void) {
  static size_t used;
  table = tables[used++];
  fill(table, 1);
}

static void *check_sum(void *wanted) {
  return (void *)(uintptr_t)(sum_of(table) == *(uint64_t *)wanted);
}

static void *check_fixed(void *wanted) {
  uint64_t sum = 0;
  for (size_t n = 0; n < WORDS + 77; ++n)
    sum = sum * 31 + fixed[n];
  return (void *)(uintptr_t)(sum == *(uint64_t *)wanted);
}

/* By threads on several nodes. */
static int all_find(void *(*check)(void *), uint64_t wanted) {
  pthread_t threads[4];
  void *same;
  int all = 1;
  for (int n = 0; n < 4; ++n)
    pthread_create(&threads[n], NULL, check, &wanted);
  for (int n = 0; n < 4; ++n) {
    pthread_join(threads[n], &same);
    all &= same != NULL;
  }
  return all;
}

static int all_read(uint64_t wanted) { return all_find(check_sum, wanted); }

static uint64_t other[WORDS];
static int file_with(uint64_t with) {
  fill(other, with);
  int file = open("contents", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (write(file, other, BYTES) != BYTES)
    exit(2);
  lseek(file, 0, SEEK_SET);
  return file;
}

static void system_calls(void) {
  use_next();
  check(copied(table, BYTES), "there are copies");
  int file = file_with(3);
  check(read(file, table, BYTES) == BYTES, "read");
  check(all_read(sum_of(other)), "everybody sees what was read");
  close(file);

  check(copied(table, BYTES), "there are copies again");
  FILE *stream = fdopen(file_with(5), "r");
  uint64_t first;
  check(fread(&first, 8, 1, stream) == 1 && first == 0, "fread of a word");
  check(fread(table + 1, 8, WORDS, stream) == WORDS - 1 && feof(stream),
        "fread up to the end");
  table[0] = 0;
  check(all_read(sum_of(other)), "everybody sees it");
  fclose(stream);

  use_next();
  check(copied(table, BYTES), "there are copies once more");
  file = file_with(7);
  struct iovec parts[2] = {{table + WORDS / 2, BYTES / 2}, {table, BYTES / 2}};
  check(preadv(file, parts, 2, 0) == BYTES, "preadv");
  fill(table, 7);
  check(pwrite(file, table, BYTES, 0) == BYTES, "pwrite");
  close(file);
}

static void *count(void *nothing) {
  for (uint64_t n = 1; !stop; ++n)
    __atomic_store_n(&table[0], n, __ATOMIC_SEQ_CST);
  return nothing;
}

static void *receive(void *from) {
  for (ssize_t got; (got = recv(*(int *)from, table + 1024, 4096, 0)) != 0;)
    if (got < 0)
      return (void *)1;
  return NULL;
}

static void forks(void) {
  pthread_t counter, receiver;
  int ends[2];
  void *failed;
  use_next();
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  pthread_create(&counter, NULL, count, NULL);
  pthread_create(&receiver, NULL, receive, &ends[0]);
  int torn = 0, seen = 0, broken = 0;
  for (int n = 0; n < 20; ++n) {
    table[WORDS / 2] = (uint64_t)n;
    if (send(ends[1], other, 256, 0) != 256)
      ++broken;
    pid_t child = fork();
    if (!child) {
      uint64_t counted = table[0];
      usleep(2000);
      int status = table[0] != counted || table[WORDS / 2] != (uint64_t)n;
      table[WORDS / 2] = 1000;
      table[100] = 1000;
      _exit(status | (table[WORDS / 2] != 1000) << 1);
    }
    table[WORDS / 2] = 2000;
    int status;
    waitpid(child, &status, 0);
    torn += status != 0;
    seen += table[100] == 1000 || table[WORDS / 2] != 2000;
  }
  check(!torn, "children have what there was when they began");
  check(!seen, "and what they write is theirs");
  stop = 1;
  pthread_join(counter, NULL);
  shutdown(ends[1], SHUT_RDWR);
  pthread_join(receiver, &failed);
  check(!broken && !failed, "a thread that waits for messages gets them");
}

/* Pages of this wait for their next touch from here on. */
__attribute__((noinline)) static void second(void) { __asm__ volatile(""); }

static void waiting(void) {
  second();
  int file = open("contents", O_RDWR | O_CREAT | O_TRUNC, 0600);
  check(write(file, moved, BYTES) == BYTES, "write of what waits for a touch");
  check(pread(file, other, BYTES, 0) == BYTES && sum_of(other) == sum_of(moved),
        "all of it");
  close(file);
}

/* Through a pointer, as no one knows here whose it is. */
__attribute__((noinline)) static uint64_t word_of(const uint64_t *in,
                                                  size_t n) {
  __asm__ volatile("" : "+r"(in));
  return in[n];
}

static void variables(void) {
  for (size_t n = 0; n < WORDS + 77; ++n)
    fixed[n] = n * 5;
  uint64_t sum = 0;
  for (size_t n = 0; n < WORDS + 77; ++n)
    sum = sum * 31 + n * 5;
  fill(elsewhere, 3);
  check(copied(fixed, sizeof(fixed)), "a variable has copies");
  check(all_find(check_fixed, sum), "everybody reads them");
  check(!stat(".", &before) && !stat(".", &after) &&
            before.st_ino == after.st_ino && before.st_ino,
        "the kernel writes what is beside them");
  check(elsewhere[0] == 0 && elsewhere[WORDS - 1] == (WORDS - 1) * 3,
        "and others are what they were");
  uint64_t was = fixed[1000];
  fixed[1000] = 1;
  check(fixed[1000] == 1 && word_of(fixed, 1000) == 1, "a store is seen");
  check(!all_find(check_fixed, sum), "by everybody");
  fixed[1000] = was;
  check(all_find(check_fixed, sum), "and the next one");
  check(copied(fixed, sizeof(fixed)), "there are copies again");
  int file = open("contents", O_RDWR | O_CREAT | O_TRUNC, 0600);
  check(write(file, fixed, sizeof(fixed)) == sizeof(fixed), "write of it");
  check(pread(file, fixed, sizeof(fixed), 0) == sizeof(fixed), "pread of it");
  close(file);
  check(all_find(check_fixed, sum), "is what it was");
  pid_t child = fork();
  if (!child) {
    fixed[0] = elsewhere[0] = 99;
    _exit(word_of(fixed, 0) == 99 && word_of(elsewhere, 0) == 99 &&
          fixed[WORDS + 76] == (WORDS + 76) * 5);
  }
  int status;
  waitpid(child, &status, 0);
  check(WIFEXITED(status) && WEXITSTATUS(status) == 1,
        "a child has variables, too");
  check(fixed[0] == 0 && elsewhere[0] == 0, "of its own");
}

__attribute__((noinline)) static void make_tables(void) {
  for (size_t n = 0; n < 4; ++n)
    tables[n] = malloc(BYTES);
}

__attribute__((noinline)) static void make_moved(void) {
  moved = malloc(BYTES);
}

int main(void) {
  make_tables();
  make_moved();
  fill(moved, 11);
  system_calls();
  forks();
  use_next();
  fill(table, 13);
  check(copied(table, BYTES), "there are copies after forks");
  fill(other, 13);
  check(all_read(sum_of(other)), "with what there is");
  waiting();
  variables();
  printf("%d failed\n", failures);
  return failures != 0;
}
