/*===- moldyn.c - Molecular dynamics with neighbor lists ---------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* The non-bonded forces of a program like CHARMM (Brooks et al. 1983):
|* particles with Lennard-Jones forces in a periodic box. A thread has a
|* contiguous part of them and a private list of near pairs, made anew every 20
|* steps. Per step:
|*
|*  1. own positions move (velocity Verlet);
|*  2. the forces of the listed pairs are summed up in a private array of all;
|*  3. these arrays are added up in the shared one: in turn each thread adds to
|*     each thread's part, beginning with its own (the reduction of Mukherjee et
|*     al. 1995);
|*  4. own velocities.
|*
|* The order of additions in step 3 depends on the number of threads, so
|* positions agree with the sequential ones to about 1e-9 of a length unit, not
|* by bits.
|*
\*===----------------------------------------------------------------------===*/

#include "common.h"

enum {
  REBUILD = 20,
  CHUNK = 128 /**< Particles that forces are added to at once, or not. */
};

static const double Cutoff = 2.5, Skin = 0.4, Density = 0.8442, Dt = 0.004,
                    Tolerance = 1e-9;

struct particles {
  double *x, *v, *f; /**< Three coordinates each. */
};

/** The pairs (i, other) of a thread's particles: those of particle i begin at
    first[i - begin]. `others` grows. */
struct list {
  int32_t *first, *others;
  long used, room;
  uint8_t *touched; /**< Chunks of which a particle is listed. */
};

/** What a thread works with besides the shared arrays. */
struct worker {
  struct team team;
  long begin, end;
  struct list list;
  double *force;
};

static long n, steps;
static double box, kinetic, potential;
static struct particles shared_particles;

/** The difference of two coordinates that is the shortest in a periodic box. */
static inline double nearest(double d, double size, double half) {
  d = d > half ? d - size : d;
  return d < -half ? d + size : d;
}

static void initialize(struct particles p, long begin, long end) {
  long cells = (long)ceil(cbrt((double)n / 4) - 1e-9);
  double side = box / (double)cells;
  static const double site[4][3] = {{0.25, 0.25, 0.25},
                                    {0.75, 0.75, 0.25},
                                    {0.75, 0.25, 0.75},
                                    {0.25, 0.75, 0.75}};
  for (long i = begin; i < end; ++i) {
    long cell = i / 4;
    long at[3] = {cell % cells, cell / cells % cells, cell / cells / cells};
    for (int k = 0; k < 3; ++k) {
      uint64_t number = (uint64_t)(3 * i + k);
      p.x[3 * i + k] = ((double)at[k] + site[i % 4][k]) * side;
      p.v[3 * i + k] = 2 * (mix_double(number) - 0.5);
      p.f[3 * i + k] = 0;
    }
  }
}

/* --- The list of near pairs ----------------------------------------------- */

/** Particles by the cell that they are in: head[cell], next[particle], ... -1.
 */
struct bins {
  long cells;
  int32_t *head, *next;
};

static long bin_of(const double *x, long cells) {
  long bin = 0;
  for (int k = 2; k >= 0; --k) {
    long c = (long)(x[k] / box * (double)cells);
    bin = bin * cells + (c < 0 ? 0 : c >= cells ? cells - 1 : c);
  }
  return bin;
}

static struct bins fill_bins(const double *x) {
  struct bins bins;
  bins.cells = (long)(box / (Cutoff + Skin));
  if (bins.cells < 3)
    fail("the box is too small for the cut-off; use more particles", "");
  size_t count = (size_t)(bins.cells * bins.cells * bins.cells);
  bins.head = private_alloc(count * sizeof *bins.head);
  bins.next = private_alloc((size_t)n * sizeof *bins.next);
  memset(bins.head, -1, count * sizeof *bins.head);
  for (long i = n - 1; i >= 0; --i) {
    long bin = bin_of(&x[3 * i], bins.cells);
    bins.next[i] = bins.head[bin];
    bins.head[bin] = (int32_t)i;
  }
  return bins;
}

/** Which of two particles has the pair in its list: each has about half of its
 * own. */
static int lists(long i, long other) {
  long ahead = other - i + (other < i ? n : 0);
  return ahead != 0 && (2 * ahead < n || (2 * ahead == n && i < other));
}

static void append(struct list *list, int32_t other) {
  if (list->used == list->room) {
    list->room = 2 * list->room + 1024;
    list->others =
        realloc(list->others, (size_t)list->room * sizeof *list->others);
    if (!list->others)
      fail("no memory left; use fewer particles", "");
  }
  list->others[list->used++] = other;
}

