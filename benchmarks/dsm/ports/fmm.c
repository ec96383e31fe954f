/*===- fmm.c - Fast multipole method ------------------------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

/* Fast multipole method in two dimensions (Greengard, Rokhlin 1987) on an
   adaptive quadtree: potential and field of charges. Cells are linked by
   pointers, and each has lists of the cells that it interacts with: those far
   enough for expansions, and those whose particles are taken one by one. */
#include "graupel/dsm.h"
#include "options.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TERMS 14
#define LEAF_PARTICLES 24
#define MAX_LEVELS 20

typedef struct {
  double r, i;
} complex;

struct particle {
  complex pos, field;
  double charge, potential;
};

struct list_node {
  struct cell *cell;
  struct list_node *next;
};

struct cell {
  complex center;
  double half; /* of its side */
  int level, count;
  struct cell *parent, *child[4]; /* all four are NULL: a leaf */
  struct particle *particles[LEAF_PARTICLES];
  struct list_node *far_list, *near_list;
  complex multipole[TERMS], local[TERMS];
  struct cell *next_on_level;
};

struct global_memory {
  struct particle *particles;
  struct cell *cells, *root;
  struct list_node *list_nodes;
  int cells_used, list_nodes_used, levels;
  struct cell *level[MAX_LEVELS];
};

static struct global_memory *global;
static int particle_count, max_cells, max_list_nodes;
static double binomial[2 * TERMS][2 * TERMS];

static complex c_add(complex a, complex b) {
  complex c = {a.r + b.r, a.i + b.i};
  return c;
}
static complex c_sub(complex a, complex b) {
  complex c = {a.r - b.r, a.i - b.i};
  return c;
}
static complex c_mul(complex a, complex b) {
  complex c = {a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r};
  return c;
}
static complex c_scale(complex a, double s) {
  complex c = {a.r * s, a.i * s};
  return c;
}
static complex c_inverse(complex a) {
  double d = a.r * a.r + a.i * a.i;
  complex c = {a.r / d, -a.i / d};
  return c;
}
static complex c_log(complex a) {
  complex c = {0.5 * log(a.r * a.r + a.i * a.i), atan2(a.i, a.r)};
  return c;
}

static void init_binomial(void) {
  int n, k;

  for (n = 0; n < 2 * TERMS; n++) {
    binomial[n][0] = 1;
    for (k = 1; k <= n; k++)
      binomial[n][k] =
          binomial[n - 1][k - 1] + (k < n ? binomial[n - 1][k] : 0);
  }
}

/* --- Tree and lists: by the first thread ---------------------------------- */

static struct cell *new_cell(complex center, double half, struct cell *parent) {
  struct cell *c;

  if (global->cells_used == max_cells) {
    fprintf(stderr, "fmm: too many cells\n");
    exit(1);
  }
  c = &global->cells[global->cells_used++];
  c->center = center;
  c->half = half;
  c->parent = parent;
  c->level = parent ? parent->level + 1 : 0;
  if (c->level >= global->levels)
    global->levels = c->level + 1;
  c->next_on_level = global->level[c->level];
  global->level[c->level] = c;
  return c;
}

static int is_leaf(const struct cell *c) {
  return !c->child[0] && !c->child[1] && !c->child[2] && !c->child[3];
}

static void insert(struct cell *c, struct particle *p);

static void insert_into_child(struct cell *c, struct particle *p) {
  int right = p->pos.r >= c->center.r, upper = p->pos.i >= c->center.i;
  int which = 2 * upper + right;

  if (!c->child[which]) {
    double half = c->half / 2;
    complex center = {c->center.r + (right ? half : -half),
                      c->center.i + (upper ? half : -half)};
    c->child[which] = new_cell(center, half, c);
  }
  insert(c->child[which], p);
}

static void insert(struct cell *c, struct particle *p) {
  int i;

  if (!is_leaf(c)) {
    insert_into_child(c, p);
  } else if (c->count < LEAF_PARTICLES || c->level == MAX_LEVELS - 1) {
    c->particles[c->count++] = p;
  } else {
    for (i = 0; i < c->count; i++)
      insert_into_child(c, c->particles[i]);
    c->count = 0;
    insert_into_child(c, p);
  }
}

static void add_to_list(struct list_node **list, struct cell *cell) {
  struct list_node *node;

  if (global->list_nodes_used == max_list_nodes) {
    fprintf(stderr, "fmm: too many interactions\n");
    exit(1);
  }
  node = &global->list_nodes[global->list_nodes_used++];
  node->cell = cell;
  node->next = *list;
  *list = node;
}

