/*===- blocks5.h - Blocks of five equations -----------------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* The small dense algebra of appbt: five coupled equations of a cell, the Euler
|* equations of a gas. Matrices are private to the caller.
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_BENCHMARKS_DSM_BLOCKS5_H
#define GRAUPEL_BENCHMARKS_DSM_BLOCKS5_H

enum { Q = 5 }; /**< Density, three momenta, energy. */

static const double Gamma = 1.4;

/** The flux in direction `axis` of the state q. */
static inline void euler_flux(double *restrict flux, const double *restrict q,
                              int axis) {
  double over = 1 / q[0], speed = q[1 + axis] * over;
  double square = (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) * over;
  double pressure = (Gamma - 1) * (q[4] - 0.5 * square);
  for (int e = 0; e < Q; ++e)
    flux[e] = q[e] * speed;
  flux[1 + axis] += pressure;
  flux[4] += pressure * speed;
}

/** Its derivative with respect to the state. */
static inline void euler_jacobian(double a[Q][Q], const double *restrict q,
                                  int axis) {
  double over = 1 / q[0];
  double u[3] = {q[1] * over, q[2] * over, q[3] * over};
  double speed = u[axis],
         phi = 0.5 * (Gamma - 1) * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  double enthalpy = Gamma * q[4] * over - phi;
  for (int j = 0; j < 3; ++j) {
    a[0][1 + j] = j == axis;
    for (int i = 0; i < 3; ++i)
      a[1 + i][1 + j] = u[i] * (j == axis) - (Gamma - 1) * (i == axis) * u[j] +
                        (i == j ? speed : 0);
    a[1 + j][0] = (j == axis ? phi : 0) - u[j] * speed;
    a[1 + j][4] = j == axis ? Gamma - 1 : 0;
    a[4][1 + j] = (j == axis ? enthalpy : 0) - (Gamma - 1) * u[j] * speed;
  }
  a[0][0] = a[0][4] = 0;
  a[4][0] = speed * (phi - enthalpy);
  a[4][4] = Gamma * speed;
}

/** c -= a b. */
static inline void subtract_product(double c[Q][Q], double a[Q][Q],
                                    double b[Q][Q]) {
  for (int i = 0; i < Q; ++i)
    for (int k = 0; k < Q; ++k)
      for (int j = 0; j < Q; ++j)
        c[i][j] -= a[i][k] * b[k][j];
}

/** y -= a x. */
static inline void subtract_applied(double y[Q], double a[Q][Q], double x[Q]) {
  for (int i = 0; i < Q; ++i)
    for (int k = 0; k < Q; ++k)
      y[i] -= a[i][k] * x[k];
}

/** Gaussian elimination without pivoting: c = d^-1 c, r = d^-1 r. Destroys d.
 */
static inline void eliminate(double d[Q][Q], double c[Q][Q], double r[Q]) {
  for (int p = 0; p < Q; ++p) {
    double over = 1 / d[p][p];
    for (int j = p + 1; j < Q; ++j)
      d[p][j] *= over;
    for (int j = 0; j < Q; ++j)
      c[p][j] *= over;
    r[p] *= over;
    for (int i = 0; i < Q; ++i) {
      double x = d[i][p];
      if (i == p)
        continue;
      for (int j = p + 1; j < Q; ++j)
        d[i][j] -= x * d[p][j];
      for (int j = 0; j < Q; ++j)
        c[i][j] -= x * c[p][j];
      r[i] -= x * r[p];
    }
  }
}

#endif
