// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses cxx-library.cpp beside shared memory.

#include <cstring>
#include <graupel/dsm.hpp>
#include <iostream>
#include <stdexcept>

std::string nameOf(int Key);
void print(std::ostream &O, int Key);

static char *Text;

static void work(void *) {
  if (gdsm_thread() == 0)
    strcpy(Text, "shared text");
  gdsm_barrier();
  if (gdsm_thread() == gdsm_threads() - 1) {
    std::cout << Text << ' ' << nameOf(5);
    print(std::cout, 7);
    try {
      nameOf(1000);
    } catch (std::exception &E) {
      std::cout << ' ' << E.what();
    }
    std::cout << std::endl;
  }
}

int main() {
  if (gdsm_node() == 0)
    Text = static_cast<char *>(gdsm_malloc(64));
  gdsm_broadcast(&Text, sizeof Text, 0);
  gdsm_parallel(work, nullptr);
}
