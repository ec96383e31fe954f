// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled by g++.
#include "shape.h"

long Shape::sum(const long *p) const { return sumInline(p); }
Shape::~Shape() = default;
Shape *makeShape() { return new Shape; }
std::function<long(const long *)> makeFunction() {
  return [](const long *p) { return sumInline(p); };
}
bool less(const long &a, const long &b) { return a < b; }
long visitEach(Visitor &v, long *p) {
  long s = 0;
  for (int i = 0; i < N; i++)
    s += v.visit(p + i);
  return s;
}
