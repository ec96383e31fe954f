// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Refers to `data` 10000 times, however the process ends.

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

long data[10000];
static volatile int slot;

__attribute__((noinline)) static void work(long n) {
  for (long i = 0; i < n; ++i) {
    data[(i * 77) % 10000] = i;
    __asm__ volatile("" ::: "memory");
  }
}

static void *thread(void *arg) {
  work((long)arg);
  return 0;
}

int main(int argc, char **argv) {
  const char *how = argv[1];
  if (!strcmp(how, "exit")) {
    work(10000);
  } else if (!strcmp(how, "fast-exit")) {
    work(10000);
    _exit(0);
  } else if (!strcmp(how, "kill")) {
    work(10000);
    kill(getpid(), SIGKILL);
  } else if (!strcmp(how, "crash")) {
    work(10000);
    *(volatile int *)(long)slot = 1;
  } else if (!strcmp(how, "abort")) {
    work(10000);
    abort();
  } else if (!strcmp(how, "exec")) {
    work(10000);
    execl(argv[0], argv[0], "exit", (char *)0);
  } else if (!strcmp(how, "bad-exec")) {
    work(5000);
    execl("/nonexistent", "x", (char *)0);
    work(5000);
  } else if (!strcmp(how, "fork")) {
    work(3000);
    if (!fork()) {
      work(10000);
      return 0;
    }
    wait(0);
    work(7000);
  } else if (!strcmp(how, "vfork")) {
    work(3000);
    if (!vfork()) {
      execl("/bin/true", "true", (char *)0);
      _exit(1);
    }
    wait(0);
    work(7000);
  } else if (!strcmp(how, "threads")) {
    pthread_t t[4];
    for (long i = 0; i < 4; ++i)
      pthread_create(&t[i], 0, thread, (void *)((i + 1) * 1000));
    for (int i = 0; i < 4; ++i)
      pthread_join(t[i], 0);
  } else if (!strcmp(how, "waiting")) {
    pthread_t t;
    pthread_create(&t, 0, thread, (void *)10000);
    sleep(1);
    exit(0);
  } else if (!strcmp(how, "plugin")) {
    void *p = dlopen(argv[2], RTLD_NOW);
    ((void (*)(long))dlsym(p, "plugin"))(5000);
    dlclose(p);
    work(5000);
  }
  return 0;
}
