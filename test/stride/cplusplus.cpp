// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exceptions, threads and the library's containers go on as without the pass.
//
// RUN: clang++ -O0 %s -o %t.plain0 -pthread && %t.plain0 > %t.expect0
// RUN: clang++ -O2 %s -o %t.plain -pthread && %t.plain > %t.expect
// RUN: %stride-cxx %s -O0 -o %t.0 -pthread
// RUN: env GRAUPEL_STRIDE_OUT=%t.0.gstride %t.0 | diff - %t.expect0
// RUN: %stride-cxx %s -o %t.3 -pthread
// RUN: env GRAUPEL_STRIDE_OUT=%t.3.gstride %t.3 | diff - %t.expect
// RUN: %stride-cxx %s -O2 -flto -o %t.full -pthread
// RUN: env GRAUPEL_STRIDE_OUT=%t.full.gstride %t.full | diff - %t.expect
// RUN: %stride-cxx %s -O2 -flto=thin -o %t.thin -pthread
// RUN: env GRAUPEL_STRIDE_OUT=%t.thin.gstride %t.thin | diff - %t.expect
// RUN: graupel stride report %t.3.gstride | FileCheck %s
// The vector's elements, ten times by a thread; all of one allocation site.
// CHECK: heap {{.*}}: 50000 loads, elements of 8 bytes
// CHECK-NEXT: 1 back 16 (2 elements)

#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct P {
  double x, y;
};

__attribute__((noinline)) double sum(const std::vector<P> &v) {
  double s = 0;
  for (auto &p : v)
    s += p.x;
  return s;
}
int main() {
  std::vector<P> v(5000);
  std::map<int, std::string> m;
  for (int i = 0; i < 2000; i++)
    m[i * 7919 % 2003] = std::to_string(i) + "some longer string to allocate";
  double s = 0;
  size_t n = 0;
  for (auto &e : m)
    n += e.second.size();
  std::thread t([&] {
    for (int i = 0; i < 10; i++)
      s += sum(v);
  });
  t.join();
  int caught = 0;
  for (int i = 0; i < 100; i++)
    try {
      if (i % 3 == 0)
        throw std::runtime_error("x");
      v[i].y = i;
    } catch (std::exception &) {
      ++caught;
    }
  try {
    (void)new char[(size_t)caught * (1ul << 57)];
  } catch (std::bad_alloc &) {
    ++caught;
  }
  printf("%g %zu %d\n", s, n, caught);
}
