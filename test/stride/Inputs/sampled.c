// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of all sorts, long enough to be sampled: summarised, with others, lists,
// branches, calls, nests, recursion. Prints what it computed.

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, Rounds = 60 };
double line[N], rows[200][100], table[1 << 16];
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
  double sum = 0;
  long all = 0;
  for (int r = 0; r < Rounds; ++r) {
    sum += fill(r) + gather() + columns();
    for (int k = 0; k < 7; ++k)
      all += list(nodes + k);
    all += branches(r) + tree(nodes + 1, 12) + jump(r, 5000);
  }
  printf("%.0f %ld\n", sum, all);
  return 0;
}
