// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nests of affine loops in the shapes of numerical programs: factorisations and
// triangular products, statistics, dynamic programming, stencils in time,
// recurrences, small functions that are called from loops. Each in a small and
// a middle size, where there are two.
//
//   nests [KERNEL [REPEAT]]   see harness.h

#include "harness.h"

#define MAX 1024
#define M 432
static double A[M][M], B[M][M], C[M][M], D[M][M], X[MAX], Y[MAX], Z[MAX],
    W[MAX];
static double Big[1 << 20], Big2[1 << 20], Big3[1 << 20];
static int P[M][M], Sequence[M];

static void fill(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      A[i][j] = i == j ? 2.0 * M : 1.0;
      B[i][j] = C[i][j] = 1.5;
      P[i][j] = (i ^ j) & 63;
    }
}

static void fillVectors(void) {
  for (int i = 0; i < MAX; ++i)
    X[i] = Y[i] = Z[i] = 1 + i % 5;
  for (int i = 0; i < M; ++i)
    Sequence[i] = (i * 7) % 4;
}

/// The small size so often that it makes some two million steps, the middle one
/// once.
#define TWICE(name, small, middle, steps)                                      \
  static void name##_##small(void) {                                           \
    const double n = small;                                                    \
    for (double left = 2e6; left > 0; left -= steps)                           \
      name(small);                                                             \
  }                                                                            \
  static void name##_##middle(void) { name(middle); }
/// The same of kernels that change matrices.
#define FRESH(name, small, middle, steps)                                      \
  static void name##_##small(void) {                                           \
    const double n = small;                                                    \
    for (double left = 2e6; left > 0; left -= steps) {                         \
      fill(small);                                                             \
      name(small);                                                             \
    }                                                                          \
  }                                                                            \
  static void name##_##middle(void) {                                          \
    fill(middle);                                                              \
    name(middle);                                                              \
  }

//===--- Factorisations and solutions -------------------------------------===//

KERNEL void lu(int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      for (int k = 0; k < j; ++k)
        A[i][j] -= A[i][k] * A[k][j];
      A[i][j] /= A[j][j];
    }
    for (int j = i; j < n; ++j)
      for (int k = 0; k < i; ++k)
        A[i][j] -= A[i][k] * A[k][j];
  }
}

KERNEL void lukij(int n) {
  for (int k = 0; k < n; ++k) {
    for (int j = k + 1; j < n; ++j)
      A[k][j] /= A[k][k];
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j < n; ++j)
        A[i][j] -= A[i][k] * A[k][j];
  }
}

KERNEL void cholesky(int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      for (int k = 0; k < j; ++k)
        A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
    for (int k = 0; k < i; ++k)
      A[i][i] -= A[i][k] * A[i][k];
    A[i][i] = A[i][i] * 0.5;
  }
}

KERNEL void trisolv(int n) {
  for (int i = 0; i < n; ++i) {
    X[i] = Y[i];
    for (int j = 0; j < i; ++j)
      X[i] -= A[i][j] * X[j];
    X[i] = X[i] / A[i][i];
  }
}

KERNEL void backsolv(int n) {
  for (int i = n - 1; i >= 0; --i) {
    double s = Y[i];
    for (int j = i + 1; j < n; ++j)
      s -= A[i][j] * X[j];
    X[i] = s / A[i][i];
  }
}

KERNEL void ludcmp(int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      double w = A[i][j];
      for (int k = 0; k < j; ++k)
        w -= A[i][k] * A[k][j];
      A[i][j] = w / A[j][j];
    }
    for (int j = i; j < n; ++j) {
      double w = A[i][j];
      for (int k = 0; k < i; ++k)
        w -= A[i][k] * A[k][j];
      A[i][j] = w;
    }
  }
  for (int i = 0; i < n; ++i) {
    double w = Y[i];
    for (int j = 0; j < i; ++j)
      w -= A[i][j] * Z[j];
    Z[i] = w;
  }
  for (int i = n - 1; i >= 0; --i) {
    double w = Z[i];
    for (int j = i + 1; j < n; ++j)
      w -= A[i][j] * X[j];
    X[i] = w / A[i][i];
  }
}

