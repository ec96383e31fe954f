/*===- fft.c - Fourier transform ----------------------------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

/* Complex 1-D FFT of n = m * m points by six steps (Bailey 1990): transpose,
   FFTs of rows, twiddle factors, transpose, FFTs of rows, transpose. A row of
   the m x m matrix belongs to one thread. Numbers are pairs of doubles. */
#include "graupel/dsm.h"
#include "options.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define PAD 8   /* complex numbers between rows */
#define BLOCK 8 /* of transposes */

struct global_memory {
  double *x;      /* the matrix, row by row */
  double *trans;  /* and its transposed */
  double *umain;  /* roots of unity for the FFTs of rows */
  double *umain2; /* for the twiddle step, laid out as the matrix */
  double *partial;
};

static struct global_memory *global;
static long m, row_length; /* in complex numbers */
static int log2_m;

static double random_value(unsigned long i) {
  i += 0x9e3779b97f4a7c15u;
  i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9u;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
  i ^= i >> 31;
  return (double)(i >> 11) * 0x1p-53 - 0.5;
}

static void init_x(double *x, long first, long last) {
  long i, j;

  for (j = first; j < last; j++)
    for (i = 0; i < m; i++) {
      long k = j * row_length + i;
      x[2 * k] = random_value((unsigned long)(2 * (j * m + i)));
      x[2 * k + 1] = random_value((unsigned long)(2 * (j * m + i) + 1));
    }
}

/* Roots for each stage one behind the other: 1, 2, 4, ... of them. */
static void init_u(double *u) {
  long q, j, base, count;

  for (q = 0; q < log2_m; q++) {
    count = 1L << q;
    base = count - 1;
    for (j = 0; j < count; j++) {
      u[2 * (base + j)] = cos(PI * (double)j / (double)count);
      u[2 * (base + j) + 1] = -sin(PI * (double)j / (double)count);
    }
  }
}

static void init_u2(double *u, long first, long last) {
  long i, j, n = m * m;

  for (j = first; j < last; j++)
    for (i = 0; i < m; i++) {
      long k = j * row_length + i;
      double angle = 2.0 * PI * (double)(i * j) / (double)n;
      u[2 * k] = cos(angle);
      u[2 * k + 1] = -sin(angle);
    }
}

static long bit_reverse(long k, int bits) {
  long result = 0;
  int i;

  for (i = 0; i < bits; i++) {
    result = (result << 1) | (k & 1);
    k >>= 1;
  }
  return result;
}

static void reverse(double *x) {
  long k, j;

  for (k = 0; k < m; k++) {
    j = bit_reverse(k, log2_m);
    if (j > k) {
      double re = x[2 * k], im = x[2 * k + 1];
      x[2 * k] = x[2 * j];
      x[2 * k + 1] = x[2 * j + 1];
      x[2 * j] = re;
      x[2 * j + 1] = im;
    }
  }
}

/* FFT of one row; direction 1: forward, -1: backward. */
static void fft_row(int direction, double *x, const double *u) {
  long j, k, half, step;

  reverse(x);
  for (half = 1; half < m; half *= 2) {
    const double *u1 = &u[2 * (half - 1)];
    step = 2 * half;
    for (k = 0; k < m; k += step) {
      double *x1 = &x[2 * k], *x2 = &x[2 * (k + half)];
      for (j = 0; j < half; j++) {
        double omega_r = u1[2 * j];
        double omega_i = direction * u1[2 * j + 1];
        double x_r = x2[2 * j], x_i = x2[2 * j + 1];
        double tau_r = omega_r * x_r - omega_i * x_i;
        double tau_i = omega_r * x_i + omega_i * x_r;
        x_r = x1[2 * j];
        x_i = x1[2 * j + 1];
        x2[2 * j] = x_r - tau_r;
        x2[2 * j + 1] = x_i - tau_i;
        x1[2 * j] = x_r + tau_r;
        x1[2 * j + 1] = x_i + tau_i;
      }
    }
  }
}

static void twiddle_row(int direction, const double *u, double *x) {
  long i;

  for (i = 0; i < m; i++) {
    double omega_r = u[2 * i];
    double omega_i = direction * u[2 * i + 1];
    double x_r = x[2 * i], x_i = x[2 * i + 1];
    x[2 * i] = omega_r * x_r - omega_i * x_i;
    x[2 * i + 1] = omega_r * x_i + omega_i * x_r;
  }
}