static int well_separated(const struct cell *a, const struct cell *b) {
  double dx = a->center.r - b->center.r, dy = a->center.i - b->center.i;
  double reach = 1.9 * 1.42 * (a->half + b->half) / 2;
  return dx * dx + dy * dy > 2 * reach * reach;
}

static void make_lists(struct cell *target, struct cell *source) {
  int i;

  if (well_separated(target, source))
    add_to_list(&target->far_list, source);
  else if (is_leaf(target) && is_leaf(source))
    add_to_list(&target->near_list, source);
  else if (is_leaf(source) ||
           (!is_leaf(target) && target->half >= source->half)) {
    for (i = 0; i < 4; i++)
      if (target->child[i])
        make_lists(target->child[i], source);
  } else {
    for (i = 0; i < 4; i++)
      if (source->child[i])
        make_lists(target, source->child[i]);
  }
}

/* --- Expansions ----------------------------------------------------------- */

static void particles_to_multipole(struct cell *c) {
  int i, k;

  for (i = 0; i < c->count; i++) {
    struct particle *p = c->particles[i];
    complex z = c_sub(p->pos, c->center), power = z;
    c->multipole[0].r += p->charge;
    for (k = 1; k < TERMS; k++) {
      c->multipole[k] = c_sub(c->multipole[k], c_scale(power, p->charge / k));
      power = c_mul(power, z);
    }
  }
}

static void powers_of(complex z, complex *power) {
  int k;

  power[0].r = 1;
  power[0].i = 0;
  for (k = 1; k < TERMS; k++)
    power[k] = c_mul(power[k - 1], z);
}

static void shift_multipole(struct cell *parent, const struct cell *child) {
  complex z0 = c_sub(child->center, parent->center), power[TERMS];
  int k, l;

  powers_of(z0, power);
  parent->multipole[0] = c_add(parent->multipole[0], child->multipole[0]);
  for (l = 1; l < TERMS; l++) {
    complex sum = c_scale(c_mul(child->multipole[0], power[l]), -1.0 / l);
    for (k = 1; k <= l; k++)
      sum = c_add(sum, c_scale(c_mul(child->multipole[k], power[l - k]),
                               binomial[l - 1][k - 1]));
    parent->multipole[l] = c_add(parent->multipole[l], sum);
  }
}

static void multipole_to_local(struct cell *target, const struct cell *source) {
  complex z0 = c_sub(source->center, target->center);
  complex inverse = c_inverse(z0), scaled[TERMS], power = inverse;
  complex minus_z0 = {-z0.r, -z0.i}, sum;
  int k, l;

  for (k = 1; k < TERMS; k++) {
    scaled[k] = c_scale(c_mul(source->multipole[k], power), k % 2 ? -1 : 1);
    power = c_mul(power, inverse);
  }
  sum = c_mul(source->multipole[0], c_log(minus_z0));
  for (k = 1; k < TERMS; k++)
    sum = c_add(sum, scaled[k]);
  target->local[0] = c_add(target->local[0], sum);
  power = inverse;
  for (l = 1; l < TERMS; l++) {
    sum = c_scale(source->multipole[0], -1.0 / l);
    for (k = 1; k < TERMS; k++)
      sum = c_add(sum, c_scale(scaled[k], binomial[l + k - 1][k - 1]));
    target->local[l] = c_add(target->local[l], c_mul(sum, power));
    power = c_mul(power, inverse);
  }
}

static void shift_local(struct cell *child, const struct cell *parent) {
  complex z0 = c_sub(child->center, parent->center), power[TERMS];
  int k, l;

  powers_of(z0, power);
  for (l = 0; l < TERMS; l++)
    for (k = l; k < TERMS; k++)
      child->local[l] =
          c_add(child->local[l],
                c_scale(c_mul(parent->local[k], power[k - l]), binomial[k][l]));
}

static void local_to_particles(struct cell *c) {
  int i, k;

  for (i = 0; i < c->count; i++) {
    struct particle *p = c->particles[i];
    complex z = c_sub(p->pos, c->center);
    complex value = c->local[TERMS - 1], slope = {0, 0};
    for (k = TERMS - 2; k >= 0; k--) {
      slope = c_add(c_mul(slope, z), value);
      value = c_add(c_mul(value, z), c->local[k]);
    }
    p->potential += value.r;
    p->field.r += slope.r;
    p->field.i -= slope.i;
  }
}