KERNEL void gramschmidt(int n) {
  for (int k = 0; k < n; ++k) {
    double norm = 1;
    for (int i = 0; i < n; ++i)
      norm += A[i][k] * A[i][k];
    B[k][k] = norm;
    for (int i = 0; i < n; ++i)
      C[i][k] = A[i][k] / B[k][k];
    for (int j = k + 1; j < n; ++j) {
      B[k][j] = 0;
      for (int i = 0; i < n; ++i)
        B[k][j] += C[i][k] * A[i][j];
      for (int i = 0; i < n; ++i)
        A[i][j] -= C[i][k] * B[k][j];
    }
  }
}

KERNEL void durbin(int n) {
  double alpha = -X[0], beta = 1;
  Y[0] = -X[0];
  for (int k = 1; k < n; ++k) {
    beta = (1 - alpha * alpha) * beta;
    double s = 0;
    for (int i = 0; i < k; ++i)
      s += X[k - i - 1] * Y[i];
    alpha = -(X[k] + s) / (beta + 3);
    for (int i = 0; i < k; ++i)
      Z[i] = Y[i] + alpha * Y[k - i - 1];
    for (int i = 0; i < k; ++i)
      Y[i] = Z[i];
    Y[k] = alpha;
  }
}

FRESH(lu, 40, 200, n * n * n / 3)
FRESH(lukij, 40, 200, n * n * n / 3)
FRESH(cholesky, 40, 200, n * n * n / 6)
TWICE(trisolv, 40, 400, n *n / 2)
TWICE(backsolv, 40, 400, n *n / 2)
FRESH(ludcmp, 40, 200, n * n * n / 3)
FRESH(gramschmidt, 40, 200, n * n * n)
TWICE(durbin, 40, 400, n * n * 1.5)

//===--- Triangular products ----------------------------------------------===//

KERNEL void trmm(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      for (int k = i + 1; k < n; ++k)
        B[i][j] += A[k][i] * B[k][j];
      B[i][j] = 1.5 * B[i][j];
    }
}

KERNEL void syrk(int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j)
      C[i][j] *= 1.2;
    for (int k = 0; k < n; ++k)
      for (int j = 0; j <= i; ++j)
        C[i][j] += 1.5 * A[i][k] * A[j][k];
  }
}

KERNEL void syr2k(int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j)
      C[i][j] *= 1.2;
    for (int k = 0; k < n; ++k)
      for (int j = 0; j <= i; ++j)
        C[i][j] += A[j][k] * 1.5 * B[i][k] + B[j][k] * 1.5 * A[i][k];
  }
}

KERNEL void symm(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double s = 0;
      for (int k = 0; k < i; ++k) {
        C[k][j] += 1.5 * B[i][j] * A[i][k];
        s += B[k][j] * A[i][k];
      }
      C[i][j] = 1.2 * C[i][j] + 1.5 * B[i][j] * A[i][i] + 1.5 * s;
    }
}

KERNEL void covariance(int n) {
  for (int j = 0; j < n; ++j) {
    X[j] = 0;
    for (int i = 0; i < n; ++i)
      X[j] += A[i][j];
    X[j] /= n;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      A[i][j] -= X[j];
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j) {
      B[i][j] = 0;
      for (int k = 0; k < n; ++k)
        B[i][j] += A[k][i] * A[k][j];
      B[i][j] /= n - 1;
      B[j][i] = B[i][j];
    }
}

FRESH(trmm, 40, 200, n * n * n / 2)
FRESH(syrk, 40, 200, n * n * n / 2)
FRESH(syr2k, 40, 200, n * n * n / 2)
FRESH(symm, 40, 200, n * n * n / 2)
FRESH(covariance, 40, 200, n * n * n / 2)

//===--- Dynamic programming ----------------------------------------------===//

static int most(int a, int b) { return a > b ? a : b; }
KERNEL void nussinov(int n) {
  for (int i = n - 1; i >= 0; --i)
    for (int j = i + 1; j < n; ++j) {
      P[i][j] = most(P[i][j], P[i][j - 1]);
      if (i + 1 < n)
        P[i][j] = most(P[i][j], P[i + 1][j]);
      if (i + 1 < n)
        P[i][j] =
            most(P[i][j], P[i + 1][j - 1] + (Sequence[i] + Sequence[j] == 3));
      for (int k = i + 1; k < j; ++k)
        P[i][j] = most(P[i][j], P[i][k] + P[k + 1][j]);
    }
}

