/*===- water.h - Molecules of water -------------------------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* What water-nsquared and water-spatial have in common: flexible molecules of
|* three charged sites (parameters of SPC, Berendsen et al. 1981, with harmonic
|* bonds) in a periodic box, and Gear's predictor and corrector with six values.
|* The interaction of two molecules is scaled by (1 - R^2 / cut-off^2)^2 of the
|* distance R of their oxygens, so energy is conserved in spite of the cut-off.
|*
|* Units: 0.1 nm, ps, atomic mass units, hence energies of 0.01 kJ/mol.
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_BENCHMARKS_DSM_WATER_H
#define GRAUPEL_BENCHMARKS_DSM_WATER_H

#include "common.h"

enum {
  SITES = 3, /**< Oxygen, hydrogen, hydrogen. */
  COORDINATES = 3 * SITES,
  ORDER = 6, /**< Values of a coordinate: itself and five derivatives. */
  PLACE_BLOCK_BYTES = 2048
};

/** Coordinates, which others read. */
struct place {
  double at[COORDINATES];
};

/** What else there is of a molecule. value[k] is derivative k + 1 of all
   coordinates, times Dt^(k + 1) / (k + 1)!. */
struct motion {
  double value[ORDER - 1][COORDINATES];
  double force[COORDINATES];
  double padding[2];
};

/** All molecules, in two arrays, so that who reads places gets nothing else. */
struct molecules {
  struct place *place;
  struct motion *motion;
};

static const double Dt = 0.00025, Cutoff = 6.2, Spacing = 3.104,
                    Mass[SITES] = {15.9994, 1.00794, 1.00794},
                    Charge[SITES] = {-0.82, 0.41, 0.41}, Coulomb = 138935.458,
                    Sigma = 3.166, Epsilon = 65.0, Bond = 1.0, Span = 1.633,
                    BondStrength = 463700, SpanStrength = 191500;

/** Edge of the box, and how many molecules stand along it at first. */
static double box;
static long edge;

static void size_box(long molecules) {
  edge = (long)ceil(cbrt((double)molecules) - 1e-9);
  box = Spacing * (double)edge;
  if (box < 3 * Cutoff)
    fail("the box is too small for the cut-off; use at least 216 molecules",
         "");
}

/** The lattice place and the random speeds of a molecule. */
static void place_molecule(struct place *place, struct motion *motion,
                           long number) {
  long at[3] = {number % edge, number / edge % edge, number / edge / edge};
  uint64_t seed = (uint64_t)number * 32;
  double angle = 6.28318530717958647692 * mix_double(seed + 31);
  double half = 0.5 * Span, height = sqrt(Bond * Bond - half * half);
  memset(motion, 0, sizeof *motion);
  for (int s = 0; s < SITES; ++s) {
    double side = s == 0 ? 0 : s == 1 ? half : -half;
    double offset[3] = {side * cos(angle), side * sin(angle),
                        s == 0 ? 0 : height};
    for (int k = 0; k < 3; ++k) {
      place->at[3 * s + k] = ((double)at[k] + 0.5) * Spacing + offset[k];
      motion->value[0][3 * s + k] =
          Dt * 4 * (mix_double(seed + (uint64_t)k) - 0.5);
    }
  }
}

/* --- Gear's method -------------------------------------------------------- */

static void predict(struct place *restrict place,
                    struct motion *restrict motion) {
  double *restrict v = &motion->value[0][0];
  for (int first = 0; first < ORDER - 1; ++first) {
    for (int k = ORDER - 3; k >= first - 1 && k >= 0; --k)
      for (int c = 0; c < COORDINATES; ++c)
        v[k * COORDINATES + c] += v[(k + 1) * COORDINATES + c];
    if (first == 0)
      for (int c = 0; c < COORDINATES; ++c)
        place->at[c] += v[c];
  }
  for (int c = 0; c < COORDINATES; ++c)
    motion->force[c] = 0;
}

/** Also brings molecules that have left the box back in. Returns twice the
   kinetic energy. */
static double correct(struct place *restrict place,
                      struct motion *restrict motion) {
  static const double weight[ORDER] = {3.0 / 20,  251.0 / 360, 1,
                                       11.0 / 18, 1.0 / 6,     1.0 / 60};
  double kinetic = 0;
  for (int c = 0; c < COORDINATES; ++c) {
    double error =
        0.5 * Dt * Dt * motion->force[c] / Mass[c / 3] - motion->value[1][c];
    place->at[c] += weight[0] * error;
    for (int k = 1; k < ORDER; ++k)
      motion->value[k - 1][c] += weight[k] * error;
    double speed = motion->value[0][c] / Dt;
    kinetic += Mass[c / 3] * speed * speed;
  }
  for (int k = 0; k < 3; ++k) {
    double oxygen = place->at[k];
    double shift = oxygen < 0 ? box : oxygen >= box ? -box : 0;
    for (int s = 0; s < SITES; ++s)
      place->at[3 * s + k] += shift;
  }
  return kinetic;
}

