/*===- tomcatv.c - Generation of a mesh ---------------------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* A boundary-fitted mesh by Thompson's elliptic equations (Thompson, Thames,
|* Mastin 1974), relaxed line by line, as the vectorized mesh generator that
|* SPEC made a benchmark does. Seven arrays of n x n, partitioned into
|* contiguous rows; the only sharing is of rows at the borders. Per iteration:
|*
|*  1. coefficients and residuals of all points from their eight neighbors;
|*  2. a tridiagonal system along each row;
|*  3. the corrections move the points.
|*
|* Every point is computed in the same way whoever does it, and what is reduced
|* is a maximum: equal bits.
|*
\*===----------------------------------------------------------------------===*/

#include "common.h"

enum { X, Y, RESIDUAL_X, RESIDUAL_Y, SIDE, DIAGONAL, INVERSE, ARRAYS };

struct mesh {
  double *array[ARRAYS];
};

static const double Pi = 3.14159265358979323846, Relaxation = 0.9;

static long n, steps;
static struct mesh shared_mesh;
static double first_residual, last_residual;

/** The undisturbed mesh has wavy walls; its inner points are put out of order.
   Also the arrays that need no first value: pages become at home where they are
   used. */
static void initialize(struct mesh mesh, long begin, long end) {
  long stride = row_stride(n);
  for (int a = 0; a < ARRAYS; ++a)
    memset(mesh.array[a] + begin * stride, 0,
           (size_t)((end - begin) * stride) * sizeof(double));
  for (long i = begin; i < end; ++i)
    for (long j = 0; j < n; ++j) {
      double u = (double)j / (double)(n - 1), v = (double)i / (double)(n - 1);
      int wall = i == 0 || j == 0 || i == n - 1 || j == n - 1;
      uint64_t point = (uint64_t)(i * n + j);
      double spread = wall ? 0 : 0.4 / (double)n;
      mesh.array[X][i * stride + j] =
          u + 0.1 * sin(2 * Pi * v) + spread * (mix_double(2 * point) - 0.5);
      mesh.array[Y][i * stride + j] =
          v + 0.1 * sin(2 * Pi * u) +
          spread * (mix_double(2 * point + 1) - 0.5);
    }
}

/** Step 1 for the inner points of row i. */
static void equations_row(struct mesh mesh, long i, long stride) {
  const double *restrict x = mesh.array[X] + i * stride;
  const double *restrict y = mesh.array[Y] + i * stride;
  const double *restrict x_s = x - stride, *restrict x_n = x + stride;
  const double *restrict y_s = y - stride, *restrict y_n = y + stride;
  double *restrict rx = mesh.array[RESIDUAL_X] + i * stride;
  double *restrict ry = mesh.array[RESIDUAL_Y] + i * stride;
  double *restrict side = mesh.array[SIDE] + i * stride;
  double *restrict diagonal = mesh.array[DIAGONAL] + i * stride;
  for (long j = 1; j < n - 1; ++j) {
    double x_u = x[j + 1] - x[j - 1], x_v = x_n[j] - x_s[j];
    double y_u = y[j + 1] - y[j - 1], y_v = y_n[j] - y_s[j];
    double a = 0.25 * (x_v * x_v + y_v * y_v);
    double b = 0.125 * (x_u * x_v + y_u * y_v);
    double c = 0.25 * (x_u * x_u + y_u * y_u);
    double x_uu = x[j + 1] - 2 * x[j] + x[j - 1];
    double y_uu = y[j + 1] - 2 * y[j] + y[j - 1];
    double x_vv = x_n[j] - 2 * x[j] + x_s[j];
    double y_vv = y_n[j] - 2 * y[j] + y_s[j];
    double x_uv = x_n[j + 1] - x_n[j - 1] - x_s[j + 1] + x_s[j - 1];
    double y_uv = y_n[j + 1] - y_n[j - 1] - y_s[j + 1] + y_s[j - 1];
    side[j] = -a;
    diagonal[j] = 2 * (a + c);
    rx[j] = a * x_uu - b * x_uv + c * x_vv;
    ry[j] = a * y_uu - b * y_uv + c * y_vv;
  }
}

