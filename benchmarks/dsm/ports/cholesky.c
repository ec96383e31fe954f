/*===- cholesky.c - Sparse factorization --------------------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

/* Sparse Cholesky factorization of a grid's Laplacian, right-looking by panels
   (supernodes): a finished panel updates those it reaches, under their locks,
   and who gets its last update enters the queue of tasks. The grid is ordered
   by nested dissection. */
#include "graupel/dsm.h"
#include "options.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WIDTH 24

struct panel {
  int first, width; /* its columns */
  int rows;         /* that are not zero, those of the columns first */
  int *index;       /* which rows */
  double *values;   /* column by column, each with all rows */
  int pending;      /* updates still to come */
  gdsm_lock_t lock;
  struct panel *next; /* in the queue */
};

struct problem {
  int n, panels;
  struct panel *panel;
  int *panel_of; /* by column */
  struct panel *head, *tail;
  int unfinished;
  gdsm_lock_t queue_lock;
  long nonzeros;
};

static struct problem *problem;
static int grid;

/* --- Ordering and structure: by the first thread ------------------------- */

static void dissect(int x0, int x1, int y0, int y1, int *number, int *next) {
  int x, y, middle;

  if (x1 - x0 <= 3 && y1 - y0 <= 3) {
    for (y = y0; y < y1; y++)
      for (x = x0; x < x1; x++)
        number[y * grid + x] = (*next)++;
  } else if (x1 - x0 >= y1 - y0) {
    middle = (x0 + x1) / 2;
    dissect(x0, middle, y0, y1, number, next);
    dissect(middle + 1, x1, y0, y1, number, next);
    for (y = y0; y < y1; y++)
      number[y * grid + middle] = (*next)++;
  } else {
    middle = (y0 + y1) / 2;
    dissect(x0, x1, y0, middle, number, next);
    dissect(x0, x1, middle + 1, y1, number, next);
    for (x = x0; x < x1; x++)
      number[middle * grid + x] = (*next)++;
  }
}

