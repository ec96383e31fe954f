/*===- streams.c - Small loops, checked and not -------------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* What checks cost where there is little else: loops over shared memory that is
|* local and valid. Compiled twice, with and without instrumentation; the ratio
|* of the two is the result. For each kernel prints its name, the fastest of
|* several repetitions in nanoseconds an operation, and a checksum.
|*
|*   streams [--kernel=NAME] [--repeats=N]
|*
\*===----------------------------------------------------------------------===*/

#include "../programs/common.h"

enum {
  N = 4096, /**< Elements of the arrays of streaming loops: 32 KiB. */
  LARGE =
      1 << 18, /**< Of those that are gathered from, chased, and copied far. */
  MATRIX = 256,
  SMALL_MATRIX = 40, /**< Three of them fit into a first-level cache. */
  BODIES = 256
};

struct point {
  double x, y, z, mass;
};

struct link {
  struct link *next;
  int64_t value;
};

struct memory {
  double *a, *b, *c, *large;
  int32_t *index;
  struct link *links;
  struct point *points, *forces;
};

static struct memory m;

/* --- Kernels: each returns something that depends on all it did ------------
 */

static double copy(void) {
  double *restrict a = m.a;
  const double *restrict b = m.b;
  for (long i = 0; i < N; ++i)
    a[i] = b[i];
  return a[N / 2];
}

static double axpy(void) {
  double *restrict a = m.a;
  const double *restrict b = m.b;
  for (long i = 0; i < N; ++i)
    a[i] += 1e-9 * b[i];
  return a[N / 2];
}

static double stencil(void) {
  double *restrict a = m.a;
  const double *restrict b = m.b;
  for (long i = 1; i < N - 1; ++i)
    a[i] = 0.25 * b[i - 1] + 0.5 * b[i] + 0.25 * b[i + 1];
  return a[N / 2];
}

static double read_all(void) {
  const double *restrict a = m.large;
  double sum[4] = {0};
  for (long i = 0; i < LARGE; i += 4)
    for (int k = 0; k < 4; ++k)
      sum[k] += a[i + k];
  return sum[0] + sum[1] + sum[2] + sum[3];
}

static double write_all(void) {
  double *restrict a = m.large;
  for (long i = 0; i < LARGE; ++i)
    a[i] = (double)i;
  return a[LARGE / 2];
}

static void multiply(double *restrict c, const double *restrict a,
                     const double *restrict b, long n) {
  for (long i = 0; i < n; ++i)
    for (long k = 0; k < n; ++k) {
      double x = a[i * n + k];
      for (long j = 0; j < n; ++j)
        c[i * n + j] += x * b[k * n + j];
    }
}

static double matmul(void) {
  multiply(m.large, m.large + MATRIX * MATRIX, m.large + 2 * MATRIX * MATRIX,
           MATRIX);
  return m.large[MATRIX];
}

static double matmul_small(void) {
  multiply(m.a, m.b, m.c, SMALL_MATRIX);
  return m.a[SMALL_MATRIX];
}

static double gather(void) {
  const double *restrict a = m.large;
  const int32_t *restrict index = m.index;
  double sum = 0;
  for (long i = 0; i < N; ++i)
    sum += a[index[i]];
  return sum;
}

static double chase(void) {
  int64_t sum = 0;
  const struct link *link = m.links;
  for (long i = 0; i < N; ++i, link = link->next)
    sum += link->value;
  return (double)sum;
}

static double bodies(void) {
  const struct point *restrict points = m.points;
  struct point *restrict forces = m.forces;
  for (long i = 0; i < BODIES; ++i) {
    double fx = 0, fy = 0, fz = 0;
    for (long j = 0; j < BODIES; ++j) {
      double dx = points[j].x - points[i].x, dy = points[j].y - points[i].y;
      double dz = points[j].z - points[i].z;
      double square = dx * dx + dy * dy + dz * dz + 0.01;
      double strength = points[j].mass / (square * sqrt(square));
      fx += strength * dx;
      fy += strength * dy;
      fz += strength * dz;
    }
    forces[i].x = fx;
    forces[i].y = fy;
    forces[i].z = fz;
  }
  return forces[1].x;
}

