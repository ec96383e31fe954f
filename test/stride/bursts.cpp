// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code crosses between its copies all the time and computes the same: exceptions,
// setjmp, threads, fork, recursion, computed jumps, variable arguments.
//
// RUN: clang++ -O1 %s -o %t.plain -pthread && %t.plain > %t.expected
// RUN: %stride-cxx %s -o %t.O3 -pthread
// RUN: clang++ --config=%stride-cfg -O0 -g %s -o %t.O0 -pthread
// RUN: env GRAUPEL_STRIDE=burst=7,every=13 GRAUPEL_STRIDE_OUT=%t.%%p.gstride %t.O0 | diff - %t.expected
// RUN: env GRAUPEL_STRIDE=burst=1,every=2 GRAUPEL_STRIDE_OUT=%t.%%p.gstride %t.O0 | diff - %t.expected
// RUN: env GRAUPEL_STRIDE=burst=100,every=1000 GRAUPEL_STRIDE_OUT=%t.%%p.gstride %t.O0 | diff - %t.expected
// RUN: env GRAUPEL_STRIDE=sample GRAUPEL_STRIDE_OUT=%t.%%p.gstride %t.O0 | diff - %t.expected
// RUN: env GRAUPEL_STRIDE=burst=7,every=13 GRAUPEL_STRIDE_OUT=%t.%%p.gstride %t.O3 | diff - %t.expected
// RUN: env GRAUPEL_STRIDE=burst=1,every=2 GRAUPEL_STRIDE_OUT=%t.%%p.gstride %t.O3 | diff - %t.expected
// RUN: env GRAUPEL_STRIDE=burst=100,every=1000 GRAUPEL_STRIDE_OUT=%t.%%p.gstride %t.O3 | diff - %t.expected
// RUN: env GRAUPEL_STRIDE=sample GRAUPEL_STRIDE_OUT=%t.%%p.gstride %t.O3 | diff - %t.expected
// RUN: env GRAUPEL_STRIDE=burst=7,every=13 GRAUPEL_STRIDE_OUT=%t.gstride %t.O3 > %t.out
// RUN: graupel stride report %t.gstride --json | FileCheck %s
// CHECK: "state": "ended"
// CHECK: "bursts": {{[0-9]+}}
// CHECK: "object": "values"

#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

static long values[1000];

__attribute__((noinline)) static long thrower(int n) {
  if (n % 17 == 3)
    throw std::runtime_error("seventeen");
  if (n % 29 == 5)
    throw n;
  return values[n % 1000] + n;
}

__attribute__((noinline)) static long exceptions() {
  long sum = 0;
  for (int n = 0; n < 3000; ++n) {
    try {
      try {
        sum += thrower(n);
      } catch (const std::runtime_error &e) {
        sum += e.what()[0] + values[n % 7];
      }
    } catch (int which) {
      sum -= which;
      values[which % 1000] += 1;
    }
  }
  return sum;
}

struct Guard {
  long &n;
  ~Guard() { n += values[n % 1000] & 3; }
};

__attribute__((noinline)) static long cleanups(int n, long &count) {
  Guard g{count};
  if (n == 0)
    throw 1L;
  return cleanups(n - 1, count) + values[n];
}

static jmp_buf back;
__attribute__((noinline)) static void jumper(int n) {
  for (int i = 0; i < 10; ++i)
    if ((values[(n + i) % 1000] & 15) == 9)
      longjmp(back, n % 5 + 1);
}
__attribute__((noinline)) static long jumps() {
  volatile long sum = 0;
  for (volatile int n = 0; n < 500; n = n + 1) {
    int came = setjmp(back);
    if (came)
      sum = sum + came;
    else
      jumper(n);
  }
  return sum;
}

__attribute__((noinline)) static long computed(const unsigned char *code) {
  static const void *const labels[] = {&&add, &&twice, &&skip, &&end};
  long sum = 1;
  goto *labels[*code];
add:
  sum += values[*code + code[1]];
  goto *labels[*++code];
twice:
  sum *= 2;
  goto *labels[*++code];
skip:
  code += 2;
  goto *labels[*code];
end:
  return sum;
}

__attribute__((noinline)) static long variable(int n, ...) {
  va_list all;
  va_start(all, n);
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += va_arg(all, long) * values[i];
  va_end(all);
  return sum;
}

__attribute__((noinline)) static long dynamic(int n) {
  long sum = 0;
  for (int i = 1; i < n; ++i) {
    auto *space = static_cast<long *>(__builtin_alloca(8 * (i % 9 + 1)));
    for (int k = 0; k <= i % 9; ++k)
      space[k] = values[i] + k;
    sum += space[i % (i % 9 + 1)];
  }
  return sum;
}

static void *work(void *which) {
  long sum = 0;
  auto first = reinterpret_cast<long>(which);
  for (int r = 0; r < 50; ++r)
    for (long n = first; n < 1000; n += 1 + (values[n] & 1))
      sum += values[n];
  return reinterpret_cast<void *>(sum);
}

int main() {
  for (int n = 0; n < 1000; ++n)
    values[n] = n * 7919 % 257;
  printf("%ld\n", exceptions());
  long count = 0;
  for (int n = 0; n < 60; ++n)
    try {
      cleanups(n, count);
    } catch (long) {
    }
  printf("%ld %ld\n", count, jumps());
  unsigned char code[401];
  for (int n = 0; n < 400; ++n)
    code[n] = n % 23 == 7 ? 1 : n % 5 == 2 ? 2 : 0;
  code[400] = code[399] = code[398] = 3;
  printf("%ld %ld %ld\n", computed(code), variable(4, 1L, 2L, 3L, 4L), dynamic(500));
  pthread_t threads[4];
  for (long n = 0; n < 4; ++n)
    pthread_create(threads + n, nullptr, work, reinterpret_cast<void *>(n));
  for (pthread_t t : threads) {
    void *sum;
    pthread_join(t, &sum);
    printf("%ld\n", reinterpret_cast<long>(sum));
  }
  fflush(stdout);
  pid_t child = fork();
  if (!child) {
    printf("%ld\n", exceptions());
    fflush(stdout);
    _exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  printf("%d %ld\n", status, exceptions());
}
