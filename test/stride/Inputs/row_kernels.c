// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single loops that find new distances each time: rows of triangles, of all lengths
// around MAXEL, in several arrangements of streams, upwards and down. The arrays are
// volatile as in nest_kernels.c.

#define KERNEL __attribute__((noinline))
#ifndef V
#define V volatile
#endif

V double solve_a[70][70], solve_x[70], solve_y[70];
KERNEL void solve(long n) {
  for (long i = 0; i < n; ++i) {
    double s = solve_x[i];
    for (long j = 0; j < i; ++j)
      s -= solve_a[i][j] * solve_y[j];
    solve_y[i] = s;
  }
}

// All members in one stream; so many that an iteration is a history of its own.
V double near_a[4000];
KERNEL double near(long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j <= i; ++j)
      s += near_a[j] * near_a[i + j] + near_a[2 * i + j] - near_a[40 * i + j] +
           near_a[3 * i + j] * near_a[i * i + j] - near_a[5 + j];
  return s;
}

// A store and a load of one array, and steps of several elements, backwards.
V int back_a[90 * 90];
KERNEL void back(long n, long step) {
  for (long i = n; i > 0; --i)
    for (long j = i; j > 0; --j)
      back_a[j * step + i] += back_a[i * 7 + j * step] + 1;
}

// Members with other steps in one stream, beside one that is alone.
V long mixed_a[3000], mixed_b[3000];
KERNEL void mixed(long n) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < i; ++j)
      mixed_b[j] = mixed_a[3 * j + i] + mixed_a[2 * j];
}

// Steps that are known when the loop begins.
V float step_a[9000], step_b[9000];
KERNEL void steps(long n) {
  for (long i = 1; i < n; ++i)
    for (long j = 0; j < 80 - i; ++j)
      step_b[j * i] = step_a[j * (i & 3)] + step_b[j * i];
}

// References of the loop's streams before and after it, one by one.
V char among_a[500];
KERNEL int among(long n) {
  int s = 0;
  for (long i = 0; i < n; ++i) {
    if (i % 3)
      s += among_a[i * i % 100];
    for (long j = 0; j < i % 23; ++j)
      among_a[2 * i + j] = (char)s;
    if (i % 5 == 0)
      among_a[i + 7] = 1;
    for (long j = 0; j < i % 17; ++j)
      s += among_a[3 * i - j];
  }
  return s;
}

int main(void) {
  V double keep = 0;
  solve(70);
  solve(3);
  keep += near(60);
  back(60, 1);
  back(30, 3);
  mixed(70);
  steps(70);
  keep += among(120);
  return 0;
}
