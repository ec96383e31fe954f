/*===- barnes.c - Gravitation by a hierarchical method ------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* N bodies by the method of Barnes and Hut. Per step:
|*
|*  1. all threads build one tree, each inserting its bodies;
|*  2. masses, centers and quadrupoles of cells, from below;
|*  3. each thread takes a zone of the tree's bodies of equal cost, as counted
|*     in the last step (cost zones);
|*  4. accelerations: a cell counts as one mass where it looks small;
|*  5. bodies move (leap frog).
|*
|* Whoever computes something, the tree, and all sums over it, are the same:
|* equal bits.
|*
\*===----------------------------------------------------------------------===*/

#include "tree.h"

static const double Theta = 0.7, Softening = 0.05, Dt = 0.025,
                    Pi = 3.14159265358979323846;

static long n, steps;
static struct tree shared_tree;

/** Plummer's model of a cluster, body by body. */
static void place_body(long number, double *position, double *velocity) {
  uint64_t seed = (uint64_t)number * 8;
  double r = 1 / sqrt(pow(0.01 + 0.97 * mix_double(seed), -2.0 / 3) - 1);
  double speed = 0.5 * sqrt(2.0) * pow(1 + r * r, -0.25);
  for (int k = 0; k < 2; ++k) { /* Position, then velocity. */
    double z = 2 * mix_double(seed + 1 + 2 * (uint64_t)k) - 1;
    double angle = 2 * Pi * mix_double(seed + 2 + 2 * (uint64_t)k);
    double *to = k ? velocity : position, size = k ? speed : r;
    to[0] = size * sqrt(1 - z * z) * cos(angle);
    to[1] = size * sqrt(1 - z * z) * sin(angle);
    to[2] = size * z;
  }
}

/** A body's number by its place in the tree. */
struct ranked {
  uint64_t key;
  long number;
};

