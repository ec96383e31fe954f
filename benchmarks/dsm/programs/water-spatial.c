/*===- water-spatial.c - Water, by cells in space -----------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Molecular dynamics of water in cells at least as wide as the cut-off: only
|* molecules of neighboring cells interact (the algorithm and sharing of Woo et
|* al. 1995). A thread has a sub-cube of cells and whatever molecules are in
|* them. Per step:
|*
|*  1. coordinates of own molecules are predicted, forces within them computed;
|*  2. forces on own molecules from those in 27 cells, of which those at the
|*     faces, edges and corners of the sub-cube are others'. Nobody writes to
|*     another's molecules: pairs across a border are computed on both sides,
|*     without locks;
|*  3. own molecules are corrected;
|*  4. new lists of the molecules in own cells, from the old lists around.
|*
|* Lists are in the order of molecules' numbers, so all sums have the same order
|* whoever computes them: equal bits (of coordinates; energies are summed by
|* thread).
|*
\*===----------------------------------------------------------------------===*/

#include "water.h"

enum {
  ROOM = 31,
  CELL_BLOCK_BYTES = 1024 /**< A row of cells. */
};

struct cell {
  int32_t count, molecules[ROOM];
};

struct space {
  struct molecules molecules;
  struct cell *cells[2]; /**< Of this step and the next one, in turn. */
};

/** The cells of a thread. */
struct cube {
  long begin[3], end[3];
};

static long n, steps, cells;
static double potential, kinetic;
static struct space shared_space;

static long cell_at(long x, long y, long z) {
  return (z * cells + y) * cells + x;
}
static long wrap(long c) {
  return c < 0 ? c + cells : c >= cells ? c - cells : c;
}

static long cell_coordinate(double position) {
  long c = (long)(position / box * (double)cells);
  return c < 0 ? 0 : c >= cells ? cells - 1 : c;
}

static int is_in(const struct place *place, const long at[3]) {
  return cell_coordinate(place->at[0]) == at[0] &&
         cell_coordinate(place->at[1]) == at[1] &&
         cell_coordinate(place->at[2]) == at[2];
}

/** Halves the threads' cube in its longest direction as long as both the number
   of threads and the cube allow; z first. What remains of the threads shares z.
 */
static struct cube my_cube(struct team team) {
  int parts[3] = {1, 1, 1}, rest = team.threads;
  for (int axis = 2; rest % 2 == 0 && parts[axis] * 2 <= cells;
       axis = axis ? axis - 1 : 2, rest /= 2)
    parts[axis] *= 2;
  parts[2] *= rest;
  int at[3] = {team.thread % parts[0], team.thread / parts[0] % parts[1],
               team.thread / parts[0] / parts[1]};
  struct cube cube;
  for (int axis = 0; axis < 3; ++axis) {
    cube.begin[axis] = part_begin(cells, at[axis], parts[axis]);
    cube.end[axis] = part_begin(cells, at[axis] + 1, parts[axis]);
  }
  return cube;
}

/** Calls function(space, list, at, sums) for each cell of the cube. */
static void for_each_cell(const struct space *space, int list,
                          const struct cube *cube,
                          void (*function)(const struct space *, int,
                                           const long *, double *),
                          double *sum) {
  for (long z = cube->begin[2]; z < cube->end[2]; ++z)
    for (long y = cube->begin[1]; y < cube->end[1]; ++y)
      for (long x = cube->begin[0]; x < cube->end[0]; ++x) {
        long at[3] = {x, y, z};
        function(space, list, at, sum);
      }
}

static void add_molecule(struct cell *cell, int32_t number) {
  int32_t place = cell->count;
  if (place == ROOM)
    fail("too many molecules in a cell", "");
  for (; place > 0 && cell->molecules[place - 1] > number; --place)
    cell->molecules[place] = cell->molecules[place - 1];
  cell->molecules[place] = number;
  ++cell->count;
}

/* --- What is done with a cell --------------------------------------------- */

/** Finds the molecules of a cell by their first places, and makes them. */
static void populate(const struct space *space, int list, const long *at,
                     double *unused) {
  struct cell *cell = &space->cells[list][cell_at(at[0], at[1], at[2])];
  (void)unused;
  for (long m = 0; m < n; ++m) {
    long place[3] = {m % edge, m / edge % edge, m / edge / edge};
    int here = 1;
    for (int k = 0; k < 3; ++k)
      here &= cell_coordinate(((double)place[k] + 0.5) * Spacing) == at[k];
    if (here) {
      place_molecule(&space->molecules.place[m], &space->molecules.motion[m],
                     m);
      add_molecule(cell, (int32_t)m);
    }
  }
}

static void predict_cell(const struct space *space, int list, const long *at,
                         double *energy) {
  const struct cell *cell = &space->cells[list][cell_at(at[0], at[1], at[2])];
  for (int32_t k = 0; k < cell->count; ++k) {
    struct place *place = &space->molecules.place[cell->molecules[k]];
    struct motion *motion = &space->molecules.motion[cell->molecules[k]];
    predict(place, motion);
    *energy += add_inner_forces(place, motion);
  }
}

/** Forces on molecule i from all in a cell; energy counts half on either side.
 */
