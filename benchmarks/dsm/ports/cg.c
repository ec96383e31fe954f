/*===- cg.c - Conjugate gradients ---------------------------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

/* Conjugate gradients as in NPB CG: estimates the largest eigenvalue of the
   inverse of a sparse symmetric matrix with a random pattern, by inverse power
   iteration, each step with 25 iterations of CG. Rows are divided among the
   threads. */
#include "graupel/dsm.h"
#include "options.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct matrix {
  int n;
  int *rowstr; /* n + 1 */
  int *colidx;
  double *a;
};

struct cg_data {
  struct matrix m;
  double *x, *z, *p, *q, *r;
  double zeta, rnorm;
};

static struct cg_data *data;
static int n, nonzer, niter;
static double shift;

#define CG_STEPS 25

static double randlc(unsigned long *seed) {
  *seed = (*seed * 1220703125u) & ((1ul << 46) - 1);
  return (double)*seed * 0x1p-46;
}

/* The pattern: nonzer elements in each row, and their transposed. Made twice
   with the same numbers, first to count, then to fill in. */
static void make_matrix(struct matrix *m) {
  int *fill = malloc((size_t)n * sizeof *fill);
  int i, k, pass;

  m->n = n;
  m->rowstr = gdsm_malloc((size_t)(n + 1) * sizeof(int));
  for (i = 0; i < n; i++)
    fill[i] = 1;
  for (pass = 0; pass < 2; pass++) {
    unsigned long seed = 314159265;
    for (i = 0; i < n; i++)
      for (k = 0; k < nonzer; k++) {
        int j = (int)(randlc(&seed) * n);
        double value = (randlc(&seed) - 0.5) * 0.5;
        if (j == i)
          continue;
        if (pass == 0) {
          fill[i]++;
          fill[j]++;
        } else {
          m->colidx[fill[i]] = j;
          m->a[fill[i]++] = value;
          m->colidx[fill[j]] = i;
          m->a[fill[j]++] = value;
        }
      }
    if (pass == 0) {
      m->rowstr[0] = 0;
      for (i = 0; i < n; i++) {
        m->rowstr[i + 1] = m->rowstr[i] + fill[i];
        fill[i] = m->rowstr[i] + 1;
      }
      m->colidx = gdsm_alloc((size_t)m->rowstr[n] * sizeof(int), 1024,
                             GDSM_HOME_ROUND_ROBIN);
      m->a = gdsm_alloc((size_t)m->rowstr[n] * sizeof(double), 1024,
                        GDSM_HOME_ROUND_ROBIN);
    }
  }
  /* A diagonal that dominates. */
  for (i = 0; i < n; i++) {
    double sum = 0;
    for (k = m->rowstr[i] + 1; k < m->rowstr[i + 1]; k++)
      sum += fabs(m->a[k]);
    m->colidx[m->rowstr[i]] = i;
    m->a[m->rowstr[i]] = 0.1 + sum + shift * i / n;
  }
  free(fill);
}

static void multiply(const struct matrix *m, const double *from, double *to,
                     int first, int last) {
  int j, k;

  for (j = first; j < last; j++) {
    double sum = 0.0;
    for (k = m->rowstr[j]; k < m->rowstr[j + 1]; k++)
      sum += m->a[k] * from[m->colidx[k]];
    to[j] = sum;
  }
}

static double dot(const double *u, const double *v, int first, int last) {
  double sum = 0.0;
  int j;

  for (j = first; j < last; j++)
    sum += u[j] * v[j];
  return gdsm_reduce_double(sum, GDSM_SUM);
}

static void conj_grad(struct cg_data *d, int first, int last) {
  double *x = d->x, *z = d->z, *p = d->p, *q = d->q, *r = d->r;
  double rho, rho0, alpha, beta, sum;
  int j, step;

  for (j = first; j < last; j++) {
    q[j] = 0.0;
    z[j] = 0.0;
    r[j] = x[j];
    p[j] = r[j];
  }
  rho = dot(r, r, first, last);
  gdsm_barrier();
  for (step = 0; step < CG_STEPS; step++) {
    multiply(&d->m, p, q, first, last);
    alpha = rho / dot(p, q, first, last);
    rho0 = rho;
    for (j = first; j < last; j++) {
      z[j] = z[j] + alpha * p[j];
      r[j] = r[j] - alpha * q[j];
    }
    rho = dot(r, r, first, last);
    beta = rho / rho0;
    for (j = first; j < last; j++)
      p[j] = r[j] + beta * p[j];
    gdsm_barrier();
  }

  /* || x - A z || */
  multiply(&d->m, z, r, first, last);
  sum = 0.0;
  for (j = first; j < last; j++) {
    double difference = x[j] - r[j];
    sum += difference * difference;
  }
  sum = gdsm_reduce_double(sum, GDSM_SUM);
  if (gdsm_thread() == 0)
    d->rnorm = sqrt(sum);
}

static void slave(void *unused) {
  int me = gdsm_thread(), threads = gdsm_threads();
  int first = (int)((long)n * me / threads);
  int last = (int)((long)n * (me + 1) / threads);
  int j, it;

  (void)unused;
  for (j = first; j < last; j++)
    data->x[j] = 1.0;
  gdsm_barrier();
  for (it = 0; it < niter; it++) {
    double norm_xz, norm_zz;
    conj_grad(data, first, last);
    norm_xz = dot(data->x, data->z, first, last);
    norm_zz = 1.0 / sqrt(dot(data->z, data->z, first, last));
    if (me == 0)
      data->zeta = shift + 1.0 / norm_xz;
    for (j = first; j < last; j++)
      data->x[j] = norm_zz * data->z[j];
    gdsm_barrier();
  }
}

int main(int argc, char **argv) {
  int middle = is_middle(argc, argv);
  double start;
  size_t bytes;

  n = middle ? 14000 : 4000;
  nonzer = middle ? 11 : 8;
  niter = middle ? 40 : 15;
  shift = 10.0;
  bytes = (size_t)n * sizeof(double);
  start = gdsm_time();
  if (gdsm_node() == 0) {
    data = gdsm_malloc(sizeof *data);
    make_matrix(&data->m);
    data->x = gdsm_alloc(bytes, 1024, GDSM_HOME_FIRST_TOUCH);
    data->z = gdsm_alloc(bytes, 1024, GDSM_HOME_FIRST_TOUCH);
    data->p = gdsm_alloc(bytes, 1024, GDSM_HOME_FIRST_TOUCH);
    data->q = gdsm_alloc(bytes, 1024, GDSM_HOME_FIRST_TOUCH);
    data->r = gdsm_alloc(bytes, 1024, GDSM_HOME_FIRST_TOUCH);
  }
  gdsm_broadcast(&data, sizeof data, 0);
  gdsm_parallel(slave, NULL);
  if (gdsm_node() == 0) {
    printf("result: cg n %d nonzeros %d zeta %.11g residual %s\n", n,
           data->m.rowstr[n], data->zeta, data->rnorm < 1e-6 ? "ok" : "large");
    printf("time: %.4f\n", gdsm_time() - start);
  }
  return 0;
}
