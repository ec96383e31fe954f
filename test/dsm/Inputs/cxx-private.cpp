// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In shared memory, objects that hold memory of one node (BAD), and others.
#if __cplusplus >= 202002L
#include <barrier>
#endif
#include <graupel/dsm.hpp>
#include <list>
#include <map>
#include <string>
#include <utility>
#include <vector>

template <class T> using Vector = std::vector<T, graupel::dsm_allocator<T>>;
struct Plain {
  double Value;
  Plain *Next;
};

int main() {
#ifdef BAD
  graupel::dsm_new<BAD>();
#endif
  graupel::dsm_new<Plain>();
  graupel::dsm_new<Vector<int>>();
  graupel::dsm_new<graupel::dsm_string>();
  graupel::dsm_new<Vector<graupel::dsm_string>>()->resize(1);
  graupel::dsm_new<std::pair<const int, graupel::dsm_string>>();
  return 0;
}
