// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Affine loops of many shapes: matrix products, stencils, transposes, blocked,
// triangular and imperfect nests, strides of transforms, short inner loops,
// loops in small functions.
//
//   affine [KERNEL [REPEAT]]   see harness.h
//
// Each run of a kernel makes one to ten million steps.

#include "harness.h"

#define MAX 1024

static double A[MAX * MAX], B[MAX * MAX], C[MAX * MAX], X[MAX], Y[MAX];
static volatile double Keep;

//===--- Matrix products
//---------------------------------------------------===//

KERNEL void ijk(long n) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) {
      double s = 0;
      for (long k = 0; k < n; ++k)
        s += A[i * n + k] * B[k * n + j];
      C[i * n + j] = s;
    }
}

KERNEL void ikj(long n) {
  for (long i = 0; i < n; ++i)
    for (long k = 0; k < n; ++k)
      for (long j = 0; j < n; ++j)
        C[i * n + j] += A[i * n + k] * B[k * n + j];
}

KERNEL void blocked(long n, long b) {
  for (long ii = 0; ii < n; ii += b)
    for (long kk = 0; kk < n; kk += b)
      for (long jj = 0; jj < n; jj += b)
        for (long i = ii; i < ii + b && i < n; ++i)
          for (long k = kk; k < kk + b && k < n; ++k)
            for (long j = jj; j < jj + b && j < n; ++j)
              C[i * n + j] += A[i * n + k] * B[k * n + j];
}

/// All matrices are of one allocation site, so loads are one stream.
static double **Heap;
KERNEL void heap(long n) {
  double *a = Heap[0], *b = Heap[1], *c = Heap[2];
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) {
      double s = 0;
      for (long k = 0; k < n; ++k)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}

static void mm(void (*f)(long), long n) {
  for (long left = 4000000; left > 0; left -= n * n * n)
    f(n);
}
static void ijk16(void) { mm(ijk, 16); }
static void ijk32(void) { mm(ijk, 32); }
static void ijk64(void) { mm(ijk, 64); }
static void ijk200(void) { mm(ijk, 200); }
static void ikj16(void) { mm(ikj, 16); }
static void ikj32(void) { mm(ikj, 32); }
static void ikj64(void) { mm(ikj, 64); }
static void ikj200(void) { mm(ikj, 200); }
static void ikj201(void) { mm(ikj, 201); }
static void heap64(void) { mm(heap, 64); }
static void heap200(void) { mm(heap, 200); }
static void blocked200(void) { blocked(200, 32); }
static void blocked256(void) { blocked(256, 16); }

//===--- Stencils
//----------------------------------------------------------===//

KERNEL void stencil2(long n, long m) {
  for (long i = 1; i < n - 1; ++i)
    for (long j = 1; j < m - 1; ++j)
      B[i * m + j] = A[i * m + j] + A[(i - 1) * m + j] + A[(i + 1) * m + j] +
                     A[i * m + j - 1] + A[i * m + j + 1];
}
static void stencil2_wide(void) {
  for (int t = 0; t < 2; ++t)
    stencil2(1000, 1000);
}
static void stencil2_narrow(void) {
  for (int t = 0; t < 20; ++t)
    stencil2(10000, 10);
}
static void stencil2_small(void) {
  for (int t = 0; t < 2000; ++t)
    stencil2(32, 32);
}

KERNEL void stencil3(long n, long m, long l) {
  for (long i = 1; i < n - 1; ++i)
    for (long j = 1; j < m - 1; ++j)
      for (long k = 1; k < l - 1; ++k) {
        long at = (i * m + j) * l + k;
        B[at] = A[at] + A[at - 1] + A[at + 1] + A[at - l] + A[at + l] +
                A[at - m * l] + A[at + m * l];
      }
}
static void stencil3_wide(void) { stencil3(100, 100, 100); }
static void stencil3_narrow(void) {
  for (int t = 0; t < 10; ++t)
    stencil3(100, 500, 8);
}

/// In place, backwards, with a boundary of its own.
KERNEL void sweep(long n, long m) {
  for (long i = n - 2; i > 0; --i) {
    A[i * m] = A[i * m + m - 2];
    for (long j = m - 2; j > 0; --j)
      A[i * m + j] = 0.5 * (A[i * m + j] + A[(i + 1) * m + j]);
    A[i * m + m - 1] = A[i * m + 1];
  }
}
static void sweeps(void) {
  for (int t = 0; t < 20; ++t)
    sweep(1000, 100);
}

//===--- Strides
//-----------------------------------------------------------===//

KERNEL void transpose(long n, long m) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j)
      B[j * n + i] = A[i * m + j];
}
static void transpose_large(void) { transpose(1000, 1000); }
static void transpose_small(void) {
  for (int t = 0; t < 4000; ++t)
    transpose(24, 40);
}

