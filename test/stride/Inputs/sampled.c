// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of all sorts, long enough to be sampled: summarized, with others, lists,
// branches, calls, nests, recursion. Prints what it computed.

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, Rounds = 60 };
enum { Size = 160 };
double line[N], rows[200][100], table[1 << 16];
double left[Size][Size], right[Size][Size], product[Size][Size];
float small[Size * Size];
int order[N];
struct Node {
  struct Node *next;
  long value;
} nodes[N];

__attribute__((noinline)) double fill(double from) {
  for (int i = 0; i < N; ++i)
    line[i] = from + i;
  return line[N - 1];
}
__attribute__((noinline)) double gather(void) {
  double sum = 0;
  for (int i = 0; i < N; ++i)
    sum += table[order[i]];
  return sum;
}
__attribute__((noinline)) long list(const struct Node *n) {
  long sum = 0;
  for (; n; n = n->next)
    sum += n->value;
  return sum;
}
__attribute__((noinline)) double columns(void) {
  double sum = 0;
  for (int j = 0; j < 100; ++j)
    for (int i = 0; i < 200; ++i)
      sum += rows[i][j];
  return sum;
}
/// An iteration of the outermost loop is many bursts.
__attribute__((noinline)) double multiply(void) {
  for (int i = 0; i < Size; ++i)
    for (int j = 0; j < Size; ++j) {
      double sum = product[i][j];
      for (int k = 0; k < Size; ++k)
        sum += left[i][k] * right[k][j];
      product[i][j] = sum / Size;
    }
  return product[1][2];
}
/// References on all levels, short rows, some without an inner loop.
__attribute__((noinline)) float levels(int planes, int height, int width) {
  float sum = 0;
  for (int p = 0; p < planes; ++p) {
    sum += small[p];
    for (int y = 0; y < height; ++y) {
      sum += small[p * height + y];
      for (int x = 0; x < width; ++x)
        small[(p * height + y) * width + x] += sum;
    }
    small[p] = sum / (1 + width);
  }
  return sum;
}
/// Rows that a burst has many of, and each is a nest.
__attribute__((noinline)) double triangle(void) {
  double sum = 0;
  for (int i = 0; i < Size; ++i)
    for (int j = 0; j < i; ++j)
      sum += left[i][j] + right[j][i];
  return sum;
}
__attribute__((noinline)) long branches(int seed) {
  long odd = 0;
  for (int i = 0; i < N; ++i) {
    if ((order[i] ^ seed) & 4)
      odd += nodes[i].value;
    else if (order[i] & 1)
      nodes[i].value += 1;
  }
  return odd;
}
__attribute__((noinline)) long tree(struct Node *at, int depth) {
  if (!depth)
    return at->value;
  return tree(nodes + (at - nodes) * 2 % N, depth - 1) +
         tree(nodes + ((at - nodes) * 2 + 1) % N, depth - 1);
}
__attribute__((noinline)) int jump(int from, int steps) {
  // Two entries into one cycle.
  if (from & 1)
    goto middle;
again:
  from = order[from % N];
middle:
  from += order[(from + 1) % N] & 3;
  if (steps-- > 0)
    goto again;
  return from;
}

int main(void) {
  unsigned random = 1;
  for (int i = 0; i < N; ++i) {
    order[i] = (int)((random = random * 1664525 + 1013904223) >> 16);
    nodes[i].value = i;
    nodes[i].next = i + 7 < N ? nodes + i + 7 : 0;
  }
  for (int i = 0; i < Size; ++i)
    for (int j = 0; j < Size; ++j) {
      left[i][j] = (i * 7 + j) % 10;
      right[i][j] = (i + j * 3) % 8;
    }
  double sum = 0;
  long all = 0;
  for (int r = 0; r < Rounds; ++r) {
    sum += fill(r) + gather() + columns() + triangle();
    if (r % 20 == 0)
      sum += multiply();
    sum += (int)levels(40, 50, r % 7 == 3 ? 0 : 12);
    for (int k = 0; k < 7; ++k)
      all += list(nodes + k);
    all += branches(r) + tree(nodes + 1, 12) + jump(r, 5000);
  }
  printf("%.0f %ld\n", sum, all);
  return 0;
}