static double forces_from(double *own, const struct place *places, int32_t i,
                          const struct cell *cell) {
  double energy = 0, size = box;
  for (int32_t k = 0; k < cell->count; ++k) {
    double on_i[COORDINATES], on_j[COORDINATES], part;
    int32_t j = cell->molecules[k];
    if (j == i ||
        !interact(places[i].at, places[j].at, size, on_i, on_j, &part))
      continue;
    energy += 0.5 * part;
    for (int c = 0; c < COORDINATES; ++c)
      own[c] += on_i[c];
  }
  return energy;
}

static void interact_cell(const struct space *space, int list, const long *at,
                          double *energy) {
  const struct cell *cell = &space->cells[list][cell_at(at[0], at[1], at[2])];
  for (int32_t k = 0; k < cell->count; ++k) {
    int32_t i = cell->molecules[k];
    double own[COORDINATES] = {0};
    for (int d = 0; d < 27; ++d)
      *energy +=
          forces_from(own, space->molecules.place, i,
                      &space->cells[list][cell_at(wrap(at[0] + d % 3 - 1),
                                                  wrap(at[1] + d / 3 % 3 - 1),
                                                  wrap(at[2] + d / 9 - 1))]);
    for (int c = 0; c < COORDINATES; ++c)
      space->molecules.motion[i].force[c] += own[c];
  }
}

static void correct_cell(const struct space *space, int list, const long *at,
                         double *motion) {
  const struct cell *cell = &space->cells[list][cell_at(at[0], at[1], at[2])];
  for (int32_t k = 0; k < cell->count; ++k)
    *motion += 0.5 * correct(&space->molecules.place[cell->molecules[k]],
                             &space->molecules.motion[cell->molecules[k]]);
}

/** The next list of a cell: a molecule moves by far less than a cell in a step.
 */
static void list_cell(const struct space *space, int list, const long *at,
                      double *unused) {
  struct cell *next = &space->cells[!list][cell_at(at[0], at[1], at[2])];
  (void)unused;
  next->count = 0;
  for (int d = 0; d < 27; ++d) {
    const struct cell *cell = &space->cells[list][cell_at(
        wrap(at[0] + d % 3 - 1), wrap(at[1] + d / 3 % 3 - 1),
        wrap(at[2] + d / 9 - 1))];
    for (int32_t k = 0; k < cell->count; ++k)
      if (is_in(&space->molecules.place[cell->molecules[k]], at))
        add_molecule(next, cell->molecules[k]);
  }
}

/* --- The program ---------------------------------------------------------- */

static void run(struct space space, struct team team) {
  struct cube cube = my_cube(team);
  for_each_cell(&space, 0, &cube, populate, NULL);
  phase_begin(team);
  for (long step = 0; step < steps; ++step) {
    int list = (int)(step & 1);
    double energy = 0, motion = 0;
    for_each_cell(&space, list, &cube, predict_cell, &energy);
    team_barrier(team);
    for_each_cell(&space, list, &cube, interact_cell, &energy);
    team_barrier(team);
    for_each_cell(&space, list, &cube, correct_cell, &motion);
    team_barrier(team);
    for_each_cell(&space, list, &cube, list_cell, NULL);
    energy = team_sum(team, energy); /* A barrier, too. */
    motion = team_sum(team, motion);
    if (team.thread == 0) {
      potential = energy;
      kinetic = motion;
    }
  }
  phase_end(team);
}

static struct space allocate(int shared) {
  struct space space;
  size_t bytes = (size_t)(cells * cells * cells) * sizeof(struct cell);
  space.molecules = allocate_molecules(shared, n);
  for (int list = 0; list < 2; ++list)
    space.cells[list] =
        problem_alloc(shared, bytes, CELL_BLOCK_BYTES, GDSM_HOME_FIRST_TOUCH);
  return space;
}

static long verify(const double *coordinates) {
  struct space reference = allocate(0);
  run(reference, lone_team());
  return count_lost_momentum(shared_space.molecules, n) +
         count_differences("coordinate", coordinates,
                           coordinates_of(reference.molecules, n),
                           n * COORDINATES, 0, 0);
}

static void solve(void *unused) {
  (void)unused;
  run(shared_space, whole_team());
}

int main(int argc, char **argv) {
  struct option options[] = {{"n", &n, 216, 2744, 216, 1 << 20},
                             {"steps", &steps, 3, 3, 1, 1 << 30}};
  parse_options("water-spatial", argc, argv, options, 2);
  size_box(n);
  cells = (long)(box / Cutoff);
  if (gdsm_node() == 0)
    shared_space = allocate(1);
  gdsm_broadcast(&shared_space, sizeof shared_space, 0);
  gdsm_parallel(solve, NULL);

  long wrong = 0;
  if (gdsm_node() == 0) {
    if (error_wanted)
      shared_space.molecules.place[n - 1].at[4] += 0x1p-40;
    double *coordinates = coordinates_of(shared_space.molecules, n);
    printf("result: water-spatial n=%ld steps=%ld potential %.9g kinetic %.9g "
           "checksum %016llx\n",
           n, steps, potential, kinetic,
           (unsigned long long)hash_doubles(0, coordinates, n * COORDINATES));
    if (verify_wanted)
      wrong = verify(coordinates);
  }
  return finish(wrong);
}