static void near_particles(struct cell *target, const struct cell *source) {
  int i, j;

  for (i = 0; i < target->count; i++) {
    struct particle *p = target->particles[i];
    for (j = 0; j < source->count; j++) {
      const struct particle *q = source->particles[j];
      double dx, dy, r2;
      if (p == q)
        continue;
      dx = p->pos.r - q->pos.r;
      dy = p->pos.i - q->pos.i;
      r2 = dx * dx + dy * dy;
      p->potential += 0.5 * q->charge * log(r2);
      p->field.r += q->charge * dx / r2;
      p->field.i += q->charge * dy / r2;
    }
  }
}

/* --- Passes ----------------------------------------------------------------
 */

static void upward(struct cell *c) {
  int i;

  if (is_leaf(c))
    particles_to_multipole(c);
  for (i = 0; i < 4; i++)
    if (c->child[i])
      shift_multipole(c, c->child[i]);
}

static void downward(struct cell *c) {
  struct list_node *node;

  if (c->parent)
    shift_local(c, c->parent);
  for (node = c->far_list; node; node = node->next)
    multipole_to_local(c, node->cell);
  if (!is_leaf(c))
    return;
  local_to_particles(c);
  for (node = c->near_list; node; node = node->next)
    near_particles(c, node->cell);
}

/* The cells of a level are dealt out to the threads in turn. */
static void for_my_cells(int level, void (*function)(struct cell *)) {
  int number = 0;
  struct cell *c;

  for (c = global->level[level]; c; c = c->next_on_level)
    if (number++ % gdsm_threads() == gdsm_thread())
      function(c);
}

static void slave(void *unused) {
  int level, i;

  (void)unused;
  if (gdsm_thread() == 0) {
    complex center = {0.5, 0.5};
    global->root = new_cell(center, 0.5, NULL);
    for (i = 0; i < particle_count; i++)
      insert(global->root, &global->particles[i]);
    make_lists(global->root, global->root);
  }
  gdsm_barrier();
  for (level = global->levels - 1; level >= 0; level--) {
    for_my_cells(level, upward);
    gdsm_barrier();
  }
  for (level = 0; level < global->levels; level++) {
    for_my_cells(level, downward);
    gdsm_barrier();
  }
}

static void make_particles(void) {
  unsigned long seed = 4711;
  double number[4];
  int i, k;

  for (i = 0; i < particle_count; i++) {
    struct particle *p = &global->particles[i];
    for (k = 0; k < 4; k++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      number[k] = (double)(seed >> 11) * 0x1p-53;
    }
    /* A third of them is in a small cluster. */
    p->pos.r = i % 3 ? number[0] : 0.3 + 0.1 * number[0] * number[1];
    p->pos.i = i % 3 ? number[2] : 0.6 + 0.1 * number[2] * number[1];
    p->charge = number[3];
  }
}

/* Largest relative error of the potentials of some particles. */
static double direct_error(void) {
  double error = 0;
  int i, j;

  for (i = 0; i < particle_count; i += particle_count / 10) {
    struct particle *p = &global->particles[i];
    double sum = 0;
    for (j = 0; j < particle_count; j++) {
      struct particle *q = &global->particles[j];
      if (i != j)
        sum += q->charge * log(hypot(p->pos.r - q->pos.r, p->pos.i - q->pos.i));
    }
    error = fmax(error, fabs((sum - p->potential) / sum));
  }
  return error;
}

int main(int argc, char **argv) {
  int i, middle = is_middle(argc, argv);
  double start, energy = 0, field = 0;

  particle_count = middle ? 80000 : 8192;
  max_cells = particle_count;
  max_list_nodes = 40 * particle_count;
  init_binomial();
  start = gdsm_time();
  if (gdsm_node() == 0) {
    global = gdsm_malloc(sizeof *global);
    global->particles =
        gdsm_malloc((size_t)particle_count * sizeof(struct particle));
    global->cells = gdsm_malloc((size_t)max_cells * sizeof(struct cell));
    global->list_nodes =
        gdsm_malloc((size_t)max_list_nodes * sizeof(struct list_node));
    make_particles();
  }
  gdsm_broadcast(&global, sizeof global, 0);
  gdsm_parallel(slave, NULL);
  if (gdsm_node() == 0) {
    for (i = 0; i < particle_count; i++) {
      struct particle *p = &global->particles[i];
      energy += p->charge * p->potential;
      field += p->field.r * p->field.r + p->field.i * p->field.i;
    }
    printf("result: fmm particles %d cells %d lists %d energy %.11g field "
           "%.11g direct %s\n",
           particle_count, global->cells_used, global->list_nodes_used, energy,
           field, direct_error() < 1e-4 ? "ok" : "differs");
    printf("time: %.4f\n", gdsm_time() - start);
  }
  return 0;
}
