/*===- published.h - What the compiler of 1997 made of the loop
-------------===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Shapes written by hand that have the published histograms; what is volatile,
|* today's compiler leaves as it is.
|*
|*   original   COLSTR is loaded twice; YTEMP is read in a loop of its own, four
|*              blocks jammed into it; the loop over k is unrolled twice more
|*   MODIFIED   (-unroll 1) COLSTR is loaded once, there is no YTEMP, and the
|*              loop over k is as written
|*
|* In which order the loads of one iteration stood is not published. Of all
|* orders these come nearest to the published shares of strides 1 and 2.
|*
\*===----------------------------------------------------------------------===*/

typedef const volatile double Double;
typedef const volatile int Int;

#ifdef MODIFIED
enum { BODY = 4 };
static const int OrderAA[BODY] = {3, 2, 1, 0};
static const int OrderROWIDX[BODY] = {0, 1, 3, 2};
static const int LeftROWIDX[4] = {0, 1, 3, 2};
#else
enum { BODY = 8 };
static const int OrderAA[BODY] = {0, 1, 2, 5, 3, 6, 4, 7};
static const int OrderROWIDX[BODY] = {1, 0, 2, 5, 3, 7, 4, 6};
static const int LeftROWIDX[4] = {0, 1, 2, 3};
#endif
/* Of a group of four that is left over. */
static const int LeftAA[4] = {3, 2, 1, 0};

/* From k on: loads `count` elements in the given order, and the elements of P
   for the group behind. */
#define GROUP(COUNT, ORDER_AA, ORDER_ROWIDX)                                   \
  do {                                                                         \
    double a[COUNT], old[COUNT];                                               \
    _Pragma("clang loop unroll(full)") for (int n = 0; n < COUNT; ++n)         \
        a[ORDER_AA[n]] = aa[k + ORDER_AA[n]];                                  \
    _Pragma("clang loop unroll(full)") for (int n = 0; n < 4; ++n) old[n] =    \
        x[n];                                                                  \
    double now[COUNT];                                                         \
    _Pragma("clang loop unroll(full)") for (int n = 0; n < COUNT; ++n)         \
        now[ORDER_ROWIDX[n]] = p[rowidx[k + 4 + ORDER_ROWIDX[n]]];             \
    _Pragma("clang loop unroll(full)") for (int n = 4; n < COUNT; ++n)         \
        old[n] = now[n - 4];                                                   \
    _Pragma("clang loop unroll(full)") for (int n = 0; n < 4; ++n) x[n] =      \
        now[COUNT - 4 + n];                                                    \
    _Pragma("clang loop unroll(full)") for (int n = 0; n < COUNT; ++n)         \
        sum[n % 4] += a[n] * old[n];                                           \
  } while (0)

static inline double column(int k1, int p1, int p2) {
  Double *aa = AA[k1] - 1;
  Int *rowidx = ROWIDX[k1] - 1;
  const double *p = P + (long)k1 * ROWS - 1;
  int p3 = p1 + (p2 - p1 + 1) / 4 * 4 - 1, k = p1;
  double sum[4] = {0, 0, 0, 0};
  double x[4];
#pragma clang loop unroll(full)
  for (int n = 0; n < 4; ++n)
    x[LeftROWIDX[n]] = p[rowidx[p1 + LeftROWIDX[n]]];
#pragma clang loop unroll(disable)
  for (; k + BODY - 1 <= p3; k += BODY)
    GROUP(BODY, OrderAA, OrderROWIDX);
#pragma clang loop unroll(disable)
  for (; k <= p3; k += 4)
    GROUP(4, LeftAA, LeftROWIDX);
#pragma clang loop unroll(disable)
  for (; k <= p2; ++k)
    sum[0] += aa[k] * p[rowidx[k]];
  return sum[0] + sum[1] + sum[2] + sum[3];
}

#ifndef MODIFIED
__attribute__((noinline)) void spmv(void) {
  Int *colstr;
  volatile double *y = YTEMP[0];
  volatile double *q = Q;
  for (int i = 0; i < N; ++i)
    q[i] = 0;
  for (int k1 = 0; k1 < BLOCKS; ++k1) {
    colstr = COLSTR[k1];
    for (int j = 0; j < N; ++j) {
      int p1 = colstr[j];
      int p2 = colstr[j + 1] - 1;
      y[(long)k1 * N + j] = column(k1, p1, p2);
    }
  }
#pragma clang loop unroll(disable)
  for (int i = 0; i < N; i += 4) {
    double sum[4];
#pragma clang loop unroll(full)
    for (int n = 0; n < 4; ++n)
      sum[n] = q[i + n];
#pragma clang loop unroll(full)
    for (int k1 = 0; k1 < BLOCKS; ++k1) {
#pragma clang loop unroll(full)
      for (int n = 0; n < 4; ++n)
        sum[n] += y[(long)k1 * N + i + n];
    }
#pragma clang loop unroll(full)
    for (int n = 0; n < 4; ++n)
      q[i + n] = sum[n];
  }
}
#else
__attribute__((noinline)) void spmv(void) {
  volatile double *q = Q;
  for (int k1 = 0; k1 < BLOCKS; ++k1) {
    Int *colstr = COLSTR[k1];
    int p2 = colstr[0] - 1;
    for (int j = 0; j < N; ++j) {
      int p1 = p2 + 1;
      p2 = colstr[j + 1] - 1;
      double sum = column(k1, p1, p2);
      if (k1 == 0)
        q[j] = sum;
      else
        q[j] = q[j] + sum;
    }
  }
}
#endif