static void scale_row(double *x) {
  long i;

  for (i = 0; i < m; i++) {
    x[2 * i] /= (double)(m * m);
    x[2 * i + 1] /= (double)(m * m);
  }
}

/* Fills the rows [first, last) of dest with columns of src, in square blocks.
 */
static void transpose(const double *src, double *dest, long first, long last) {
  long row, column, i, j, row_end;

  for (row = first; row < last; row += BLOCK) {
    row_end = row + BLOCK < last ? row + BLOCK : last;
    for (column = 0; column < m; column += BLOCK)
      for (i = row; i < row_end; i++)
        for (j = column; j < column + BLOCK; j++) {
          long to = i * row_length + j, from = j * row_length + i;
          dest[2 * to] = src[2 * from];
          dest[2 * to + 1] = src[2 * from + 1];
        }
  }
}

static void fft_1d(int direction, long first, long last) {
  double *x = global->x, *scratch = global->trans;
  long j;

  transpose(x, scratch, first, last);
  for (j = first; j < last; j++) {
    fft_row(direction, &scratch[2 * j * row_length], global->umain);
    twiddle_row(direction, &global->umain2[2 * j * row_length],
                &scratch[2 * j * row_length]);
  }
  gdsm_barrier();
  transpose(scratch, x, first, last);
  for (j = first; j < last; j++) {
    fft_row(direction, &x[2 * j * row_length], global->umain);
    if (direction == -1)
      scale_row(&x[2 * j * row_length]);
  }
  gdsm_barrier();
  transpose(x, scratch, first, last);
  gdsm_barrier();
  for (j = first; j < last; j++)
    memcpy(&x[2 * j * row_length], &scratch[2 * j * row_length],
           2 * (size_t)m * sizeof(double));
  gdsm_barrier();
}

static double checksum(const double *x, long first, long last) {
  double sum = 0;
  long i, j;

  for (j = first; j < last; j++)
    for (i = 0; i < m; i++) {
      long k = 2 * (j * row_length + i);
      sum += x[k] * (double)(1 + i % 7) + x[k + 1] * (double)(1 + j % 5);
    }
  return sum;
}

static void slave(void *unused) {
  int me = gdsm_thread(), threads = gdsm_threads();
  long first = m * me / threads, last = m * (me + 1) / threads;
  long i, j;
  double error = 0;

  (void)unused;
  if (me == 0)
    init_u(global->umain);
  init_x(global->x, first, last);
  init_u2(global->umain2, first, last);
  gdsm_barrier();
  fft_1d(1, first, last);
  if (me == 0)
    global->partial[0] = checksum(global->x, 0, m);
  gdsm_barrier();
  fft_1d(-1, first, last);
  for (j = first; j < last; j++)
    for (i = 0; i < m; i++) {
      double *at = &global->x[2 * (j * row_length + i)];
      double want = random_value((unsigned long)(2 * (j * m + i)));
      if (fabs(at[0] - want) > error)
        error = fabs(at[0] - want);
    }
  error = gdsm_reduce_double(error, GDSM_MAX);
  if (me == 0)
    global->partial[1] = error;
}

int main(int argc, char **argv) {
  int middle = is_middle(argc, argv);
  size_t bytes;
  double start;

  log2_m = middle ? 11 : 9;
  m = 1L << log2_m;
  row_length = m + PAD;
  bytes = 2 * (size_t)(m * row_length) * sizeof(double);
  if (gdsm_node() == 0) {
    global = gdsm_malloc(sizeof *global);
    global->x = gdsm_alloc(bytes, 1024, GDSM_HOME_FIRST_TOUCH);
    global->trans = gdsm_alloc(bytes, 1024, GDSM_HOME_FIRST_TOUCH);
    global->umain2 = gdsm_alloc(bytes, 1024, GDSM_HOME_FIRST_TOUCH);
    global->umain = gdsm_malloc(2 * (size_t)m * sizeof(double));
    global->partial = gdsm_malloc(2 * sizeof(double));
  }
  gdsm_broadcast(&global, sizeof global, 0);
  start = gdsm_time();
  gdsm_parallel(slave, NULL);
  if (gdsm_node() == 0) {
    printf("result: fft points %ld checksum %.12g inverse %s\n", m * m,
           global->partial[0], global->partial[1] < 1e-10 ? "ok" : "wrong");
    printf("time: %.4f\n", gdsm_time() - start);
  }
  return 0;
}
