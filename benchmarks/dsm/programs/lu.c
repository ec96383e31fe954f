/*===- lu.c - Blocked dense LU factorization ----------------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Factors a dense matrix into L U without pivoting, right-looking, by blocks of
|* 16 x 16 (Woo, Singh, Hennessy 1994 describe the algorithm and its sharing).
|* The blocks are dealt out to the threads as a two-dimensional grid; a thread's
|* blocks are contiguous in memory and at home on its node, each one a unit of
|* coherence. Per step:
|*
|*  1. the owner of the diagonal block factors it;
|*  2. the owners of the blocks below and right of it solve with it;
|*  3. the owners of all blocks behind update them with one of each.
|*
|* Everything is computed in the same order whoever does it: equal bits.
|*
\*===----------------------------------------------------------------------===*/

#include "common.h"

enum { B = 16, BLOCK_ELEMENTS = B * B, MAX_PARTS = 1024 };

struct matrix {
  long blocks;               /**< Blocks in a row and in a column. */
  int parts, part_rows;      /**< The grid of threads. */
  double *memory[MAX_PARTS]; /**< Of each thread. */
  double **block;            /**< Private: by row * blocks + column. */
};

static long n;
static struct matrix shared_matrix;

static int owner(const struct matrix *m, long row, long column) {
  int part_columns = m->parts / m->part_rows;
  return (int)(row % m->part_rows * part_columns + column % part_columns);
}

/* --- One block ------------------------------------------------------------ */

static void factor(double *a) {
  for (int k = 0; k < B; ++k)
    for (int i = k + 1; i < B; ++i) {
      double x = a[i * B + k] /= a[k * B + k];
      for (int j = k + 1; j < B; ++j)
        a[i * B + j] -= x * a[k * B + j];
    }
}

/** Right of the diagonal: a = L^-1 a. */
static void solve_row(double *restrict a, const double *restrict diagonal) {
  for (int k = 0; k < B; ++k)
    for (int i = k + 1; i < B; ++i) {
      double x = diagonal[i * B + k];
      for (int j = 0; j < B; ++j)
        a[i * B + j] -= x * a[k * B + j];
    }
}

/** Below the diagonal: a = a U^-1. */
static void solve_column(double *restrict a, const double *restrict diagonal) {
  for (int i = 0; i < B; ++i)
    for (int k = 0; k < B; ++k) {
      double x = a[i * B + k] /= diagonal[k * B + k];
      for (int j = k + 1; j < B; ++j)
        a[i * B + j] -= x * diagonal[k * B + j];
    }
}

/** c -= l u. */
static void update(double *restrict c, const double *restrict l,
                   const double *restrict u) {
  for (int i = 0; i < B; ++i)
    for (int k = 0; k < B; ++k) {
      double x = l[i * B + k];
      for (int j = 0; j < B; ++j)
        c[i * B + j] -= x * u[k * B + j];
    }
}

/* --- The matrix ----------------------------------------------------------- */

static double element(long i, long j) {
  double value = 2 * mix_double((uint64_t)(i * n + j)) - 1;
  return i == j ? value + (double)n : value;
}

static void initialize(const struct matrix *m, struct team team) {
  for (long row = 0; row < m->blocks; ++row)
    for (long column = 0; column < m->blocks; ++column)
      if (owner(m, row, column) == team.thread) {
        double *a = m->block[row * m->blocks + column];
        for (int i = 0; i < B; ++i)
          for (int j = 0; j < B; ++j)
            a[i * B + j] = element(row * B + i, column * B + j);
      }
}

static void factor_matrix(const struct matrix *m, struct team team) {
  double **block = m->block;
  long blocks = m->blocks;
  for (long k = 0; k < blocks; ++k) {
    double *diagonal = block[k * blocks + k];
    if (owner(m, k, k) == team.thread)
      factor(diagonal);
    team_barrier(team);
    for (long i = k + 1; i < blocks; ++i) {
      if (owner(m, i, k) == team.thread)
        solve_column(block[i * blocks + k], diagonal);
      if (owner(m, k, i) == team.thread)
        solve_row(block[k * blocks + i], diagonal);
    }
    team_barrier(team);
    for (long i = k + 1; i < blocks; ++i)
      for (long j = k + 1; j < blocks; ++j)
        if (owner(m, i, j) == team.thread)
          update(block[i * blocks + j], block[i * blocks + k],
                 block[k * blocks + j]);
  }
}

