/*===- appbt.c - Fluid dynamics by block-tridiagonal systems ------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Gas in a box of n^3 cells by the approximate factorization of Beam and
|* Warming (1978), as in the BT problem of the NAS parallel benchmarks (Bailey
|* et al. 1991): per step the right hand side, then for each of three dimensions
|* a system of 5 x 5 blocks along every line of cells, then the update. Threads
|* have sub-cubes, so a line runs through several threads. They work as a
|* pipeline: lines go in tiles (whole rows, so that few tiles share a block of
|* memory), and a thread spins on a shared counter of the
|* thread before it (of the one behind, for the substitution) until that has
|* finished the tile.
|*
|* Along a line all is computed in order, whoever does it: equal bits.
|*
\*===----------------------------------------------------------------------===*/

#include "common.h"

#include "blocks5.h"

enum {
  TILE_ROWS = 2,             /**< Of a tile's cross-section. */
  CHANGE_BLOCK_BYTES = 1024, /**< Neighbors read `change` tile by tile. */
  MAX_THREADS = 1024
};

/** How many tiles a thread has finished along each dimension since the start,
   in blocks of their own. Along one dimension, threads of one pipeline have
   equally many. */
struct counter {
  int64_t tiles[3];
  char padding[BLOCK_BYTES - 3 * sizeof(int64_t)];
};

struct field {
  double *state; /**< Q values a cell: q. */
  double
      *change;   /**< Q values a cell: right hand side, then the change of q. */
  double *upper; /**< Q x Q values a cell: what elimination leaves of the block
                    that multiplies the next cell. */
  struct counter *forward, *backward; /**< Of each thread. */
};

/** A thread's part of the box, and its neighbors. */
struct cube {
  struct team team;
  long begin[3], end[3];
  int before[3], behind[3]; /**< Threads in each dimension, or -1. */
};

static const double Pi = 3.14159265358979323846, Cfl = 0.8, Smoothing = 0.05;

static long n, steps;
static double first_change, last_change;
static struct field shared_field;

static long cell_at(long x, long y, long z) { return (z * n + y) * n + x; }
static long step_along(int axis) {
  return axis == 0 ? 1 : axis == 1 ? n : n * n;
}
static double time_step(void) { return Cfl / (double)n / 2; }

/* --- Who has what --------------------------------------------------------- */

/** Deals prime factors of the number of threads to the dimensions, z first:
   cells that differ in x only are contiguous. */
static void split(int threads, int parts[3]) {
  parts[0] = parts[1] = parts[2] = 1;
  for (int prime = threads; prime > 1; --prime)
    while (threads % prime == 0) {
      int composite = 0;
      for (int d = 2; d * d <= prime; ++d)
        composite |= prime % d == 0;
      if (composite)
        break;
      int axis = parts[2] <= parts[1] ? 2 : parts[1] <= parts[0] ? 1 : 0;
      parts[axis] *= prime;
      threads /= prime;
    }
}

static struct cube my_cube(struct team team) {
  struct cube cube = {.team = team};
  int parts[3], at[3], step[3];
  split(team.threads, parts);
  step[0] = 1;
  step[1] = parts[0];
  step[2] = parts[0] * parts[1];
  for (int axis = 0; axis < 3; ++axis) {
    at[axis] = team.thread / step[axis] % parts[axis];
    cube.begin[axis] = part_begin(n, at[axis], parts[axis]);
    cube.end[axis] = part_begin(n, at[axis] + 1, parts[axis]);
    cube.before[axis] = at[axis] > 0 ? team.thread - step[axis] : -1;
    cube.behind[axis] =
        at[axis] + 1 < parts[axis] ? team.thread + step[axis] : -1;
  }
  return cube;
}

/** The part of the cube that is no wall: states at walls do not change. */
static void inner_range(const struct cube *cube, int axis, long *begin,
                        long *end) {
  *begin = cube->begin[axis] < 1 ? 1 : cube->begin[axis];
  *end = cube->end[axis] > n - 1 ? n - 1 : cube->end[axis];
}