static void list_bin(struct list *list, const double *x,
                     const struct bins *bins, long i, long bin) {
  double reach = (Cutoff + Skin) * (Cutoff + Skin), half = 0.5 * box;
  for (int32_t j = bins->head[bin]; j >= 0; j = bins->next[j]) {
    double dx = nearest(x[3 * i] - x[3 * j], box, half);
    double dy = nearest(x[3 * i + 1] - x[3 * j + 1], box, half);
    double dz = nearest(x[3 * i + 2] - x[3 * j + 2], box, half);
    if (dx * dx + dy * dy + dz * dz < reach && lists(i, j))
      append(list, j);
  }
}

static long chunks(void) { return (n + CHUNK - 1) / CHUNK; }

static void make_list(struct worker *w, const double *x) {
  struct bins bins = fill_bins(x);
  struct list *list = &w->list;
  long cells = bins.cells;
  list->used = 0;
  for (long i = w->begin; i < w->end; ++i) {
    long bin = bin_of(&x[3 * i], cells);
    long bx = bin % cells, by = bin / cells % cells, bz = bin / cells / cells;
    list->first[i - w->begin] = (int32_t)list->used;
    for (int d = 0; d < 27; ++d) {
      long cx = (bx + d % 3 + cells - 1) % cells;
      long cy = (by + d / 3 % 3 + cells - 1) % cells;
      long cz = (bz + d / 9 + cells - 1) % cells;
      list_bin(list, x, &bins, i, (cz * cells + cy) * cells + cx);
    }
  }
  list->first[w->end - w->begin] = (int32_t)list->used;
  free(bins.head);
  free(bins.next);
  memset(list->touched, 0, (size_t)chunks());
  for (long k = 0; k < list->used; ++k)
    list->touched[list->others[k] / CHUNK] = 1;
}

/* --- A step --------------------------------------------------------------- */

static void move(struct particles p, long begin, long end) {
  double *restrict x = p.x, *restrict v = p.v;
  const double *restrict f = p.f;
  double size = box;
  for (long c = 3 * begin; c < 3 * end; ++c) {
    v[c] += 0.5 * Dt * f[c];
    double moved = x[c] + Dt * v[c];
    moved = moved < 0 ? moved + size : moved;
    x[c] = moved >= size ? moved - size : moved;
  }
}

/** Step 2; returns the potential energy of the pairs. */
static double add_forces(double *restrict force, const double *restrict x,
                         const struct list *list, long begin, long end) {
  const int32_t *restrict first = list->first;
  const int32_t *restrict others = list->others;
  double energy = 0, size = box, half = 0.5 * box;
  for (long i = begin; i < end; ++i) {
    double xi = x[3 * i], yi = x[3 * i + 1], zi = x[3 * i + 2];
    double fx = 0, fy = 0, fz = 0;
    for (int32_t k = first[i - begin]; k < first[i - begin + 1]; ++k) {
      long j = others[k];
      double dx = nearest(xi - x[3 * j], size, half);
      double dy = nearest(yi - x[3 * j + 1], size, half);
      double dz = nearest(zi - x[3 * j + 2], size, half);
      double r2 = dx * dx + dy * dy + dz * dz;
      if (r2 >= Cutoff * Cutoff)
        continue;
      double over_r2 = 1 / r2, over_r6 = over_r2 * over_r2 * over_r2;
      double strength = 48 * over_r2 * over_r6 * (over_r6 - 0.5);
      energy += 4 * over_r6 * (over_r6 - 1);
      fx += strength * dx;
      fy += strength * dy;
      fz += strength * dz;
      force[3 * j] -= strength * dx;
      force[3 * j + 1] -= strength * dy;
      force[3 * j + 2] -= strength * dz;
    }
    force[3 * i] += fx;
    force[3 * i + 1] += fy;
    force[3 * i + 2] += fz;
  }
  return energy;
}

static void add_part(double *restrict to, const double *restrict from,
                     long begin, long end) {
  for (long c = 3 * begin; c < 3 * end; ++c)
    to[c] += from[c];
}

/** Of a part, the chunks that this thread has forces for. */
static void add_touched(double *to, const double *from, const uint8_t *touched,
                        long begin, long end) {
  for (long at = begin, next; at < end; at = next) {
    next = (at / CHUNK + 1) * CHUNK < end ? (at / CHUNK + 1) * CHUNK : end;
    if (touched[at / CHUNK])
      add_part(to, from, at, next);
  }
}

