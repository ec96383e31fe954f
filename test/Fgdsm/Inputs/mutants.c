/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
struct node { double x, y, z; struct node *next; int n; };
void unknown(void);

double fields(struct node *p) { return p->x * p->y + p->z; }
void counter(struct node *p) { p->n++; }
int one(int *p) { return *p; }
void scatter(int *p, long *q, int n) {
  for (int i = 0; i < n; ++i)
    p[q[i]] = i;
}
struct node *next(struct node *p) { return p->next; }
double number(double *p) { return *p; }
double chain(struct node *p, double *w) {
  double s = 0;
  while (p) {
    s += p->x * w[0];
    p->y = s;
    p = p->next;
  }
  return s;
}
int two(int *a, int *b, int *c) {
  int s = *a + *b;
  *c = s;
  return s + *a - *b;
}
int across(int *p, int *q) {
  int s = *p;
  *q = 1;
  unknown();
  return s + *p;
}
double gathered(double *x, long *index, double *weight, long n) {
  double s = 0;
#pragma clang loop unroll(disable)
  for (long k = 0; k < n; ++k)
    s += weight[k] * x[index[k]];
  return s;
}
