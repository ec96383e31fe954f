// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What data are called in reports.
// RUN: rm -rf %t && mkdir %t
// RUN: %stride-cxx -O1 %s -DOTHER -c -o %t/other.o
// RUN: %stride-cxx -O1 %s %t/other.o -o %t/names
// RUN: env GRAUPEL_STRIDE=maxel=700 GRAUPEL_STRIDE_OUT=%t/names.gstride %t/names
// RUN: graupel stride report %t/names.gstride --maxel=1 | FileCheck %s
// CHECK-DAG: {{^}}space::grid: 101 stores
// CHECK-DAG: {{^}}physics::solver::pressure: 102 stores
// CHECK-DAG: {{^}}velocity: 103 stores
// CHECK-DAG: {{^}}heap names.cpp:[[# @LINE + 27]] block: 104 stores
// CHECK-DAG: {{^}}heap names.cpp:[[# @LINE + 27]] rows: 107 stores
// CHECK-DAG: {{^}}same: 105 stores
// CHECK-DAG: {{^}}same #2: 106 stores
// CHECK-DAG: 8 bytes in fill(double*, long) 100.00 %
// More histograms than there are references.
// RUN: graupel stride report %t/names.gstride --json --variant=all > %t/names.json
// RUN: %python %S/Inputs/report_schema.py %t/names.json
#include <stdlib.h>

static double same[106];
static __attribute__((noinline)) void fill(double *to, long n) {
  for (long i = 0; i < n; ++i)
    to[i] = i;
}
#ifdef OTHER
double other(int at) {
  fill(same, 106);
  return same[at];
}
#else
namespace space { double grid[101]; }
// As flang calls them: of a module's procedure, and of the main program.
double pressure[102] __asm__("_QMphysicsFsolverEpressure");
double velocity[103] __asm__("_QFEvelocity");
double other(int at);
int main(int argc, char **) {
  double *block = (double *)malloc(104 * sizeof(double));
  double (*rows)[8] = (double (*)[8])malloc(107 * sizeof(double));
  fill(rows[0], 107);
  fill(space::grid, 101);
  fill(pressure, 102);
  fill(velocity, 103);
  fill(block, 104);
  fill(same, 105);
  return block[argc] + rows[0][argc] + same[argc] + other(argc) != 4;
}
#endif