static int compare_ranks(const void *a, const void *b) {
  const struct ranked *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

/** All bodies in the order of a tree: neighbors in space are neighbors in
    memory, and mostly the same thread's. */
static struct ranked *rank_bodies(void) {
  enum { BITS = 20 };
  struct ranked *ranked = private_alloc((size_t)n * sizeof *ranked);
  for (long b = 0; b < n; ++b) {
    double position[3], velocity[3];
    place_body(b, position, velocity);
    ranked[b].number = b;
    for (int bit = BITS - 1; bit >= 0; --bit)
      for (int k = 2; k >= 0; --k) {
        double scaled = ldexp(position[k] + 8, BITS - 4); /* r is below 8. */
        ranked[b].key =
            ranked[b].key << 1 | ((uint64_t)fmax(scaled, 0) >> bit & 1);
      }
  }
  qsort(ranked, (size_t)n, sizeof *ranked, compare_ranks);
  return ranked;
}

static void initialize(struct tree tree, long begin, long end) {
  struct ranked *ranked = rank_bodies();
  for (long b = begin; b < end; ++b) {
    struct body *body = &tree.bodies[b];
    struct motion *motion = &tree.motions[b];
    memset(motion, 0, sizeof *motion);
    place_body(ranked[b].number, body->position, motion->velocity);
    body->mass = 1 / (double)n;
    motion->cost = 1;
  }
  free(ranked);
}

/* --- Forces --------------------------------------------------------------- */

struct pull {
  double acceleration[3], potential;
  int64_t count;
};

static inline void add_mass(struct pull *pull, const double *d, double square,
                            double mass) {
  double over = 1 / sqrt(square + Softening * Softening);
  double strength = mass * over * over * over;
  pull->potential -= mass * over;
  for (int k = 0; k < 3; ++k)
    pull->acceleration[k] += strength * d[k];
  ++pull->count;
}

static inline void add_quadrupole(struct pull *pull, const double *d,
                                  double square, const double *restrict q) {
  double over = 1 / sqrt(square + Softening * Softening);
  double over2 = over * over, over5 = over2 * over2 * over;
  double qd[3] = {q[0] * d[0] + q[1] * d[1] + q[2] * d[2],
                  q[1] * d[0] + q[3] * d[1] + q[4] * d[2],
                  q[2] * d[0] + q[4] * d[1] + q[5] * d[2]};
  double dqd = d[0] * qd[0] + d[1] * qd[1] + d[2] * qd[2];
  pull->potential -= 0.5 * dqd * over5;
  for (int k = 0; k < 3; ++k)
    pull->acceleration[k] += over5 * (2.5 * dqd * over2 * d[k] - qd[k]);
}

/** `reach[depth]` is the square of the distance from which a cell of that depth
    looks small. */
static struct pull pull_on(struct tree tree, long b, const double *reach) {
  struct {
    child_t child;
    int depth;
  } stack[8 * (MAX_DEPTH + 2)];
  const struct body *restrict bodies = tree.bodies;
  const struct cell *restrict cells = tree.cells;
  struct pull pull = {{0}, 0, 0};
  double x = bodies[b].position[0], y = bodies[b].position[1];
  double z = bodies[b].position[2];
  int top = 0;
  stack[top].child = 1;
  stack[top++].depth = 0;
  while (top) {
    child_t child = stack[--top].child;
    int depth = stack[top].depth;
    const double *at =
        child > 0 ? cells[child - 1].center : bodies[-child - 1].position;
    double d[3] = {at[0] - x, at[1] - y, at[2] - z};
    double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (child < 0) {
      if (-child - 1 != b)
        add_mass(&pull, d, square, bodies[-child - 1].mass);
    } else if (square > reach[depth]) {
      add_mass(&pull, d, square, cells[child - 1].mass);
      add_quadrupole(&pull, d, square, cells[child - 1].moment);
    } else {
      for (int o = 7; o >= 0; --o)
        if (cells[child - 1].child[o]) {
          stack[top].child = cells[child - 1].child[o];
          stack[top++].depth = depth + 1;
        }
    }
  }
  return pull;
}

static void compute_pulls(struct tree tree, const int32_t *mine, long count,
                          double half) {
  double reach[MAX_DEPTH + 2];
  for (int depth = 0; depth < MAX_DEPTH + 2; ++depth, half *= 0.5)
    reach[depth] = 4 * half * half / (Theta * Theta);
  for (long i = 0; i < count; ++i) {
    struct pull pull = pull_on(tree, mine[i], reach);
    struct motion *motion = &tree.motions[mine[i]];
    memcpy(motion->acceleration, pull.acceleration, sizeof pull.acceleration);
    motion->cost = pull.count;
  }
}

/* --- Steps ---------------------------------------------------------------- */

static void move(struct tree tree, const int32_t *mine, long count) {
  for (long i = 0; i < count; ++i) {
    struct body *body = &tree.bodies[mine[i]];
    struct motion *motion = &tree.motions[mine[i]];
    for (int k = 0; k < 3; ++k) {
      motion->velocity[k] += Dt * motion->acceleration[k];
      body->position[k] += Dt * motion->velocity[k];
    }
  }
}

/** Half the side of a cube around the origin, a power of two, with all bodies.
 */
static double size_root(struct tree tree, const int32_t *mine, long count,
                        struct team team) {
  double largest = 0, half = 1;
  for (long i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k)
      largest = fmax(largest, fabs(tree.bodies[mine[i]].position[k]));
  largest = team_max(team, largest);
  while (half <= largest)
    half *= 2;
  return half;
}

static long rebuild(struct tree tree, int32_t *mine, long count, int64_t step,
                    double half, struct team team) {
  struct cell_pool pool = {team.thread * tree.room, 0};
  if (team.thread == 0)
    new_cell(tree, &pool); /* The root. */
  team_barrier(team);
  for (long i = 0; i < count; ++i)
    insert(tree, mine[i], half, &pool, team);
  team_barrier(team);
  summarize_all(tree, pool, step);
  team_barrier(team);
  int64_t total = tree.cells[0].cost;
  count = collect_zone(tree, 1, 0, total * team.thread / team.threads,
                       total * (team.thread + 1) / team.threads, mine, 0);
  team_barrier(team); /* All have read the costs. */
  return count;
}

static void run(struct tree tree, struct team team) {
  long begin = part_begin(n, team.thread, team.threads);
  long end = part_begin(n, team.thread + 1, team.threads), count = end - begin;
  int32_t *mine = private_alloc((size_t)n * sizeof *mine);
  initialize(tree, begin, end);
  for (long i = begin; i < end; ++i)
    mine[i - begin] = (int32_t)i;
  phase_begin(team);
  for (int64_t step = 1; step <= steps; ++step) {
    double half = size_root(tree, mine, count, team);
    count = rebuild(tree, mine, count, step, half, team);
    compute_pulls(tree, mine, count, half);
    team_barrier(team);
    move(tree, mine, count);
    team_barrier(team);
  }
  phase_end(team);
  free(mine);
}

static struct tree allocate(int shared, int threads) {
  struct tree tree;
  tree.room = threads == 1 ? n + 1 : 4 * n / threads + 64;
  tree.bodies = problem_alloc(shared, (size_t)n * sizeof *tree.bodies,
                              TREE_BLOCK_BYTES, GDSM_HOME_FIRST_TOUCH);
  tree.motions = problem_alloc(shared, (size_t)n * sizeof *tree.motions,
                               TREE_BLOCK_BYTES, GDSM_HOME_FIRST_TOUCH);
  tree.cells =
      problem_alloc(shared, (size_t)(threads * tree.room) * sizeof *tree.cells,
                    TREE_BLOCK_BYTES, GDSM_HOME_FIRST_TOUCH);
  tree.locks = shared ? make_locks(LOCKS) : 0;
  return tree;
}

/* --- Verification --------------------------------------------------------- */

/** Accelerations of some bodies against the sum over all: the mean error of the
    method is well below a percent. */
static long count_wrong_pulls(struct tree tree, int64_t step) {
  enum { SAMPLES = 32 };
  int32_t *mine = private_alloc((size_t)n * sizeof *mine);
  double error = 0;
  for (long i = 0; i < n; ++i)
    mine[i] = (int32_t)i;
  double half = size_root(tree, mine, n, lone_team());
  rebuild(tree, mine, n, step, half, lone_team());
  compute_pulls(tree, mine, n, half);
  for (long s = 0; s < SAMPLES; ++s) {
    long b = n * s / SAMPLES;
    const struct body *body = &tree.bodies[b];
    struct pull direct = {{0}, 0, 0};
    for (long j = 0; j < n; ++j) {
      double d[3], square = 0;
      for (int k = 0; k < 3; ++k) {
        d[k] = tree.bodies[j].position[k] - body->position[k];
        square += d[k] * d[k];
      }
      if (j != b)
        add_mass(&direct, d, square, tree.bodies[j].mass);
    }
    double off = 0, size = 0;
    for (int k = 0; k < 3; ++k) {
      double a = direct.acceleration[k], got = tree.motions[b].acceleration[k];
      off += (got - a) * (got - a);
      size += a * a;
    }
    error += sqrt(off / size) / (double)SAMPLES;
  }
  free(mine);
  if (error < 0.005)
    return 0;
  printf("verify: accelerations are off by %g on average\n", error);
  return 1;
}

static double *state_of(struct tree tree) {
  double *state = private_alloc((size_t)(6 * n) * sizeof *state);
  for (long b = 0; b < n; ++b) {
    memcpy(state + 6 * b, tree.bodies[b].position, 3 * sizeof(double));
    memcpy(state + 6 * b + 3, tree.motions[b].velocity, 3 * sizeof(double));
  }
  return state;
}

static long verify(const double *state) {
  struct tree reference = allocate(0, 1);
  run(reference, lone_team());
  long wrong =
      count_differences("body", state, state_of(reference), 6 * n, 0, 0);
  return wrong + count_wrong_pulls(reference, steps + 1);
}

static void solve(void *unused) {
  (void)unused;
  run(shared_tree, whole_team());
}

int main(int argc, char **argv) {
  struct option options[] = {{"n", &n, 512, 16 << 10, 2, 1 << 24},
                             {"steps", &steps, 3, 4, 1, 1 << 30}};
  parse_options("barnes", argc, argv, options, 2);
  if (gdsm_node() == 0)
    shared_tree = allocate(1, gdsm_threads());
  gdsm_broadcast(&shared_tree, sizeof shared_tree, 0);
  gdsm_parallel(solve, NULL);

  long wrong = 0;
  if (gdsm_node() == 0) {
    if (error_wanted)
      shared_tree.motions[n / 2].velocity[1] += 0x1p-40;
    double *state = state_of(shared_tree), kinetic = 0;
    for (long b = 0; b < n; ++b)
      for (int k = 3; k < 6; ++k)
        kinetic += state[6 * b + k] * state[6 * b + k];
    printf("result: barnes n=%ld steps=%ld kinetic %.15g checksum %016llx\n", n,
           steps, 0.5 * kinetic / (double)n,
           (unsigned long long)hash_doubles(0, state, 6 * n));
    if (verify_wanted)
      wrong = verify(state);
  }
  return finish(wrong);
}