static int compare_ints(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

/* The structure of each column of the factor: its neighbors that come later,
   and what its children in the elimination tree have. */
static void find_structure(const int *number, int n, int **column, int *count) {
  int *mark = malloc((size_t)n * sizeof *mark);
  int *cell_of = malloc((size_t)n * sizeof *cell_of);
  int *child = malloc((size_t)n * sizeof *child);
  int *sibling = malloc((size_t)n * sizeof *sibling);
  int *found = malloc((size_t)n * sizeof *found);
  int i, j, k, side;
  static const int dx[4] = {-1, 1, 0, 0}, dy[4] = {0, 0, -1, 1};

  for (i = 0; i < n; i++) {
    cell_of[number[i]] = i;
    mark[i] = child[i] = sibling[i] = -1;
  }
  for (j = 0; j < n; j++) {
    int rows = 0;
    found[rows++] = j;
    mark[j] = j;
    for (side = 0; side < 4; side++) {
      int x = cell_of[j] % grid + dx[side], y = cell_of[j] / grid + dy[side];
      if (x < 0 || x >= grid || y < 0 || y >= grid)
        continue;
      i = number[y * grid + x];
      if (i > j && mark[i] != j) {
        mark[i] = j;
        found[rows++] = i;
      }
    }
    for (i = child[j]; i >= 0; i = sibling[i])
      for (k = 1; k < count[i]; k++)
        if (mark[column[i][k]] != j) {
          mark[column[i][k]] = j;
          found[rows++] = column[i][k];
        }
    qsort(found, (size_t)rows, sizeof *found, compare_ints);
    count[j] = rows;
    column[j] = malloc((size_t)rows * sizeof(int));
    memcpy(column[j], found, (size_t)rows * sizeof(int));
    if (rows > 1) {
      sibling[j] = child[column[j][1]];
      child[column[j][1]] = j;
    }
  }
  free(mark);
  free(cell_of);
  free(child);
  free(sibling);
  free(found);
}

static void enqueue(struct panel *p) {
  p->next = NULL;
  if (problem->tail)
    problem->tail->next = p;
  else
    problem->head = p;
  problem->tail = p;
}

static void make_panels(int *const *column, const int *count, int n) {
  int i, j, width;

  problem->n = n;
  problem->panel_of = gdsm_malloc((size_t)n * sizeof(int));
  problem->panel = gdsm_malloc((size_t)n * sizeof(struct panel));
  for (j = 0; j < n; j += width) {
    struct panel *p = &problem->panel[problem->panels];
    for (width = 1; j + width < n && width < MAX_WIDTH; width++)
      if (count[j + width - 1] < 2 || column[j + width - 1][1] != j + width ||
          count[j + width] != count[j + width - 1] - 1)
        break;
    p->first = j;
    p->width = width;
    p->rows = count[j];
    p->index = gdsm_malloc((size_t)p->rows * sizeof(int));
    memcpy(p->index, column[j], (size_t)p->rows * sizeof(int));
    p->values = gdsm_malloc((size_t)p->rows * (size_t)width * sizeof(double));
    p->lock = gdsm_locks_new(1);
    for (i = 0; i < width; i++)
      problem->panel_of[j + i] = problem->panels;
    problem->nonzeros += (long)p->rows * width - width * (width - 1) / 2;
    problem->panels++;
  }
  problem->unfinished = problem->panels;
}

/* Where a later panel's columns end in the rows of p, from row `at`. */
static int end_of_target(const struct panel *p, int at,
                         const struct panel *target) {
  while (at < p->rows && p->index[at] < target->first + target->width)
    at++;
  return at;
}

static void count_updates(void) {
  int i, at;

  for (i = 0; i < problem->panels; i++) {
    struct panel *p = &problem->panel[i];
    for (at = p->width; at < p->rows;) {
      struct panel *target = &problem->panel[problem->panel_of[p->index[at]]];
      target->pending++;
      at = end_of_target(p, at, target);
    }
  }
  for (i = 0; i < problem->panels; i++)
    if (problem->panel[i].pending == 0)
      enqueue(&problem->panel[i]);
}

/* The Laplacian, shifted a little so that it is definite. */
static void fill_in(const int *number) {
  int x, y, k;

  for (y = 0; y < grid; y++)
    for (x = 0; x < grid; x++) {
      int j = number[y * grid + x];
      struct panel *p = &problem->panel[problem->panel_of[j]];
      double *values = p->values + (long)(j - p->first) * p->rows;
      for (k = j - p->first; k < p->rows; k++)
        values[k] = 0;
      values[j - p->first] = 4.01;
      for (k = j - p->first + 1; k < p->rows; k++) {
        int i = p->index[k];
        if ((x > 0 && i == number[y * grid + x - 1]) ||
            (x < grid - 1 && i == number[y * grid + x + 1]) ||
            (y > 0 && i == number[(y - 1) * grid + x]) ||
            (y < grid - 1 && i == number[(y + 1) * grid + x]))
          values[k] = -1.0;
      }
    }
}

/* --- Numbers: by all threads ---------------------------------------------- */

static void factor_panel(struct panel *p) {
  int i, j, k, rows = p->rows;

  for (k = 0; k < p->width; k++) {
    double *pivot = p->values + (long)k * rows;
    double diagonal = sqrt(pivot[k]);
    pivot[k] = diagonal;
    for (i = k + 1; i < rows; i++)
      pivot[i] /= diagonal;
    for (j = k + 1; j < p->width; j++) {
      double *column = p->values + (long)j * rows;
      double factor = pivot[j];
      for (i = j; i < rows; i++)
        column[i] -= factor * pivot[i];
    }
  }
}

/* What the panel subtracts from a column of another, that of its row `at`. */
static void compute_update(const struct panel *p, int at, double *update) {
  int i, k, rows = p->rows;

  for (i = at; i < rows; i++)
    update[i - at] = 0;
  for (k = 0; k < p->width; k++) {
    const double *column = p->values + (long)k * rows;
    double factor = column[at];
    for (i = at; i < rows; i++)
      update[i - at] += factor * column[i];
  }
}

static void scatter_update(const struct panel *p, int at, struct panel *target,
                           const double *update) {
  double *column =
      target->values + (long)(p->index[at] - target->first) * target->rows;
  int i, row = 0;

  for (i = at; i < p->rows; i++) {
    while (target->index[row] != p->index[i])
      row++;
    column[row] -= update[i - at];
  }
}

static void update_others(struct panel *p, double *update) {
  int at, end, j;

  for (at = p->width; at < p->rows; at = end) {
    struct panel *target = &problem->panel[problem->panel_of[p->index[at]]];
    int ready;
    end = end_of_target(p, at, target);
    gdsm_lock(target->lock);
    for (j = at; j < end; j++) {
      compute_update(p, j, update);
      scatter_update(p, j, target, update);
    }
    ready = --target->pending == 0;
    gdsm_unlock(target->lock);
    if (ready) {
      gdsm_lock(problem->queue_lock);
      enqueue(target);
      gdsm_cond_signal(problem->queue_lock);
      gdsm_unlock(problem->queue_lock);
    }
  }
}

static struct panel *get_task(void) {
  struct panel *p;

  gdsm_lock(problem->queue_lock);
  while (problem->head == NULL && problem->unfinished > 0)
    gdsm_cond_wait(problem->queue_lock, problem->queue_lock);
  p = problem->head;
  if (p) {
    problem->head = p->next;
    if (problem->head == NULL)
      problem->tail = NULL;
    if (--problem->unfinished == 0)
      gdsm_cond_broadcast(problem->queue_lock);
  }
  gdsm_unlock(problem->queue_lock);
  return p;
}

static void factor(void *unused) {
  double *update = malloc((size_t)problem->n * sizeof *update);
  struct panel *p;

  (void)unused;
  while ((p = get_task()) != NULL) {
    factor_panel(p);
    update_others(p, update);
  }
  free(update);
}

/* Solves L L^T x = b for b = 1 and returns the sum of x. */
static double solve(void) {
  double *x = malloc((size_t)problem->n * sizeof *x), sum = 0;
  int i, j, k;

  for (i = 0; i < problem->n; i++)
    x[i] = 1;
  for (k = 0; k < problem->panels; k++) {
    struct panel *p = &problem->panel[k];
    for (j = 0; j < p->width; j++) {
      double *column = p->values + (long)j * p->rows;
      double value = x[p->first + j] /= column[j];
      for (i = j + 1; i < p->rows; i++)
        x[p->index[i]] -= value * column[i];
    }
  }
  for (k = problem->panels - 1; k >= 0; k--) {
    struct panel *p = &problem->panel[k];
    for (j = p->width - 1; j >= 0; j--) {
      double *column = p->values + (long)j * p->rows;
      for (i = j + 1; i < p->rows; i++)
        x[p->first + j] -= column[i] * x[p->index[i]];
      x[p->first + j] /= column[j];
    }
  }
  for (i = 0; i < problem->n; i++)
    sum += x[i];
  free(x);
  return sum;
}

static void set_up(void) {
  int n = grid * grid, next = 0, i;
  int *number = malloc((size_t)n * sizeof *number);
  int *count = malloc((size_t)n * sizeof *count);
  int **column = malloc((size_t)n * sizeof *column);

  problem = gdsm_malloc(sizeof *problem);
  problem->queue_lock = gdsm_locks_new(1);
  dissect(0, grid, 0, grid, number, &next);
  find_structure(number, n, column, count);
  make_panels(column, count, n);
  count_updates();
  fill_in(number);
  for (i = 0; i < n; i++)
    free(column[i]);
  free(column);
  free(count);
  free(number);
}

int main(int argc, char **argv) {
  int i, k, middle = is_middle(argc, argv);
  double start;

  grid = middle ? 280 : 110;
  start = gdsm_time();
  if (gdsm_node() == 0)
    set_up();
  gdsm_broadcast(&problem, sizeof problem, 0);
  gdsm_parallel(factor, NULL);
  if (gdsm_node() == 0) {
    double log_determinant = 0;
    for (k = 0; k < problem->panels; k++)
      for (i = 0; i < problem->panel[k].width; i++)
        log_determinant +=
            2 *
            log(problem->panel[k].values[(long)i * problem->panel[k].rows + i]);
    printf("result: cholesky n %d panels %d nonzeros %ld log-determinant %.10g "
           "sum %.10g\n",
           problem->n, problem->panels, problem->nonzeros, log_determinant,
           solve());
    printf("time: %.4f\n", gdsm_time() - start);
  }
  return 0;
}
