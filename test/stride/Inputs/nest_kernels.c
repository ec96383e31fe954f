// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nests of loops, each with arrays of its own. The arrays are volatile, so that
// code generators change neither the order nor the number of references; -DV= makes
// them others, which are vectorized.

#define KERNEL __attribute__((noinline))
#ifndef V
#define V volatile
#endif

V double mul_a[21][23], mul_b[23][19], mul_c[21][19];
KERNEL void mul(long n, long m, long l) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j)
      for (long k = 0; k < l; ++k)
        mul_c[i][j] += mul_a[i][k] * mul_b[k][j];
}

// Loads are one stream, whose members have other steps in each loop.
V double pool[3 * 17 * 17];
KERNEL void one_object(long n) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) {
      double s = 0;
      for (long k = 0; k < n; ++k)
        s += pool[i * n + k] * pool[n * n + k * n + j];
      pool[2 * n * n + i * n + j] = s;
    }
}

// The same far apart: distances are the same for long.
V double far_pool[2 * 9000];
KERNEL double far_apart(long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < 5; ++j)
      s += far_pool[3 * i + j] - far_pool[9000 + 7 * j + i];
  return s;
}

V int deep_a[5][6][7][8], deep_b[8][7][6][5];
KERNEL void deep(long n, long m, long l, long o) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j)
      for (long k = 0; k < l; ++k)
        for (long x = 0; x < o; ++x)
          deep_b[x][k][j][i] = deep_a[i][j][k][x];
}

V double imp_a[40][33], imp_x[40], imp_y[40];
KERNEL void imperfect(long n, long m) {
  for (long i = 0; i < n; ++i) {
    imp_y[i] = imp_x[i];
    for (long j = 0; j < m; ++j)
      imp_y[i] += imp_a[i][j];
    for (long j = 0; j < 3; ++j)
      imp_a[i][j] = imp_y[i] + imp_x[0];
    imp_x[i] = 1;
  }
}

V float back_a[30][31];
KERNEL void backwards(long n, long m) {
  for (long i = n; i-- > 0;)
    for (long j = m; j-- > 0;)
      back_a[i][j] = back_a[n - 1 - i][j];
}

V char still_a[4];
V long still_b[50];
KERNEL void still(long n, long m) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j) {
      ++still_a[1];
      still_b[i] = still_b[2] + still_a[0];
    }
}

V int over_a[700];
KERNEL void overlapping(V int *p, V int *q, long n, long m) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j)
      p[i * 20 + j] = q[i * 20 + j] + p[j];
}

V int guard_a[60], guard_b[60][9];
KERNEL void guarded(long n, long m, int p, int q) {
  for (long i = 0; i < n; ++i) {
    if (p)
      guard_a[i] = 3;
    if (!q)
      for (long j = 0; j < m; ++j)
        guard_b[i][j] = guard_a[j];
    else
      guard_a[0] += i;
  }
}

V double fft_a[128];
KERNEL void fft(long n) {
  for (long length = 2; length <= n; length *= 2)
    for (long i = 0; i < n; i += length)
      for (long j = 0; j < length / 2; ++j) {
        double u = fft_a[i + j], v = fft_a[i + j + length / 2];
        fft_a[i + j] = u + v;
        fft_a[i + j + length / 2] = u - v;
      }
}

V double tri_a[30][30];
KERNEL void triangle(long n) {
  for (long k = 0; k < n; ++k)
    for (long i = k + 1; i < n; ++i) {
      double f = tri_a[i][k] / tri_a[k][k];
      for (long j = k + 1; j < n; ++j)
        tri_a[i][j] -= f * tri_a[k][j];
    }
}

V int block_a[40][40], block_b[40][40];
KERNEL void blocked(long n, long b) {
  for (long ii = 0; ii < n; ii += b)
    for (long jj = 0; jj < n; jj += b)
      for (long i = ii; i < ii + b && i < n; ++i)
        for (long j = jj; j < jj + b && j < n; ++j)
          block_b[j][i] = block_a[i][j];
}

V short small_a[400];
KERNEL long sum(V short *p, long n) {
  long s = 0;
  for (long i = 0; i < n; ++i)
    s += p[i];
  return s;
}

// The clearing becomes a memset, of a row or, of one that is too short, of none.
static int clear_a[30][40];
KERNEL void cleared(long n, long m) {
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < m; ++j)
      clear_a[i][j] = 0;
    small_a[i] = 1;
  }
}

int main(void) {
  V double keep = 0;
  mul(21, 19, 23);
  mul(21, 19, 0);
  mul(2, 19, 1);
  one_object(17);
  one_object(4);
  keep += far_apart(2900) + far_apart(3);
  deep(5, 6, 7, 8);
  deep(5, 0, 7, 8);
  deep(1, 6, 1, 8);
  for (long m = 0; m < 4; ++m)
    imperfect(40, 11 * m);
  backwards(30, 31);
  backwards(30, 2);
  still(50, 9);
  still(3, 1);
  overlapping(over_a, over_a + 5, 20, 30);
  overlapping(over_a + 100, over_a + 20, 20, 7);
  for (int p = 0; p < 4; ++p)
    guarded(60, 9, p & 1, p & 2);
  guarded(60, 0, 1, 0);
  fft(128);
  triangle(30);
  blocked(40, 8);
  blocked(39, 16);
  for (long i = 0; i < 300; ++i)
    keep += sum(small_a + i, i % 3 ? 32 : 9);
  cleared(30, 33);
  cleared(30, 0);
  cleared(1, 5);
  return keep < clear_a[0][0];
}