/* --- The right hand side -------------------------------------------------- */

/** Also what needs no first value: pages become at home where they are used.
 */
static void initialize(struct field f, const struct cube *cube) {
  for (long z = cube->begin[2]; z < cube->end[2]; ++z)
    for (long y = cube->begin[1]; y < cube->end[1]; ++y) {
      long row = cell_at(cube->begin[0], y, z);
      size_t count = (size_t)(cube->end[0] - cube->begin[0]);
      memset(f.change + Q * row, 0, count * Q * sizeof(double));
      memset(f.upper + Q * Q * row, 0, count * Q * Q * sizeof(double));
      for (long x = cube->begin[0]; x < cube->end[0]; ++x) {
        double w = 2 * Pi / (double)(n - 1),
               *q = f.state + Q * cell_at(x, y, z);
        double wave =
            sin(w * (double)x) * sin(w * (double)y) * sin(w * (double)z);
        double density = 1 + 0.2 * wave, u = 0.3 + 0.1 * wave, v = 0.2, s = 0.1;
        q[0] = density;
        q[1] = density * u;
        q[2] = density * v;
        q[3] = density * s;
        q[4] = 1 / (Gamma - 1) + 0.5 * density * (u * u + v * v + s * s);
      }
    }
}

static void right_hand_side(struct field f, const struct cube *cube) {
  long begin[3], end[3];
  double half = 0.5 * time_step() * (double)(n - 1);
  const double *restrict state = f.state;
  for (int axis = 0; axis < 3; ++axis)
    inner_range(cube, axis, &begin[axis], &end[axis]);
  for (long z = begin[2]; z < end[2]; ++z)
    for (long y = begin[1]; y < end[1]; ++y)
      for (long x = begin[0]; x < end[0]; ++x) {
        long cell = cell_at(x, y, z);
        const double *restrict q = state + Q * cell;
        double *restrict to = f.change + Q * cell, sum[Q] = {0};
        for (int axis = 0; axis < 3; ++axis) {
          long step = Q * step_along(axis);
          double ahead[Q], back[Q];
          euler_flux(ahead, q + step, axis);
          euler_flux(back, q - step, axis);
          for (int e = 0; e < Q; ++e)
            sum[e] += Smoothing * (q[e + step] - 2 * q[e] + q[e - step]) -
                      half * (ahead[e] - back[e]);
        }
        for (int e = 0; e < Q; ++e)
          to[e] = sum[e];
      }
}

/* --- Lines ---------------------------------------------------------------- */

/** The blocks of a cell's equation: side * change[cell - 1] + diagonal *
    change[cell] + other side * change[cell + 1]. */
static inline void side_block(double block[Q][Q], const double *q, int axis,
                              double factor) {
  euler_jacobian(block, q, axis);
  for (int i = 0; i < Q; ++i) {
    for (int j = 0; j < Q; ++j)
      block[i][j] *= factor;
    block[i][i] -= Smoothing;
  }
}

static void eliminate_line(struct field f, long cell, long step, long count,
                           int axis) {
  double half = 0.5 * time_step() * (double)(n - 1);
  for (; count > 0; --count, cell += step) {
    double lower[Q][Q], diagonal[Q][Q] = {{0}}, upper[Q][Q], before[Q][Q];
    double r[Q], r_before[Q];
    side_block(lower, f.state + Q * (cell - step), axis, -half);
    side_block(upper, f.state + Q * (cell + step), axis, half);
    memcpy(before, f.upper + Q * Q * (cell - step), sizeof before);
    memcpy(r_before, f.change + Q * (cell - step), sizeof r_before);
    memcpy(r, f.change + Q * cell, sizeof r);
    for (int i = 0; i < Q; ++i)
      diagonal[i][i] = 1 + 2 * Smoothing;
    subtract_product(diagonal, lower, before);
    subtract_applied(r, lower, r_before);
    eliminate(diagonal, upper, r);
    memcpy(f.upper + Q * Q * cell, upper, sizeof upper);
    memcpy(f.change + Q * cell, r, sizeof r);
  }
}

