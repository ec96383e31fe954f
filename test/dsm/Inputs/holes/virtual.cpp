// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -fsanitize=vptr looks into objects.
#include <cstdio>
#include <graupel/dsm.h>
#include <new>

struct Base {
  virtual int f(int) = 0;
  virtual ~Base() {}
  int x = 3;
};
struct Derived : Base {
  int f(int y) override { return x + y; }
};

__attribute__((noinline)) static int call(Base *b) { return b->f(4); }

int main() {
  char *shared = nullptr;
  if (gdsm_node() == 0)
    new (shared = static_cast<char *>(gdsm_malloc(4096))) Derived;
  gdsm_broadcast(&shared, sizeof(shared), 0);
  gdsm_barrier();
  if (gdsm_node() == 1)
    printf("%d\n", call(reinterpret_cast<Base *>(shared)));
  gdsm_barrier();
}