KERNEL void floyd(int n) {
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        P[i][j] = P[i][j] < P[i][k] + P[k][j] ? P[i][j] : P[i][k] + P[k][j];
}

KERNEL void longest(int n) {
  for (int i = 1; i < n; ++i)
    for (int j = 1; j < n; ++j)
      P[i][j] = Sequence[i] == Sequence[n - j] ? P[i - 1][j - 1] + 1
                                               : most(P[i - 1][j], P[i][j - 1]);
}

FRESH(nussinov, 40, 200, n * n * n / 6)
FRESH(floyd, 40, 200, n * n * n)
TWICE(longest, 40, 400, n *n)

//===--- Stencils ---------------------------------------------------------===//

KERNEL void jacobi1(int n) {
  for (int t = 0; t < n; ++t) {
    for (int i = 1; i < n - 1; ++i)
      Y[i] = 0.3 * (X[i - 1] + X[i] + X[i + 1]);
    for (int i = 1; i < n - 1; ++i)
      X[i] = 0.3 * (Y[i - 1] + Y[i] + Y[i + 1]);
  }
}

KERNEL void jacobi2(int n) {
  for (int t = 0; t < 20; ++t) {
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j)
        B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] +
                         A[i - 1][j]);
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j)
        A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] +
                         B[i - 1][j]);
  }
}

KERNEL void seidel(int n) {
  for (int t = 0; t < 10; ++t)
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j)
        A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] +
                   A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j - 1] +
                   A[i + 1][j] + A[i + 1][j + 1]) /
                  9;
}

KERNEL void fdtd(int n) {
  for (int t = 0; t < 20; ++t) {
    for (int j = 0; j < n; ++j)
      A[0][j] = t;
    for (int i = 1; i < n; ++i)
      for (int j = 0; j < n; ++j)
        A[i][j] -= 0.5 * (C[i][j] - C[i - 1][j]);
    for (int i = 0; i < n; ++i)
      for (int j = 1; j < n; ++j)
        B[i][j] -= 0.5 * (C[i][j] - C[i][j - 1]);
    for (int i = 0; i < n - 1; ++i)
      for (int j = 0; j < n - 1; ++j)
        C[i][j] -= 0.7 * (B[i][j + 1] - B[i][j] + A[i + 1][j] - A[i][j]);
  }
}

KERNEL void adi(int n) {
  for (int t = 1; t <= 5; ++t) {
    for (int i = 1; i < n - 1; ++i) {
      B[0][i] = 1;
      C[i][0] = 0;
      D[i][0] = B[0][i];
      for (int j = 1; j < n - 1; ++j) {
        C[i][j] = -0.1 / (0.2 * C[i][j - 1] + 3);
        D[i][j] = (A[j][i - 1] + A[j][i] - A[j][i + 1] - 0.2 * D[i][j - 1]) /
                  (0.2 * C[i][j - 1] + 3);
      }
      B[n - 1][i] = 1;
      for (int j = n - 2; j >= 1; --j)
        B[j][i] = C[i][j] * B[j + 1][i] + D[i][j];
    }
  }
}

/// Three dimensions in one array, as programs have it that allocate.
KERNEL void heat3(int n) {
  for (int t = 0; t < 5; ++t)
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j)
        for (int k = 1; k < n - 1; ++k) {
          const double *a = Big + (i * n + j) * n + k;
          Big2[(i * n + j) * n + k] =
              a[0] + a[1] + a[-1] + a[n] + a[-n] + a[n * n] + a[-n * n];
        }
}

TWICE(jacobi1, 40, 1000, 2 * n * n)
FRESH(jacobi2, 40, 200, 40 * n * n)
FRESH(seidel, 40, 200, 10 * n * n)
FRESH(fdtd, 40, 200, 60 * n * n)
FRESH(adi, 40, 200, 10 * n * n)
TWICE(heat3, 20, 60, 5 * n * n * n)

