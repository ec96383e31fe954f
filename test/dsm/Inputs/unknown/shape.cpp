// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled by g++.
#include "foreign.h"
long Shape::sum(const long *p) const { return gcc_sum(p); }
Shape::~Shape() = default;
Shape *makeShape() { return new Shape; }