static const struct kernel {
  const char *name;
  double (*run)(void);
  long operations, rounds; /**< In one call; calls in a repetition. */
} kernels[] = {
    {"copy", copy, N, 500},
    {"axpy", axpy, N, 500},
    {"stencil", stencil, N, 500},
    {"read", read_all, LARGE, 5},
    {"write", write_all, LARGE, 5},
    {"gather", gather, N, 200},
    {"chase", chase, N, 200},
    {"bodies", bodies, BODIES * BODIES, 10},
    {"matmul", matmul, (long)MATRIX * MATRIX * MATRIX, 1},
    {"matmul-l1", matmul_small,
     (long)SMALL_MATRIX * SMALL_MATRIX * SMALL_MATRIX, 30},
};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

/* --- The program ---------------------------------------------------------- */

static void fill(void) {
  for (long i = 0; i < N; ++i) {
    m.a[i] = m.b[i] = m.c[i] = mix_double((uint64_t)i);
    m.index[i] = (int32_t)(mix((uint64_t)i) % LARGE);
  }
  for (long i = 0; i < LARGE; ++i)
    m.large[i] = 1e-3 * mix_double((uint64_t)i);
  /* One cycle through all links, out of order. */
  for (long i = 0; i < N; ++i) {
    m.links[i].next = &m.links[(i + 1237) % N];
    m.links[i].value = i;
  }
  for (long i = 0; i < BODIES; ++i) {
    m.points[i].x = mix_double((uint64_t)(4 * i));
    m.points[i].y = mix_double((uint64_t)(4 * i + 1));
    m.points[i].z = mix_double((uint64_t)(4 * i + 2));
    m.points[i].mass = mix_double((uint64_t)(4 * i + 3));
  }
}

static void allocate(void) {
  size_t small = N * sizeof(double);
  m.a = gdsm_alloc(small, 0, GDSM_HOME_LOCAL);
  m.b = gdsm_alloc(small, 0, GDSM_HOME_LOCAL);
  m.c = gdsm_alloc(small, 0, GDSM_HOME_LOCAL);
  m.large = gdsm_alloc(LARGE * sizeof(double), 0, GDSM_HOME_LOCAL);
  m.index = gdsm_alloc(N * sizeof(int32_t), 0, GDSM_HOME_LOCAL);
  m.links = gdsm_alloc(N * sizeof(struct link), 0, GDSM_HOME_LOCAL);
  m.points = gdsm_alloc(BODIES * sizeof(struct point), 0, GDSM_HOME_LOCAL);
  m.forces = gdsm_alloc(BODIES * sizeof(struct point), 0, GDSM_HOME_LOCAL);
}

static void measure(const struct kernel *kernel, long repeats) {
  double best = 1e9, check = 0;
  fill();
  for (long r = 0; r < repeats; ++r) {
    double start = gdsm_time();
    for (long i = 0; i < kernel->rounds; ++i)
      check += kernel->run();
    best = fmin(best, gdsm_time() - start);
  }
  printf("%s %.5f ns checksum %.17g\n", kernel->name,
         1e9 * best / (double)(kernel->rounds * kernel->operations), check);
}

int main(int argc, char **argv) {
  const char *wanted = NULL;
  long repeats = 20;
  int found = 0;
  program_name = "streams";
  for (int i = 1; i < argc; ++i)
    if (!strncmp(argv[i], "--kernel=", 9))
      wanted = argv[i] + 9;
    else if (!strncmp(argv[i], "--repeats=", 10) && atol(argv[i] + 10) > 0)
      repeats = atol(argv[i] + 10);
    else
      fail("usage: streams [--kernel=NAME] [--repeats=N]; not ", argv[i]);
  if (gdsm_node() == 0) {
    allocate();
    for (int k = 0; k < KERNELS; ++k)
      if (!wanted || !strcmp(kernels[k].name, wanted)) {
        measure(&kernels[k], repeats);
        found = 1;
      }
    if (!found)
      fail("there is no kernel ", wanted);
  }
  return 0;
}