//===--- Recurrences and loops of vectors ---------------------------------===//

KERNEL void hydro(int n) {
  for (int l = 0; l < 2000; ++l)
    for (int k = 0; k < n; ++k)
      X[k] = 2 + Y[k] * (0.5 * Z[k + 10] + 0.1 * Z[k + 11]);
}

/// Incomplete Cholesky: inner loops that halve.
KERNEL void conjugate(int n) {
  for (int l = 0; l < 2000; ++l) {
    int ii = n, end = 0;
    do {
      int begin = end;
      end += ii;
      ii /= 2;
      int i = end - 1;
      for (int k = begin + 1; k < end; k += 2)
        Big[++i] = Big[k] - Big2[k] * Big[k - 1] - Big2[k + 1] * Big[k + 1];
    } while (ii > 1);
  }
}

KERNEL void banded(int n) {
  for (int l = 0; l < 500; ++l) {
    int m = (n - 7) / 2;
    for (int k = 6; k < n; k += m) {
      int lw = k - 6;
      double s = X[k - 1];
      for (int j = 4; j < n; j += 5)
        s -= Big[lw++] * Y[j];
      X[k - 1] = Y[4] * s;
    }
  }
}

KERNEL void tridiagonal(int n) {
  for (int l = 0; l < 1000; ++l)
    for (int i = 1; i < n; ++i)
      X[i] = Z[i] * (Y[i] - X[i - 1]);
}

KERNEL void recurrence(int n) {
  for (int l = 0; l < 20; ++l)
    for (int i = 1; i < n; ++i)
      for (int k = 0; k < i; ++k)
        W[i] += A[k][i] * W[i - k - 1];
}

KERNEL void state(int n) {
  for (int l = 0; l < 1000; ++l)
    for (int k = 0; k < n; ++k)
      X[k] = W[k] + 0.1 * (Z[k] + 0.1 * Y[k]) +
             0.2 * (W[k + 3] + 0.1 * (W[k + 2] + 0.1 * W[k + 1]));
}

KERNEL void planck(int n) {
  for (int l = 0; l < 1000; ++l)
    for (int k = 0; k < n; ++k) {
      Y[k] = W[k] / (X[k] + 2);
      Z[k] = X[k] / (Y[k] + 3);
    }
}

KERNEL void reversed(int n) {
  for (int l = 0; l < 1000; ++l)
    for (int k = n - 2; k >= 0; --k)
      X[k] = Y[n - 1 - k] + 1;
}

KERNEL void strided(int n) {
  for (int l = 0; l < 1000; ++l)
    for (int k = 0; k < n; k += 3)
      X[k] = Y[k] * Z[k] + X[k];
}

/// A condition on data, as the vectorizer makes masks of it.
KERNEL void conditional(int n) {
  for (int l = 0; l < 1000; ++l)
    for (int k = 0; k < n; ++k)
      if (Y[k] > 2)
        X[k] = Y[k] + Z[k] * W[k];
}

KERNEL void diagonal(int n) {
  for (int l = 0; l < 5; ++l)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        C[i][j] = A[i][j] + B[j][i];
}

KERNEL void upper(int n) {
  for (int l = 0; l < 5; ++l)
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j)
        A[i][j] = A[i + 1][j] + B[i][j];
}

TWICE(hydro, 30, 1000, 2000 * n)
TWICE(conjugate, 64, 512, 2000 * n)
TWICE(banded, 60, 1000, 500 * n * 0.4)
TWICE(tridiagonal, 30, 1000, 1000 * n)
TWICE(recurrence, 30, 300, 10 * n * n)
TWICE(state, 30, 1000, 1000 * n)
TWICE(planck, 30, 1000, 1000 * n)
TWICE(reversed, 30, 1000, 1000 * n)
TWICE(strided, 30, 1000, 300 * n)
TWICE(conditional, 30, 1000, 1000 * n)
TWICE(diagonal, 40, 400, 2.5 * n * n)
TWICE(upper, 40, 400, 2.5 * n * n)

//===--- Functions that are called from loops -----------------------------===//

