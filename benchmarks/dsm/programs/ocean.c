/*===- ocean.c - Wind-driven circulation of a basin ---------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* The barotropic vorticity equation in a square basin: stencils over grids of n
|* x n points (two of each row and column are ghosts), partitioned by rows, with
|* an elliptic equation solved by multigrid in each step, the pattern of the
|* ocean program of SPLASH-2 (Woo et al. 1995). Per time step:
|*
|*  1. the tendency of the vorticity: advection (Arakawa's Jacobian of 1966),
|*     the planet's rotation, wind, bottom friction, lateral friction;
|*  2. the new vorticity (Adams-Bashforth);
|*  3. the stream function: laplacian(psi) = zeta.
|*
|* All loops compute point by point, and what is reduced over threads is a
|* maximum: equal bits.
|*
\*===----------------------------------------------------------------------===*/

#include "multigrid.h"

static const double Rotation = 20, Friction = 0.2, Wind = 2,
                    Pi = 3.14159265358979323846, Tolerance = 1e-7;

struct basin {
  struct multigrid grid; /**< Of the first level, u is psi and f is zeta. */
  double *tendency[2];   /**< This step's and the last one's, in turn. */
};

static long points, steps;
static struct basin shared_basin;

/** The neighborhood of a row in psi and zeta, what it drives, and its output.
 */
static void tendency_row(double *restrict to, const double *restrict psi,
                         const double *restrict zeta, double wind, long n,
                         long stride, double viscosity) {
  double per_hh = (double)(n * n), half_per_h = 0.5 * (double)n;
  const double *restrict psi_s = psi - stride, *restrict psi_n = psi + stride;
  const double *restrict zeta_s = zeta - stride, *restrict zeta_n =
                                                     zeta + stride;
  for (long j = 1; j <= n; ++j) {
    double plain = (psi[j + 1] - psi[j - 1]) * (zeta_n[j] - zeta_s[j]) -
                   (psi_n[j] - psi_s[j]) * (zeta[j + 1] - zeta[j - 1]);
    double energy = psi[j + 1] * (zeta_n[j + 1] - zeta_s[j + 1]) -
                    psi[j - 1] * (zeta_n[j - 1] - zeta_s[j - 1]) -
                    psi_n[j] * (zeta_n[j + 1] - zeta_n[j - 1]) +
                    psi_s[j] * (zeta_s[j + 1] - zeta_s[j - 1]);
    double enstrophy = zeta_n[j] * (psi_n[j + 1] - psi_n[j - 1]) -
                       zeta_s[j] * (psi_s[j + 1] - psi_s[j - 1]) -
                       zeta[j + 1] * (psi_n[j + 1] - psi_s[j + 1]) +
                       zeta[j - 1] * (psi_n[j - 1] - psi_s[j - 1]);
    double advection = per_hh * (plain + energy + enstrophy) * (1.0 / 12);
    double diffusion = per_hh * (zeta_s[j] + zeta_n[j] + zeta[j - 1] +
                                 zeta[j + 1] - 4 * zeta[j]);
    to[j] = wind - advection - Friction * zeta[j] + viscosity * diffusion -
            Rotation * half_per_h * (psi[j + 1] - psi[j - 1]);
  }
}

static void advance_row(double *restrict zeta, const double *restrict now,
                        const double *restrict before, long n, double dt) {
  for (long j = 1; j <= n; ++j)
    zeta[j] += dt * (1.5 * now[j] - 0.5 * before[j]);
}

static void initialize(struct basin basin, struct team team) {
  struct level level = basin.grid.levels[0];
  struct rows rows = my_rows(level.n, team);
  double h = 1.0 / (double)level.n;
  clear_levels(&basin.grid, team);
  for (int i = 0; i < 2; ++i)
    clear_rows(basin.tendency[i], level.n, level.stride, team);
  for (long i = rows.begin; i < rows.end; ++i) {
    double y = ((double)i - 0.5) * h;
    for (long j = 1; j <= level.n; ++j) {
      double x = ((double)j - 0.5) * h;
      double psi = 0.02 * sin(Pi * x) * sin(2 * Pi * y);
      level.u[i * level.stride + j] = psi;
      level.f[i * level.stride + j] = -5 * Pi * Pi * psi;
    }
    reflect_row(level.u, i, level.n, level.stride);
    reflect_row(level.f, i, level.n, level.stride);
  }
}

static void run(struct basin basin, struct team team) {
  initialize(basin, team);
  struct level level = basin.grid.levels[0];
  long n = level.n, stride = level.stride;
  struct rows rows = my_rows(n, team);
  double h = 1.0 / (double)n, dt = 0.5 * h, viscosity = 0.02 * h * h / dt;
  phase_begin(team);
  for (long step = 0; step < steps; ++step) {
    double *now = basin.tendency[step & 1];
    double *before = basin.tendency[(step + 1) & 1];
    for (long i = rows.begin; i < rows.end; ++i)
      tendency_row(now + i * stride, level.u + i * stride, level.f + i * stride,
                   -Wind * sin(2 * Pi * ((double)i - 0.5) * h), n, stride,
                   viscosity);
    team_barrier(team);
    for (long i = rows.begin; i < rows.end; ++i) {
      advance_row(level.f + i * stride, now + i * stride, before + i * stride,
                  n, dt);
      reflect_row(level.f, i, n, stride);
    }
    team_barrier(team);
    solve_poisson(&basin.grid, Tolerance, team);
  }
  phase_end(team);
}

static struct basin allocate(int shared) {
  struct basin basin;
  basin.grid = make_multigrid(points - 2, shared);
  for (int i = 0; i < 2; ++i)
    basin.tendency[i] = grid_alloc(points - 2, shared);
  return basin;
}

static long verify(void) {
  struct basin reference = allocate(0);
  run(reference, lone_team());
  struct level got = shared_basin.grid.levels[0];
  struct level expected = reference.grid.levels[0];
  long count = (got.n + 2) * got.stride;
  return count_differences("psi", got.u, expected.u, count, 0, 0) +
         count_differences("zeta", got.f, expected.f, count, 0, 0);
}

static void solve(void *unused) {
  (void)unused;
  run(shared_basin, whole_team());
}

int main(int argc, char **argv) {
  struct option options[] = {{"n", &points, 66, 514, 6, 1 << 16},
                             {"steps", &steps, 4, 20, 1, 1 << 30}};
  parse_options("ocean", argc, argv, options, 2);
  if (gdsm_node() == 0)
    shared_basin = allocate(1);
  gdsm_broadcast(&shared_basin, sizeof shared_basin, 0);
  gdsm_parallel(solve, NULL);

  long wrong = 0;
  if (gdsm_node() == 0) {
    struct level level = shared_basin.grid.levels[0];
    double energy = 0;
    if (largest_residual(level, lone_team()) > Tolerance) {
      printf("verify: the stream function does not fit the vorticity\n");
      ++wrong;
    }
    if (error_wanted)
      level.u[level.n / 2 * level.stride + 1] += 0x1p-30;
    for (long i = 1; i <= level.n; ++i)
      for (long j = 1; j <= level.n; ++j)
        energy -= level.u[i * level.stride + j] * level.f[i * level.stride + j];
    printf("result: ocean n=%ld steps=%ld energy %.15g checksum %016llx\n",
           points, steps, 0.5 * energy / (double)(level.n * level.n),
           (unsigned long long)hash_doubles(0, level.u,
                                            (level.n + 2) * level.stride));
    if (verify_wanted)
      wrong += verify();
  }
  return finish(wrong);
}