/* --- Forces --------------------------------------------------------------- */

static double add_bond(const struct place *m, double *force, int a, int b,
                       double length, double strength) {
  double d[3], square = 0;
  for (int k = 0; k < 3; ++k) {
    d[k] = m->at[3 * a + k] - m->at[3 * b + k];
    square += d[k] * d[k];
  }
  double distance = sqrt(square), stretch = distance - length;
  for (int k = 0; k < 3; ++k) {
    double f = -strength * stretch / distance * d[k];
    force[3 * a + k] += f;
    force[3 * b + k] -= f;
  }
  return 0.5 * strength * stretch * stretch;
}

/** Forces within a molecule; returns their energy. */
static double add_inner_forces(const struct place *place,
                               struct motion *motion) {
  return add_bond(place, motion->force, 0, 1, Bond, BondStrength) +
         add_bond(place, motion->force, 0, 2, Bond, BondStrength) +
         add_bond(place, motion->force, 1, 2, Span, SpanStrength);
}

static inline double nearest_image(double d, double size, double half) {
  return d > half ? -size : d < -half ? size : 0;
}

/** The interaction of molecules at coordinates a and b. Without one (too far)
   it returns 0; otherwise it sets the forces on both and the energy. */
static inline int interact(const double *restrict a, const double *restrict b,
                           double size, double on_a[COORDINATES],
                           double on_b[COORDINATES], double *energy) {
  double shift[3], r[3], half = 0.5 * size, square = 0;
  for (int k = 0; k < 3; ++k) {
    shift[k] = nearest_image(a[k] - b[k], size, half);
    r[k] = a[k] - b[k] + shift[k];
    square += r[k] * r[k];
  }
  if (square >= Cutoff * Cutoff)
    return 0;

  double over2 = Sigma * Sigma / square, over6 = over2 * over2 * over2;
  double full = 4 * Epsilon * over6 * (over6 - 1);
  double strength = 48 * Epsilon * over6 * (over6 - 0.5) / square;
  double remaining = 1 - square / (Cutoff * Cutoff),
         scale = remaining * remaining;
  for (int k = 0; k < 3; ++k) {
    on_a[k] = scale * strength * r[k];
    on_b[k] = -on_a[k];
  }
  for (int c = 3; c < COORDINATES; ++c)
    on_a[c] = on_b[c] = 0;
  for (int s = 0; s < SITES; ++s)
    for (int t = 0; t < SITES; ++t) {
      double d[3], distance2 = 0;
      for (int k = 0; k < 3; ++k) {
        d[k] = a[3 * s + k] - b[3 * t + k] + shift[k];
        distance2 += d[k] * d[k];
      }
      double over = 1 / sqrt(distance2);
      double part = Coulomb * Charge[s] * Charge[t] * over;
      full += part;
      for (int k = 0; k < 3; ++k) {
        double f = scale * part * over * over * d[k];
        on_a[3 * s + k] += f;
        on_b[3 * t + k] -= f;
      }
    }
  /* The scale itself depends on the oxygens. */
  double slope = 4 * full * remaining / (Cutoff * Cutoff);
  for (int k = 0; k < 3; ++k) {
    on_a[k] += slope * r[k];
    on_b[k] -= slope * r[k];
  }
  *energy = scale * full;
  return 1;
}

static struct molecules allocate_molecules(int shared, long count) {
  struct molecules molecules;
  molecules.place = problem_alloc(shared, (size_t)count * sizeof(struct place),
                                  PLACE_BLOCK_BYTES, GDSM_HOME_FIRST_TOUCH);
  molecules.motion =
      problem_alloc(shared, (size_t)count * sizeof(struct motion),
                    ROW_BLOCK_BYTES, GDSM_HOME_FIRST_TOUCH);
  return molecules;
}

/* --- Verification --------------------------------------------------------- */

static double *coordinates_of(struct molecules molecules, long count) {
  double *all = private_alloc((size_t)(count * COORDINATES) * sizeof *all);
  for (long m = 0; m < count; ++m)
    memcpy(all + m * COORDINATES, molecules.place[m].at,
           sizeof molecules.place[m].at);
  return all;
}

/** Forces do not move the center of mass. */
static long count_lost_momentum(struct molecules molecules, long count) {
  long wrong = 0;
  for (int k = 0; k < 3; ++k) {
    double now = 0, first = 0;
    for (long m = 0; m < count; ++m) {
      struct place fresh_place;
      struct motion fresh;
      place_molecule(&fresh_place, &fresh, m);
      for (int s = 0; s < SITES; ++s) {
        now += Mass[s] * molecules.motion[m].value[0][3 * s + k] / Dt;
        first += Mass[s] * fresh.value[0][3 * s + k] / Dt;
      }
    }
    if (!(fabs(now - first) < 1e-9 * (double)count)) {
      printf("verify: momentum %d has changed by %g\n", k, now - first);
      ++wrong;
    }
  }
  return wrong;
}

#endif