KERNEL void transform(long n) {
  for (long length = 2; length <= n; length *= 2)
    for (long i = 0; i < n; i += length)
      for (long j = 0; j < length / 2; ++j) {
        double u = A[i + j], v = A[i + j + length / 2] * B[j * (n / length)];
        A[i + j] = u + v;
        A[i + j + length / 2] = u - v;
      }
}
static void transforms(void) {
  for (int t = 0; t < 20; ++t)
    transform(1 << 14);
}

//===--- Triangles
//---------------------------------------------------------===//

KERNEL void factor(double *restrict a, long n) {
  for (long k = 0; k < n; ++k)
    for (long i = k + 1; i < n; ++i) {
      double f = a[i * n + k] / (a[k * n + k] + 1);
      a[i * n + k] = f;
      for (long j = k + 1; j < n; ++j)
        a[i * n + j] -= f * a[k * n + j];
    }
}
static void factor64(void) {
  for (int t = 0; t < 20; ++t)
    factor(A, 64);
}
static void factor200(void) { factor(A, 200); }

KERNEL void solve(long n) {
  for (long i = 0; i < n; ++i) {
    double s = X[i];
    for (long j = 0; j < i; ++j)
      s -= A[i * n + j] * Y[j];
    Y[i] = s;
  }
}
static void solve100(void) {
  for (int t = 0; t < 400; ++t)
    solve(100);
}
static void solve1000(void) {
  for (int t = 0; t < 4; ++t)
    solve(1000);
}

//===--- Short loops, imperfect nests, small functions
//---------------------===//

KERNEL void inner(long n, long m) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j)
      B[i * m + j] += 2 * A[i * m + j];
}
static void inner8(void) { inner(125000, 8); }
static void inner32(void) { inner(31250, 32); }
static void inner100(void) { inner(10000, 100); }

KERNEL void vector(long n, long m) {
  for (long i = 0; i < n; ++i) {
    double s = 0;
    for (long j = 0; j < m; ++j)
      s += A[i * m + j] * X[j];
    Y[i] = s / (1 + X[i]);
    for (long j = 0; j < m; ++j)
      C[i * m + j] = s * B[j * n + i];
  }
}
static void imperfect(void) {
  for (int t = 0; t < 5; ++t)
    vector(1000, 100);
}
static void imperfect_short(void) {
  for (int t = 0; t < 20; ++t)
    vector(1000, 12);
}

/// A clearing that becomes a memset.
KERNEL void cleared(long n, long m) {
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < m; ++j)
      C[i * m + j] = 0;
    for (long k = 0; k < 4; ++k)
      for (long j = 0; j < m; ++j)
        C[i * m + j] += A[k * m + j];
  }
}
static void clear_add(void) {
  for (int t = 0; t < 10; ++t)
    cleared(1000, 64);
}

KERNEL double dot(const double *a, const double *b, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += a[i] * b[i];
  return s;
}
static void dots(long n, long m) {
  for (long i = 0; i < n; ++i)
    Keep = dot(A + i * m, B + i * m, m);
}
static void dot32(void) { dots(31250, 32); }
static void dot100(void) { dots(10000, 100); }
static void dot1000(void) { dots(1000, 1000); }

KERNEL void triad(long n) {
  for (long i = 0; i < n; ++i)
    C[i] = A[i] + 3 * B[i];
}
static void triads(void) { triad(MAX * MAX); }

static void *matrix(long n) { return calloc(n, sizeof(double)); }

static const struct kernel Kernels[] = {
#define ENTRY(name) {#name, name}
    ENTRY(ijk16),           ENTRY(ijk32),           ENTRY(ijk64),
    ENTRY(ijk200),          ENTRY(ikj16),           ENTRY(ikj32),
    ENTRY(ikj64),           ENTRY(ikj200),          ENTRY(ikj201),
    ENTRY(heap64),          ENTRY(heap200),         ENTRY(blocked200),
    ENTRY(blocked256),      ENTRY(stencil2_wide),   ENTRY(stencil2_narrow),
    ENTRY(stencil2_small),  ENTRY(stencil3_wide),   ENTRY(stencil3_narrow),
    ENTRY(sweeps),          ENTRY(transpose_large), ENTRY(transpose_small),
    ENTRY(transforms),      ENTRY(factor64),        ENTRY(factor200),
    ENTRY(solve100),        ENTRY(solve1000),       ENTRY(inner8),
    ENTRY(inner32),         ENTRY(inner100),        ENTRY(imperfect),
    ENTRY(imperfect_short), ENTRY(clear_add),       ENTRY(dot32),
    ENTRY(dot100),          ENTRY(dot1000),         ENTRY(triads),
};

int main(int argc, char **argv) {
  double *matrices[3];
  Heap = matrices;
  for (int i = 0; i < 3; ++i)
    matrices[i] = matrix(200 * 200);
  runKernels(Kernels, sizeof(Kernels) / sizeof(*Kernels), argc, argv);
  return 0;
}
