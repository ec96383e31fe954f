/*===- tree.h - An octree of bodies, built together ---------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* The tree of barnes (Barnes and Hut 1986; shared as Singh, Holt, Totsuka,
|* Gupta and Hennessy 1995 describe): its cells divide space into eights until
|* no eighth holds more than one body. All threads insert bodies at the same
|* time, with a lock around each change of a cell. The finished tree does not
|* depend on their order.
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_BENCHMARKS_DSM_TREE_H
#define GRAUPEL_BENCHMARKS_DSM_TREE_H

#include "common.h"

enum {
  LOCKS = 2048,
  MAX_DEPTH = 60,
  TREE_BLOCK_BYTES = 1024 /**< Some neighbors. */
};

/** What others read of a body. */
struct body {
  double position[3], mass;
};

/** What else there is of it. */
struct motion {
  double velocity[3], acceleration[3];
  int64_t cost; /**< Interactions that the last step took. */
  int64_t padding;
};

/** What is in an eighth of a cell: 0 nothing, c + 1 cell c, -b - 1 body b. */
typedef int32_t child_t;

struct cell {
  child_t child[8];
  double center[3], mass; /**< Of mass. */
  double moment[6];       /**< Quadrupole: xx xy xz yy yz zz. */
  int64_t cost;           /**< Of the bodies below. */
  int64_t finished; /**< The number of the step that has computed all that. */
};

struct tree {
  struct body *bodies;
  struct motion *motions;
  struct cell *cells; /**< `room` of each thread; cell 0 is the root. */
  long room;
  gdsm_lock_t locks;
};

/** A thread's cells of this step are [first, first + used). */
struct cell_pool {
  long first, used;
};

static int octant(const double *position, const double *middle) {
  return (position[0] >= middle[0]) | (position[1] >= middle[1]) << 1 |
         (position[2] >= middle[2]) << 2;
}

static void descend(double *middle, int octant, double quarter) {
  for (int k = 0; k < 3; ++k)
    middle[k] += octant >> k & 1 ? quarter : -quarter;
}

static long new_cell(struct tree tree, struct cell_pool *pool) {
  if (pool->used == tree.room)
    fail("too many cells on one thread; use fewer threads", "");
  long number = pool->first + pool->used++;
  memset(tree.cells[number].child, 0, sizeof tree.cells[number].child);
  return number;
}

/** Puts body b into the eighth if it is free; makes a cell of it if another
   body is there. Returns the cell to go on with, or -1 if b is in. */
static long change_child(struct tree tree, long cell, int eighth, long b,
                         const double *middle, double half,
                         struct cell_pool *pool) {
  child_t *slot = &tree.cells[cell].child[eighth];
  child_t child = __atomic_load_n(slot, __ATOMIC_RELAXED);
  if (child > 0)
    return child - 1;
  if (child == 0) {
    __atomic_store_n(slot, (child_t)(-b - 1), __ATOMIC_RELEASE);
    return -1;
  }
  double inner[3] = {middle[0], middle[1], middle[2]};
  descend(inner, eighth, 0.5 * half);
  long made = new_cell(tree, pool);
  int where = octant(tree.bodies[-child - 1].position, inner);
  tree.cells[made].child[where] = child;
  __atomic_store_n(slot, (child_t)(made + 1), __ATOMIC_RELEASE);
  return made;
}

/** Kept by the node whose thread has made the cell: bodies are inserted near
   each other, so it is mostly the one that changes it. */
static gdsm_lock_t lock_of(struct tree tree, long cell) {
  int maker = (int)(cell / tree.room);
  return lock_at(tree.locks, cell % LOCKS, maker / gdsm_threads_per_node());
}