static void substitute_line(struct field f, long cell, long step, long count) {
  for (; count > 0; --count, cell -= step) {
    double upper[Q][Q], r[Q], behind[Q];
    memcpy(upper, f.upper + Q * Q * cell, sizeof upper);
    memcpy(r, f.change + Q * cell, sizeof r);
    memcpy(behind, f.change + Q * (cell + step), sizeof behind);
    subtract_applied(r, upper, behind);
    memcpy(f.change + Q * cell, r, sizeof r);
  }
}

/** All lines of the tile that begins at row c: of the two other dimensions,
   rows are along the one in which cells are closer together. */
static void tile(struct field f, const struct cube *cube, int axis, long c,
                 int backward) {
  int other = axis == 0 ? 1 : 0, last = axis == 2 ? 1 : 2;
  long begin, end, b_begin, b_end, c_begin, c_end;
  inner_range(cube, axis, &begin, &end);
  inner_range(cube, other, &b_begin, &b_end);
  inner_range(cube, last, &c_begin, &c_end);
  long step = step_along(axis);
  for (long j = c; j < c + TILE_ROWS && j < c_end; ++j)
    for (long i = b_begin; i < b_end; ++i) {
      long line = i * step_along(other) + j * step_along(last);
      if (backward)
        substitute_line(f, line + (end - 1) * step, step, end - begin);
      else
        eliminate_line(f, line + begin * step, step, end - begin, axis);
    }
}

/** One direction of the pipeline: all tiles, each when the thread before is
   done with it. */
static void pipeline(struct field f, const struct cube *cube, int axis,
                     int backward) {
  struct counter *counters = backward ? f.backward : f.forward;
  int from = backward ? cube->behind[axis] : cube->before[axis];
  int last = axis == 2 ? 1 : 2;
  int64_t *mine = &counters[cube->team.thread].tiles[axis], done = *mine;
  long c_begin, c_end;
  inner_range(cube, last, &c_begin, &c_end);
  for (long c = c_begin; c < c_end; c += TILE_ROWS) {
    ++done;
    if (from >= 0)
      wait_for(&counters[from].tiles[axis], done);
    tile(f, cube, axis, c, backward);
    __atomic_store_n(mine, done, __ATOMIC_RELEASE);
  }
}

static double update(struct field f, const struct cube *cube) {
  double largest = 0;
  for (long z = cube->begin[2]; z < cube->end[2]; ++z)
    for (long y = cube->begin[1]; y < cube->end[1]; ++y) {
      double *restrict q = f.state + Q * cell_at(cube->begin[0], y, z);
      const double *restrict change =
          f.change + Q * cell_at(cube->begin[0], y, z);
      long count = Q * (cube->end[0] - cube->begin[0]);
      for (long i = 0; i < count; ++i)
        q[i] += change[i];
      for (long i = 0; i < count; ++i) {
        double size = fabs(change[i]);
        largest = size > largest ? size : largest;
      }
    }
  return largest;
}

static void run(struct field f, struct team team) {
  struct cube cube = my_cube(team);
  initialize(f, &cube);
  phase_begin(team);
  for (long step = 0; step < steps; ++step) {
    right_hand_side(f, &cube);
    team_barrier(team);
    for (int axis = 0; axis < 3; ++axis) {
      pipeline(f, &cube, axis, 0);
      pipeline(f, &cube, axis, 1);
      team_barrier(team);
    }
    double largest = team_max(team, update(f, &cube)); /* A barrier, too. */
    if (team.thread == 0) {
      last_change = largest;
      if (step == 0)
        first_change = largest;
    }
  }
  phase_end(team);
}