KERNEL void axpy(long n, double a, const double *x, double *y) {
  for (long i = 0; i < n; ++i)
    y[i] += a * x[i];
}
KERNEL double dot(long n, const double *x, const double *y) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += x[i] * y[i];
  return s;
}
KERNEL void scale(long n, double a, double *x) {
  for (long i = 0; i < n; ++i)
    x[i] *= a;
}
KERNEL double dotStrided(long n, const double *x, long dx, const double *y,
                         long dy) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += x[i * dx] * y[i * dy];
  return s;
}
KERNEL void multiply3(const double *restrict a, const double *restrict b,
                      double *restrict c) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double s = 0;
      for (int k = 0; k < 3; ++k)
        s += a[3 * i + k] * b[3 * k + j];
      c[3 * i + j] = s;
    }
}

KERNEL void gemvByDots(int n) {
  for (int i = 0; i < n; ++i)
    Y[i] = dot(n, A[i], X);
}
KERNEL void gemvByAxpys(int n) {
  for (int i = 0; i < n; ++i)
    axpy(n, X[i], A[i], Y);
}
/// Columns of a factorisation by calls, as LINPACK does.
KERNEL void gefa(int n) {
  for (int k = 0; k < n - 1; ++k) {
    scale(n - k - 1, 0.01, &A[k][k + 1]);
    for (int j = k + 1; j < n; ++j)
      axpy(n - k - 1, A[j][k], &A[k][k + 1], &A[j][k + 1]);
  }
}
KERNEL void productByDots(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      C[i][j] = dotStrided(n, A[i], 1, &B[0][j], M);
}
KERNEL void threes(int n) {
  for (int i = 0; i < n; ++i)
    multiply3(Big + 9 * i, Big2 + 9 * i, Big3 + 9 * i);
}

TWICE(gemvByDots, 30, 400, n *n)
TWICE(gemvByAxpys, 30, 400, n *n)
FRESH(gefa, 40, 200, n * n * n / 3)
TWICE(productByDots, 30, 200, n * n * n)
TWICE(threes, 1000, 100000, 20 * n)

#define BOTH(name, small, middle)                                              \
  {#name "_" #small, name##_##small}, { #name "_" #middle, name##_##middle }
static const struct kernel Kernels[] = {
    BOTH(lu, 40, 200),          BOTH(lukij, 40, 200),
    BOTH(cholesky, 40, 200),    BOTH(trisolv, 40, 400),
    BOTH(backsolv, 40, 400),    BOTH(ludcmp, 40, 200),
    BOTH(gramschmidt, 40, 200), BOTH(durbin, 40, 400),
    BOTH(trmm, 40, 200),        BOTH(syrk, 40, 200),
    BOTH(syr2k, 40, 200),       BOTH(symm, 40, 200),
    BOTH(covariance, 40, 200),  BOTH(nussinov, 40, 200),
    BOTH(floyd, 40, 200),       BOTH(longest, 40, 400),
    BOTH(jacobi1, 40, 1000),    BOTH(jacobi2, 40, 200),
    BOTH(seidel, 40, 200),      BOTH(fdtd, 40, 200),
    BOTH(adi, 40, 200),         BOTH(heat3, 20, 60),
    BOTH(hydro, 30, 1000),      BOTH(conjugate, 64, 512),
    BOTH(banded, 60, 1000),     BOTH(tridiagonal, 30, 1000),
    BOTH(recurrence, 30, 300),  BOTH(state, 30, 1000),
    BOTH(planck, 30, 1000),     BOTH(reversed, 30, 1000),
    BOTH(strided, 30, 1000),    BOTH(conditional, 30, 1000),
    BOTH(diagonal, 40, 400),    BOTH(upper, 40, 400),
    BOTH(gemvByDots, 30, 400),  BOTH(gemvByAxpys, 30, 400),
    BOTH(gefa, 40, 200),        BOTH(productByDots, 30, 200),
    BOTH(threes, 1000, 100000),
};

int main(int argc, char **argv) {
  fill(M);
  fillVectors();
  runKernels(Kernels, sizeof(Kernels) / sizeof(*Kernels), argc, argv);
  return 0;
}