static void reduce_forces(struct worker *w, double *f) {
  int threads = w->team.threads;
  memcpy(f + 3 * w->begin, w->force + 3 * w->begin,
         (size_t)(w->end - w->begin) * 3 * sizeof(double));
  for (int turn = 1; turn < threads; ++turn) {
    team_barrier(w->team);
    int part = (w->team.thread + turn) % threads;
    add_touched(f, w->force, w->list.touched, part_begin(n, part, threads),
                part_begin(n, part + 1, threads));
  }
  team_barrier(w->team);
}

static double finish_velocities(double *restrict v, const double *restrict f,
                                long begin, long end) {
  double sum = 0;
  for (long c = 3 * begin; c < 3 * end; ++c)
    v[c] += 0.5 * Dt * f[c];
  for (long c = 3 * begin; c < 3 * end; ++c)
    sum += v[c] * v[c];
  return 0.5 * sum;
}

static void run(struct particles p, struct team team) {
  struct worker w = {team,
                     part_begin(n, team.thread, team.threads),
                     part_begin(n, team.thread + 1, team.threads),
                     {0},
                     NULL};
  w.list.first =
      private_alloc((size_t)(w.end - w.begin + 1) * sizeof *w.list.first);
  w.list.touched = private_alloc((size_t)chunks());
  w.force = private_alloc((size_t)(3 * n) * sizeof *w.force);
  initialize(p, w.begin, w.end);
  phase_begin(team);
  for (long step = 0; step < steps; ++step) {
    move(p, w.begin, w.end);
    team_barrier(team);
    if (step % REBUILD == 0)
      make_list(&w, p.x);
    memset(w.force, 0, (size_t)(3 * n) * sizeof *w.force);
    double energy = add_forces(w.force, p.x, &w.list, w.begin, w.end);
    reduce_forces(&w, p.f);
    double motion = finish_velocities(p.v, p.f, w.begin, w.end);
    energy = team_sum(team, energy);
    motion = team_sum(team, motion);
    if (team.thread == 0) {
      potential = energy;
      kinetic = motion;
    }
  }
  phase_end(team);
  free(w.list.first);
  free(w.list.others);
  free(w.list.touched);
  free(w.force);
}

static struct particles allocate(int shared) {
  size_t bytes = (size_t)(3 * n) * sizeof(double);
  struct particles p;
  p.x = problem_alloc(shared, bytes, BULK_BLOCK_BYTES, GDSM_HOME_FIRST_TOUCH);
  p.v = problem_alloc(shared, bytes, BULK_BLOCK_BYTES, GDSM_HOME_FIRST_TOUCH);
  p.f = problem_alloc(shared, bytes, BULK_BLOCK_BYTES, GDSM_HOME_FIRST_TOUCH);
  return p;
}

/** Forces between particles do not move their center of mass. */
static long count_lost_momentum(const double *v) {
  long wrong = 0;
  for (int k = 0; k < 3; ++k) {
    double sum = 0;
    for (long i = 0; i < n; ++i)
      sum += v[3 * i + k] - 2 * (mix_double((uint64_t)(3 * i + k)) - 0.5);
    if (!(fabs(sum) < Tolerance * (double)n)) {
      printf("verify: momentum %d has changed by %g\n", k, sum);
      ++wrong;
    }
  }
  return wrong;
}

static long verify(void) {
  struct particles reference = allocate(0), *got = &shared_particles;
  run(reference, lone_team());
  return count_lost_momentum(got->v) +
         count_differences("x", got->x, reference.x, 3 * n, Tolerance, 1) +
         count_differences("v", got->v, reference.v, 3 * n, Tolerance, 1);
}

static void solve(void *unused) {
  (void)unused;
  run(shared_particles, whole_team());
}

int main(int argc, char **argv) {
  struct option options[] = {{"n", &n, 1372, 8722, 864, 1 << 24},
                             {"steps", &steps, 10, 40, 1, 1 << 30}};
  parse_options("moldyn", argc, argv, options, 2);
  box = cbrt(4 * pow(ceil(cbrt((double)n / 4) - 1e-9), 3) / Density);
  if (gdsm_node() == 0)
    shared_particles = allocate(1);
  gdsm_broadcast(&shared_particles, sizeof shared_particles, 0);
  gdsm_parallel(solve, NULL);

  long wrong = 0;
  if (gdsm_node() == 0) {
    if (error_wanted)
      shared_particles.x[3 * n - 1] += 1e-6;
    printf("result: moldyn n=%ld steps=%ld potential %.9g kinetic %.9g\n", n,
           steps, potential, kinetic);
    if (verify_wanted)
      wrong = verify();
  }
  return finish(wrong);
}
