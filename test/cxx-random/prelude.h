// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What random programs (generate.py) have in common: a running hash of all that
// happens, objects that notice their construction and destruction, fuel that
// ends every program, and what can be thrown.
#ifndef GRAUPEL_CXX_RANDOM_PRELUDE_H
#define GRAUPEL_CXX_RANDOM_PRELUDE_H
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

#define NOINLINE __attribute__((noinline))
// Distances of labels are no constants where gcc puts cold blocks elsewhere.
#ifdef __clang__
#define WHOLE
#else
#define WHOLE __attribute__((optimize("no-reorder-blocks-and-partition")))
#endif
#define COLD __attribute__((noinline, cold))

// Other ways to pass values, of compilers that have them.
#ifdef __clang__
#define CONVENTION_0 __attribute__((preserve_none))
#define CONVENTION_1 __attribute__((regcall))
#define CONVENTION_2 __attribute__((preserve_most))
#define CONVENTION_3 __attribute__((swiftcall))
#else
#define CONVENTION_0
#define CONVENTION_1
#define CONVENTION_2
#define CONVENTION_3
#endif
#define CONVENTION_4

static thread_local unsigned long Hash = 1469598103934665603ul;
static thread_local long Fuel = 60000;
static thread_local int Live;
static std::atomic<unsigned long> Others; // Of threads that are gone.
static int Mode;

static inline void mix(unsigned long X) {
  Hash = (Hash ^ X) * 1099511628211ul;
  Hash ^= Hash >> 29;
}

template <typename T> static inline T hide(T X) {
  asm volatile("" : "+r"(X));
  return X;
}

// A division of anything by anything.
static inline long quotient(long A, long B) {
  return B == 0 || B == -1 ? A ^ B : A / B;
}
static inline long remainder(long A, long B) {
  return B == 0 || B == -1 ? A : A % B;
}

struct Error {
  long Value;
  explicit Error(long V) : Value(V) {}
  Error(const Error &E) : Value(E.Value + 1) { mix(Value); }
  virtual ~Error() { mix(Value * 3); }
  virtual long code() const { return Value; }
};
struct ErrorA : virtual Error {
  explicit ErrorA(long V) : Error(V + 10) {}
  long code() const override { return Value ^ 21; }
};
struct ErrorB : virtual Error {
  explicit ErrorB(long V) : Error(V + 20) {}
};
struct ErrorC : ErrorA, ErrorB {
  explicit ErrorC(long V) : Error(V + 30), ErrorA(V), ErrorB(V) {}
  long code() const override { return Value ^ 77; }
};
struct Other {
  long Value;
};

struct Tracked {
  long Id;
  explicit Tracked(long I) : Id(I) {
    ++Live;
    mix(Id + 7);
  }
  Tracked(const Tracked &T) : Id(T.Id + 1) { ++Live; }
  ~Tracked() {
    --Live;
    mix(Id);
  }
};

// Throws while it is constructed, at times.
struct Fragile {
  Tracked First;
  Tracked Second;
  NOINLINE explicit Fragile(long X) : First(X), Second((check(X), X + 1)) {}
  static NOINLINE void check(long X) {
    if (X % 5 == 3)
      throw ErrorB(X);
  }
};

// A function try block, which throws what it caught again.
struct Guarded {
  Fragile Inner;
  NOINLINE explicit Guarded(long X) try : Inner(X) {
    mix(X);
  } catch (Error &E) {
    mix(E.code());
    if (X & 8)
      throw ErrorC(X);
  }
};

// Out of line and cold: the shape of a library's helpers.
[[noreturn]] COLD static void raise(long Which, long X) {
  switch (Which & 15) {
  case 0: throw int(X & 255);
  case 1: throw ErrorA(X);
  case 2: throw ErrorB(X);
  case 3: throw ErrorC(X);
  case 4: throw std::runtime_error("r" + std::to_string(X & 63));
  case 5: throw std::out_of_range("o");
  case 6: throw std::bad_alloc();
  case 7: throw 'c';
  case 8: throw double(X & 31);
  case 9: throw "text";
  case 10: throw Other{X};
  case 11: throw std::string(X & 31, 'x');
  case 12: throw static_cast<long *>(nullptr);
  default: throw Error(X);
  }
}

// What a program's main() ends with.
static inline int finish() {
  printf("%d %d %016lx %016lx\n", Mode, Live, Hash, Others.load());
  fflush(stdout);
  return int(Hash & 63);
}

#endif
