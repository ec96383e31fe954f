// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Twenty kernels, each with arrays of its own, whose references exact.py compares
// with an independent trace. Sizes are odd, so that vector loops have remainders.

#include <stdlib.h>

#define KERNEL __attribute__((noinline))
#define N 1003

typedef unsigned long word;

double axpy_x[N], axpy_y[N];
KERNEL void axpy(long n, double a) {
  for (long i = 0; i < n; ++i)
    axpy_y[i] += a * axpy_x[i];
}

double gather_a[N];
int gather_i[N];
KERNEL double gather(long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += gather_a[gather_i[i]];
  return s;
}

// The affine reference and the other one are of one stream.
long same_a[N];
KERNEL long same(long n) {
  long s = 0;
  for (long i = 0; i < n; ++i)
    s += same_a[i] + same_a[same_a[i]];
  return s;
}

int count_of[64];
unsigned char count_text[N];
KERNEL void count(long n) {
  for (long i = 0; i < n; ++i)
    ++count_of[count_text[i] & 63];
}

double mul_a[31][31], mul_b[31][31], mul_c[31][31];
KERNEL void mul(long n) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      for (long k = 0; k < n; ++k)
        mul_c[i][j] += mul_a[i][k] * mul_b[k][j];
}

float turn_a[67][67], turn_b[67][67];
KERNEL void turn(long n) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      turn_b[j][i] = turn_a[i][j];
}

double stencil_a[37][41], stencil_b[37][41];
KERNEL void stencil(long n, long m) {
  for (long i = 1; i < n - 1; ++i)
    for (long j = 1; j < m - 1; ++j)
      stencil_b[i][j] = stencil_a[i][j] + stencil_a[i - 1][j] +
                        stencil_a[i + 1][j] + stencil_a[i][j - 1] +
                        stencil_a[i][j + 1];
}

// Column by column in memory, row by row in the loop.
double rows_a[4][5001];
double rows_q[5001];
KERNEL void rows(long n) {
  for (long i = 0; i < n; ++i)
    rows_q[i] += rows_a[0][i] + rows_a[1][i] + rows_a[2][i] + rows_a[3][i];
}

int spmv_start[65], spmv_index[N];
double spmv_value[N], spmv_x[N], spmv_y[64];
KERNEL void spmv(long n) {
  for (long i = 0; i < n; ++i) {
    double s = 0;
    for (long k = spmv_start[i]; k < spmv_start[i + 1]; ++k)
      s += spmv_value[k] * spmv_x[spmv_index[k]];
    spmv_y[i] = s;
  }
}

long back_a[N];
KERNEL long back(long n) {
  long s = 0;
  for (long i = n; i-- > 0;)
    s = s * 3 + back_a[i];
  return s;
}

// Steps that only the run knows; two of them in one stream.
int step_a[20 * N];
KERNEL int step(long n, long a, long b) {
  int s = 0;
  for (long i = 0; i < n; ++i)
    s = s * 5 + step_a[i * a] - step_a[i * b];
  return s;
}

struct particle {
  double x, y, z;
  int kind, cell;
} fields_p[N];
KERNEL double fields(long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    fields_p[i].x += fields_p[i].y;
    if (fields_p[i].kind == 3)
      s += fields_p[i].z;
  }
  return s;
}

int search_a[N];
KERNEL long search(long n, int key) {
  for (long i = 0; i < n; ++i)
    if (search_a[i] == key)
      return i;
  return -1;
}

int binary_a[N];
KERNEL long binary(long n, int key) {
  long low = 0, high = n;
  while (low < high) {
    long middle = (low + high) / 2;
    if (binary_a[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

unsigned char sieve_a[N];
KERNEL void sieve(long n) {
  for (long i = 2; i * i < n; ++i)
    if (!sieve_a[i])
      for (long k = i * i; k < n; k += i)
        sieve_a[k] = 1;
}

double tri_a[53][53], tri_x[53];
KERNEL void tri(long n) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < i; ++j)
      tri_x[i] -= tri_a[i][j] * tri_x[j];
}

int sort_a[N];
KERNEL void sort(long low, long high) {
  if (low >= high)
    return;
  int pivot = sort_a[(low + high) / 2];
  long i = low, j = high;
  while (i <= j) {
    while (sort_a[i] < pivot)
      ++i;
    while (sort_a[j] > pivot)
      --j;
    if (i <= j) {
      int t = sort_a[i];
      sort_a[i++] = sort_a[j];
      sort_a[j--] = t;
    }
  }
  sort(low, j);
  sort(i, high);
}

// The next element is wherever the last one says.
struct node {
  int next;
  int value;
} list_pool[N];
KERNEL long list(int first) {
  long s = 0;
  for (int n = first; n >= 0; n = list_pool[n].next)
    s += list_pool[n].value;
  return s;
}

word atomic_a[61];
KERNEL void atomic(long n) {
  for (long i = 0; i < n; ++i)
    __atomic_fetch_add(&atomic_a[i * 7 % 61], 1, __ATOMIC_SEQ_CST);
}

// Inner loops of a few iterations, and calls between.
short short_a[N];
KERNEL long sum(const short *p, long n) {
  long s = 0;
  for (long i = 0; i < n; ++i)
    s += p[i];
  return s;
}
KERNEL long shorts(long n) {
  long s = 0;
  for (long i = 0; i + 7 < n; i += 5)
    s ^= sum(short_a + i, i % 8);
  return s;
}

static unsigned seed = 1;
KERNEL unsigned next(void) {
  return seed = seed * 1103515245u + 12345u;
}

int main(void) {
  for (int i = 0; i < N; ++i) {
    gather_i[i] = next() / 8 % N;
    same_a[i] = next() / 8 % N;
    count_text[i] = next() >> 16;
    spmv_index[i] = next() / 8 % N;
    search_a[i] = binary_a[i] = 3 * i;
    sort_a[i] = next() >> 8;
    fields_p[i].kind = next() / 8 % 4;
    list_pool[i].next = i + 7 < N ? i + 7 : -1;
  }
  for (int i = 0; i <= 64; ++i)
    spmv_start[i] = i * i / 5;
  volatile double keep = 0;
  axpy(N, 2);
  axpy(3, 2);
  keep += gather(N);
  keep += same(N);
  count(N);
  mul(31);
  turn(67);
  stencil(37, 41);
  rows(5001);
  spmv(64);
  keep += back(N);
  keep += step(N, 3, 19) + step(N, 8, 8) + step(11, 1, 2);
  keep += fields(N);
  keep += search(N, 3 * 700) + search(N, 3) + search(N, -1);
  for (int i = 0; i < 100; ++i)
    keep += binary(N, i * 31);
  sieve(N);
  tri(53);
  sort(0, N - 1);
  keep += list(0) + list(5);
  atomic(200);
  keep += shorts(N);
  return keep < 0;
}