static struct field allocate(int shared, int threads) {
  size_t cells = (size_t)(n * n * n),
         counters = (size_t)threads * sizeof(struct counter);
  struct field f;
  f.state = problem_alloc(shared, cells * Q * sizeof(double), ROW_BLOCK_BYTES,
                          GDSM_HOME_FIRST_TOUCH);
  f.change = problem_alloc(shared, cells * Q * sizeof(double),
                           CHANGE_BLOCK_BYTES, GDSM_HOME_FIRST_TOUCH);
  f.upper = problem_alloc(shared, cells * Q * Q * sizeof(double),
                          ROW_BLOCK_BYTES, GDSM_HOME_FIRST_TOUCH);
  f.forward =
      problem_alloc(shared, counters, BLOCK_BYTES, GDSM_HOME_ROUND_ROBIN);
  f.backward =
      problem_alloc(shared, counters, BLOCK_BYTES, GDSM_HOME_ROUND_ROBIN);
  return f;
}

/** The largest error of a solution along one dimension, put into its equations.
 */
static double equation_error(struct field f, const double *right, int axis) {
  double half = 0.5 * time_step() * (double)(n - 1), largest = 0;
  long step = step_along(axis);
  for (long z = 1; z < n - 1; ++z)
    for (long y = 1; y < n - 1; ++y)
      for (long x = 1; x < n - 1; ++x) {
        long cell = cell_at(x, y, z);
        double lower[Q][Q], upper[Q][Q], r[Q];
        side_block(lower, f.state + Q * (cell - step), axis, -half);
        side_block(upper, f.state + Q * (cell + step), axis, half);
        for (int e = 0; e < Q; ++e)
          r[e] = right[Q * cell + e] -
                 (1 + 2 * Smoothing) * f.change[Q * cell + e];
        subtract_applied(r, lower, f.change + Q * (cell - step));
        subtract_applied(r, upper, f.change + Q * (cell + step));
        for (int e = 0; e < Q; ++e)
          largest = fmax(largest, fabs(r[e]));
      }
  return largest;
}

static long count_wrong_solutions(void) {
  struct field f = allocate(0, 1);
  struct cube cube = my_cube(lone_team());
  size_t bytes = (size_t)(Q * n * n * n) * sizeof(double);
  double *right = private_alloc(bytes);
  long wrong = 0;
  initialize(f, &cube);
  right_hand_side(f, &cube);
  for (int axis = 0; axis < 3; ++axis) {
    memcpy(right, f.change, bytes);
    pipeline(f, &cube, axis, 0);
    pipeline(f, &cube, axis, 1);
    double error = equation_error(f, right, axis);
    if (!(error < 1e-13)) {
      printf("verify: equations along %c are off by %g\n", "xyz"[axis], error);
      ++wrong;
    }
  }
  free(right);
  return wrong;
}

static long verify(void) {
  struct field reference = allocate(0, 1);
  run(reference, lone_team());
  return count_wrong_solutions() +
         count_differences("state", shared_field.state, reference.state,
                           Q * n * n * n, 0, 0);
}

static void solve(void *unused) {
  (void)unused;
  run(shared_field, whole_team());
}

int main(int argc, char **argv) {
  struct option options[] = {{"n", &n, 12, 40, 4, 1 << 9},
                             {"steps", &steps, 2, 4, 1, 1 << 30}};
  parse_options("appbt", argc, argv, options, 2);
  if (gdsm_threads() > MAX_THREADS)
    fail("too many threads", "");
  if (gdsm_node() == 0)
    shared_field = allocate(1, gdsm_threads());
  gdsm_broadcast(&shared_field, sizeof shared_field, 0);
  gdsm_parallel(solve, NULL);

  long wrong = 0;
  if (gdsm_node() == 0) {
    long count = Q * n * n * n;
    if (error_wanted)
      shared_field.state[count / 2] += 0x1p-40;
    printf("result: appbt n=%ld steps=%ld change %.15g checksum %016llx\n", n,
           steps, last_change,
           (unsigned long long)hash_doubles(0, shared_field.state, count));
    if (!(last_change <= 2 * first_change)) {
      printf("verify: the flow is unstable\n");
      ++wrong;
    }
    if (verify_wanted)
      wrong += verify();
  }
  return finish(wrong);
}