/** Step 2 for row i: Gaussian elimination, and back. */
static void solve_row(struct mesh mesh, long i, long stride) {
  double *restrict rx = mesh.array[RESIDUAL_X] + i * stride;
  double *restrict ry = mesh.array[RESIDUAL_Y] + i * stride;
  double *restrict inverse = mesh.array[INVERSE] + i * stride;
  const double *restrict side = mesh.array[SIDE] + i * stride;
  const double *restrict diagonal = mesh.array[DIAGONAL] + i * stride;
  inverse[1] = 1 / diagonal[1];
  for (long j = 2; j < n - 1; ++j) {
    double r = side[j] * inverse[j - 1];
    inverse[j] = 1 / (diagonal[j] - side[j - 1] * r);
    rx[j] -= rx[j - 1] * r;
    ry[j] -= ry[j - 1] * r;
  }
  rx[n - 2] *= inverse[n - 2];
  ry[n - 2] *= inverse[n - 2];
  for (long j = n - 3; j > 0; --j) {
    rx[j] = (rx[j] - side[j] * rx[j + 1]) * inverse[j];
    ry[j] = (ry[j] - side[j] * ry[j + 1]) * inverse[j];
  }
}

static double largest_in(const double *row) {
  double largest = 0;
  for (long j = 1; j < n - 1; ++j) {
    double size = fabs(row[j]);
    largest = size > largest ? size : largest;
  }
  return largest;
}

static void move_row(double *restrict points, const double *restrict by) {
  for (long j = 1; j < n - 1; ++j)
    points[j] += Relaxation * by[j];
}

static void run(struct mesh mesh, struct team team) {
  long stride = row_stride(n);
  long begin = part_begin(n, team.thread, team.threads);
  long end = part_begin(n, team.thread + 1, team.threads);
  initialize(mesh, begin, end);
  if (begin == 0)
    begin = 1;
  if (end == n)
    end = n - 1;
  phase_begin(team);
  for (long step = 0; step < steps; ++step) {
    double largest = 0;
    for (long i = begin; i < end; ++i) {
      equations_row(mesh, i, stride);
      double rx = largest_in(mesh.array[RESIDUAL_X] + i * stride);
      double ry = largest_in(mesh.array[RESIDUAL_Y] + i * stride);
      largest = fmax(largest, fmax(rx, ry));
      solve_row(mesh, i, stride);
    }
    largest = team_max(team, largest); /* A barrier, too. */
    if (team.thread == 0) {
      last_residual = largest;
      if (step == 0)
        first_residual = largest;
    }
    for (long i = begin; i < end; ++i) {
      move_row(mesh.array[X] + i * stride, mesh.array[RESIDUAL_X] + i * stride);
      move_row(mesh.array[Y] + i * stride, mesh.array[RESIDUAL_Y] + i * stride);
    }
    team_barrier(team);
  }
  phase_end(team);
}

static struct mesh allocate(int shared) {
  struct mesh mesh;
  for (int a = 0; a < ARRAYS; ++a)
    mesh.array[a] =
        problem_alloc(shared, (size_t)(n * row_stride(n)) * sizeof(double),
                      ROW_BLOCK_BYTES, GDSM_HOME_FIRST_TOUCH);
  return mesh;
}

static long verify(void) {
  struct mesh reference = allocate(0);
  long count = n * row_stride(n), wrong = 0;
  run(reference, lone_team());
  wrong += count_differences("x", shared_mesh.array[X], reference.array[X],
                             count, 0, 0);
  return wrong + count_differences("y", shared_mesh.array[Y],
                                   reference.array[Y], count, 0, 0);
}

static void solve(void *unused) {
  (void)unused;
  run(shared_mesh, whole_team());
}

int main(int argc, char **argv) {
  struct option options[] = {{"n", &n, 64, 512, 4, 1 << 16},
                             {"steps", &steps, 10, 100, 1, 1 << 30}};
  parse_options("tomcatv", argc, argv, options, 2);
  if (gdsm_node() == 0)
    shared_mesh = allocate(1);
  gdsm_broadcast(&shared_mesh, sizeof shared_mesh, 0);
  gdsm_parallel(solve, NULL);

  long wrong = 0;
  if (gdsm_node() == 0) {
    long count = n * row_stride(n);
    if (error_wanted)
      shared_mesh.array[Y][row_stride(n) + 1] += 0x1p-40;
    uint64_t hash = hash_doubles(0, shared_mesh.array[X], count);
    hash = hash_doubles(hash, shared_mesh.array[Y], count);
    printf("result: tomcatv n=%ld steps=%ld residual %.15g checksum %016llx\n",
           n, steps, last_residual, (unsigned long long)hash);
    if (steps > 1 && !(last_residual < first_residual)) {
      printf("verify: the residual has grown from %g\n", first_residual);
      ++wrong;
    }
    if (verify_wanted)
      wrong += verify();
  }
  return finish(wrong);
}
