/*===- multigrid.h - Poisson's equation on a square ---------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* V-cycles with red-black Gauss-Seidel sweeps on n x n cells (Brandt 1977), by
|* a team that shares the rows. u is zero at the walls, which run between the
|* cells of the outermost rows and the ghost cells around them. No cell's value
|* depends on who computes it. Levels of few cells are left to one thread:
|* barriers would cost more than they save.
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_BENCHMARKS_DSM_MULTIGRID_H
#define GRAUPEL_BENCHMARKS_DSM_MULTIGRID_H

#include "common.h"

enum {
  MAX_LEVELS = 16,
  COARSEST = 4,   /**< Cells in a row of the last level, or up to twice it. */
  ONE_THREAD = 32 /**< Levels of so many cells in a row, and fewer. */
};

/** laplacian(u) = f. Rows are 0 ... n + 1, with ghosts; so are columns. */
struct level {
  long n, stride;
  double *u, *f;
};

struct multigrid {
  int count;
  struct level levels[MAX_LEVELS];
};

/** This thread's rows of n: begin <= row < end. */
struct rows {
  long begin, end;
};
static struct rows my_rows(long n, struct team team) {
  struct rows rows = {1 + part_begin(n, team.thread, team.threads),
                      1 + part_begin(n, team.thread + 1, team.threads)};
  return rows;
}

/** By who computes the rows, so that their pages are at home there. */
static void clear_rows(double *grid, long n, long stride, struct team team) {
  struct rows rows = my_rows(n, team);
  for (long i = rows.begin; i < rows.end; ++i)
    memset(grid + i * stride, 0, (size_t)stride * sizeof(double));
}

static void clear_levels(const struct multigrid *grid, struct team team) {
  for (int number = 0; number < grid->count; ++number) {
    struct level level = grid->levels[number];
    struct team by = team;
    if (level.n <= ONE_THREAD) {
      if (team.thread != 0)
        return;
      by = lone_team();
    }
    clear_rows(level.u, level.n, level.stride, by);
    clear_rows(level.f, level.n, level.stride, by);
  }
}

/** Behind the first and the last wall, if row i is next to it. */
static void reflect_walls(double *u, long i, long n, long stride) {
  if (i != 1 && i != n)
    return;
  const double *restrict inside = u + i * stride;
  double *restrict ghost = u + (i == 1 ? 0 : n + 1) * stride;
  for (long j = 0; j <= n + 1; ++j)
    ghost[j] = -inside[j];
}

/** What lies behind the walls next to row i, which has been computed. */
static void reflect_row(double *u, long i, long n, long stride) {
  double *row = u + i * stride;
  row[0] = -row[1];
  row[n + 1] = -row[n];
  reflect_walls(u, i, n, stride);
}

/** The same if every other cell has been computed, from `first` on: what stays
   as it is is not written, so that nobody fetches it again. */
static void reflect_half_row(double *u, long i, long first, long n,
                             long stride) {
  double *row = u + i * stride;
  if (first == 1)
    row[0] = -row[1];
  if ((n - first) % 2 == 0)
    row[n + 1] = -row[n];
  reflect_walls(u, i, n, stride);
}

static void relax_row(double *restrict row, const double *restrict below,
                      const double *restrict above, const double *restrict f,
                      long first, long n, double hh) {
  for (long j = first; j <= n; j += 2)
    row[j] = 0.25 * (below[j] + above[j] + row[j - 1] + row[j + 1] - hh * f[j]);
}

static void relax(struct level level, int sweeps, struct team team) {
  struct rows rows = my_rows(level.n, team);
  double hh = 1.0 / (double)(level.n * level.n);
  long stride = level.stride;
  for (int half = 0; half < 2 * sweeps; ++half) {
    for (long i = rows.begin; i < rows.end; ++i) {
      double *row = level.u + i * stride;
      long first = 1 + ((i + half) & 1);
      relax_row(row, row - stride, row + stride, level.f + i * stride, first,
                level.n, hh);
      reflect_half_row(level.u, i, first, level.n, stride);
    }
    team_barrier(team);
  }
}

static double residual_at(const double *row, const double *f, long j,
                          long stride, double per_hh) {
  return f[j] - per_hh * (row[j - stride] + row[j + stride] + row[j - 1] +
                          row[j + 1] - 4 * row[j]);
}

static double largest_residual(struct level level, struct team team) {
  struct rows rows = my_rows(level.n, team);
  double per_hh = (double)(level.n * level.n), largest = 0;
  for (long i = rows.begin; i < rows.end; ++i) {
    const double *row = level.u + i * level.stride;
    const double *f = level.f + i * level.stride;
    for (long j = 1; j <= level.n; ++j) {
      double r = fabs(residual_at(row, f, j, level.stride, per_hh));
      largest = r > largest ? r : largest;
    }
  }
  return team_max(team, largest);
}

