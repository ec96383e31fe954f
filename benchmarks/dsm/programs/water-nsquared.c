/*===- water-nsquared.c - Water, every pair of molecules ----------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Molecular dynamics of water with all n (n - 1) / 2 pairs looked at and those
|* within the cut-off computed (the algorithm and sharing of Woo et al. 1995). A
|* thread has a contiguous part of the molecules. Per step:
|*
|*  1. coordinates of own molecules are predicted, forces within them computed;
|*  2. each own molecule with the n / 2 that follow it: forces go to a private
|*     array of all molecules, and from there, under a lock per molecule, to the
|*     shared ones;
|*  3. own molecules are corrected.
|*
|* The order of additions in step 2 depends on timing, so coordinates agree with
|* the sequential ones to about 1e-9 of a length unit, not by bits.
|*
\*===----------------------------------------------------------------------===*/

#include "water.h"

static const double Tolerance = 1e-9;

static long n, steps;
static double potential, kinetic;
static struct molecules shared_molecules;
static gdsm_lock_t locks;

static void add_to(double *restrict sum, const double *restrict force) {
  for (int c = 0; c < COORDINATES; ++c)
    sum[c] += force[c];
}

/** Step 2 into `force`, COORDINATES a molecule; returns the energy. `touched`
   tells who has got any. */
static double pair_forces(double *restrict force, uint8_t *restrict touched,
                          const struct place *restrict places, long begin,
                          long end) {
  double energy = 0, size = box;
  for (long i = begin; i < end; ++i) {
    /* Of two opposite ones of an even number, the first has the pair. */
    long following = n % 2 == 0 && i >= n / 2 ? n / 2 - 1 : n / 2;
    double own[COORDINATES] = {0}, on_i[COORDINATES], on_j[COORDINATES], part;
    for (long k = 1; k <= following; ++k) {
      long j = i + k < n ? i + k : i + k - n;
      if (!interact(places[i].at, places[j].at, size, on_i, on_j, &part))
        continue;
      energy += part;
      add_to(own, on_i);
      add_to(force + j * COORDINATES, on_j);
      touched[j] = 1;
    }
    add_to(force + i * COORDINATES, own);
    touched[i] = 1;
  }
  return energy;
}

/** Kept by the node whose thread has the molecule: it takes all of its locks,
   others few. */
static gdsm_lock_t lock_of(long m, struct team team) {
  int owner = part_of(n, m, team.threads);
  return lock_at(locks, m, owner / gdsm_threads_per_node());
}

/** Threads begin with their own molecules, so that few wait for a lock. */
static void publish_forces(struct motion *motions, const double *force,
                           const uint8_t *touched, long begin,
                           struct team team) {
  for (long k = 0; k < n; ++k) {
    long m = begin + k < n ? begin + k : begin + k - n;
    if (!touched[m])
      continue;
    gdsm_lock_t lock = lock_of(m, team);
    team_lock(team, lock);
    add_to(motions[m].force, force + m * COORDINATES);
    team_unlock(team, lock);
  }
}

static void run(struct molecules molecules, struct team team) {
  long begin = part_begin(n, team.thread, team.threads);
  long end = part_begin(n, team.thread + 1, team.threads);
  size_t bytes = (size_t)(n * COORDINATES) * sizeof(double);
  double *force = private_alloc(bytes);
  uint8_t *touched = private_alloc((size_t)n);
  for (long m = begin; m < end; ++m)
    place_molecule(&molecules.place[m], &molecules.motion[m], m);
  phase_begin(team);
  for (long step = 0; step < steps; ++step) {
    double energy = 0, motion = 0;
    for (long m = begin; m < end; ++m) {
      predict(&molecules.place[m], &molecules.motion[m]);
      energy += add_inner_forces(&molecules.place[m], &molecules.motion[m]);
    }
    memset(force, 0, bytes);
    memset(touched, 0, (size_t)n);
    team_barrier(team);
    energy += pair_forces(force, touched, molecules.place, begin, end);
    publish_forces(molecules.motion, force, touched, begin, team);
    team_barrier(team);
    for (long m = begin; m < end; ++m)
      motion += 0.5 * correct(&molecules.place[m], &molecules.motion[m]);
    energy = team_sum(team, energy);
    motion = team_sum(team, motion);
    if (team.thread == 0) {
      potential = energy;
      kinetic = motion;
    }
  }
  phase_end(team);
  free(force);
  free(touched);
}

static long verify(const double *coordinates) {
  struct molecules reference = allocate_molecules(0, n);
  run(reference, lone_team());
  return count_lost_momentum(shared_molecules, n) +
         count_differences("coordinate", coordinates,
                           coordinates_of(reference, n), n * COORDINATES,
                           Tolerance, 1);
}

static void solve(void *unused) {
  (void)unused;
  run(shared_molecules, whole_team());
}

int main(int argc, char **argv) {
  struct option options[] = {{"n", &n, 216, 4096, 216, 1 << 20},
                             {"steps", &steps, 3, 3, 1, 1 << 30}};
  parse_options("water-nsquared", argc, argv, options, 2);
  size_box(n);
  if (gdsm_node() == 0) {
    shared_molecules = allocate_molecules(1, n);
    locks = make_locks(n);
  }
  gdsm_broadcast(&shared_molecules, sizeof shared_molecules, 0);
  gdsm_broadcast(&locks, sizeof locks, 0);
  gdsm_parallel(solve, NULL);

  long wrong = 0;
  if (gdsm_node() == 0) {
    if (error_wanted)
      shared_molecules.place[n - 1].at[4] += 1e-6;
    double *coordinates = coordinates_of(shared_molecules, n);
    printf("result: water-nsquared n=%ld steps=%ld potential %.9g "
           "kinetic %.9g\n",
           n, steps, potential, kinetic);
    if (verify_wanted)
      wrong = verify(coordinates);
  }
  return finish(wrong);
}
