// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared globals of C++: constant initialization, inline and static members,
// templates, statics of functions, references and virtual functions.

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <graupel/dsm.h>

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: node %d: %s\n", __FILE__, __LINE__, gdsm_node(), \
              #condition);                                                     \
      exit(3);                                                                 \
    }                                                                          \
  } while (0)

struct Counter {
  long Value;
  constexpr explicit Counter(long V) : Value(V) {}
  virtual long next() { return ++Value; }
};

struct Twice : Counter {
  constexpr Twice() : Counter(100) {}
  long next() override { return Value += 2; }
};

namespace part {
GDSM_GLOBAL Counter Plain(5);
GDSM_GLOBAL static Twice Derived;
GDSM_GLOBAL Counter *Both[2] = {&Plain, &Derived};
} // namespace part

GDSM_GLOBAL inline std::atomic<int> Atomic{3};
GDSM_GLOBAL std::array<double, 5000> Numbers{};
int &Reference = *[] { return reinterpret_cast<int *>(&Atomic); }();

template <class T> struct Members {
  GDSM_GLOBAL static inline T Member{1};
  GDSM_GLOBAL static T Other;
};
template <class T> GDSM_GLOBAL T Members<T>::Other = 2;

inline long &inFunction() {
  GDSM_GLOBAL static long Calls = 50;
  return Calls;
}

static void initial(void *) {
  CHECK(Atomic == 3 && Reference == 3);
  CHECK(Members<int>::Member == 1 && Members<double>::Other == 2);
  CHECK(part::Both[0]->Value == 5 && part::Both[1]->Value == 100);
  CHECK(Numbers[4999] == 0 && inFunction() == 50);
}

static void work(void *) {
  int Me = gdsm_thread(), All = gdsm_threads();
  ++Atomic;
  for (int I = Me; I < 5000; I += All)
    Numbers[I] = I;
  gdsm_lock(1);
  for (Counter *C : part::Both)
    C->next();
  Members<int>::Member += 1;
  Members<double>::Other += 0.5;
  inFunction() += 1;
  gdsm_unlock(1);
  gdsm_barrier();
  CHECK(Atomic == 3 + All && Reference == 3 + All);
  CHECK(part::Plain.Value == 5 + All && part::Derived.Value == 100 + 2 * All);
  CHECK(Members<int>::Member == 1 + All);
  CHECK(Members<double>::Other == 2 + 0.5 * All && inFunction() == 50 + All);
  double Sum = 0;
  for (double N : Numbers)
    Sum += N;
  CHECK(Sum == 4999.0 * 2500);
}

int main() {
  gdsm_parallel(initial, nullptr);
  gdsm_parallel(work, nullptr);
  if (gdsm_node() == 0)
    printf("right on %d nodes, %d threads\n", gdsm_nodes(), gdsm_threads());
}
