// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cannot be shared, one at a time, and what a file leaves private.

#include <graupel/dsm.h>
#include <iostream>
#include <vector>

int atRunTime();

#ifdef INITIALIZER
GDSM_GLOBAL int X = atRunTime();
#elif defined DESTRUCTOR
GDSM_GLOBAL std::vector<int> X;
#elif defined DESTRUCTORS
struct Object {
  constexpr Object() {}
  ~Object() { atRunTime(); }
};
GDSM_GLOBAL Object X[3];
#elif defined THREAD_LOCAL
GDSM_GLOBAL thread_local int X;
#elif defined IN_FUNCTION
int f() {
  GDSM_GLOBAL static int X = atRunTime();
  return X;
}
#elif defined NO_POINTER
GDSM_SHARED int X;
#elif defined ASSEMBLY
extern "C" GDSM_GLOBAL int X;
GDSM_GLOBAL int X;
void f() { asm volatile("incl X(%%rip)" ::: "memory"); }
#elif defined ASSEMBLY_FILE
extern "C" GDSM_GLOBAL int X;
GDSM_GLOBAL int X;
asm(".text\nf: movl $X, %eax\nret");
#elif defined ASSEMBLY_OTHERS
extern "C" GDSM_GLOBAL int X, Y;
GDSM_GLOBAL int X;
asm(".text\nXX: X.1: movl _X(%rip), %eax\nret");
void f() { asm volatile("incl %0" : "+m"(X)); }
#else
static std::vector<int> Vector;
int Initialized = atRunTime(), Plain = 3;
GDSM_PER_NODE std::vector<int> Known(5);
int f() {
  static int Static = atRunTime();
  return Static + Vector[0] + Known[0] + Plain;
}
#endif