/** The residual becomes the right hand side of the next level, whose u is 0. */
static void restrict_to(struct level coarse, struct level fine,
                        struct team team) {
  struct rows rows = my_rows(coarse.n, team);
  double per_hh = (double)(fine.n * fine.n);
  long stride = fine.stride;
  for (long i = rows.begin; i < rows.end; ++i) {
    const double *restrict u = fine.u + (2 * i - 1) * stride;
    const double *restrict f = fine.f + (2 * i - 1) * stride;
    double *restrict to = coarse.f + i * coarse.stride;
    double *restrict guess = coarse.u + i * coarse.stride;
    for (long j = 1; j <= coarse.n; ++j)
      to[j] = 0.25 *
              (residual_at(u, f, 2 * j - 1, stride, per_hh) +
               residual_at(u, f, 2 * j, stride, per_hh) +
               residual_at(u + stride, f + stride, 2 * j - 1, stride, per_hh) +
               residual_at(u + stride, f + stride, 2 * j, stride, per_hh));
    for (long j = 1; j <= coarse.n; ++j)
      guess[j] = 0;
    reflect_row(coarse.u, i, coarse.n, coarse.stride);
  }
  team_barrier(team);
}

/** Adds the correction that the next level found, interpolated. */
static void prolong(struct level fine, struct level coarse, struct team team) {
  struct rows rows = my_rows(fine.n, team);
  for (long i = rows.begin; i < rows.end; ++i) {
    long nearest = (i + 1) / 2, other = i & 1 ? nearest - 1 : nearest + 1;
    const double *restrict a = coarse.u + nearest * coarse.stride;
    const double *restrict b = coarse.u + other * coarse.stride;
    double *restrict row = fine.u + i * fine.stride;
    for (long j = 1; j <= coarse.n; ++j) {
      double middle = 9 * a[j] + 3 * b[j];
      row[2 * j - 1] += 0.0625 * (middle + 3 * a[j - 1] + b[j - 1]);
      row[2 * j] += 0.0625 * (middle + 3 * a[j + 1] + b[j + 1]);
    }
    reflect_row(fine.u, i, fine.n, fine.stride);
  }
  team_barrier(team);
}

static void v_cycle(const struct multigrid *grid, int number,
                    struct team team) {
  struct level level = grid->levels[number];
  if (level.n <= ONE_THREAD && team.threads > 1) {
    if (team.thread == 0)
      v_cycle(grid, number, lone_team());
    team_barrier(team);
    return;
  }
  if (number + 1 == grid->count) {
    relax(level, 4 * COARSEST, team);
    return;
  }
  relax(level, 2, team);
  restrict_to(grid->levels[number + 1], level, team);
  v_cycle(grid, number + 1, team);
  prolong(level, grid->levels[number + 1], team);
  relax(level, 2, team);
}

/** Improves u of the first level until no residual is above the tolerance.
   Returns the number of cycles it took. */
static int solve_poisson(const struct multigrid *grid, double tolerance,
                         struct team team) {
  int cycles = 0;
  while (cycles < 50 && largest_residual(grid->levels[0], team) > tolerance) {
    v_cycle(grid, 0, team);
    ++cycles;
  }
  return cycles;
}

/** Rows that one thread computes are close together: the others send and get
   several at a time. */
static long level_stride(long n) {
  return row_stride(n + 2, n <= ONE_THREAD ? BLOCK_BYTES : ROW_BLOCK_BYTES);
}

static size_t level_bytes(long n) {
  return (size_t)((n + 2) * level_stride(n)) * sizeof(double);
}

/** Grids of n, n / 2, ... cells. Ends the program if n halves too few times. */
static struct multigrid make_multigrid(long n, int shared) {
  struct multigrid grid = {0};
  for (;; n /= 2) {
    struct level *level = &grid.levels[grid.count++];
    level->n = n;
    level->stride = level_stride(n);
    level->u = problem_alloc(shared, level_bytes(n), ROW_BLOCK_BYTES,
                             GDSM_HOME_FIRST_TOUCH);
    level->f = problem_alloc(shared, level_bytes(n), ROW_BLOCK_BYTES,
                             GDSM_HOME_FIRST_TOUCH);
    if (n < 2 * COARSEST)
      return grid;
    if (n % 2 || grid.count == MAX_LEVELS)
      fail("--n must be 2 more than 4 to 7 times a power of two", "");
  }
}

#endif