/** The grid of `parts` threads, and how many blocks one of them has at most. */
static long lay_out(struct matrix *m, int parts) {
  m->blocks = n / B;
  m->parts = parts;
  m->part_rows = 1;
  for (int rows = 1; rows * rows <= parts; ++rows)
    if (parts % rows == 0)
      m->part_rows = rows;
  int part_columns = parts / m->part_rows;
  return ((m->blocks + m->part_rows - 1) / m->part_rows) *
         ((m->blocks + part_columns - 1) / part_columns);
}

static void point_at_blocks(struct matrix *m) {
  long used[MAX_PARTS] = {0};
  m->block = private_alloc((size_t)(m->blocks * m->blocks) * sizeof(double *));
  for (long row = 0; row < m->blocks; ++row)
    for (long column = 0; column < m->blocks; ++column) {
      int part = owner(m, row, column);
      m->block[row * m->blocks + column] =
          m->memory[part] + used[part]++ * BLOCK_ELEMENTS;
    }
}

static double at(const struct matrix *m, long i, long j) {
  return m->block[i / B * m->blocks + j / B][i % B * B + j % B];
}

/** The largest component of A x - L (U x), for x of ones. */
static double residual(const struct matrix *m) {
  double *ux = private_alloc((size_t)n * sizeof *ux), largest = 0;
  for (long i = 0; i < n; ++i)
    for (long j = i; j < n; ++j)
      ux[i] += at(m, i, j);
  for (long i = 0; i < n; ++i) {
    double ax = 0, lux = ux[i];
    for (long j = 0; j < n; ++j)
      ax += element(i, j);
    for (long j = 0; j < i; ++j)
      lux += at(m, i, j) * ux[j];
    largest = fmax(largest, fabs(ax - lux));
  }
  free(ux);
  return largest;
}

static long verify(void) {
  struct matrix reference;
  long most = lay_out(&reference, 1), wrong = 0;
  reference.memory[0] =
      private_alloc((size_t)(most * BLOCK_ELEMENTS) * sizeof(double));
  point_at_blocks(&reference);
  initialize(&reference, lone_team());
  factor_matrix(&reference, lone_team());
  for (long b = 0; b < reference.blocks * reference.blocks; ++b)
    wrong += count_differences("block", shared_matrix.block[b],
                               reference.block[b], BLOCK_ELEMENTS, 0, 0);
  return wrong + (residual(&reference) > 1e-9 * (double)n);
}

static void solve(void *unused) {
  (void)unused;
  struct team team = whole_team();
  initialize(&shared_matrix, team);
  phase_begin(team);
  factor_matrix(&shared_matrix, team);
  phase_end(team);
}

int main(int argc, char **argv) {
  struct option options[] = {{"n", &n, 128, 512, B, 1 << 16}};
  parse_options("lu", argc, argv, options, 1);
  if (n % B)
    fail("--n must be a multiple of 16", "");
  if (gdsm_threads() > MAX_PARTS)
    fail("too many threads", "");

  long most = lay_out(&shared_matrix, gdsm_threads());
  if (gdsm_node() == 0)
    for (int t = 0; t < gdsm_threads(); ++t)
      shared_matrix.memory[t] = problem_alloc(
          1, (size_t)(most * BLOCK_ELEMENTS) * sizeof(double),
          BLOCK_ELEMENTS * sizeof(double), t / gdsm_threads_per_node());
  gdsm_broadcast(shared_matrix.memory, sizeof shared_matrix.memory, 0);
  point_at_blocks(&shared_matrix);
  gdsm_parallel(solve, NULL);

  long wrong = 0;
  if (gdsm_node() == 0) {
    if (error_wanted)
      shared_matrix.block[1][3] *= 1.0009765625;
    uint64_t hash = 0;
    for (long b = 0; b < shared_matrix.blocks * shared_matrix.blocks; ++b)
      hash = hash_doubles(hash, shared_matrix.block[b], BLOCK_ELEMENTS);
    printf("result: lu n=%ld residual %.3g checksum %016llx\n", n,
           residual(&shared_matrix), (unsigned long long)hash);
    if (verify_wanted)
      wrong = verify();
  }
  return finish(wrong);
}