/** `half`: of the side of the root's cube around the origin. */
static void insert(struct tree tree, long b, double half,
                   struct cell_pool *pool, struct team team) {
  const double *position = tree.bodies[b].position;
  double middle[3] = {0, 0, 0};
  long cell = 0;
  for (int depth = 0; cell >= 0; ++depth) {
    if (depth > MAX_DEPTH)
      fail("two bodies are in one place", "");
    int eighth = octant(position, middle);
    child_t child =
        __atomic_load_n(&tree.cells[cell].child[eighth], __ATOMIC_ACQUIRE);
    if (child > 0) {
      cell = child - 1;
    } else {
      gdsm_lock_t lock = lock_of(tree, cell);
      team_lock(team, lock);
      cell = change_child(tree, cell, eighth, b, middle, half, pool);
      team_unlock(team, lock);
    }
    half *= 0.5;
    descend(middle, eighth, half);
  }
}

/* --- Masses --------------------------------------------------------------- */

/** Adds the quadrupole of a mass that is `d` away from the center. */
static void add_moment(double *moment, const double *d, double mass) {
  double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  for (int i = 0, m = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j, ++m)
      moment[m] += mass * (3 * d[i] * d[j] - (i == j ? square : 0));
}

/** What `child` weighs, and where. Waits for a cell until it is computed. */
static double mass_of(struct tree tree, child_t child, int64_t step,
                      const double **center, int64_t *cost) {
  if (child < 0) {
    const struct body *body = &tree.bodies[-child - 1];
    *center = body->position;
    *cost += tree.motions[-child - 1].cost;
    return body->mass;
  }
  const struct cell *cell = &tree.cells[child - 1];
  wait_for(&cell->finished, step);
  *center = cell->center;
  *cost += cell->cost;
  return cell->mass;
}

static void summarize(struct tree tree, long number, int64_t step) {
  struct cell *cell = &tree.cells[number];
  double mass = 0, center[3] = {0}, moment[6] = {0};
  int64_t cost = 0, unused = 0;
  const double *at;
  for (int o = 0; o < 8; ++o)
    if (cell->child[o]) {
      double part = mass_of(tree, cell->child[o], step, &at, &cost);
      mass += part;
      for (int k = 0; k < 3; ++k)
        center[k] += part * at[k];
    }
  for (int k = 0; k < 3; ++k)
    center[k] /= mass;
  for (int o = 0; o < 8; ++o)
    if (cell->child[o]) {
      double part = mass_of(tree, cell->child[o], step, &at, &unused);
      double d[3] = {at[0] - center[0], at[1] - center[1], at[2] - center[2]};
      add_moment(moment, d, part);
      if (cell->child[o] > 0)
        for (int m = 0; m < 6; ++m)
          moment[m] += tree.cells[cell->child[o] - 1].moment[m];
    }
  memcpy(cell->center, center, sizeof center);
  memcpy(cell->moment, moment, sizeof moment);
  cell->mass = mass;
  cell->cost = cost;
  __atomic_store_n(&cell->finished, step, __ATOMIC_RELEASE);
}

/** The cells that this thread has made, the last one first: a cell is older
   than all below it, so whoever is waited for never waits in a circle. */
static void summarize_all(struct tree tree, struct cell_pool pool,
                          int64_t step) {
  for (long c = pool.first + pool.used - 1; c >= pool.first; --c)
    summarize(tree, c, step);
}

/* --- Zones of equal cost -------------------------------------------------- */

/** The bodies below `child` whose cost, added up in the order of the tree,
   falls into [begin, end). `before` is the cost of all bodies before. */
static long collect_zone(struct tree tree, child_t child, int64_t before,
                         int64_t begin, int64_t end, int32_t *mine,
                         long count) {
  if (child < 0) {
    if (before >= begin && before < end)
      mine[count++] = -child - 1;
    return count;
  }
  const struct cell *cell = &tree.cells[child - 1];
  for (int o = 0; o < 8 && before < end; ++o) {
    child_t next = cell->child[o];
    if (!next)
      continue;
    int64_t cost =
        next > 0 ? tree.cells[next - 1].cost : tree.motions[-next - 1].cost;
    if (before + cost > begin)
      count = collect_zone(tree, next, before, begin, end, mine, count);
    before += cost;
  }
  return count;
}

#endif
