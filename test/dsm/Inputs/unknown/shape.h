// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What g++ compiles, and what both do.
#ifndef SHAPE_H
#define SHAPE_H
#include "foreign.h"
#include <functional>

struct Shape {
  virtual long sum(const long *p) const;
  virtual ~Shape();
};
Shape *makeShape();
std::function<long(const long *)> makeFunction();
bool less(const long &a, const long &b);
long sumOfVector(long *p);

struct Visitor {
  virtual long visit(long *p) = 0;
};
long visitEach(Visitor &v, long *p);

// The linker keeps one of several.
template <class T> __attribute__((noinline)) T sumInline(const T *p) {
  T s = 0;
  for (int i = 0; i < N; i++)
    s += p[i];
  return s;
}
#endif
